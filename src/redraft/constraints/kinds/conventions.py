"""Conventions of writing that a house style settles: spelling, the serial comma, numbers, headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Demand
from redraft.constraints.counting import Reading
from redraft.constraints.exact import Exact, RightForm
from redraft.errors import CallError
from redraft.text import (
    Document,
    HeadingStyle,
    NumberStyle,
    Span,
    Variant,
    find_series,
    recasings,
    renumberings,
    respellings,
    spell_number,
)


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


_ALL: Final = 0
_LARGEST: Final = 1_000_000


@dataclass(frozen=True)
class Numbers(Exact):
    """Whole numbers below a limit are written in digits, or in words; 0 stands for no limit."""

    style: NumberStyle
    below: int

    name = "numbers_check"

    def __post_init__(self) -> None:
        if not 0 <= self.below <= _LARGEST:
            raise CallError(f"{self.name}: below must be from 0 to {_LARGEST}, and is {self.below}")

    def replacements(self, sentence: str) -> Sequence[RightForm]:
        """The numbers that are written otherwise."""
        found = renumberings(sentence, self.style, self.below)
        return [RightForm(one.span, one.right) for one in found]

    @property
    def wanted(self) -> str:
        """The style, and the limit."""
        named = f"numbers below {self.below}" if self.below else "numbers"
        return f"{named} in {self.style}"

    @property
    def phrased_as(self) -> str:
        """Digits and words are asked for in different ways, and so is a limit."""
        if self.below in (_ALL, 101):
            return f"numbers {self.style} {'all' if self.below == _ALL else 'hundred'}"
        return f"numbers {self.style}"

    def parts(self) -> dict[str, str]:
        """The limit, in digits and in words."""
        return {"below": f"{self.below}", "spelt": spell_number(min(self.below, 999_999))}


@dataclass(frozen=True)
class HeadingCase(Exact):
    """Headings are in title case, or in sentence case: names and acronyms keep their capitals."""

    case: HeadingStyle

    name = "heading_case_check"
    in_place = True

    def replacements(self, sentence: str) -> Sequence[RightForm]:
        """None: a sentence by itself is no heading."""
        return []

    def offences(self, document: Document, quoted: frozenset[str]) -> Iterator[RightForm]:
        """The headings that are in another case."""
        yield from (RightForm(one.span, one.right) for one in recasings(document, self.case))

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """None: the words of a heading may stand as they are where they are no heading."""
        return ()

    @property
    def wanted(self) -> str:
        """The case."""
        return f"headings in {self.case} case"

    def parts(self) -> dict[str, str]:
        """The case."""
        return {"case": self.case}
