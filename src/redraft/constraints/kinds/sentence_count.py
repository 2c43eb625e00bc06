"""How many sentences the text has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.constraints.bounds import bounded_phrasings
from redraft.constraints.counting import Reading
from redraft.constraints.kinds._counted import Counted


@dataclass(frozen=True)
class SentenceCount(Counted):
    """The text has fewer, more or exactly so many sentences."""

    name = "sentence_count_check"
    unit = "sentence"
    quantity = "sentences"

    def measure(self, revised: Reading) -> int:
        """The number of sentences."""
        return len(revised.sentences)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "The text should contain {bound}.",
            "The result should consist of {bound}.",
            "The revised version must have {bound}.",
            "Use {bound} in total.",
            "There should be {bound} in all.",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        templates = (
            "the text has {bound}",
            "the result consists of {bound}",
            "the revised version is made up of {bound}",
            "there are {bound} in all",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)
