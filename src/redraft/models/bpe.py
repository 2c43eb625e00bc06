"""Byte-level byte-pair encoding (Radford et al. 2019, section 2.2), as SmolLM2 reads text."""

from __future__ import annotations

import functools
import heapq
import json
import re
from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import Path

from redraft.models.characters import members

KEPT_WORDS = 1 << 16
KEPT_LENGTH = 64
"""How many split words are remembered, and the characters of the longest such."""

_SURROGATES = re.compile("[\ud800-\udfff]")


def _word_pattern(last: int) -> re.Pattern[str]:
    """GPT-2's words, but every digit alone, for text without characters after the code point `last`."""
    letter, number, space = (members(name, last) for name in ("letter", "number", "space"))
    return re.compile(
        rf"'(?:[stmd]|re|ve|ll)| ?[{letter}]+|[{number}]| ?[^{space}{letter}{number}]+"
        # Of several spaces the last goes to the word that follows, if that is none of digits.
        rf"|[{space}]+(?![^{space}{number}])|[{space}]+"
    )


# A class with members past U+FFFF costs a search for each character outside it: rare texts alone pay that.
_PLAIN_WORDS = _word_pattern(0xFFFF)
_ALL_WORDS = _word_pattern(0x10FFFF)


def _visible_bytes() -> list[str]:
    """The character that stands for each byte: itself where it can be seen, else one from U+0100 on."""
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = iter(range(0x100, 0x200))
    return [chr(byte if byte in visible else next(hidden)) for byte in range(256)]


_VISIBLE = _visible_bytes()
_BYTES = {char: byte for byte, char in enumerate(_VISIBLE)}


class BytePairEncoding:
    """Text into tokens, and a token into text. Control tokens in a text are text."""

    def __init__(self, vocabulary: Collection[str], merges: Iterable[tuple[str, str]]) -> None:
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}
        # A byte that SmolLM2 never met has no token, and leaves no trace.
        self._symbols = [char if char in vocabulary else "" for char in _VISIBLE]
        self._remembered = functools.lru_cache(KEPT_WORDS)(self._split)

    @classmethod
    def from_file(cls, path: Path) -> BytePairEncoding:
        """Read from a `tokenizer.json`."""
        model = json.loads(path.read_text(encoding="utf-8"))["model"]
        return cls(model["vocab"], ((left, right) for left, right in model["merges"]))

    def encode(self, text: str) -> list[str]:
        """The tokens of a text, as the vocabulary spells them."""
        words = _PLAIN_WORDS if max(text, default="") <= "\uffff" else _ALL_WORDS
        tokens: list[str] = []
        for word in words.findall(text):
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
