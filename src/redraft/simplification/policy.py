"""What a simplification may do, what it is to aim at, and by which principles it is judged."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Final, Literal, get_args

from redraft.simplification import tuning
from redraft.text import Document, Level, diff_words, spellings, zipf

Operation = Literal["replace", "delete", "keep", "add", "split", "reorder"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
Aspect = Literal["lexical", "structural", "overall"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)

LEXICAL: Final = (
    *("difficult_replaced", "easy_replaced", "harder_replaced", "meaning_replaced", "difficult_deleted"),
    *("easy_deleted", "important_deleted", "name_lost", "difficult_kept", "difficult_added"),
)
STRUCTURAL: Final = (
    *("hard_simplified", "easy_simplified", "harder_structure", "split", "reordered"),
    *("idle_edit", "hard_kept"),
)
"""What the rubric judge can count, and a principle may name: of the words, and of the structure."""


@dataclass(frozen=True, slots=True)
class Principle:
    """Something that a judge rewards or penalises."""

    name: str
    says: str
    """In plain words, as a judge is told it."""
    points: float
    """2 for a high reward, 1 for a moderate one; below zero for penalties."""
    measure: str | None = None
    """What the rubric judge counts for it; None where only a model can tell."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, and how the policy would have it."""

    source: str
    simplified: str


@dataclass(frozen=True, slots=True)
class JudgedCandidate:
    """A simplification in an example for judges: what is shown of it, and what is said of it."""

    text: str
    lexical: str
    structural: str
    """What is said of its words, and of how it is built."""
    links: tuple[tuple[int, int], ...] = ()
    """Places of source words, each with that of a word it became; none where no alignment is shown."""
    parses: tuple[str, ...] = ()
    """A tree in brackets for each sentence; none where no parses are shown."""


@dataclass(frozen=True, slots=True)
class JudgedExample:
    """A source with candidates that were judged, for a model that is to judge others."""

    source: str
    candidates: tuple[JudgedCandidate, ...]
    verdicts: tuple[tuple[Aspect, int, int], ...]
    """The places of the best and the worst candidate, in each aspect."""
    parses: tuple[str, ...] = ()
    """Trees of the source."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a simplification must keep to; None where it is free."""

    length_ratio: tuple[float, float] | None = None
    """Words of the simplification over words of the source: least and most."""
    reading_grade: float | None = None
    """The Flesch-Kincaid grade that a text should not be above."""
    word_level: Level = "B1"
    """Words above this level are difficult."""

    def fits(self, source: str, text: str) -> bool:
        """Whether a simplification is neither too short nor too long beside its source."""
        if self.length_ratio is None:
            return True
        least, most = self.length_ratio
        return least <= len(text.split()) / max(len(source.split()), 1) <= most


@dataclass(frozen=True)
class Policy:
    """A way to simplify, as data."""

    name: str
    title: str
    instruction: str
    operations: frozenset[Operation]
    decides: Aspect
    lexical: tuple[Principle, ...]
    structural: tuple[Principle, ...]
    examples: tuple[Example, ...] = ()
    limits: Limits = field(default_factory=Limits)
    constraints: tuple[str, ...] = ()
    """Calls that hold for every text, such as preserve_check("numbers")."""
    about: str = ""
    """For whom it is, and what it is good for."""
    judged: tuple[JudgedExample, ...] | None = None
    """What a model that judges is shown first; None where it is shown those of our own policies."""

    @property
    def principles(self) -> tuple[tuple[Aspect, tuple[Principle, ...]], ...]:
        """Those of each aspect, by its name."""
        return ("lexical", self.lexical), ("structural", self.structural)

    @property
    def calls(self) -> tuple[str, ...]:
        """All the calls that a simplified text is held to, the reading grade among them."""
        grade = self.limits.reading_grade
        graded = (f'reading_grade_check({grade:g}, "at most")',) if grade is not None else ()
        return (*self.constraints, *graded)

    @property
    def hash(self) -> str:
        """Of all that the policy says but its examples for judges, for records.

        It is the same however the file is laid out. Those examples decide no candidate: judges record them.
        """
        fields = {**asdict(self), "operations": sorted(self.operations)}
        del fields["judged"]
        return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def rebuilds(self) -> bool:
        """Whether the structure of a sentence may change too, and not its words alone."""
        return self.allows("split") or self.allows("reorder")

    def allows(self, operation: Operation) -> bool:
        """Whether an edit operation is permitted."""
        return operation in self.operations


def operations_used(source: str, simplified: str) -> dict[str, str]:
    """The operations between two texts, each with what shows it: words deleted, added, replaced or moved."""
    found: dict[str, str] = {}
    before, after = (len(Document(text).sentences) for text in (source, simplified))
    if after > before:
        found["split"] = f"{before} became {after}"
    if moved := _moved(spellings(source.lower()), spellings(simplified.lower())):
        found["reorder"] = moved
    for edit in diff_words(source.lower(), simplified.lower()):
        was, now = (" ".join(spellings(text)) for text in (edit.before, edit.after))
        if edit.op != "equal" and (was or now):
            operation, shows = (
                ("replace", f"{was} → {now}") if was and now else ("delete", was) if was else ("add", now)
            )
            found.setdefault(operation, shows)
    return found


def _moved(before: list[str], after: list[str]) -> str:
    """The first word that both texts have once and that now stands behind one that it stood before.

    The commonest words are left aside: that "that" stands elsewhere says nothing.
    """
    times = Counter(before)
    once = {word for word in after if times[word] == 1 == after.count(word) and zipf(word) < tuning.COMMONEST}
    places = {word: place for place, word in enumerate(before)}
    kept = [word for word in after if word in once]
    return next((two for one, two in pairwise(kept) if places[two] < places[one]), "")
