"""A text beside what is asked of it: every place that offends, what is wrong there, and how it is right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from redraft.constraints import Constraint, Findings, Problem, RightForm, check, list_problems
from redraft.revision.showing.fixes import find_fixes
from redraft.text import Document, Format, Lines


@dataclass(frozen=True)
class Inspection:
    """What was found in one text."""

    text: str
    format: Format
    findings: Findings

    @cached_property
    def lines(self) -> Lines:
        """Its lines."""
        return Lines(self.text)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is not met, place by place."""
        return tuple(list_problems(self.findings, self.text))

    @cached_property
    def _fixes(self) -> dict[Constraint, list[RightForm]]:
        document = Document(self.text, self.format)
        unmet = [one.constraint for one in self.findings if not one.met]
        return {constraint: find_fixes(constraint, document) for constraint in unmet}

    def fix(self, problem: Problem) -> RightForm | None:
        """What mends a problem, where there is an exact way to."""
        if (place := problem.span) is None:
            return None
        found = self._fixes[problem.finding.constraint]
        covering = (one for one in found if one.span.start <= place.start and place.end <= one.span.end)
        return next(covering, None)

    def message(self, problem: Problem) -> str:
        """What is wrong there, and how it is right."""
        if fix := self.fix(problem):
            wrong = " ".join(self.text[fix.span.start : fix.span.end].split())
            return f"“{wrong}” should be “{fix.text}”"
        excerpt = f": “{problem.excerpt}”" if problem.excerpt else ""
        return f"{problem.finding.message}{excerpt}"


def inspect_text(
    text: str, constraints: Iterable[Constraint], *, counting: str = "default", format: Format = "text"
) -> Inspection:
    """Check a text, to be looked at place by place."""
    return Inspection(text, format, check(text, constraints, counting=counting, format=format))
