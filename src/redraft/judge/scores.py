"""What a jury's marks come to: means with intervals, each member's, and how far the members agree."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from redraft.judge.alpha import krippendorff_alpha
from redraft.judge.intervals import Interval, mean_interval
from redraft.judge.judgement import Judgement
from redraft.judge.rubric import Aspect, Rubric, Scale


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
    if len(raters) < 2:
        return None
    found = krippendorff_alpha(raters, level="interval")
    return None if math.isnan(found) else found
