"""From points or rounds to a verdict: the best and the worst, the same whenever the same is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from redraft.errors import InputError
from redraft.simplification.base import ASPECTS, Aspect, Judged, Verdict


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


def by_points(
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


def only_one(judge: str, count: int) -> Judged:
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
