"""How many words the text has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.constraints.bounds import bounded_phrasings
from redraft.constraints.counting import Reading
from redraft.constraints.kinds._counted import Counted


@dataclass(frozen=True)
class WordCount(Counted):
    """The whole text has fewer, more or exactly so many words."""

    name = "word_count_check"
    unit = "word"
    quantity = "words"

    def measure(self, revised: Reading) -> int:
        """The words of the whole text."""
        return revised.words

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "The text should contain {bound}.",
            "The revised version must be {bound} long.",
            "The whole text should come to {bound}.",
            "The result should have {bound}.",
            "Use {bound} in total.",
            "Write {bound} in all.",
        )
        below = ("Keep the text {bound}.", "Keep the whole text {bound}.", "Stay {bound}.")
        return bounded_phrasings(self.count, self.relation, templates, self.unit, below=below)

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        templates = (
            "the text has {bound}",
            "the revised text contains {bound}",
            "the result is {bound} long",
            "the whole text comes to {bound}",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)
