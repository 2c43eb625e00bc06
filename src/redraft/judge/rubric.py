"""What a judge is asked: a rubric of aspects, each with a question and a scale. Rubrics are TOML files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from redraft.errors import FileError, InputError
from redraft.notation import parse_toml
from redraft.text import read_text

Label = int | str
Best = Literal["high", "low"]

CONTEXT = ("source", "instruction", "reference")
"""What may be shown beside the text under judgement."""

REASON = "reason"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_SPAN = re.compile(r"(-?\d+)(?:-(-?\d+))?")
_WIDEST = 101


@dataclass(frozen=True)
class Scale:
    """The marks of an aspect from the lowest to the highest: integers, or named steps."""

    labels: tuple[Label, ...]
    best: Best = "high"
    """Which end is good."""
    steps: tuple[tuple[str, str], ...] = ()
    """What marks mean: a mark, or a run of integers such as `8-10`, and its description."""

    def value(self, label: Label) -> float:
        """A mark as a number: the integer itself, or the place of a named step, counted from 0."""
        return float(label) if isinstance(label, int) else float(self.labels.index(label))

    def share(self, label: Label) -> float:
        """How far a mark is from the bad end of the scale to the good one, from 0 to 1."""
        place = self.labels.index(label) / (len(self.labels) - 1)
        return place if self.best == "high" else 1 - place


@dataclass(frozen=True)
class Aspect:
    """One thing to judge. Without a scale it can be compared, but not scored."""

    name: str
    question: str
    scale: Scale | None = None
    wording: str = ""
    """A user's own words for a judge who is asked about this aspect alone: the whole of what it is told."""


@dataclass(frozen=True)
class Rubric:
    """What to judge, and by what."""

    name: str
    instructions: str
    aspects: tuple[Aspect, ...]
    shows: tuple[str, ...] = ("source",)
    """What of `CONTEXT` the judge sees, where an item has it."""
    needs: tuple[str, ...] = ()
    """What of it every item must have."""
    reason: bool = True
    """Whether the judge writes a sentence on what decided, before it decides."""
    traits: tuple[str, ...] = ()
    """What to weigh in every text, beside what an item has of its own."""
    baseline: int | None = None
    """The mark that the reference is worth."""
    wording: str = ""
    """A user's own words for a judge who is asked about all aspects: the whole of what it is told."""

    def aspect(self, name: str) -> Aspect:
        """The aspect of a name."""
        return next(aspect for aspect in self.aspects if aspect.name == name)

    def split(self) -> tuple[Rubric, ...]:
        """A rubric for each aspect alone, for judges that let one mark colour the next."""
        if self.wording and not all(aspect.wording for aspect in self.aspects):
            raise InputError(
                f"the wording of {self.name} is for all aspects at once: to ask about each by itself, give"
                f" {self.name}.{self.aspects[0].name}.md and so on"
            )
        return tuple(replace(self, aspects=(aspect,), wording=aspect.wording) for aspect in self.aspects)

    @property
    def parts(self) -> tuple[Rubric, ...]:
        """What is asked about at once: aspects apart where the user has words for each alone."""
        apart = not self.wording and any(aspect.wording for aspect in self.aspects)
        return self.split() if apart else (self,)


def rubric_names() -> tuple[str, ...]:
    """The rubrics that come with redraft."""
    found = files(__package__).joinpath("rubrics").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in found if file.name.endswith(".toml")))


def load_rubric(name: str) -> Rubric:
    """A rubric of ours by its name, or one of the user's by the path of its TOML file."""
    if name in rubric_names():
        text = files(__package__).joinpath("rubrics", f"{name}.toml").read_text(encoding="utf-8")
        return read_rubric(text, name)
    if name.endswith(".toml") or Path(name).exists():
        return read_rubric(read_text(name), name)
    raise InputError(
        f"there is no rubric {name!r}: there are {', '.join(rubric_names())}, or name a .toml file"
    )


def word_rubrics(rubrics: Sequence[Rubric], folder: Path) -> tuple[Rubric, ...]:
    """The rubrics in the words of a folder's files, each taken as it is.

    `RUBRIC.md` is what a judge is told who is asked about all aspects of a rubric, `RUBRIC.ASPECT.md` what
    one is told who is asked about one of them. A rubric without a file stays in our words.
    """
    if not folder.is_dir():
        raise FileError(f"{folder} is no folder: the wordings of rubrics are files in one, as cloze.md")
    known = {name: load_rubric(name) for name in rubric_names()} | {each.name: each for each in rubrics}
    places = {name: (name, None) for name in known} | {
        f"{name}.{aspect.name}": (name, aspect.name)
        for name, each in known.items()
        for aspect in each.aspects
    }
    found: dict[tuple[str, str | None], str] = {}
    for file in sorted(each for each in folder.iterdir() if not each.name.startswith(".")):
        if file.suffix != ".md" or file.stem not in places:
            raise InputError(
                f"{file} is no wording of a rubric: call it RUBRIC.md or RUBRIC.ASPECT.md, such as"
                f" {rubrics[0].name}.md or {rubrics[0].name}.{rubrics[0].aspects[0].name}.md"
            )
        found[places[file.stem]] = read_text(str(file)).strip()
        if not found[places[file.stem]]:
            raise InputError(f"{file} is empty")
    if not any(name == each.name for name, _ in found for each in rubrics):
        wanted = " or ".join(each.name for each in rubrics)
        raise InputError(f"{folder} has no wording for {wanted}: there would be nothing but our own words")
    return tuple(_worded(each, found) for each in rubrics)


