"""The three tokenisations that published scores rest on: mteval's 13a, the Treebank's words, and ROUGE's.

Each is equal, token by token, to the implementation that the published numbers were made with, and several
times as fast: the rules look no further than a word and the spaces around it, so that a word is taken apart
once and looked up afterwards.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from redraft.constraints import english
from redraft.errors import MissingExtra
from redraft.text import CONTRACTED, NLTK_3_7

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


_MAY_END_SENTENCE = re.compile(r"""[.!?](?=[\s)";}\]*:@'({\[!?])""")

Rule = tuple[re.Pattern[str], str]


@lru_cache(maxsize=_TEXTS)
def treebank_words(text: str) -> tuple[str, ...]:
    """The words and marks of a text, sentence by sentence.

    >>> treebank_words("He can't, can he? I'd say so.")
    ('He', 'ca', "n't", ',', 'can', 'he', '?', 'I', "'d", 'say', 'so', '.')
    """
    if not _MAY_END_SENTENCE.search(text):
        return tuple(NLTK_3_7.words(text))
    sentences = english().spans(text)
    return tuple(word for start, end in sentences for word in NLTK_3_7.words(text[start:end]))


# The way back: what EditEval does to inputs, predictions and references before it scores them.


def _rules(*pairs: tuple[str, str]) -> tuple[Rule, ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in pairs)


_REJOINED = _rules(
    (r"(?i) ('t)\s(is)\b", r"\1\2"),
    (r"(?i) ('t)\s(was)\b", r"\1\2"),
    *((rf"(?i)\b({first})\s({second})\b", r"\1\2") for first, second in (c.split("|") for c in CONTRACTED)),
    (r"(?i)\b(wan)\s(na)(?=\s)", r"\1\2"),
    (r"([^' ])\s('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1\2 "),
    (r"([^' ])\s('[sSmMdD]|') ", r"\1\2 "),
    (r"(\S)\s('')", r"\1\2"),
    (r"('')\s([.,:)\]>};%])", r"\1\2"),
    (r"''", '"'),
)
_CLOSED_UP = _rules(
    (r" -- ", "--"),
    (r"([\[({<])\s", r"\1"),
    (r"\s([\])}>])", r"\1"),
    (r"([\])}>])\s([:;,.])", r"\1\2"),
    (r"([^'])\s'\s", r"\1' "),
    (r"\s([?!])", r"\1"),
    (r"""([^.])\s(\.)([\])}>"']*)\s*$""", r"\1\2\3"),
    (r"([#$])\s", r"\1"),
    (r"\s([;%])", r"\1"),
    (r"\s\.\.\.\s", "..."),
    (r"\s([:,])", r"\1"),
    (r"([ (\[{<])\s``", r"\1``"),
    (r"(``)\s", r"\1"),
    (r"``", '"'),
)
_MAY_REJOIN = re.compile(
    r"""\s(?:[\])}>?!;%:,.'`]|--\s|[nN]'[tT]\s|(?<=[NnMmTt]\s)(?i:not|me|na|ta)\b)|[\[({<#$]\s|''|``"""
)


def editeval_normalise(text: str) -> str:
    """A text as EditEval compares it: split at spaces, joined again by the Treebank's rules.

    >>> editeval_normalise("Well , he ca n't ( or wo n't ) .")
    "Well, he can't (or won't)."
    """
    # Nearly every text is joined already, and one look is cheaper than all the rules.
    if not _MAY_REJOIN.search(text):
        return text.strip()
    return _rewrite(_CLOSED_UP, _rewrite(_REJOINED, text).strip()).strip()


def _rewrite(rules: Iterable[Rule], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


ORDERS = 4
_BITS = 63


@dataclass(frozen=True, slots=True)
class Grams:
    """The distinct n-grams of each sample of a block, of one order, sample by sample."""

    samples: Ints
    """Which sample each n-gram belongs to."""
    counts: Ints
    """How often it stands in the source, in the prediction, and in each reference: a column each."""

    @property
    def source(self) -> Ints:
        return self.counts[:, 0]

    @property
    def prediction(self) -> Ints:
        return self.counts[:, 1]

    @property
    def references(self) -> Ints:
        return self.counts[:, 2:]


def count_grams(
    tokens: Ints, lengths: Ints, references: Ints, orders: int = ORDERS, *, pool: bool = False
) -> Iterator[Grams]:
    """The n-grams of a block of samples, order by order from one.

    The texts follow one another: source, prediction and references of the first sample, of the second, …
    `lengths` are their numbers of tokens, `references` how many references each sample has; `pool` counts
    a sample's references together, as if they were one.
    """
    widths = references + 2
    tokens, token_bits = _renumber(tokens)
    slot_of = np.arange(len(lengths)) - np.repeat(np.cumsum(widths) - widths, widths)
    if pool:
        slot_of = np.minimum(slot_of, 2)
    width = int(slot_of.max()) + 1
    slot_bits = (width - 1).bit_length()
    slots = np.repeat(slot_of, lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(tokens))

    # A key is a rank followed by the tokens since; `owner` knows the sample of each rank.
    owner = np.arange(len(widths))
    keys = np.repeat(np.repeat(owner, widths), lengths)
    key_bits, tail_bits = len(widths).bit_length(), 0
    at = np.arange(len(tokens))
    for order in range(1, orders + 1):
        alive = left[at] >= order
        at, keys = at[alive], keys[alive]
        if key_bits + token_bits + slot_bits > _BITS:
            ranks, keys = np.unique(keys, return_inverse=True)
            owner = owner[ranks >> tail_bits]
            key_bits, tail_bits = len(ranks).bit_length(), 0
        keys = (keys << token_bits) | tokens[at + order - 1]
        key_bits, tail_bits = key_bits + token_bits, tail_bits + token_bits
        yield _tally((keys << slot_bits) | slots[at], width, owner, tail_bits)


def _renumber(tokens: Ints) -> tuple[Ints, int]:
    """The same tokens numbered from 0 without gaps, and the bits that such a number needs."""
    if not len(tokens):
        return tokens, 1
    used = np.zeros(int(tokens.max()) + 1, dtype=np.int64)
    used[tokens] = 1
    numbers = np.cumsum(used) - 1
    return numbers[tokens], int(numbers[-1] + 1).bit_length()


def _tally(packed: Ints, width: int, owner: Ints, tail_bits: int) -> Grams:
    packed.sort()
    slot_bits = (width - 1).bit_length()
    keys = packed >> slot_bits
    fresh = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    distinct = keys[fresh]
    cells = (np.cumsum(fresh) - 1) * width + (packed & ((1 << slot_bits) - 1))
    counts = np.bincount(cells, minlength=len(distinct) * width).reshape(-1, width)
    return Grams(owner[distinct >> tail_bits], counts)
