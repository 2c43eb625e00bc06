"""Tokenizers in plain Python: byte-level BPE (SmolLM2) and WordPiece (BERT), from a tokenizer.json."""

from __future__ import annotations

import functools
import heapq
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Literal

import regex

CharacterClass = Literal["letter", "number", "space", "control", "mark", "punctuation", "ideograph"]


def members(name: CharacterClass, last: int = 0x10FFFF) -> str:
    """The members of a class up to the code point `last`, to be put between the brackets of a pattern."""
    return "".join(
        f"\\U{start:08x}-\\U{min(end, last):08x}" for start, end in _classes()[name] if start <= last
    )


@functools.cache
def _classes() -> Mapping[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    text = files("redraft.models").joinpath("characters.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, *ranges = line.split()
        for part in ranges:
            start, _, end = part.partition("-")
            found[name].append((int(start, 16), int(end or start, 16)))
    return found


QWEN2 = "qwen2"
"""What a GGUF calls a text that is split as a Qwen2 does it."""
QWEN2_PIECES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""Pieces of a text between which a Qwen2 merges nothing, as its tokenizer's file has them."""

KEPT_WORDS = 1 << 16
KEPT_LENGTH = 64
"""How many split words are remembered, and the characters of the longest such."""

_SURROGATES = re.compile("[\ud800-\udfff]")


@functools.cache  # compiled at first use: the classes are long, and compiling them takes a fifth of a second
def _word_pattern(last: int) -> re.Pattern[str]:
    """GPT-2's words, but every digit alone, for text without characters after the code point `last`."""
    letter, number, space = (members(name, last) for name in ("letter", "number", "space"))
    return re.compile(
        rf"'(?:[stmd]|re|ve|ll)| ?[{letter}]+|[{number}]| ?[^{space}{letter}{number}]+"
        # Of several spaces the last goes to the word that follows, if that is none of digits.
        rf"|[{space}]+(?![^{space}{number}])|[{space}]+"
    )


def _visible_bytes() -> list[str]:
    """The character that stands for each byte: itself where it can be seen, else one from U+0100 on."""
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = iter(range(0x100, 0x200))
    return [chr(byte if byte in visible else next(hidden)) for byte in range(256)]


_VISIBLE = _visible_bytes()
_BYTES = {char: byte for byte, char in enumerate(_VISIBLE)}


class BytePairEncoding:
    """Text into tokens, and a token into text. Control tokens in a text are text.

    `pieces` matches the pieces of a text between which nothing is merged; without it they are SmolLM2's.
    """

    def __init__(
        self, vocabulary: Collection[str], merges: Iterable[tuple[str, str]], pieces: str = ""
    ) -> None:
        self._pieces = regex.compile(pieces) if pieces else None
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}
        # A byte that SmolLM2 never met has no token, and leaves no trace.
        self._symbols = [char if char in vocabulary else "" for char in _VISIBLE]
        self._remembered = functools.lru_cache(KEPT_WORDS)(self._split)

    @classmethod
    def from_file(cls, path: Path) -> BytePairEncoding:
        """Read from a `tokenizer.json`."""
        return cls.from_text(path.read_text(encoding="utf-8"))

    @classmethod
    def from_text(cls, text: str) -> BytePairEncoding:
        """The same from what stands in such a file."""
        content = json.loads(text)
        model, (first, *_) = content["model"], content["pre_tokenizer"]["pretokenizers"]
        pieces = first["pattern"]["Regex"] if first["type"] == "Split" else ""
        return cls(model["vocab"], ((left, right) for left, right in model["merges"]), pieces)

    def encode(self, text: str) -> list[str]:
        """The tokens of a text, as the vocabulary spells them."""
        # A class with members past U+FFFF costs a search for each character outside it: only texts that have
        # such characters pay that.
        last = 0xFFFF if max(text, default="") <= "\uffff" else 0x10FFFF
        tokens: list[str] = []
        for word in (self._pieces or _word_pattern(last)).findall(text):
            tokens += self._remembered(word) if len(word) <= KEPT_LENGTH else self._split(word)
        return tokens

    def decode(self, token: str) -> str:
        """The text of one token; a part of a character becomes U+FFFD."""
        return bytes(_BYTES[char] for char in token).decode("utf-8", "replace")

    def _split(self, word: str) -> tuple[str, ...]:
        """Merge neighbours, best pair first and leftmost among equals, until no pair is left.

        A heap of candidates over a linked list: n log n, where trying every pair anew would be n².
        """
        encoded = _SURROGATES.sub("\ufffd", word).encode()
        symbols = [symbol for byte in encoded if (symbol := self._symbols[byte])]
        count = len(symbols)
        before = list(range(-1, count - 1))
        after = list(range(1, count + 1))
        ranks = self._ranks
        # Rank and place in one number, which sorts faster than a pair.
        heap = [
            rank * count + at
            for at, pair in enumerate(pairwise(symbols))
            if (rank := ranks.get(pair)) is not None
        ]
        heapq.heapify(heap)
        while heap:
            rank, at = divmod(heapq.heappop(heap), count)
            right = after[at]
            # What stood here may have been merged since: then the pair is gone, or another.
            if right == count or ranks.get((symbols[at], symbols[right])) != rank:
                continue
            symbols[at] += symbols[right]
            symbols[right] = ""
            end = after[at] = after[right]
            if end < count:
                before[end] = at
                if (new := ranks.get((symbols[at], symbols[end]))) is not None:
                    heapq.heappush(heap, new * count + at)
            start = before[at]
            if start >= 0 and (new := ranks.get((symbols[start], symbols[at]))) is not None:
                heapq.heappush(heap, new * count + start)
        return tuple(filter(None, symbols))


UNKNOWN = "[UNK]"
LONGEST_WORD = 100
"""A longer word is unknown."""
KEPT_STRETCHES = 1 << 16
"""How many split stretches of text are remembered, and the characters of the longest such."""
KEPT_CHARACTERS = 1 << 14

_ASCII_PUNCTUATION = r"!-/:-@\[-`{-~"


@dataclass(frozen=True, slots=True)
class Pieces:
    """The tokens of a text: their numbers, and where each starts and ends in it."""

    ids: list[int]
    spans: list[tuple[int, int]]


class WordPiece:
    """Text into tokens. A token such as [SEP] that is spelt out in a text is that token.

    One that is `cased` tells capitals and accents apart.
    """

    def __init__(
        self, vocabulary: Mapping[str, int], special: Collection[str], *, cased: bool = False
    ) -> None:
        self._vocabulary = vocabulary
        self._normal = _cased if cased else _normal
        self._special = frozenset(special)
        spelt = "".join(f"{re.escape(token)}|" for token in sorted(special))
        # Cut where words part in any case: short stretches come back often, so their tokens are remembered.
        self._stretches = re.compile(rf"{spelt}[{_ASCII_PUNCTUATION}]|[^ \t\r\n{_ASCII_PUNCTUATION}]+")
        self._remembered = functools.lru_cache(KEPT_STRETCHES)(self._split)

    @classmethod
    def from_file(cls, path: Path) -> WordPiece:
        """Read from a `tokenizer.json`."""
        content = json.loads(path.read_text(encoding="utf-8"))
        special = [token["content"] for token in content["added_tokens"]]
        return cls(content["model"]["vocab"], special, cased=not content["normalizer"]["lowercase"])

    def id_of(self, token: str) -> int:
        return self._vocabulary[token]

    def encode(self, text: str) -> Pieces:
        """The tokens of a text, without the marks around it."""
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        for match in self._stretches.finditer(text):
            offset = match.start()
            stretch = match.group()
            split = self._remembered if len(stretch) <= KEPT_LENGTH else self._split
            for number, start, end in split(stretch):
                ids.append(number)
                spans.append((offset + start, offset + end))
        return Pieces(ids, spans)

    def _split(self, stretch: str) -> tuple[tuple[int, int, int], ...]:
        """Number, start and end of each token of a stretch."""
        if stretch in self._special:
            return ((self._vocabulary[stretch], 0, len(stretch)),)
        return tuple(
            (number, places[start], places[end - 1] + 1)
            for word, places in _words(stretch, self._normal)
            for number, start, end in self._pieces(word)
        )

    def _pieces(self, word: str) -> list[tuple[int, int, int]]:
        """The longest token that the word starts with, then the longest from there on, to its end."""
        unknown = [(self._vocabulary[UNKNOWN], 0, len(word))]
        if len(word) > LONGEST_WORD:
            return unknown
        pieces = []
        start = 0
        while start < len(word):
            sign = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._vocabulary.get(sign + word[start:end])
                if number is not None:
                    pieces.append((number, start, end))
                    start = end
                    break
            else:
                return unknown
        return pieces


def _words(
    stretch: str, normal: Callable[[str], tuple[tuple[str, bool], ...]]
) -> Iterator[tuple[str, list[int]]]:
    """The words of a stretch in their normal form, and where each character of them stands in it."""
    word: list[str] = []
    places: list[int] = []
    for place, char in enumerate(stretch):
        for part, alone in normal(char):
            if word and alone:
                yield "".join(word), places
                word, places = [], []
            if alone and part:
                yield part, [place]
            elif part:
                word.append(part)
                places.append(place)
    if word:
        yield "".join(word), places


@functools.lru_cache(KEPT_CHARACTERS)
def _normal(char: str) -> tuple[tuple[str, bool], ...]:
    """The parts that BERT's normaliser makes of a character, and whether each is a word of its own.

    An empty part stands for a space. One character at a time will do: NFD also sorts marks, but those are
    dropped, save some that make their word unknown in any order. Where such a mark would move, the span of
    its word can differ by a mark from that of the `tokenizers` library.
    """
    if _is(char, "control"):
        return ()
    if _is(char, "space"):
        return (("", True),)
    parts = [part.lower() for part in unicodedata.normalize("NFD", char) if not _is(part, "mark")]
    normal = tuple((part, _is(part, "punctuation")) for part in parts)
    return (("", True), *normal, ("", True)) if _is(char, "ideograph") else normal


@functools.lru_cache(KEPT_CHARACTERS)
def _cased(char: str) -> tuple[tuple[str, bool], ...]:
    """The same for a model that tells capitals and accents apart."""
    if _is(char, "control"):
        return ()
    if _is(char, "space"):
        return (("", True),)
    return ((char, _is(char, "punctuation") or _is(char, "ideograph")),)


def _is(char: str, name: CharacterClass) -> bool:
    return any(start <= ord(char) <= end for start, end in _classes()[name])
