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
            "Make sure that the output has {bound}.",
            "Write {bound} in total.",
            "The revised version must be {bound} long.",
            "Keep the whole text to {bound}.",
            "Ensure that the final version has {bound}.",
            "It must have {bound} overall.",
            "Please use {bound}.",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)
