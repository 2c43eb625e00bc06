"""Slips of the pen in the words that the parser looks for: "160 charachters", "no semicolans"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from redraft.text import Span, is_in_dictionary, word_sets, zipf

from .tokens import quoted

_WORDS: Final = word_sets("redraft.constraints")["often_misspelled"]
"""Words of what is demanded; only these are put in the place of others."""
_WORD: Final = re.compile(r"(?<![\w#@/.'’-])[^\W\d_]{4,30}(?![\w@/'’]|\.\w)")
_SENTENCE_START: Final = re.compile(r"(?:\A|[.!?:;\n]\s*|[-*•]\s+)\Z")
_MENTIONED: Final = re.compile(
    r"\b(?:words?|phrases?|terms?|names?|named|called|typos?|misspell\w*|hashtags?|like|say|saying|spelled|spelt"
    r"|letters)\W+\Z",
    re.IGNORECASE,
)
"""Before a word that is spoken of as it is written."""
_SHORTEST: Final = 6
"""In a shorter word only letters that have changed places are put right."""
_LONG: Final = 9
"""A word of so many letters may have two slips."""
_MOST: Final = 30
"""Slips that are put right in one instruction."""


@dataclass(frozen=True)
class Mended:
    """A text without its slips, and where each was: the place in the original, and what it became."""

    text: str
    slips: tuple[tuple[Span, str], ...] = ()

    def original(self, span: Span) -> Span:
        """The place that a place in the mended text has in the original."""
        return Span(self._original(span.start, is_end=False), self._original(span.end, is_end=True))

    def _original(self, at: int, *, is_end: bool) -> int:
        longer = 0
        for slip, word in self.slips:
            start = slip.start + longer
            end = start + len(word)
            if at < end or (is_end and at == end):
                inside = at > start
                return (slip.end if is_end else slip.start) if inside else at - longer
            longer = end - slip.end
        return at - longer


def mend_slips(text: str) -> Mended:
    """The text with words that nobody knows as those that they are one letter off; quotations stay.

    >>> mend_slips("160 charachters, no 'sentances'").text
    "160 characters, no 'sentances'"
    """
    slips: list[tuple[Span, str]] = []
    fixed = [(item.start, item.end) for item in quoted(text)] if _has_slip(text) else []
    for match in _WORD.finditer(text) if _has_slip(text) else ():
        meant = _meant(match[0].lower())
        start, end = match.span()
        ahead = text[max(0, start - 30) : start]
        if (
            meant is None
            or len(slips) == _MOST
            or any(first <= start < last for first, last in fixed)
            or _MENTIONED.search(ahead)
            or (match[0][0].isupper() and not text.isupper() and not _SENTENCE_START.search(ahead))
            or re.match(
                rf"\W+(?:with|by|to|into|for|=>|->)?\W*{meant}\b", text[end : end + 40], re.IGNORECASE
            )
        ):
            continue
        slips.append((Span(start, end), _in_case(meant, match[0])))
    mended, done = "", 0
    for span, word in slips:
        mended += text[done : span.start] + word
        done = span.end
    return Mended(mended + text[done:], tuple(slips))


def _has_slip(text: str) -> bool:
    return any(_meant(word.lower()) for word in _WORD.findall(text))


def _in_case(word: str, like: str) -> str:
    return word.upper() if like.isupper() else word.capitalize() if like[0].isupper() else word


@lru_cache(maxsize=4096)
def _meant(word: str) -> str | None:
    """The word that an unknown one stands for; None where it is known, or near to none or to several."""
    if word in _WORDS:
        return None
    near = [(off, word[-1] != known[-1], known) for known in _WORDS if (off := _slip_count(word, known))]
    if not near or is_in_dictionary(word) or zipf(word):
        return None
    near.sort()
    return near[0][2] if len(near) == 1 or near[0][:2] < near[1][:2] else None


def _slip_count(word: str, known: str) -> int:
    """How many slips make a known word another; 0 where it takes too many."""
    if abs(len(word) - len(known)) > 2:
        return 0
    most = 2 if len(known) >= _LONG and word[0] == known[0] else 1
    if len(known) < _SHORTEST:
        return int(_is_swapped(word, known))
    count = _distance(word, known)
    return count if count <= most else 0


def _is_swapped(word: str, known: str) -> bool:
    off = [at for at, pair in enumerate(zip(word, known, strict=False)) if pair[0] != pair[1]]
    return (
        len(word) == len(known) and len(off) == 2 and off[1] == off[0] + 1 and sorted(word) == sorted(known)
    )


def _distance(one: str, other: str) -> int:
    """Letters added, left out, taken for others or swapped with the next."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
