"""The three tokenisations that published scores rest on: mteval's 13a, the Treebank's words, and ROUGE's.

Each is equal, token by token, to the implementation that the published numbers were made with, and several
times as fast: the rules look no further than a word and the spaces around it, so that a word is taken apart
once and looked up afterwards.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from redraft.errors import MissingExtra

Ints = NDArray[np.int64]

_WORDS = 2**17
_TEXTS = 2**14


class Vocabulary(dict[str, int]):
    """The words met so far, each with a number, and the numbers of the tokens that each is made of.

    One vocabulary serves one pass over the samples; `read` starts it afresh once it has grown large, so that
    memory does not grow with the samples. Numbers of two reads are therefore not comparable.
    """

    def __init__(self, tokens: Callable[[str], Sequence[str]]) -> None:
        super().__init__()
        self._split = tokens
        self._forget()

    def _forget(self) -> None:
        self.clear()
        self._numbers: dict[str, int] = {}
        self._tokens = array("q")
        self._sizes = array("q")

    def __missing__(self, word: str) -> int:
        tokens = self._split(word)
        numbers = self._numbers
        for token in tokens:
            self._tokens.append(numbers.setdefault(token, len(numbers)))
        self._sizes.append(len(tokens))
        place = self[word] = len(self)
        return place

    def read(self, texts: Iterable[Sequence[str]]) -> tuple[Ints, Ints]:
        """The numbers of all tokens of these texts, one after the other, and how many each text has."""
        if len(self) > _WORDS:
            self._forget()
        words: list[str] = []
        ends = [0]
        for text in texts:
            words += text
            ends.append(len(words))
        met = np.fromiter(map(self.__getitem__, words), np.int64, len(words))
        # From words to tokens: the pieces of `tokens` that the words stand for, laid end to end.
        tokens, sizes = (np.frombuffer(numbers, dtype=np.int64) for numbers in (self._tokens, self._sizes))
        ahead = np.concatenate([[0], np.cumsum(sizes[met])])
        shift = (np.cumsum(sizes) - sizes)[met] - ahead[:-1]
        places = np.repeat(shift, sizes[met]) + np.arange(ahead[-1])
        return tokens[places], np.diff(ahead[ends])


# mteval-v13a, as sacrebleu and EASSE apply it.

_13A_SYMBOL = re.compile(r"([{-~\[-` -&(-+:-@/])")
_13A_AFTER_NON_DIGIT = re.compile(r"([^0-9])([.,])")
_13A_BEFORE_NON_DIGIT = re.compile(r"([.,])([^0-9])")
_13A_DASH = re.compile(r"([0-9])(-)")
_13A_SPLITS = re.compile(r"[{-~\[-` -&(-+:-@/.,]|[0-9]-")
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def words_13a(text: str) -> list[str]:
    """The text's words, still to be taken apart by `tokens_13a`."""
    if "<skipped>" in text:
        text = text.replace("<skipped>", "")
    if "-\n" in text:
        text = text.replace("-\n", "")
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return text.split()


@lru_cache(maxsize=_WORDS)
def tokens_13a(word: str) -> tuple[str, ...]:
    """The tokens of one word: symbols apart, full stops and commas apart except between digits."""
    if word.isalnum():
        return (word,)
    if word[-1] in ".," and word[:-1].isalnum():
        return (word[:-1], word[-1])
    if not _13A_SPLITS.search(word):
        return (word,)
    spaced = _13A_SYMBOL.sub(r" \1 ", f" {word} ")
    spaced = _13A_AFTER_NON_DIGIT.sub(r"\1 \2 ", spaced)
    spaced = _13A_BEFORE_NON_DIGIT.sub(r" \1 \2", spaced)
    return tuple(_13A_DASH.sub(r"\1 \2 ", spaced).split())


# ROUGE, as Google's rouge-score reads a text.

_ROUGE_WORD = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=_TEXTS)
def rouge_tokens(text: str, *, stem: bool = False) -> tuple[str, ...]:
    """Lower-cased runs of ASCII letters and digits; `stem` stems those of four characters and more."""
    found = _ROUGE_WORD.findall(text.lower())
    return tuple(_stem(token) if len(token) > 3 else token for token in found) if stem else tuple(found)


@lru_cache(maxsize=_WORDS)
def _stem(word: str) -> str:
    return _stemmer()(word)


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    try:
        from nltk.stem.porter import PorterStemmer  # noqa: PLC0415  (only stemmed ROUGE needs it)
    except ImportError:
        raise MissingExtra("stemming", "bench") from None
    stem: Callable[[str], str] = PorterStemmer().stem
    return stem
