"""Marks of punctuation that are forbidden or counted, and contractions that are avoided or used."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Demand, Finding, Marks, Phrased
from redraft.constraints.bounds import Interval, Relation, bounded, correction, interval, settle
from redraft.constraints.counting import Reading
from redraft.text import FORMS, Mark, Span, find_marks, free_marks

_PLURALS: Final = {
    "em dash": "em dashes",
    "ellipsis": "ellipses",
    "word in capitals": "words in capitals",
} | {
    f"{person} person{number}": f"pronouns of the {person} person{number}"
    for person, number in (("first", ""), ("first", " singular"), ("second", ""))
}


_COUNTED_AS: Final = {"word in capitals": ("case of all caps", "cases of all caps")}
"""What is said with a number: "3 words in capitals" would be a number of words."""


def marks_in(reading: Reading, mark: str) -> tuple[Span, ...]:
    """Where a mark stands in what a reader sees: not in code, mark-up and addresses."""
    return tuple(find_marks(reading.document.words_view, mark))


def unwanted_marks(reading: Reading, mark: str) -> tuple[Span, ...]:
    """Where a mark stands that may not be there, but for what stays word for word.

    A mark of punctuation may not stand in a sentence either that was named by its number.
    """
    return tuple(reading.without_spared(marks_in(reading, mark), numbered=is_form(mark)))


def is_form(mark: str) -> bool:
    """Whether it is a form of words, and no mark of punctuation."""
    return mark in FORMS or mark in ("contraction", "full form")


def beside_kept(reading: Reading, mark: str, spans: Sequence[Span]) -> str:
    """How many of a mark stand in what stays, where nothing was said against it."""
    spared = len(marks_in(reading, mark)) - len(spans) if reading.spared_spans() else 0
    return f" ({spared} in what stays as it is)" if spared else ""


def named_marks(mark: str) -> str:
    """`semicolons`, `em dashes`, `passives`."""
    return _PLURALS.get(mark, f"{mark}s")


def counted(count: int, mark: str) -> str:
    """`no semicolons`, `1 em dash`, `2 ellipses`."""
    return f"{count or 'no'} {mark if count == 1 else named_marks(mark)}"


class CountedMark(Phrased):
    """A constraint on how often a mark stands."""

    count: int
    relation: Relation

    @property
    @abstractmethod
    def sought(self) -> str:
        """The mark that is counted."""

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
        finder = marks_in if self.allowed.high > 0 else unwanted_marks
        spans = finder(revised, self.sought)
        distance = self.allowed.distance(len(spans))
        message = f"{counted(len(spans), self.sought)}; wanted {self._wanted}"
        message += beside_kept(revised, self.sought, spans)
        if distance:
            if self.allowed.high > 0:
                message += f": {correction(self.count, self.relation, len(spans), ('add', 'remove'))}"
            if self.sought in FORMS and spans:
                message += f" ({shown_marks(revised, spans)})"
            message += fixed_marks(revised, self.sought, spans)
        return Finding(
            self, not distance, len(spans), self._wanted, message, distance, spans if distance else ()
        )

    @property
    def _wanted(self) -> str:
        if self.allowed.high == 0:
            return counted(0, self.sought)
        prefix = {"less than": "fewer than", "more than": "more than", "equal": "exactly"}[self.relation]
        return f"{prefix} {self.count} {self.sought if self.count == 1 else named_marks(self.sought)}"

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for the mark."""
        return (Marks(self.sought, self.allowed),)

    @property
    def phrased_as(self) -> str:
        """Forbidding is said in ways of its own."""
        return f"{self.name.removesuffix('_check')} none" if self.allowed.high == 0 else self.name

    def fill(self, ways: Sequence[str]) -> list[str]:
        """Templates with every wording of the bound."""
        if self.allowed.high == 0:
            return [way.format(marks=named_marks(self.sought)) for way in ways]
        one, many = _COUNTED_AS.get(self.sought, (self.sought, named_marks(self.sought)))
        bounds = [
            bound.replace("marks", many) if bound.endswith("s") else bound.replace("mark", one)
            for bound in bounded(self.count, self.relation, "mark")
        ]
        return [way.format(bound=bound) for way in ways for bound in bounds]


@dataclass(frozen=True)
class Punctuation(CountedMark):
    """A mark of punctuation stands fewer, more or exactly so many times; a bracket is a pair.

    A quotation's marks count too. Nothing that is written in code or in an address does.
    """

    mark: Mark
    count: int
    relation: Relation

    name = "punctuation_check"

    @property
    def sought(self) -> str:
        """The mark."""
        return self.mark


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
    def sought(self) -> str:
        """What may not be there."""
        return "contraction" if self.relation == "none" else "full form"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for contractions, or for what could be one."""
        spans = unwanted_marks(revised, self.sought)
        shown = shown_marks(revised, spans)
        if self.relation == "none":
            wanted, found = "no contractions", counted(len(spans), "contraction")
        else:
            wanted, found = "contractions", f"{counted(len(spans), 'full form')} where a contraction could be"
        message = f"{found}: {shown}{fixed_marks(revised, self.sought, spans)}" if spans else found
        message += beside_kept(revised, self.sought, spans)
        return Finding(self, not spans, len(spans), wanted, message, float(len(spans)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """None of what is looked for."""
        return (Marks(self.sought, Interval(high=0)),)

    @property
    def phrased_as(self) -> str:
        """Avoiding and using are said in different ways."""
        return f"contractions {self.relation}"


def shown_marks(revised: Reading, spans: Sequence[Span]) -> str:
    """The first five in quotation marks, and how many more there are."""
    shown = ", ".join(f"“{' '.join(revised.text[span.start : span.end].split())}”" for span in spans[:5])
    return shown + (f" and {len(spans) - 5} more" if len(spans) > 5 else "")


def fixed_marks(revised: Reading, mark: str, spans: Sequence[Span]) -> str:
    """How many of the marks stand where no revision changes them."""
    document = revised.document
    tabled = sum(document.is_in_table(span.start) for span in spans)
    free = free_marks(document.words_view, mark)
    held = len([span for span in spans if span not in free])
    places = [f"{held} in a quotation or citation"] * bool(held) + [f"{tabled} in a table"] * bool(tabled)
    return f" ({' and '.join(places)}, which stays as it is)" if places else ""
