"""Candidates, the verdicts on them, and how points or rounds become a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal, Protocol, get_args

from redraft.errors import InputError
from redraft.models import Usage
from redraft.simplification.policy import Policy
from redraft.text import word_sets

Aspect = Literal["lexical", "structural", "overall"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)

WORD_SETS: Final = word_sets(__package__)
"""Small sets of words by their names in data/sets.txt."""


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
    thought: float | None = None
    """The share of rounds that were thought about first; None where that was not asked for."""

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


def check_judgeable(source: str, candidates: Sequence[str]) -> None:
    """Raise where there is nothing to judge, or nothing to judge it by."""
    if not source.strip():
        raise InputError("the source has no words: there is nothing to hold the candidates against")
    if not candidates:
        raise InputError("there are no candidates to judge")


def distinct(candidates: Sequence[str]) -> tuple[int, ...]:
    """The places of the candidates that differ; of those with the same words, the first."""
    first: dict[str, int] = {}
    for place, text in enumerate(candidates):
        first.setdefault(" ".join(text.split()), place)
    return tuple(first.values())


def rank_by_points(
    aspect: Aspect,
    points: Sequence[float],
    places: Sequence[int],
    *,
    analysis: Sequence[str] = (),
    otherwise: Sequence[float] | None = None,
) -> Verdict:
    """The verdict of one that counts, among candidates that differ.

    Where the points are even, those of `otherwise` decide, then the earlier place is the better one.
    """
    beside = otherwise if otherwise is not None else points
    ranked = sorted(places, key=lambda place: (-round(points[place], 9), -round(beside[place], 9), place))
    return Verdict(aspect, ranked[0], ranked[-1], tuple(analysis), tuple(points))


def all_the_same(judge: str, count: int) -> Judged:
    """What is said where all candidates are the same: there is nothing to choose between."""
    said = ("all candidates are the same",) * count
    verdicts = {aspect: Verdict(aspect, 0, 0, said) for aspect in ASPECTS}
    return Judged(judge, verdicts, dict.fromkeys(ASPECTS, 1.0))


def merged(rounds: Sequence[Mapping[Aspect, Verdict]]) -> tuple[dict[Aspect, Verdict], dict[Aspect, float]]:
    """The verdict of several rounds, and the share of them that gave it.

    The best is who was the best most often, the worst likewise among the others; where that is even, the mean
    rank decides (best 0, worst 1, the others half way), then the earlier place.
    """
    verdicts: dict[Aspect, Verdict] = {}
    agreement: dict[Aspect, float] = {}
    for aspect in ASPECTS:
        given = [found[aspect] for found in rounds]
        best, worst = _majority(given)
        same = [verdict for verdict in given if (verdict.best, verdict.worst) == (best, worst)]
        verdicts[aspect] = replace((same or given)[0], best=best, worst=worst)
        agreement[aspect] = len(same) / len(given)
    return verdicts, agreement


def _majority(given: Sequence[Verdict]) -> tuple[int, int]:
    bests = Counter(verdict.best for verdict in given)
    worsts = Counter(verdict.worst for verdict in given)
    named = sorted({*bests, *worsts})

    def rank(place: int) -> float:
        """The sum of the ranks, but for what all places have in common."""
        return (worsts[place] - bests[place]) / 2

    best = min(named, key=lambda place: (-bests[place], rank(place), place))
    others = [place for place in named if place != best] or [best]
    worst = min(others, key=lambda place: (-worsts[place], -rank(place), place))
    return best, worst
