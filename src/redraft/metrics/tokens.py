"""The three tokenisations that published scores rest on: mteval's 13a, the Treebank's words, and ROUGE's.

Each is equal, token by token, to the implementation that the published numbers were made with, and several
times as fast: the rules look no further than a word and the spaces around it, so that a word is taken apart
once and looked up afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain

_WORDS = 2**17


class Vocabulary(dict[str, tuple[int, ...]]):
    """The numbers of the tokens of each word, made when a word is first met.

    One vocabulary serves one pass over the samples; `trim` between blocks keeps it from growing with them.
    """

    def __init__(self, tokens: Callable[[str], Iterable[str]]) -> None:
        super().__init__()
        self._tokens = tokens
        self._numbers: dict[str, int] = {}

    def __missing__(self, word: str) -> tuple[int, ...]:
        numbers = self._numbers
        found = self[word] = tuple([numbers.setdefault(token, len(numbers)) for token in self._tokens(word)])
        return found

    def read(self, words: Iterable[str]) -> list[int]:
        """The numbers of all tokens of these words."""
        return list(chain.from_iterable(map(self.__getitem__, words)))

    def trim(self) -> None:
        """Forget everything once there is much of it; numbers from before mean nothing afterwards."""
        if len(self) > _WORDS:
            self.clear()
            self._numbers.clear()


# mteval-v13a, as sacrebleu and EASSE apply it.

_13A_SYMBOL = re.compile(r"([{-~\[-` -&(-+:-@/])")
_13A_AFTER_NON_DIGIT = re.compile(r"([^0-9])([.,])")
_13A_BEFORE_NON_DIGIT = re.compile(r"([.,])([^0-9])")
_13A_DASH = re.compile(r"([0-9])(-)")
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


def tokens_13a(word: str) -> list[str]:
    """The tokens of one word: symbols apart, full stops and commas apart except between digits."""
    if word.isalnum():
        return [word]
    spaced = _13A_SYMBOL.sub(r" \1 ", f" {word} ")
    spaced = _13A_AFTER_NON_DIGIT.sub(r"\1 \2 ", spaced)
    spaced = _13A_BEFORE_NON_DIGIT.sub(r" \1 \2", spaced)
    return _13A_DASH.sub(r"\1 \2 ", spaced).split()


# ROUGE, as Google's rouge-score reads a text.

_ROUGE_WORD = re.compile(r"[a-z0-9]+")


def rouge_tokens(text: str, *, stem: bool = False) -> list[str]:
    """Lower-cased runs of ASCII letters and digits; with `stem`, words of four letters and more are stemmed."""
    found = _ROUGE_WORD.findall(text.lower())
    return [_stem(token) if len(token) > 3 else token for token in found] if stem else found


@lru_cache(maxsize=_WORDS)
def _stem(word: str) -> str:
    return _stemmer()(word)


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer  # noqa: PLC0415  (NLTK takes a while to import)

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem
