"""Amounts and times in a revision: "8 reais" is not "8 cents", and "from Monday" is not "on Monday"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.quality.base import MeaningChange
from redraft.text import word_sets

_SETS: Final = word_sets("redraft.quality", "amounts.txt")
_UNIT: Final = {word: name for name, words in _SETS.items() if name[0] == "=" for word in words}
"""Words for a unit, and which it is: "quid" are pounds."""
_AMOUNT: Final = re.compile(
    rf"(?i)(?<![\w.])(?P<number>\d[\d.,]*)[\s-]+(?:(?:million|billion|thousand)s?\s+(?:of\s+)?)?"
    rf"(?P<unit>{'|'.join(sorted(_UNIT, key=len, reverse=True))})\b"
)
_BOUNDS: Final = {"till": "until", "til": "until"}
_TIME: Final = re.compile(
    rf"(?i)\b(?P<bound>from|until|till|til|by|before|after|since|on|in|at)\s+(?:the\s+|early\s+|late\s+|next\s+)?"
    rf"(?P<time>{'|'.join(sorted(_SETS['times']))}|(?:19|20)\d\d|\d{{1,2}}\s+(?:{'|'.join(sorted(_SETS['months']))}))\b"
)
_LIMITS: Final = frozenset({"from", "until", "by", "before", "after", "since"})


def amount_changes(source: str, text: str) -> Iterator[MeaningChange]:
    """Amounts with another unit, and times with another limit, than in the source."""
    units: dict[str, dict[str, str]] = {}
    for found in _AMOUNT.finditer(text):
        units.setdefault(found["number"], {})[_unit(found)] = found[0]
    for found in _AMOUNT.finditer(source):
        others = units.get(found["number"], {})
        if others and _unit(found) not in others:
            yield MeaningChange("number", found[0], next(iter(others.values())))
    limits: dict[str, dict[str, str]] = {}
    for found in _TIME.finditer(text):
        limits.setdefault(found["time"].lower(), {})[_bound(found)] = found[0]
    for found in _TIME.finditer(source):
        others = limits.get(found["time"].lower(), {})
        if _bound(found) == "until" and "by" in others:
            continue  # "send it until Friday" is how many languages put it
        if others and _bound(found) in _LIMITS and _bound(found) not in others:
            yield MeaningChange("number", found[0], next(iter(others.values())))


def _unit(found: re.Match[str]) -> str:
    return _UNIT[found["unit"].lower()]


def _bound(found: re.Match[str]) -> str:
    return _BOUNDS.get(found["bound"].lower(), found["bound"].lower())
