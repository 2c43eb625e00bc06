"""Candidates, verdicts on them, and how far two judges agree."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any, Final

from redraft.errors import FATAL, InputError, ModelError
from redraft.judge import Share, cohen_kappa
from redraft.models import Usage
from redraft.simplification.policy import ASPECTS, Aspect, Policy
from redraft.text import word_sets

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

    @classmethod
    def once(cls, judge: str, verdicts: Mapping[Aspect, Verdict]) -> Judged:
        """The verdicts of a judge that is asked once, and so agrees with itself."""
        return cls(judge, verdicts, dict.fromkeys(ASPECTS, 1.0))

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for records."""
        return asdict(self)


class Judge(ABC):
    """Names the best and the worst of several candidates, by the principles of a policy."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Who judges, and how: what decides its verdicts beside the candidates."""

    async def judge(self, source: str, candidates: Sequence[str], policy: Policy) -> Judged:
        """The verdicts for one source; one that failed for this source alone says why."""
        if not source.strip():
            raise InputError("the source has no words: there is nothing to hold the candidates against")
        if not candidates:
            raise InputError("there are no candidates to judge")
        places = distinct(candidates)
        if len(places) == 1:
            same = ("all candidates are the same",) * len(candidates)
            return Judged.once(self.name, {aspect: Verdict(aspect, 0, 0, same) for aspect in ASPECTS})
        try:
            return await self._compare(source, candidates, places, policy)
        except FATAL:
            raise
        except ModelError as error:
            return Judged(self.name, error=f"{type(error).__name__}: {error}")

    @abstractmethod
    async def _compare(
        self, source: str, candidates: Sequence[str], places: Sequence[int], policy: Policy
    ) -> Judged:
        """The verdicts where those candidates that stand at the places differ."""


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


@dataclass(frozen=True)
class Difference:
    """Two judges in one aspect, over the items on which both had something to choose."""

    aspect: Aspect
    differing: Share
    """Items with another best or another worst."""
    opposite: Share
    """Items where the best of one is the worst of the other."""
    kappa_best: float | None
    """Agreement on the best beyond that of chance, by place: of use where a place stands for a system."""
    kappa_worst: float | None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True)
class SystemShare:
    """How often the candidates of a system were the best and the worst, of all verdicts."""

    by: str
    preferred: float
    dispreferred: float


@dataclass(frozen=True)
class Distribution:
    """Which systems a judge prefers in one aspect (Table 3 of the paper), and how evenly.

    Evenness is the entropy of the shares over that of equal shares: 1 where every system is chosen as often,
    0 where always the same one is.
    """

    aspect: Aspect
    items: int
    systems: tuple[SystemShare, ...]
    preferred_evenness: float
    dispreferred_evenness: float

    def to_dict(self) -> dict[str, Any]:
        """As plain data, with the share of the system that is preferred most often."""
        return asdict(self) | {"largest": max((one.preferred for one in self.systems), default=0.0)}


def compare_judges(first: Sequence[Judged], second: Sequence[Judged]) -> tuple[Difference, ...]:
    """What two judges said of the same items, aspect by aspect; items that one failed at are left out."""
    if len(first) != len(second):
        raise InputError(f"the judges have {len(first)} and {len(second)} items: give both for the same ones")
    both = [(a, b) for a, b in zip(first, second, strict=True) if a.error is None and b.error is None]
    return tuple(_difference(aspect, both) for aspect in ASPECTS)


def compare_rounds(judged: Sequence[Judged]) -> tuple[Difference, ...]:
    """The rounds of one judge against each other, every two of them."""
    first: list[Judged] = []
    second: list[Judged] = []
    for item in judged:
        for one, other in combinations(item.rounds, 2):
            first.append(Judged(item.judge, one))
            second.append(Judged(item.judge, other))
    return compare_judges(first, second)


def distribution(
    judged: Sequence[Judged], candidates: Sequence[Sequence[Candidate]], aspect: Aspect
) -> Distribution:
    """How often each system was the best and the worst.

    Systems that wrote the same share what it is given; items with one distinct candidate say nothing.
    """
    if len(judged) != len(candidates):
        raise InputError(f"there are {len(judged)} verdicts for {len(candidates)} items: give one for each")
    preferred: dict[str, float] = defaultdict(float)
    dispreferred: dict[str, float] = defaultdict(float)
    items = 0
    for item, shown in zip(judged, candidates, strict=True):
        verdict = item.verdicts.get(aspect)
        if verdict is None or verdict.best == verdict.worst:
            continue
        items += 1
        _credit(preferred, shown, verdict.best)
        _credit(dispreferred, shown, verdict.worst)
    names = list(dict.fromkeys(candidate.by for shown in candidates for candidate in shown))
    total = max(items, 1)
    systems = tuple(SystemShare(by, preferred[by] / total, dispreferred[by] / total) for by in names)
    return Distribution(
        aspect,
        items,
        systems,
        evenness([system.preferred for system in systems]),
        evenness([system.dispreferred for system in systems]),
    )


def evenness(shares: Sequence[float]) -> float:
    """The entropy of shares over that of equal ones, from 0 to 1; 1 where there is one share alone."""
    if len(shares) < 2:
        return 1.0
    entropy = -sum(share * math.log(share) for share in shares if share > 0)
    return entropy / math.log(len(shares))


def _difference(aspect: Aspect, both: Sequence[tuple[Judged, Judged]]) -> Difference:
    pairs = [
        (a.verdicts[aspect], b.verdicts[aspect])
        for a, b in both
        if aspect in a.verdicts
        and aspect in b.verdicts
        and a.verdicts[aspect].best != a.verdicts[aspect].worst
    ]
    differing = sum((a.best, a.worst) != (b.best, b.worst) for a, b in pairs)
    opposite = sum(a.best == b.worst or a.worst == b.best for a, b in pairs)
    return Difference(
        aspect,
        Share.of(differing, len(pairs)),
        Share.of(opposite, len(pairs)),
        _kappa([(a.best, b.best) for a, b in pairs]),
        _kappa([(a.worst, b.worst) for a, b in pairs]),
    )


def _kappa(pairs: Sequence[tuple[int, int]]) -> float | None:
    if not pairs:
        return None
    value = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs])
    return None if math.isnan(value) else value


def _credit(counts: dict[str, float], shown: Sequence[Candidate], place: int) -> None:
    chosen = shown[place].text.split()
    same = [candidate.by for candidate in shown if candidate.text.split() == chosen]
    for by in same:
        counts[by] += 1 / len(same)
