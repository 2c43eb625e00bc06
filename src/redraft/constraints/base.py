"""What a constraint is, what checking one gives, what it demands of any text, and which kinds are installed.

A kind of constraint is one small frozen dataclass: its fields, in order, are the arguments of its call
(`word_count_check(300, "less than")`), and `check` compares a revision with them. A package adds a kind with
an entry point in the group `redraft.constraints`, named like its call; ours are registered in the same way:

    [project.entry-points."redraft.constraints"]
    hedging_check = "mypackage.hedging:Hedging"
"""

from __future__ import annotations

import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from redraft.constraints.bounds import Interval
from redraft.text import Sentence, Span, list_lines

if TYPE_CHECKING:
    from redraft.constraints.counting import Reading

Measured = int | float | str | list[int]


@dataclass(frozen=True)
class Constraint(ABC):
    """One checkable demand on a revision."""

    name: ClassVar[str]
    """The name of its call, ending in `_check`."""

    @abstractmethod
    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the revision with the demand; `original` is there whenever `needs_original` says so."""

    @abstractmethod
    def phrasings(self) -> Sequence[str]:
        """English imperatives that mean this constraint; the instruction parser reads each of them back."""

    def clauses(self) -> Sequence[str]:
        """English clauses that mean the same after "make sure that"; none where there is no good one."""
        return ()

    @property
    def needs_original(self) -> bool:
        """Whether the original text is needed to decide."""
        return False

    @property
    def english_only(self) -> bool:
        """Whether it speaks of English alone: of another language, nothing it finds can be relied on."""
        return False

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """What any text that satisfies this must have, for the feasibility proof; nothing if unknown."""
        return ()

    @classmethod
    def read(cls, instruction: str) -> Iterable[tuple[Span, Constraint]]:
        """Constraints of this kind in plain English, with their places: a hook for other packages."""
        return ()

    @property
    def call(self) -> str:
        """This constraint in the paper's syntax, as `parse_call` reads it."""
        arguments = [getattr(self, field.name) for field in fields(self)]
        for field in reversed(fields(self)):
            if field.default not in ("", ()) or arguments[-1] != field.default:
                break
            arguments.pop()  # what need not be said, and is not
        return f"{self.name}({', '.join(_literal(value) for value in arguments)})"

    def __str__(self) -> str:
        return self.phrasings()[0]

    def to_dict(self) -> dict[str, Any]:
        """The call, its kind and its arguments, ready for JSON."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {"call": self.call, "kind": self.name, **values}


@dataclass(frozen=True)
class Finding:
    """What checking one constraint gave."""

    constraint: Constraint
    met: bool
    measured: Measured
    wanted: str
    message: str
    distance: float = 0.0
    """How far off the revision is, in the constraint's own unit (words, sentences, …); 0 when met."""
    spans: tuple[Span, ...] = ()
    """The offending places in the revision."""

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; `call`, `met`, `measured` and `message` are part of the command contract."""
        return {
            "call": self.constraint.call,
            "met": self.met,
            "measured": self.measured,
            "wanted": self.wanted,
            "message": self.message,
            "distance": self.distance,
            "spans": [[span.start, span.end] for span in self.spans],
        }


@dataclass(frozen=True)
class Findings:
    """The findings of one check, in the order of the constraints."""

    findings: tuple[Finding, ...]
    counting: str

    @property
    def met(self) -> bool:
        """Whether every constraint holds."""
        return all(finding.met for finding in self.findings)

    @property
    def distance(self) -> float:
        """The sum of the distances: 0 exactly when every constraint holds."""
        return sum(finding.distance for finding in self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `redraft check --json`."""
        return {"met": self.met, "counting": self.counting, "findings": [f.to_dict() for f in self.findings]}


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


Quantity = Literal[
    "words", "sentences", "words in a sentence", "characters", "paragraphs",
    "grade", "gunning fog", "smog", "coleman-liau", "ari", "dale-chall", "reading ease",
]  # fmt: skip
SCORES: Final[Mapping[Quantity, str]] = {
    "grade": "reading grade",
    "gunning fog": "Gunning fog index",
    "smog": "SMOG grade",
    "coleman-liau": "Coleman-Liau index",
    "ari": "automated readability index",
    "dale-chall": "Dale-Chall score",
    "reading ease": "reading ease",
}
"""The quantities that are scores of readability, and how they are called."""