def _worded(rubric: Rubric, found: Mapping[tuple[str, str | None], str]) -> Rubric:
    aspects = tuple(
        replace(aspect, wording=found.get((rubric.name, aspect.name), "")) for aspect in rubric.aspects
    )
    missing = [aspect.name for aspect in aspects if not aspect.wording]
    if 0 < len(missing) < len(aspects):
        raise InputError(
            f"{rubric.name}.{missing[0]}.md is missing: give a file for every aspect of {rubric.name},"
            " or for none"
        )
    return replace(rubric, aspects=aspects, wording=found.get((rubric.name, None), ""))


def read_rubric(text: str, where: str) -> Rubric:
    """The rubric that a TOML text describes; `where` is what errors call it."""
    try:
        table = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{where} is not valid TOML: {error}") from None
    known = {"name", "instructions", "aspects", "shows", "needs", "reason", "traits", "baseline"}
    _check_keys(table, known, where)
    aspects = table.get("aspects")
    if not isinstance(aspects, list) or not aspects:
        raise InputError(f"{where}: a rubric needs at least one [[aspects]] table")
    needs = _names(table, "needs", where)
    shows = _names(table, "shows", where) if "shows" in table else ("source",)
    if hidden := [name for name in needs if name not in shows]:
        raise InputError(f"{where}: needs names {hidden[0]!r}, which shows does not")
    rubric = Rubric(
        name=_string(table, "name", where),
        instructions=_string(table, "instructions", where),
        aspects=tuple(_aspect(aspect, where) for aspect in aspects),
        shows=shows,
        needs=needs,
        reason=_flag(table, "reason", where),
        traits=_traits(table, where),
        baseline=table.get("baseline"),
    )
    _check_baseline(rubric, where)
    names = [aspect.name for aspect in rubric.aspects]
    if doubled := [name for name in names if names.count(name) > 1]:
        raise InputError(f"{where}: the aspect {doubled[0]!r} is there twice")
    return rubric


def _aspect(table: object, where: str) -> Aspect:
    if not isinstance(table, dict):
        raise InputError(f"{where}: write each aspect as an [[aspects]] table")
    name = _string(table, "name", where)
    if not _NAME.fullmatch(name) or name == REASON:
        raise InputError(
            f"{where}: an aspect may not be called {name!r}: use small letters, digits and _, not {REASON!r}"
        )
    where = f"{where}, aspect {name}"
    _check_keys(table, {"name", "question", "range", "labels", "best", "steps"}, where)
    return Aspect(name, _string(table, "question", where), _scale(table, where))


def _scale(table: Mapping[str, Any], where: str) -> Scale | None:
    if "range" in table and "labels" in table:
        raise InputError(f"{where}: give range or labels, not both")
    if "range" in table:
        labels = _range(table["range"], where)
    elif "labels" in table:
        labels = _labels(table["labels"], where)
    elif extra := [key for key in ("best", "steps") if key in table]:
        raise InputError(f"{where}: {extra[0]} is for a scale, and there is neither range nor labels")
    else:
        return None
    best = table.get("best", "high")
    if best not in ("high", "low"):
        raise InputError(f'{where}: best is "high" or "low", not {best!r}')
    steps = table.get("steps", {})
    if not isinstance(steps, dict) or not all(isinstance(step, str) for step in steps.values()):
        raise InputError(f"{where}: steps is a table with a description for each mark")
    for key in steps:
        if not _on_scale(key, labels):
            raise InputError(f"{where}: steps describes {key!r}, which is not on the scale")
    return Scale(labels, best, tuple(steps.items()))


def _range(value: object, where: str) -> tuple[Label, ...]:
    match value:
        case [int(low), int(high)] if not isinstance(low, bool) and low < high < low + _WIDEST:
            return tuple(range(low, high + 1))
    raise InputError(
        f"{where}: range is two integers, the lower first, at most {_WIDEST - 1} apart, as [1, 5]"
    )


def _labels(value: object, where: str) -> tuple[Label, ...]:
    if (
        isinstance(value, list)
        and len(value) > 1
        and all(isinstance(label, str) and label.strip() for label in value)
        and len(set(value)) == len(value)
    ):
        return tuple(value)
    raise InputError(f"{where}: labels is a list of two or more different texts, from the lowest up")


def _on_scale(key: str, labels: tuple[Label, ...]) -> bool:
    if key in labels:
        return True
    span = _SPAN.fullmatch(key)
    return span is not None and all(int(end) in labels for end in span.groups() if end is not None)


def _names(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(name in CONTEXT for name in value):
        raise InputError(f"{where}: {key} is a list of some of: {', '.join(CONTEXT)}")
    return tuple(value)


def _traits(table: Mapping[str, Any], where: str) -> tuple[str, ...]:
    value = table.get("traits", [])
    if not isinstance(value, list) or not all(isinstance(trait, str) and trait.strip() for trait in value):
        raise InputError(f"{where}: traits is a list of texts")
    return tuple(value)


def _check_baseline(rubric: Rubric, where: str) -> None:
    if rubric.baseline is None:
        return
    scales = [aspect.scale.labels if aspect.scale else () for aspect in rubric.aspects]
    if type(rubric.baseline) is not int or not all(rubric.baseline in labels for labels in scales):
        raise InputError(f"{where}: baseline is a mark on the scale of every aspect")
    if "reference" not in rubric.needs:
        raise InputError(f"{where}: baseline is what the reference is worth, and needs does not name it")


def _string(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where}: {key} is missing, or no text")
    return value.strip()


def _flag(table: Mapping[str, Any], key: str, where: str) -> bool:
    value = table.get(key, True)
    if not isinstance(value, bool):
        raise InputError(f"{where}: {key} is true or false")
    return value


def _check_keys(table: Mapping[str, Any], known: set[str], where: str) -> None:
    if unknown := [key for key in table if key not in known]:
        raise InputError(f"{where}: {unknown[0]!r} means nothing here; there are: {', '.join(sorted(known))}")
