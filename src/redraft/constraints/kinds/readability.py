"""How hard the text is to read, by one of the usual formulas."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from redraft.constraints.base import SCORES, Bounds, Demand, Finding, Impossible, Phrased, Quantity
from redraft.constraints.bounds import Interval
from redraft.constraints.counting import Reading
from redraft.errors import CallError
from redraft.text import FormulaName, reading_score

ReadingFormula = Literal[
    "flesch-kincaid", "gunning fog", "smog", "coleman-liau", "ari", "dale-chall", "reading ease"
]
"""Those of a grade, and the reading ease."""
_USUAL: Final = "flesch-kincaid"
MOST_CHANGE: Final = 200
"""Grades, or points, by which a text is to be easier or harder, at the most."""
MOST_EASE: Final = 206.835 - 1.015 - 84.6
"""The reading ease of sentences that have one word of one syllable each: none is easier."""


class Readable(Phrased):
    """A bound on a score of readability."""

    @property
    def english_only(self) -> bool:
        """The formulas are for English."""
        return True

    def _checked(self, score: float, bound: float, relation: str, named: str) -> Finding:
        """Compare a score with its bound, to one decimal."""
        measured = round(score, 1)
        off = measured - bound if relation == "at most" else bound - measured
        distance = round(max(off, 0.0), 1)
        wanted = f"{relation} {bound:g}"
        message = f"{named} {measured:g}; wanted {wanted}"
        return Finding(self, not distance, measured, wanted, message, distance)


def _interval(bound: float, relation: str) -> Interval:
    return Interval(high=bound) if relation == "at most" else Interval(low=bound)


class ByFormula(Readable):
    """One that may name a formula."""

    @property
    def call(self) -> str:
        """The usual formula is not said."""
        return super().call.replace(f', "{_USUAL}")', ")")

    def to_dict(self) -> dict[str, Any]:
        """The same of its arguments."""
        values = super().to_dict()
        return {key: value for key, value in values.items() if (key, value) != ("formula", _USUAL)}


@dataclass(frozen=True)
class ReadingGrade(ByFormula):
    """The grade by a formula, Flesch-Kincaid's unless another is named, is at most or at least so much."""

    grade: float
    relation: Literal["at most", "at least"]
    formula: FormulaName = _USUAL

    name = "reading_grade_check"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.grade) and -100 <= self.grade <= 100):
            raise CallError(f"{self.name}: {self.grade} is no school grade")

    @property
    def quantity(self) -> Quantity:
        """What is bounded."""
        return "grade" if self.formula == "flesch-kincaid" else self.formula

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Measure the grade, to one decimal."""
        score = reading_score(revised.document, self.formula)
        return self._checked(score, self.grade, self.relation, SCORES[self.quantity])

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for the grade."""
        return (Bounds(self.quantity, _interval(self.grade, self.relation)),)

    @property
    def phrased_as(self) -> str:
        """Another formula is named."""
        return self.name if self.formula == _USUAL else "readability by formula"

    def parts(self) -> dict[str, str]:
        """The bound, and the formula."""
        return {"relation": self.relation, "grade": f"{self.grade:g}", "named": SCORES[self.quantity]}


@dataclass(frozen=True)
class ReadingEase(Readable):
    """The Flesch reading ease is at least, or at most, so much: 100 is very easy, 0 very hard."""

    score: float
    relation: Literal["at least", "at most"]

    name = "reading_ease_check"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.score) and abs(self.score) <= 1000):
            raise CallError(f"{self.name}: {self.score} is no reading ease; it goes from 0 to 100")

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Measure the score, to one decimal."""
        score = reading_score(revised.document, "reading ease")
        return self._checked(score, self.score, self.relation, "reading ease")

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for the score, if a text can have it."""
        if self.relation == "at least" and self.score > round(MOST_EASE, 1):
            yield Impossible(f"no text has a reading ease above {MOST_EASE:.1f}")
        yield Bounds("reading ease", _interval(self.score, self.relation))

    def parts(self) -> dict[str, str]:
        """The bound."""
        return {"relation": self.relation, "score": f"{self.score:g}"}


@dataclass(frozen=True)
class RelativeReading(ByFormula):
    """The text is easier, or harder, than the original by so many grades, or points of reading ease."""

    amount: float
    relation: Literal["easier", "harder"]
    formula: ReadingFormula = _USUAL

    name = "relative_reading_check"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.amount) and 0 <= self.amount <= MOST_CHANGE):
            raise CallError(f"{self.name}: the amount must be 0 to {MOST_CHANGE}, and is {self.amount:g}")

    @property
    def needs_original(self) -> bool:
        """Its score is what the text's is measured by."""
        return True

    @property
    def quantity(self) -> Quantity:
        """What is measured."""
        return "grade" if self.formula == _USUAL else self.formula

    def _bound(self, original: Reading) -> tuple[float, str]:
        """The score that is easy, or hard, enough beside this original, and on which side of it."""
        has, is_ease = (
            round(reading_score(original.document, self.formula), 1),
            self.formula == "reading ease",
        )
        if (self.relation == "easier") is is_ease:
            return round(has + self.amount, 1), "at least"
        return round(has - self.amount, 1), "at most"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the two scores, to one decimal."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        bound, relation = self._bound(original)
        return self._checked(
            reading_score(revised.document, self.formula), bound, relation, SCORES[self.quantity]
        )

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for the score, if a text can have it."""
        if original is None:
            return
        bound, relation = self._bound(original)
        if self.formula == "reading ease" and relation == "at least" and bound > round(MOST_EASE, 1):
            yield Impossible(f"no text has a reading ease above {MOST_EASE:.1f}")
        yield Bounds(self.quantity, _interval(bound, relation))

    @property
    def phrased_as(self) -> str:
        """Points of reading ease, grades by the usual formula, and points of another."""
        if self.formula == "reading ease":
            return f"relative ease {self.relation}"
        return f"relative {'grade' if self.formula == _USUAL else 'formula'} {self.relation}"

    def parts(self) -> dict[str, str]:
        """The amount, and the formula."""
        unit = "grade" if self.formula == _USUAL else "point"
        said = f"{self.amount:g} {unit}{'' if self.amount == 1 else 's'}"
        return {"amount": said, "named": SCORES[self.quantity]}
