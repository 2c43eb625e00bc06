"""The unit of a bound that names none: that of the bound it makes a range with, before it or behind it."""

from __future__ import annotations

import re

from .chunks import Line
from .negations import negation
from .relations import Bound

_JOINT = re.compile(r"([,&|b]{1,2}[dhm]{0,2})B")


def elided(line: Line, at: int, last: int | None) -> str:
    """The unit that a bound shares with the next one: "more than 5 but fewer than 10 sentences".

    Empty where it shares that of the `last` one: "fewer than 10 sentences but more than 5, under 90 words".
    """
    behind = _JOINT.match(line.tags, at + 1)
    following = line.chunks[behind.end() - 1].value if behind else None
    if behind is None or not isinstance(following, Bound):
        return ""
    if last is None:
        return following.unit[:1]
    after = _width(line, at, behind.end() - 1)
    ahead = _JOINT.fullmatch(line.tags, last + 1, at + 1)
    before = _width(line, last, at) if ahead else 0
    if after <= 1:
        return ""
    if ahead is None or before <= 1 or ("b" in behind[1] and "b" not in ahead[1]) or after < before:
        return following.unit[:1]
    return ""


def excludes(line: Line, at: int, last: int) -> bool:
    """Whether a bound and the `last` one, which it is joined to, leave no number if they share a unit."""
    return _JOINT.fullmatch(line.tags, last + 1, at + 1) is not None and 0 < _width(line, last, at) <= 1


def _width(line: Line, one: int, other: int) -> float:
    """How many times the lower of two bounds the upper is; nothing where both are lower or both upper."""
    ends: dict[str, int] = {}
    for at in (one, other):
        bound = line.chunks[at].value
        if isinstance(bound, Bound):
            ends |= {relation: count for count, relation in bound.resolved(negation(line, at)[0])}
    low, high = ends.get("more than"), ends.get("less than")
    return 0 if low is None or high is None else high / max(low, 1)
