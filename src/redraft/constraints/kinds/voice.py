"""How a text is told: its voice, its person and its tense. English only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Constraint, Demand, Finding, Marks, Phrased
from redraft.constraints.bounds import Interval, Relation, plural
from redraft.constraints.counting import Reading
from redraft.constraints.kinds.marks import (
    CountedMark,
    beside_kept,
    fixed_marks,
    marks_in,
    shown_marks,
    unwanted_marks,
)
from redraft.text import Person, Tense, is_english

_MARKS: Final[dict[Person, str]] = {
    "first": "first person",
    "first singular": "first person singular",
    "second": "second person",
}
_SAID: Final[dict[Person, str]] = {
    "first": "I, we, my, our",
    "first singular": "I, me, my",
    "second": "you, your",
}


def _unknown(constraint: Constraint, wanted: str) -> Finding:
    """What a check gives for a text that is not English."""
    message = f"{constraint.name} reads English only, and this text is not in English"
    return Finding(constraint, False, 0, wanted, message, 1.0)


@dataclass(frozen=True)
class PassiveVoice(CountedMark):
    """There are fewer, more or exactly so many passive clauses, those of quotations aside."""

    count: int
    relation: Relation

    name = "passive_voice_check"

    @property
    def english_only(self) -> bool:
        """English passives are looked for."""
        return True

    @property
    def sought(self) -> str:
        """The passives."""
        return "passive"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Count the passives."""
        if not is_english(revised.text):
            return _unknown(self, "a number of passives")
        return super().check(original, revised)

    def fill(self, ways: Sequence[str]) -> list[str]:
        """Templates with every wording of the bound; forbidding needs none."""
        return list(ways) if self.allowed.high == 0 else super().fill(ways)


@dataclass(frozen=True)
class PersonUse(Phrased):
    """The text speaks of its writer or to its reader, or it does not; what is quoted does not count."""

    person: Person
    relation: Literal["none", "use"]

    name = "person_check"

    @property
    def english_only(self) -> bool:
        """English pronouns are looked for."""
        return True

    @property
    def sought(self) -> str:
        """The pronouns of the person."""
        return _MARKS[self.person]

    @property
    def _wanted(self) -> str:
        number = " singular" if self.person == "first singular" else ""
        person = f"{self.person.split()[0]} person{number}"
        return f"no {person}" if self.relation == "none" else f"the {person}"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the pronouns."""
        if not is_english(revised.text):
            return _unknown(self, self._wanted)
        if self.relation == "use":
            spans = marks_in(revised, self.sought)
            message = f"{self._wanted}: {plural(len(spans), 'pronoun')}"
            if not spans:
                message = f"no {self._wanted.removeprefix('the ')} ({_SAID[self.person]} are nowhere)"
            return Finding(self, bool(spans), len(spans), self._wanted, message, float(not spans))
        spans = unwanted_marks(revised, self.sought)
        message = f"{self._wanted} ({_SAID[self.person]})"
        if spans:
            held = fixed_marks(revised, self.sought, spans)
            message = (
                f"{plural(len(spans), 'pronoun')}: {shown_marks(revised, spans)}; wanted {message}{held}"
            )
        message += beside_kept(revised, self.sought, spans)
        return Finding(self, not spans, len(spans), self._wanted, message, float(len(spans)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """At least one of the pronouns, or none."""
        if self.relation == "use":
            yield Marks(self.sought, Interval(low=1))
            return
        yield Marks(self.sought, Interval(high=0))
        if self.person == "first":
            yield Marks(_MARKS["first singular"], Interval(high=0))

    @property
    def phrased_as(self) -> str:
        """Avoiding and using are said in different ways."""
        return f"{self.person} person {self.relation}"


@dataclass(frozen=True)
class NarrativeTense(Phrased):
    """The main verbs are in the past, or in the present, as far as their time is sure.

    What is quoted, asked or ordered, and what is so at all times, may be in any tense.
    """

    tense: Tense

    name = "tense_check"

    @property
    def english_only(self) -> bool:
        """English verbs are looked for."""
        return True

    @property
    def sought(self) -> str:
        """The verbs in the other tense."""
        return "present tense" if self.tense == "past" else "past tense"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for verbs in the other tense."""
        wanted = f"the {self.tense} tense"
        if not is_english(revised.text):
            return _unknown(self, wanted)
        spans = unwanted_marks(revised, self.sought)
        message = f"{wanted} throughout"
        if spans:
            held = fixed_marks(revised, self.sought, spans)
            found = f"{plural(len(spans), 'verb')} in the {self.sought}"
            message = f"{found}: {shown_marks(revised, spans)}; wanted {wanted}{held}"
        message += beside_kept(revised, self.sought, spans)
        return Finding(self, not spans, len(spans), wanted, message, float(len(spans)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """No verb in the other tense."""
        return (Marks(self.sought, Interval(high=0)),)

    def parts(self) -> dict[str, str]:
        """The tense."""
        return {"tense": self.tense}


@dataclass(frozen=True)
class Commands(Phrased):
    """What is to be done is commanded: "read the label", and not "the label should be read".

    What may be done is leave, and no command; what is quoted does not count.
    """

    name = "commands_check"

    @property
    def english_only(self) -> bool:
        """English verbs are looked for."""
        return True

    @property
    def sought(self) -> str:
        """What is told, and not commanded."""
        return "told instruction"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for what is told."""
        wanted = "commands"
        if not is_english(revised.text):
            return _unknown(self, wanted)
        spans = unwanted_marks(revised, self.sought)
        message = "commands throughout"
        if spans:
            held = fixed_marks(revised, self.sought, spans)
            found = f"{plural(len(spans), 'instruction')} told and not commanded"
            message = f"{found}: {shown_marks(revised, spans)}; wanted {wanted}{held}"
        message += beside_kept(revised, self.sought, spans)
        return Finding(self, not spans, len(spans), wanted, message, float(len(spans)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """Nothing that is told."""
        return (Marks(self.sought, Interval(high=0)),)
