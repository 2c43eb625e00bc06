"""Meta-evaluation: how often a judge's marks put two texts in the order that people put them in.

As in RAVEL, 5.5: texts that answer one instruction are paired where people scored them differently, and each
is marked by itself. Judges may also be asked without a part of their rubric, to see what that part is worth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any, Literal, get_args

from redraft.errors import InputError
from redraft.judge.agreement import pearson, spearman
from redraft.judge.intervals import Interval, cluster_interval
from redraft.judge.judgement import Judgement
from redraft.judge.people import Preference, Rated
from redraft.judge.rubric import Rubric, Scale

Part = Literal["rubric", "traits", "reference"]
PARTS: tuple[Part, ...] = get_args(Part)

JURY = "jury"
"""What the mean of several judges is called beside them."""

PUBLISHED: Mapping[Part | None, Mapping[str, float]] = {
    None: {"cloze": 88.0, "expand": 88.0, "edit": 90.0, "end2end": 92.0},
    "rubric": {"cloze": 76.0, "expand": 78.0, "edit": 74.0, "end2end": 72.0},
    "traits": {"cloze": 78.0, "expand": 82.0, "edit": 78.0, "end2end": 76.0},
    "reference": {"cloze": 72.0, "expand": 64.0, "edit": 64.0, "end2end": 56.0},
}
"""Table 3 of RAVEL: GPT-5.2 on texts and scores that are not public, in percent, by what was taken away."""

_DIGITS = 9
"""To which scores are rounded: means of equal marks are not to differ by an error of rounding."""


@dataclass(frozen=True)
class Setting:
    """A rubric as it is asked by: whole, or without one of its parts."""

    task: str
    rubric: Rubric
    without: Part | None = None


@dataclass(frozen=True)
class Consistency:
    """How a judge's marks order the texts of a task, held against people."""

    judge: str
    task: str
    without: Part | None
    pairs: int
    """Those for which both texts were marked."""
    groups: int
    """The instructions that they belong to."""
    value: float | None
    """The share of pairs that the judge orders as people do; its ties count half."""
    interval: Interval | None
    """Over resampled instructions, with all their pairs."""
    ties: int
    strict: float | None
    """The same where a tie of the judge is wrong."""
    unanswered: int
    """Pairs of which a text got no valid mark."""
    pearson: float | None
    spearman: float | None
    """How the judge's scores go with people's, over the texts of these pairs."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def ablated(rubric: Rubric, part: Part) -> Rubric:
    """The rubric without a part, and with everything else.

    `rubric` is what the marks mean (the steps), `traits` what to weigh, `reference` the text to hold
    against, with the mark that it is worth.
    """
    name = f"{rubric.name} without {part}"
    match part:
        case "rubric":
            aspects = tuple(
                replace(each, scale=each.scale and replace(each.scale, steps=())) for each in rubric.aspects
            )
            found = replace(rubric, aspects=aspects)
        case "traits":
            found = replace(rubric, traits=())
        case "reference":
            shows, needs = (
                tuple(each for each in names if each != part) for names in (rubric.shows, rubric.needs)
            )
            found = replace(rubric, shows=shows, needs=needs, baseline=None)
    if found == rubric:
        raise InputError(f"the rubric {rubric.name} has no {part} to take away")
    return replace(found, name=name)


def settings_of(rubrics: Iterable[Rubric], parts: Sequence[Part] = ()) -> tuple[Setting, ...]:
    """Each rubric whole, then without each of the parts."""
    return tuple(
        Setting(rubric.name, rubric if part is None else ablated(rubric, part), part)
        for part in (None, *parts)
        for rubric in rubrics
    )


def texts_of(preferences: Iterable[Preference], task: str) -> tuple[Rated, ...]:
    """The texts of a task that some pair has, each once: what a judge is to mark."""
    found = {
        each.item.id: each
        for preference in preferences
        for each in (preference.better, preference.worse)
        if each.task == task
    }
    return tuple(found.values())


def consistencies(
    preferences: Sequence[Preference],
    settings: Iterable[Setting],
    specs: Sequence[str],
    judgements: Sequence[Judgement],
) -> tuple[Consistency, ...]:
    """Every judge in every setting, and where there are several the jury: the mean of its members."""
    found = []
    for setting in settings:
        mine = [each for each in preferences if each.better.task == setting.task]
        judges = {spec: _scores(judgements, spec, setting.rubric) for spec in specs}
        if len(specs) > 1:
            judges[JURY] = _jury(list(judges.values()))
        found += [_consistency(mine, scores, judge, setting) for judge, scores in judges.items()]
    return tuple(found)


def _scores(judgements: Iterable[Judgement], spec: str, rubric: Rubric) -> dict[str, float]:
    """A judge's score of each text: how good its marks are, on the mean of the aspects."""
    scales: dict[str, Scale] = {each.name: each.scale for each in rubric.aspects if each.scale is not None}
    return {
        each.id: round(fmean(scales[name].share(mark) for name, mark in each.marks.items()), _DIGITS)
        for each in judgements
        if each.error is None and each.judge == spec and each.rubric == rubric.name
    }


def _jury(members: Sequence[Mapping[str, float]]) -> dict[str, float]:
    shared = [name for name in members[0] if all(name in member for member in members)]
    return {name: round(fmean(member[name] for member in members), _DIGITS) for name in shared}


def _consistency(
    preferences: Sequence[Preference], scores: Mapping[str, float], judge: str, setting: Setting
) -> Consistency:
    groups: dict[str, list[float]] = {}
    answered = [
        each for each in preferences if each.better.item.id in scores and each.worse.item.id in scores
    ]
    for each in answered:
        better, worse = scores[each.better.item.id], scores[each.worse.item.id]
        right = 0.5 if better == worse else float(better > worse)
        groups.setdefault(each.better.group, []).append(right)
    every = [right for group in groups.values() for right in group]
    texts = texts_of(answered, setting.task)
    people, marks = [each.score for each in texts], [scores[each.item.id] for each in texts]
    return Consistency(
        judge=judge,
        task=setting.task,
        without=setting.without,
        pairs=len(every),
        groups=len(groups),
        value=fmean(every) if every else None,
        interval=cluster_interval(list(groups.values())),
        ties=every.count(0.5),
        strict=every.count(1.0) / len(every) if every else None,
        unanswered=len(preferences) - len(answered),
        pearson=_defined(pearson(people, marks)) if texts else None,
        spearman=_defined(spearman(people, marks)) if texts else None,
    )


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value
