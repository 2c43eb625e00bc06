"""How many paragraphs the text has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.constraints.bounds import bounded_phrasings
from redraft.constraints.counting import Reading
from redraft.constraints.kinds._counted import Counted


@dataclass(frozen=True)
class ParagraphCount(Counted):
    """The text has fewer, more or exactly so many paragraphs."""

    name = "paragraph_count_check"
    unit = "paragraph"
    quantity = "paragraphs"

    def measure(self, revised: Reading) -> int:
        """The number of paragraphs."""
        return len(revised.document.paragraphs)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "The text should contain {bound}.",
            "Make sure that it has {bound}.",
            "Write {bound}.",
            "Use {bound}.",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)
