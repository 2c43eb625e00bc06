"""How often a judge orders texts as people do: measured by `redraft judge meta`, and kept in a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, get_args

from pydantic import TypeAdapter, ValidationError

from redraft.errors import FileError, InputError
from redraft.judge.agreement import defined, pearson, spearman
from redraft.judge.item import Item
from redraft.judge.judgement import Judgement
from redraft.judge.judges import score_question
from redraft.judge.ratings import HumanPreference, RatedText
from redraft.judge.rubric import Rubric, Scale
from redraft.metrics import Interval, cluster_interval
from redraft.models import KEPT, locked
from redraft.settings import Settings
from redraft.text import private_folder, read_text, write_text

NOT_MEASURED = "reliability not measured: redraft judge meta"


@dataclass(frozen=True)
class Reliability:
    """How often a judge was found to order two texts as people do, marking by a rubric in these words."""

    judge: str
    """The spec of the model."""
    rubric: str
    prompt_hash: str
    pairs: int
    groups: int
    """The instructions that the pairs belong to."""
    unanswered: int
    """Pairs for which it gave no valid marks; they are not among `pairs`."""
    consistency: float
    interval: Interval | None
    date: str
    file_hash: str
    """Of the file with people's scores."""

    def __str__(self) -> str:
        ends = "" if self.interval is None else " [{:.0f}, {:.0f}]".format(*(100 * x for x in self.interval))
        share = f"{100 * self.consistency:.0f} %{ends}"
        silent = f", {self.unanswered} more unanswered" if self.unanswered else ""
        return f"agreed with people on {share} of {self.pairs} pairs ({self.rubric}){silent}"


_STORED = TypeAdapter(tuple[Reliability, ...])


def reliability_file(settings: Settings) -> Path:
    """The file of what was measured."""
    return settings.cache_dir / "reliability.json"


def rubric_prompt_hash(rubric: Rubric) -> str:
    """The `prompt_hash` of all judgements that score by a rubric."""
    return score_question(rubric, Item("", "")).prompt_hash


def read_reliability(path: Path) -> tuple[Reliability, ...]:
    """Everything that a file has; nothing where there is no file."""
    if path.is_symlink():
        raise FileError(f"{path} is a link, which is not followed: delete it, or link its folder instead")
    if not path.exists():
        return ()
    try:
        return _STORED.validate_json(read_text(path))
    except ValidationError:
        raise FileError(
            f"{path} does not hold what judges were found to be worth: delete it, and measure them again"
        ) from None


def save_reliability(found: Iterable[Reliability], path: Path) -> None:
    """Add what was measured; the same judge with the same rubric and pairs of the same file is replaced."""
    new = {_place(each): each for each in found}
    try:
        private_folder(path.parent, KEPT)
        with locked(path.with_suffix(".lock"), timeout=60, on_wait=lambda: None):
            kept = {_place(each): each for each in read_reliability(path)} | new
            text = _STORED.dump_json(tuple(kept.values()), indent=1).decode() + "\n"
            write_text(path, text, private=True)
    except OSError as error:
        raise FileError(f"{path.parent} cannot be written: {error.strerror}") from None


def reliability_of(
    spec: str, rubric: Rubric, settings: Settings, path: Path | None = None
) -> Reliability | None:
    """What was found of a judge: by the most pairs, and of those last.

    None where it was not measured with this rubric in the words that it has now.
    """
    asked = spec, rubric.name, rubric_prompt_hash(rubric)
    known = [
        each
        for each in read_reliability(path or reliability_file(settings))
        if (each.judge, each.rubric, each.prompt_hash) == asked
    ]
    return max(known, key=lambda each: (each.pairs, each.date), default=None)


def _place(found: Reliability) -> tuple[str, str, str, str, int]:
    return found.judge, found.rubric, found.prompt_hash, found.file_hash, found.pairs


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
class AblationSetting:
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


def ablate_rubric(rubric: Rubric, part: Part) -> Rubric:
    """The rubric without a part, and with everything else.

    `rubric` is what the marks mean (the steps), `traits` what to weigh, `reference` the text to hold
    against, with the mark that it is worth.
    """
    name = f"{rubric.name} without {part}"
    if rubric.wording:
        raise InputError(f"the wording of {rubric.name} is a file's: no {part} can be taken out of it")
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


def ablation_settings(rubrics: Iterable[Rubric], parts: Sequence[Part] = ()) -> tuple[AblationSetting, ...]:
    """Each rubric whole, then without each of the parts."""
    return tuple(
        AblationSetting(rubric.name, rubric if part is None else ablate_rubric(rubric, part), part)
        for part in (None, *parts)
        for rubric in rubrics
    )


def rated_texts(preferences: Iterable[HumanPreference], task: str) -> tuple[RatedText, ...]:
    """The texts of a task that some pair has, each once: what a judge is to mark."""
    found = {
        each.item.id: each
        for preference in preferences
        for each in (preference.better, preference.worse)
        if each.task == task
    }
    return tuple(found.values())


def measure_consistency(
    preferences: Sequence[HumanPreference],
    settings: Iterable[AblationSetting],
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
    preferences: Sequence[HumanPreference], scores: Mapping[str, float], judge: str, setting: AblationSetting
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
    texts = rated_texts(answered, setting.task)
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
        pearson=defined(pearson(people, marks)) if texts else None,
        spearman=defined(spearman(people, marks)) if texts else None,
    )
