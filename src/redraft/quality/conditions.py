"""Conditions and exceptions that are gone while what they governed still stands, as if always true."""

from __future__ import annotations

import re
from typing import Final

from redraft.text import spellings

_IF: Final = ("if", "provided", "as long as", "so long as", "on condition that", "in case", "when", "should")
_UNTIL: Final = ("until", "till", "by", "before", "once", "as soon as", "when", "after", "unless")
_MARKERS: Final = {
    "provided that": _IF,
    "on condition that": _IF,
    "as long as": _IF,
    "so long as": _IF,
    "in case": _IF,
    "if": (*_IF, "unless", "whether"),
    "unless": ("unless", "if", "without", "except", "until"),
    "until": _UNTIL,
    "till": _UNTIL,
    "except": ("except", "unless", "but", "other than", "apart from", "excluding"),
    "otherwise than": ("otherwise than", "other than", "except"),
    "whether": ("whether", "if"),
}
"""The words that make a condition or an exception, each with those that may say the same."""
_STANDS: Final = 5
"""Words in a row by which a stretch is known again, or all of a clause that has fewer."""
_LEAST: Final = 3
_END: Final = re.compile(r"[,;:.!?]")


def lost_conditions(source: str, text: str) -> list[str]:
    """The words of the source that made a condition or an exception, and no longer do.

    One that went with all that it governed is none of them: less is said then, and nothing else.

    >>> lost_conditions("It ends if the text enters the public domain.", "The text enters the public domain.")
    ['if']
    """
    return [marker for marker in _MARKERS if _is_lost(marker, source, text)]


def _words(text: str) -> str:
    return f" {' '.join(spellings(text.lower()))} "


def _is_lost(marker: str, source: str, text: str) -> bool:
    before, after = _words(source), _words(text)
    if _count(_MARKERS[marker], before) <= _count(_MARKERS[marker], after):
        return False
    clauses = (source[found.end() :] for found in re.finditer(rf"(?i)\b{marker}\b", source))
    return any(_stands(clause, after) for clause in clauses)


def _count(markers: tuple[str, ...], words: str) -> int:
    return sum(words.count(f" {marker} ") for marker in markers)


def _stands(governed: str, after: str) -> bool:
    words, clause = _words(governed).split(), _words(_END.split(governed)[0])
    starts = range(len(words) - _STANDS + 1)
    return (len(clause.split()) >= _LEAST and clause in after) or any(
        f" {' '.join(words[start : start + _STANDS])} " in after for start in starts
    )
