"""Marks of punctuation that are forbidden or counted, and contractions that are avoided or used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Demand, Finding, Marks, Phrased
from redraft.constraints.bounds import Interval, Relation, bounded, correction, interval, settle
from redraft.constraints.counting import Reading
from redraft.text import Mark, Span, find_marks, free_marks

_PLURALS: Final = {"em dash": "em dashes", "ellipsis": "ellipses"}


def marks_in(reading: Reading, mark: str) -> tuple[Span, ...]:
    """Where a mark stands in what a reader sees: not in code, mark-up and addresses."""
    return tuple(find_marks(reading.document.words_view, mark))


def named_marks(mark: str) -> str:
    """`semicolons`, `em dashes`."""
    return _PLURALS.get(mark, f"{mark}s")


def counted(count: int, mark: str) -> str:
    """`no semicolons`, `1 em dash`, `2 ellipses`."""
    return f"{count or 'no'} {mark if count == 1 else named_marks(mark)}"


@dataclass(frozen=True)
class Punctuation(Phrased):
    """A mark of punctuation stands fewer, more or exactly so many times; a bracket is a pair.

    A quotation's marks count too. Nothing that is written in code or in an address does.
    """

    mark: Mark
    count: int
    relation: Relation

    name = "punctuation_check"

    def __post_init__(self) -> None:
        settle(self, "count")
        if (self.count, self.relation) == (0, "equal"):
            object.__setattr__(self, "count", 1)
            object.__setattr__(self, "relation", "less than")

    @property
    def allowed(self) -> Interval:
        """How often the mark may stand."""
        return interval(self.count, self.relation)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Count the mark."""
        spans = marks_in(revised, self.mark)
        distance = self.allowed.distance(len(spans))
        message = f"{counted(len(spans), self.mark)}; wanted {self._wanted}"
        if distance:
            if self.allowed.high > 0:
                message += f": {correction(self.count, self.relation, len(spans), ('add', 'remove'))}"
            message += _fixed(revised, self.mark, spans)
        return Finding(
            self, not distance, len(spans), self._wanted, message, distance, spans if distance else ()
        )

    @property
    def _wanted(self) -> str:
        if self.allowed.high == 0:
            return counted(0, self.mark)
        prefix = {"less than": "fewer than", "more than": "more than", "equal": "exactly"}[self.relation]
        return f"{prefix} {self.count} {self.mark if self.count == 1 else named_marks(self.mark)}"

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for the mark."""
        return (Marks(self.mark, self.allowed),)

    @property
    def phrased_as(self) -> str:
        """Forbidding is said in ways of its own."""
        return "punctuation none" if self.allowed.high == 0 else self.name

    def fill(self, ways: Sequence[str]) -> list[str]:
        """Templates with every wording of the bound."""
        many = named_marks(self.mark)
        if self.allowed.high == 0:
            return [way.format(marks=many) for way in ways]
        bounds = [
            bound.replace("marks", many) if bound.endswith("s") else bound.replace("mark", self.mark)
            for bound in bounded(self.count, self.relation, "mark")
        ]
        return [way.format(bound=bound) for way in ways for bound in bounds]


@dataclass(frozen=True)
class Contractions(Phrased):
    """No contraction is in the text, or nothing outside of quotations that could be contracted is left."""

    relation: Literal["none", "use"]

    name = "contractions_check"

    @property
    def english_only(self) -> bool:
        """Other languages have contractions of their own."""
        return True

    @property
    def _sought(self) -> str:
        return "contraction" if self.relation == "none" else "full form"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for contractions, or for what could be one."""
        spans = marks_in(revised, self._sought)
        shown = ", ".join(f"“{revised.text[span.start : span.end]}”" for span in spans[:5])
        more = f" and {len(spans) - 5} more" if len(spans) > 5 else ""
        if self.relation == "none":
            wanted, found = "no contractions", counted(len(spans), "contraction")
        else:
            wanted, found = "contractions", f"{counted(len(spans), 'full form')} where a contraction could be"
        message = f"{found}: {shown}{more}{_fixed(revised, self._sought, spans)}" if spans else found
        return Finding(self, not spans, len(spans), wanted, message, float(len(spans)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """None of what is looked for."""
        return (Marks(self._sought, Interval(high=0)),)

    @property
    def phrased_as(self) -> str:
        """Avoiding and using are said in different ways."""
        return f"contractions {self.relation}"


def _fixed(revised: Reading, mark: str, spans: Sequence[Span]) -> str:
    """How many of the marks stand where no revision changes them."""
    document = revised.document
    tabled = sum(document.is_in_table(span.start) for span in spans)
    held = len(spans) - len(free_marks(document.words_view, mark))
    places = [f"{held} in a quotation or citation"] * bool(held) + [f"{tabled} in a table"] * bool(tabled)
    return f" ({' and '.join(places)}, which stays as it is)" if places else ""
