"""The scores and comparisons of a jury by aspect, with intervals, agreement and position bias."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from redraft.judge.agreement import defined, krippendorff_alpha
from redraft.judge.judgement import Judgement, PairVerdict, majority, pair_verdicts, votes_by_judge
from redraft.judge.rubric import Aspect, Rubric, Scale
from redraft.metrics import Interval, mean_interval, sign_test, wilson_interval


@dataclass(frozen=True)
class AspectScore:
    """An aspect over all items.

    An item's score is the mean of its judges', and a judge's the mean of its repeats.
    """

    aspect: str
    best: str
    """Which end of the scale is good."""
    items: int
    mean: float | None
    interval: Interval | None
    """Of the mean, over resampled items."""
    counts: Mapping[str, int]
    """How often each mark was given, repeats included."""
    judges: Mapping[str, float]
    """The mean of each judge."""
    spread: float | None
    """The mean over items of the highest judge's score less the lowest's; None for one judge."""
    alpha: float | None
    """Krippendorff's α between the judges, marks as numbers; None where it has no value."""
    steady: float | None
    """The share of items for which all repeats of a judge gave one mark; None without repeats."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {name: value for name, value in asdict(self).items() if name != "aspect"}


def score_aspects(judgements: Sequence[Judgement], rubric: Rubric) -> tuple[AspectScore, ...]:
    """The scores of a jury, aspect by aspect; judgements that failed are left out."""
    valid = [judgement for judgement in judgements if judgement.error is None]
    return tuple(
        _scored(valid, aspect, aspect.scale) for aspect in rubric.aspects if aspect.scale is not None
    )


def item_scores(judgements: Sequence[Judgement], aspect: Aspect) -> dict[str, dict[str, float]]:
    """For each item the score of each judge: the mean of its repeats."""
    return {
        name: {judge: fmean(values) for judge, values in judges.items()}
        for name, judges in _repeats(judgements, aspect).items()
    }


def _repeats(judgements: Sequence[Judgement], aspect: Aspect) -> dict[str, dict[str, list[float]]]:
    found: dict[str, dict[str, list[float]]] = {}
    for judgement in judgements:
        mark = judgement.marks.get(aspect.name)
        if mark is not None and aspect.scale is not None:
            values = found.setdefault(judgement.id, {}).setdefault(judgement.judge, [])
            values.append(aspect.scale.value(mark))
    return found


def _scored(judgements: Sequence[Judgement], aspect: Aspect, scale: Scale) -> AspectScore:
    repeats = _repeats(judgements, aspect)
    members = item_scores(judgements, aspect)
    means = [fmean(judges.values()) for judges in members.values()]
    specs = list(dict.fromkeys(judgement.judge for judgement in judgements))
    marks = Counter(str(judgement.marks.get(aspect.name)) for judgement in judgements)
    several = [judges.values() for judges in members.values() if len(judges) > 1]
    repeated = [values for judges in repeats.values() for values in judges.values() if len(values) > 1]
    return AspectScore(
        aspect=aspect.name,
        best=scale.best,
        items=len(means),
        mean=fmean(means) if means else None,
        interval=mean_interval(means),
        counts={str(label): marks[str(label)] for label in scale.labels},
        judges={
            spec: fmean(judges[spec] for judges in members.values() if spec in judges)
            for spec in specs
            if any(spec in judges for judges in members.values())
        },
        spread=fmean(max(values) - min(values) for values in several) if several else None,
        alpha=_alpha([[judges.get(spec) for judges in members.values()] for spec in specs]),
        steady=fmean(len(set(values)) == 1 for values in repeated) if repeated else None,
    )


def _alpha(raters: Sequence[Sequence[float | None]]) -> float | None:
    return defined(krippendorff_alpha(raters, level="interval")) if len(raters) > 1 else None


@dataclass(frozen=True)
class Share:
    """So many of so many, with the interval of the share."""

    count: int
    total: int
    value: float | None
    interval: Interval | None

    @classmethod
    def of(cls, count: int, total: int) -> Share:
        """The share of a count."""
        return cls(count, total, count / total if total else None, wilson_interval(count, total))


@dataclass(frozen=True)
class PositionBias:
    """How far a judge's answers follow the texts, and not the places that they are shown in."""

    consistent: Share | None
    """Pairs on which both orders say the same; None where only one was asked."""
    said_a: Share
    """Answers for A among those for A or B: half of them, if the place plays no part."""
    bias_p: float
    """How easily chance would make them as uneven (exact sign test)."""


@dataclass(frozen=True)
class AspectComparison:
    """An aspect over all pairs, seen from the first text."""

    aspect: str
    wins: Share
    ties: Share
    losses: Share
    p: float
    """How easily chance would make wins and losses as uneven (exact sign test; ties do not count)."""
    trust: PositionBias
    judges: Mapping[str, PositionBias]
    """The same of each judge."""
    unanimous: Share | None
    """Pairs on which all judges agree, among those with several; None for one judge."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {name: value for name, value in asdict(self).items() if name != "aspect"}


def compare_aspects(
    judgements: Sequence[Judgement], rubric: Rubric, *, both: bool = True, same: int = 0
) -> tuple[AspectComparison, ...]:
    """The comparisons of a jury, aspect by aspect; judgements that failed are left out.

    `both` says that pairs were asked in both orders, `same` how many pairs were not asked, since their texts
    are the same: those are ties, and say nothing about the judge.
    """
    found = pair_verdicts(judgements, both=both)
    return tuple(
        _compared(aspect.name, [verdict for verdict in found if verdict.aspect == aspect.name], both, same)
        for aspect in rubric.aspects
    )


def _compared(aspect: str, found: Sequence[PairVerdict], both: bool, same: int) -> AspectComparison:
    members = votes_by_judge(found, aspect)
    counts = Counter(majority(list(votes.values())) for votes in members.values())
    total = len(members) + same
    several = [set(votes.values()) for votes in members.values() if len(votes) > 1]
    specs = dict.fromkeys(verdict.judge for verdict in found)
    return AspectComparison(
        aspect=aspect,
        wins=Share.of(counts["first"], total),
        ties=Share.of(counts["tie"] + same, total),
        losses=Share.of(counts["second"], total),
        p=sign_test(counts["first"], counts["second"]),
        trust=_trust(found, both),
        judges={
            spec: _trust([verdict for verdict in found if verdict.judge == spec], both) for spec in specs
        },
        unanimous=Share.of(sum(len(votes) == 1 for votes in several), len(several)) if several else None,
    )


def _trust(found: Sequence[PairVerdict], both: bool) -> PositionBias:
    answers = Counter(mark for verdict in found for mark in verdict.answers.values())
    consistent = sum(verdict.consistent is True for verdict in found)
    return PositionBias(
        consistent=Share.of(consistent, len(found)) if both else None,
        said_a=Share.of(answers["A"], answers["A"] + answers["B"]),
        bias_p=sign_test(answers["A"], answers["B"]),
    )
