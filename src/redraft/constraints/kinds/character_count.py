"""How many characters the text has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.constraints.bounds import bounded_phrasings
from redraft.constraints.counting import Reading
from redraft.constraints.kinds._counted import Counted


@dataclass(frozen=True)
class CharacterCount(Counted):
    """The text, white space at its ends aside, has fewer, more or exactly so many characters."""

    name = "character_count_check"
    unit = "character"
    quantity = "characters"

    def measure(self, revised: Reading) -> int:
        """The characters, spaces inside included, line ends counted once each."""
        return len(revised.text.strip().replace("\r\n", "\n"))

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "The text should contain {bound}.",
            "Make sure that it has {bound}.",
            "Use {bound}.",
            "Write {bound}.",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)
