"""The words that the parts of simplification share: candidates, verdicts, and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol, get_args

from redraft.models import Usage
from redraft.simplification.policy import Policy

Aspect = Literal["lexical", "structural", "overall"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A simplification of a source, and the system that made it."""

    text: str
    by: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The best and the worst of several candidates in one aspect, by their places from 0."""

    aspect: Aspect
    best: int
    worst: int
    analysis: tuple[str, ...] = ()
    """What was said of each candidate; empty where nothing was."""
    points: tuple[float, ...] = ()
    """What each candidate was given, where the judge counts."""


@dataclass(frozen=True)
class Judged:
    """What a judge said of the candidates for one source: a verdict for each aspect, or why there is none."""

    judge: str
    """Who judged, and how: what decides its verdicts beside the candidates."""
    verdicts: Mapping[Aspect, Verdict] = field(default_factory=dict)
    agreement: Mapping[Aspect, float] = field(default_factory=dict)
    """Of several rounds, the share that gave this best and this worst; 1 where there was one round."""
    rounds: tuple[Mapping[Aspect, Verdict], ...] = ()
    """The verdict of every round, where there were several."""
    raw: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    error: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for records."""
        return asdict(self)


class Judge(Protocol):
    """Names the best and the worst of several candidates, by the principles of a policy."""

    @property
    def name(self) -> str:
        """Who judges, and how."""

    async def judge(self, source: str, candidates: Sequence[str], policy: Policy) -> Judged:
        """The verdicts for one source; one that failed for this source alone says why."""
