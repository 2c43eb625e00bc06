"""How often a word or phrase occurs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.bounds import (
    Relation,
    bounded_phrasings,
    correction,
    interval,
    plural,
    settle,
    wording,
)
from redraft.constraints.counting import Reading
from redraft.constraints.demands import Demand, Occurs
from redraft.constraints.kinds.keyword import check_keyword, named


@dataclass(frozen=True)
class KeywordFrequency(Constraint):
    """A keyword occurs fewer, more or exactly so many times."""

    keyword: str
    frequency: int
    relation: Relation

    name = "keyword_frequency_check"

    def __post_init__(self) -> None:
        check_keyword(self.name, self.keyword)
        settle(self, "frequency")

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Count the keyword."""
        spans = tuple(revised.occurrences(self.keyword))
        distance = interval(self.frequency, self.relation).distance(len(spans))
        wanted = wording(self.frequency, self.relation, "time")
        message = f'"{self.keyword}" occurs {plural(len(spans), "time")}; wanted {wanted}'
        if distance:
            message += f": {correction(self.frequency, self.relation, len(spans), ('add', 'remove'))}"
        return Finding(self, not distance, len(spans), wanted, message, distance, spans if distance else ())

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for the keyword."""
        return (Occurs(self.keyword, interval(self.frequency, self.relation)),)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        word = self._word()
        templates = (
            f"The {word} should appear {{bound}}.",
            f"Use the {word} {{bound}}.",
            f"The {word} should be used {{bound}}.",
            f"The {word} must occur {{bound}}.",
        )
        return bounded_phrasings(self.frequency, self.relation, templates, "time")

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        word = self._word()
        templates = (
            f"the {word} appears {{bound}}",
            f"the {word} is used {{bound}}",
            f"the {word} occurs {{bound}}",
        )
        return bounded_phrasings(self.frequency, self.relation, templates, "time")

    def _word(self) -> str:
        """What to call the keyword in a template."""
        return named(self.keyword).replace("{", "{{").replace("}", "}}")
