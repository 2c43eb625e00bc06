"""What people gave to texts, in a file, and the pairs of texts that they put in an order."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, zip_longest
from statistics import fmean
from typing import Any

from redraft.errors import InputError
from redraft.judge.asking import digest
from redraft.judge.item import Item, read_item
from redraft.judge.ratings import Raters, columns_of, is_number, read_rows
from redraft.judge.rubric import rubric_names

HUMAN = "human"
"""The column of people's scores; of several, what their names begin with, as `human_1`."""

_TEXT = ("output", "text")


@dataclass(frozen=True)
class Rated:
    """A text, and the mean of the scores that people gave it."""

    item: Item
    task: str
    """The name of the rubric that it is judged by."""
    group: str
    """The same for all texts that answer one instruction."""
    score: float


@dataclass(frozen=True)
class Preference:
    """Two texts that answer one instruction, of which people hold one to be better."""

    better: Rated
    worse: Rated


@dataclass(frozen=True)
class People:
    """The texts of a file that people have scored."""

    rated: tuple[Rated, ...]
    raters: Raters
    unrated: int
    file_hash: str

    @property
    def tasks(self) -> tuple[str, ...]:
        """The rubrics that they call for, in the order of the file."""
        return tuple(dict.fromkeys(each.task for each in self.rated))

    def preferences(self) -> tuple[tuple[Preference, ...], int]:
        """Every two texts for one instruction that people order.

        And how many they do not: scored alike, or the same text twice, which no judge could order.
        """
        groups: dict[tuple[str, str], list[Rated]] = {}
        for each in self.rated:
            groups.setdefault((each.task, each.group), []).append(each)
        found, undecided = [], 0
        for one, other in chain.from_iterable(combinations(group, 2) for group in groups.values()):
            if one.score == other.score or one.item.text == other.item.text:
                undecided += 1
            else:
                found.append(Preference(*((one, other) if one.score > other.score else (other, one))))
        return tuple(found), undecided


def read_people(file: str, columns: Sequence[str] = (), task: str | None = None) -> People:
    """The texts of a CSV, TSV or JSONL file with people's scores; `-` is standard input.

    A row has what `read_items` reads, `task` (the name of a rubric of ours, unless `task` is given here),
    `group` (what is the same for all texts that answer one instruction; without it, instruction, source and
    reference), and people's scores: the named columns, or `human`, or `human_1`, `human_2`, …
    """
    rows = read_rows(file)
    names = list(columns) or [name for name in dict.fromkeys(chain.from_iterable(rows)) if _is_human(name)]
    if not names:
        raise InputError(
            f"{file} has no scores by people: call their column {HUMAN} (several {HUMAN}_1, {HUMAN}_2, …),"
            " or name it with --column"
        )
    items: dict[str, tuple[Item, str, str]] = {}
    cells = []
    contexts: dict[tuple[str, str], Item] = {}
    for number, row in enumerate(rows, 1):
        where = f"{file}, row {number}"
        name, item = read_item(_given(row), number, where)
        if item is None:
            continue
        if name in items:
            raise InputError(f"{where}: the id {name!r} is there twice; what several texts share is a group")
        place = task or _task(row, where), _group(row, item)
        if contexts.setdefault(place, item).context != item.context:
            raise InputError(
                f"{where}: the group {place[1]!r} has another instruction, source or reference above"
            )
        items[name] = (item, *place)
        cells.append({"id": name, **{column: row.get(column) for column in names}})
    raters = columns_of(cells, file, names)
    scores: dict[str, list[float]] = {}
    for mine in raters.ratings.values():
        for name, rating in mine.items():
            if not is_number(str(rating)):
                raise InputError(f"{file}: people's score of {name} is no number: {rating!r}")
            scores.setdefault(name, []).append(float(rating))
    rated = tuple(Rated(*items[name], fmean(scores[name])) for name in items if name in scores)
    content = json.dumps(rows, sort_keys=True, default=str)
    return People(rated, raters, len(items) - len(rated), digest(content))


def draw_preferences(found: Iterable[Preference], limit: int | None, seed: int) -> tuple[Preference, ...]:
    """At most `limit` of each task, drawn by the seed from as many instructions as there are."""
    if limit is None:
        return tuple(found)
    tasks: dict[str, dict[str, list[Preference]]] = {}
    for each in found:
        tasks.setdefault(each.better.task, {}).setdefault(each.better.group, []).append(each)
    drawn: list[Preference] = []
    for task, groups in tasks.items():
        generator = random.Random(f"{seed} {task}")
        shuffled = [generator.sample(group, len(group)) for group in groups.values()]
        generator.shuffle(shuffled)
        rounds = chain.from_iterable(zip_longest(*shuffled))
        drawn += [each for each in rounds if each is not None][:limit]
    return tuple(drawn)


def _is_human(name: str) -> bool:
    return name == HUMAN or name.startswith(f"{HUMAN}_")


def _given(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without the cells that a table leaves empty; a text may be empty, though."""
    return {name: value for name, value in row.items() if value != "" or name in _TEXT}


def _task(row: Mapping[str, Any], where: str) -> str:
    task = row.get("task")
    if task not in rubric_names():
        said = f"the task {task!r} is none of" if task else "there is no task: it is one of"
        raise InputError(f"{where}: {said} {', '.join(rubric_names())}; or judge all by one --rubric")
    return str(task)


def _group(row: Mapping[str, Any], item: Item) -> str:
    if row.get("group") not in (None, ""):
        return str(row["group"])
    context = item.context
    return digest(context.instruction or "", context.source or "", *context.references)
