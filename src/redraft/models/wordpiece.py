"""WordPiece as BERT reads text (Devlin et al. 2019), with the place of each token in the text."""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from redraft.models.characters import members

UNKNOWN = "[UNK]"
LONGEST_WORD = 100
"""A longer word is unknown."""
KEPT_STRETCHES = 1 << 16
KEPT_LENGTH = 64
"""How many split stretches of text are remembered, and the characters of the longest such."""
KEPT_CHARACTERS = 1 << 14

_ASCII_PUNCTUATION = r"!-/:-@\[-`{-~"
_CONTROL = re.compile(f"[{members('control')}]")
_SPACE = re.compile(f"[{members('space')}]")
_MARK = re.compile(f"[{members('mark')}]")
_IDEOGRAPH = re.compile(f"[{members('ideograph')}]")
_PUNCTUATION = re.compile(f"[{members('punctuation')}]")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The tokens of a text: their numbers, and where each starts and ends in it."""

    ids: list[int]
    spans: list[tuple[int, int]]


class WordPiece:
    """Text into tokens. A token such as [SEP] that is spelt out in a text is that token."""

    def __init__(self, vocabulary: Mapping[str, int], special: Collection[str]) -> None:
        self._vocabulary = vocabulary
        self._special = frozenset(special)
        spelt = "".join(f"{re.escape(token)}|" for token in sorted(special))
        # Cut where words part in any case: short stretches come back often, so their tokens are remembered.
        self._stretches = re.compile(rf"{spelt}[{_ASCII_PUNCTUATION}]|[^ \t\r\n{_ASCII_PUNCTUATION}]+")
        self._remembered = functools.lru_cache(KEPT_STRETCHES)(self._split)

    @classmethod
    def from_file(cls, path: Path) -> WordPiece:
        """Read from a `tokenizer.json`."""
        content = json.loads(path.read_text(encoding="utf-8"))
        return cls(content["model"]["vocab"], [token["content"] for token in content["added_tokens"]])

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
            for word, places in _words(stretch)
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


def _words(stretch: str) -> Iterator[tuple[str, list[int]]]:
    """The words of a stretch in their normal form, and where each character of them stands in it."""
    word: list[str] = []
    places: list[int] = []
    for place, char in enumerate(stretch):
        for part, alone in _normal(char):
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
    if _CONTROL.match(char):
        return ()
    if _SPACE.match(char):
        return (("", True),)
    parts = [part.lower() for part in unicodedata.normalize("NFD", char) if not _MARK.match(part)]
    normal = tuple((part, _PUNCTUATION.match(part) is not None) for part in parts)
    return (("", True), *normal, ("", True)) if _IDEOGRAPH.match(char) else normal
