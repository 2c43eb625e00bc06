"""Numbers with a relation: "less than 300", "at least 2", as intervals that can be checked and compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from redraft.errors import CallError
from redraft.text import CARDINALS

Relation = Literal["less than", "more than", "equal"]

# What people and models write for the three relations. The number is the shift that makes an inclusive bound
# exclusive: "at most 250" is "less than 251".
_ALIASES: dict[str, tuple[Relation, int]] = {
    **dict.fromkeys(("less than", "fewer than", "under", "below", "<"), ("less than", 0)),
    **dict.fromkeys(("more than", "greater than", "over", "above", ">"), ("more than", 0)),
    **dict.fromkeys(("at most", "no more than", "up to", "maximum", "max", "<=", "≤"), ("less than", 1)),
    **dict.fromkeys(("at least", "no less than", "minimum", "min", ">=", "≥"), ("more than", -1)),
    **dict.fromkeys(("equal", "equal to", "equals", "exactly", "=", "=="), ("equal", 0)),
}

_TIMES = {1: "once", 2: "twice"}
_SPELT = tuple(CARDINALS)[:11]

_FEW = 12
"""Up to here every number is as good to say as any other."""

LARGEST = 10**9
"""Counts beyond this are typing errors; it also keeps arithmetic on hostile input cheap."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed range of numbers; infinite where it is open."""

    low: float = -math.inf
    high: float = math.inf

    @property
    def empty(self) -> bool:
        return self.low > self.high

    def distance(self, value: float) -> float:
        """How far a value lies outside; 0 inside."""
        return max(self.low - value, value - self.high, 0)


def relate(count: int, relation: str) -> tuple[int, Relation]:
    """Normalise a count and any wording of a relation: (250, "at most") becomes (251, "less than")."""
    if abs(count) > LARGEST:
        raise CallError(f"{count} is too large; counts go up to {LARGEST}")
    try:
        known, shift = _ALIASES[" ".join(relation.lower().split())]
    except KeyError:
        allowed = ", ".join(f'"{name}"' for name in (*get_args(Relation), "at least", "at most"))
        raise CallError(f'unknown relation "{relation}"; use one of {allowed}') from None
    return count + shift, known


def settle(constraint: Any, field: str) -> None:
    """Check the count of a frozen constraint while it is made, and normalise it with its relation."""
    count = getattr(constraint, field)
    if count < 0:
        raise CallError(f"{constraint.name}: the {field} must not be negative, and is {count}")
    count, relation = relate(count, constraint.relation)
    object.__setattr__(constraint, field, count)
    object.__setattr__(constraint, "relation", relation)


def interval(count: int, relation: Relation) -> Interval:
    """The whole numbers that a relation allows."""
    if relation == "less than":
        return Interval(high=count - 1)
    if relation == "more than":
        return Interval(low=count + 1)
    return Interval(count, count)


def plural(count: int, unit: str) -> str:
    """`1 word`, `2 words`, `1 time`; a unit may carry its tail: `word in a sentence`."""
    head, _, tail = unit.partition(" ")
    return f"{count} {head}{'' if count == 1 else 's'}{' ' + tail if tail else ''}"


def wording(count: int, relation: Relation, unit: str) -> str:
    """`fewer than 300 words`, for messages."""
    prefix = {"less than": "fewer than", "more than": "more than", "equal": "exactly"}[relation]
    return f"{prefix} {plural(count, unit)}"


def correction(count: int, relation: Relation, measured: int, verbs: tuple[str, str]) -> str:
    """What to do about a count that is off: `cut at least 13`."""
    allowed = interval(count, relation)
    add, cut = verbs
    if measured > allowed.high:
        return f"{cut} {'' if relation == 'equal' else 'at least '}{measured - int(allowed.high)}"
    return f"{add} {'' if relation == 'equal' else 'at least '}{int(allowed.low) - measured}"


def bounded(count: int, relation: Relation, unit: str) -> list[str]:
    """Ways to say a bound on a number of things, as a person would: `fewer than 300 words`, `at most twice`.

    An inclusive one is among them where its number is no odder to say: `at most 299 words` is not.
    """
    quantities = partial(_quantities, unit=unit)
    if relation == "equal":
        return [f"{word} {number}" for word in ("exactly", "precisely") for number in quantities(count)]
    long = unit in ("word", "character") and count > _FEW
    if relation == "less than":
        open_, closed, last = ["fewer than"], ("at most", "no more than"), count - 1
        open_ += ["less than"] * (unit in ("word", "time")) + ["under"] * long
    else:
        open_, closed, last = ["more than"], ("at least", "no fewer than"), count + 1
        open_ += ["over"] * long
    # "Fewer than twice" is no English.
    numbers = [plural(count, unit)] if relation == "less than" and count in _TIMES else quantities(count)
    wordings = [f"{word} {number}" for word in open_ for number in numbers]
    if last > 0 and sayable(last, count):
        wordings += [f"{word} {number}" for word in closed for number in quantities(last)]
    return wordings


def bounded_phrasings(
    count: int, relation: Relation, templates: Sequence[str], unit: str, *, word: str = ""
) -> list[str]:
    """Templates filled with every wording of a bound."""
    wordings = bounded(count, relation, unit)
    return [template.format(bound=bound, word=word) for template in templates for bound in wordings]


def under_phrasings(count: int, relation: Relation, templates: Sequence[str], unit: str) -> list[str]:
    """Templates filled with an upper bound as "under 300 words"; none where the bound is another one."""
    under = [f"{word} {plural(count, unit)}" for word in ("under", "below")]
    return [t.format(bound=bound) for t in templates for bound in under] if relation == "less than" else []


def _quantities(count: int, unit: str) -> list[str]:
    """A number of things in figures, and in words where it is small."""
    if unit == "time" and count in _TIMES:
        return [_TIMES[count]]
    in_figures = plural(count, unit)
    if 2 <= count < len(_SPELT):
        return [in_figures, in_figures.replace(str(count), _SPELT[count], 1)]
    return [in_figures]


def sayable(number: int, than: int) -> bool:
    """Whether a number is no odder to say than another one."""
    return _oddness(number) <= _oddness(than)


def _oddness(number: int) -> int:
    """How far a number is from one that people say."""
    if number <= _FEW:
        return 0
    return next((odd for odd, step in enumerate((50, 10, 5)) if number % step == 0), 3)
