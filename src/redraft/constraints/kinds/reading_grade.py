"""How many years of school the text asks of its reader."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.bounds import Interval
from redraft.constraints.counting import Reading
from redraft.constraints.demands import Bounds, Demand
from redraft.errors import CallError
from redraft.text import reading_grade


@dataclass(frozen=True)
class ReadingGrade(Constraint):
    """The Flesch-Kincaid grade is at most, or at least, so much."""

    grade: float
    relation: Literal["at most", "at least"]

    name = "reading_grade_check"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.grade) and -100 <= self.grade <= 100):
            raise CallError(f"{self.name}: {self.grade} is no school grade")

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Measure the grade, to one decimal."""
        measured = round(reading_grade(revised.document), 1)
        off = measured - self.grade if self.relation == "at most" else self.grade - measured
        distance = round(max(off, 0.0), 1)
        wanted = f"{self.relation} {self.grade:g}"
        return Finding(
            self, not distance, measured, wanted, f"reading grade {measured:g}; wanted {wanted}", distance
        )

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for the grade."""
        allowed = Interval(high=self.grade) if self.relation == "at most" else Interval(low=self.grade)
        return (Bounds("grade", allowed),)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        return [
            f"The reading grade should be {self.relation} {self.grade:g}.",
            f"The reading level should be {self.relation} grade {self.grade:g}.",
            f"Make sure that the Flesch-Kincaid grade is {self.relation} {self.grade:g}.",
        ]
