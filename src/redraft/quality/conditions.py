"""Conditions and exceptions that are gone while what they governed still stands, as if always true."""

from __future__ import annotations

import re
from typing import Final

from redraft.text import spellings

_MARKERS: Final = (
    "provided that",
    "on condition that",
    "as long as",
    "so long as",
    "in case",
    "if",
    "unless",
    "until",
    "except",
    "otherwise than",
    "whether",
)
_STANDS: Final = 5
"""Words in a row by which a stretch is known again."""


def lost_conditions(source: str, text: str) -> list[str]:
    """The words of the source that made a condition or an exception, and no longer do.

    One that went with all that it governed is none of them: less is said then, and nothing else.

    >>> lost_conditions("It ends if the text enters the public domain.", "The text enters the public domain.")
    ['if']
    """
    before, after = _words(source), _words(text)
    return [marker for marker in _MARKERS if _is_lost(marker, before, after)]


def _words(text: str) -> str:
    return f" {' '.join(spellings(text.lower()))} "


def _is_lost(marker: str, before: str, after: str) -> bool:
    found = re.compile(rf" {marker}(?= )")
    places = [match.end() for match in found.finditer(before)]
    if len(places) <= len(found.findall(after)):
        return False
    return any(_stands(before[place:], after) for place in places)


def _stands(governed: str, after: str) -> bool:
    words = governed.split()
    starts = range(len(words) - _STANDS + 1)
    return any(f" {' '.join(words[start : start + _STANDS])} " in after for start in starts)
