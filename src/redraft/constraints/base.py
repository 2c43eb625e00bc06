"""What a constraint is, and what checking one gives.

A kind of constraint is one small frozen dataclass: its fields, in order, are the arguments of its call
(`word_count_check(300, "less than")`), and `check` compares a revision with them. Kinds are found through
the entry-point group `redraft.constraints`; ours and a third party's are registered alike.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

from redraft.text import Span

if TYPE_CHECKING:
    from redraft.constraints.counting import Reading
    from redraft.constraints.demands import Demand

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
        arguments = (getattr(self, field.name) for field in fields(self))
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