@dataclass(frozen=True)
class Bounds:
    """A quantity of the text lies in an interval ("words in a sentence": of every sentence)."""

    quantity: Quantity
    allowed: Interval


@dataclass(frozen=True)
class Occurs:
    """A keyword occurs this many times, as `Reading.occurrences` counts."""

    keyword: str
    allowed: Interval


@dataclass(frozen=True)
class Lacks:
    """A keyword is nowhere, as `Reading.uses` counts."""

    keyword: str


@dataclass(frozen=True)
class Keeps:
    """These sentences of the original stand unchanged."""

    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class Changes:
    """These sentences of the original do not stand unchanged: they must change, go or be combined."""

    sentences: tuple[Sentence, ...]
    how: str = "change"


@dataclass(frozen=True)
class Swaps:
    """The second of two sentences of the original stands before the first."""

    first: Sentence
    second: Sentence


@dataclass(frozen=True)
class Holds:
    """The text has these words, each at least once; `what` says of what they are."""

    words: frozenset[str]
    what: str


@dataclass(frozen=True)
class Edge:
    """The text starts or ends with this, case, white space and closing punctuation folded away."""

    side: Literal["start", "end"]
    text: str


@dataclass(frozen=True)
class NotOpening:
    """No sentence begins with one of these words."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Matches:
    """A pattern matches somewhere, or nowhere."""

    pattern: str
    somewhere: bool


@dataclass(frozen=True)
class Marks:
    """A mark of punctuation or a form of words (a contraction, a passive) stands so often.

    As `find_marks` finds it.
    """

    mark: str
    allowed: Interval


@dataclass(frozen=True)
class PartBounds:
    """What a named part has of a unit lies in an interval."""

    part: str
    unit: str
    allowed: Interval


@dataclass(frozen=True)
class Impossible:
    """No text can satisfy the constraint, whatever the others say."""

    reason: str


Demand = (
    Bounds
    | Occurs
    | Lacks
    | Keeps
    | Changes
    | Swaps
    | Holds
    | Edge
    | NotOpening
    | Matches
    | Marks
    | PartBounds
    | Impossible
)


GROUP = "redraft.constraints"


@lru_cache(maxsize=1)
def _all_templates() -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for line in list_lines("redraft.constraints", "phrasings.txt"):
        name, _, template = line.partition(": ")
        found.setdefault(name, []).append(template)
    return found


def templates(name: str) -> Sequence[str]:
    """Ways to say something in English, by the names in `data/phrasings.txt`; none where there are none."""
    return _all_templates().get(name, ())


class Phrased(Constraint):
    """A constraint that is said as `data/phrasings.txt` has it."""

    @property
    def phrased_as(self) -> str:
        """Its name there; its clauses are under the same name with "clause" behind it."""
        return self.name

    def parts(self) -> dict[str, str]:
        """What the templates name."""
        return {}

    def fill(self, ways: Sequence[str]) -> list[str]:
        """Templates, filled with what this constraint says."""
        return [way.format(**self.parts()) for way in ways]

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        return self.fill(templates(self.phrased_as))

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        return self.fill(templates(f"{self.phrased_as} clause"))


@lru_cache(maxsize=1)
def all_kinds() -> Mapping[str, type[Constraint]]:
    """Every installed kind by the name of its call; one that cannot be used is left out with a warning."""
    found: dict[str, type[Constraint]] = {}
    # Ours first: another package may add a kind, never replace one.
    for entry in sorted(entry_points(group=GROUP), key=_foreign):
        try:
            kind = entry.load()
        except Exception as error:  # whatever another package raises must not stop us
            _warn(entry, f"could not be loaded: {error}")
            continue
        if not (isinstance(kind, type) and issubclass(kind, Constraint)):
            _warn(entry, "is no subclass of redraft.Constraint")
        elif getattr(kind, "name", None) != entry.name:
            _warn(entry, f"calls itself {getattr(kind, 'name', 'nothing')!r}")
        elif entry.name in found and found[entry.name] is not kind:
            _warn(entry, "has a name that is taken")
        else:
            found[entry.name] = kind
    return found


def _foreign(entry: EntryPoint) -> bool:
    return not entry.value.startswith("redraft.constraints.kinds:")


def _warn(entry: EntryPoint, why: str) -> None:
    warnings.warn(f"the constraint kind {entry.name} ({entry.value}) {why}; it is left out", stacklevel=3)
