"""Conventions of writing that a house style settles: the spelling, and the serial comma."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.exact import Exact, RightForm
from redraft.text import Span, Variant, find_series, respellings


@dataclass(frozen=True)
class Spelling(Exact):
    """British, American or Oxford spelling; the last is British with "-ize"."""

    variant: Variant

    name = "spelling_check"

    def replacements(self, sentence: str) -> Sequence[RightForm]:
        """The words that are spelt otherwise."""
        return [RightForm(one.span, one.right) for one in respellings(sentence, self.variant)]

    @property
    def wanted(self) -> str:
        """The variant."""
        return f"{self.variant.title()} spelling"

    def parts(self) -> dict[str, str]:
        """The variant."""
        return {"variant": self.variant.title()}


@dataclass(frozen=True)
class SerialComma(Exact):
    """The comma before the "and" of a series of three or more: always, or never."""

    relation: Literal["use", "avoid"]

    name = "serial_comma_check"

    def replacements(self, sentence: str) -> Sequence[RightForm]:
        """The ends of the series that are written otherwise."""
        found: list[RightForm] = []
        for one in find_series(sentence):
            if (one.comma is None) is (self.relation == "use"):
                mark, end = (",", one.last.end) if one.comma is None else ("", one.comma.end)
                right = sentence[one.last.start : one.last.end] + mark + sentence[end : one.joint.end]
                found.append(RightForm(Span(one.last.start, one.joint.end), right))
        return found

    @property
    def wanted(self) -> str:
        """With it, or without."""
        return "the serial comma" if self.relation == "use" else "no serial comma"

    @property
    def phrased_as(self) -> str:
        """Asking for it and forbidding it are said in different ways."""
        return f"serial comma {self.relation}"
