"""How far two judges of the same candidates agree, and which systems a judge prefers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from redraft.errors import InputError
from redraft.judge import Share, cohen_kappa
from redraft.simplification.verdicts import ASPECTS, Aspect, Candidate, Judged


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

    @property
    def largest(self) -> float:
        """The share of the system that is preferred most often."""
        return max((system.preferred for system in self.systems), default=0.0)

    def rows(self) -> list[tuple[str, str]]:
        """A row a system: its name, and `preferred / dispreferred` in per cent."""
        return [
            (system.by, f"{100 * system.preferred:.1f} / {100 * system.dispreferred:.1f}")
            for system in self.systems
        ]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self) | {"largest": self.largest}


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
