"""Ratings in files: columns of a CSV or JSONL file by rater, and texts that people scored."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, zip_longest
from statistics import fmean
from typing import Any

from redraft.errors import InputError
from redraft.judge.agreement import Agreement, Rating, agreement, defined, krippendorff_alpha
from redraft.judge.item import Item, read_item
from redraft.judge.judgement import Judgement
from redraft.judge.questions import short_hash
from redraft.judge.rubric import Rubric, Scale, rubric_names
from redraft.judge.scores import item_scores
from redraft.text import parse_json_lines, read_text

IDS = ("id", "key")
PEOPLE = "people"


@dataclass(frozen=True)
class Raters:
    """What several raters said of the same items."""

    aspect: str
    """What was rated; empty where the file does not say."""
    ratings: Mapping[str, Mapping[str, Rating]]
    """By rater, then by item."""

    def items(self) -> list[str]:
        """Every item that someone rated."""
        return list(dict.fromkeys(name for mine in self.ratings.values() for name in mine))

    def both(self, one: str, other: str) -> tuple[list[Rating], list[Rating]]:
        """The ratings of two raters for the items that both rated."""
        first, second = self.ratings[one], self.ratings[other]
        shared = [name for name in first if name in second]
        return [first[name] for name in shared], [second[name] for name in shared]


@dataclass(frozen=True)
class RaterAgreement:
    """How far raters agree: each two of them, and all together."""

    aspect: str
    pairs: tuple[tuple[tuple[str, str], Agreement], ...]
    alpha: float
    """Krippendorff's, ordinal where the ratings have an order; NaN where it has no value."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "aspect": self.aspect or None,
            "alpha": defined(self.alpha),
            "pairs": [{"raters": list(raters), **found.to_dict()} for raters, found in self.pairs],
        }


def compare_raters(raters: Raters, scale: Sequence[Rating] | None = None) -> RaterAgreement:
    """How far raters agree; `scale` is the order of named ratings, from the lowest up."""
    if (count := len(raters.ratings)) < 2:
        raise InputError(
            f"agreement takes two raters, and there is {'one' if count else 'no'} column of ratings"
        )
    pairs = []
    for one, other in combinations(raters.ratings, 2):
        first, second = raters.both(one, other)
        if not first:
            raise InputError(f"{one} and {other} have rated no item in common")
        pairs.append(((one, other), agreement(first, second, scale=scale)))
    items = raters.items()
    table = [[mine.get(item) for item in items] for mine in raters.ratings.values()]
    ordered = scale is not None or not any(isinstance(rating, str) for row in table for rating in row)
    alpha = krippendorff_alpha(table, level="ordinal" if ordered else "nominal", scale=scale)
    return RaterAgreement(raters.aspect, tuple(pairs), alpha)


def read_columns(file: str, columns: Sequence[str] = (), *, named: bool = False) -> Raters:
    """The named columns of a CSV, TSV or JSONL file, or all but `id` and `key`; empty cells are none.

    Ratings are numbers where all of them are, unless they are to be taken as `named`.
    """
    rows = read_rows(file)
    if not rows:
        raise InputError(f"{file} is empty: it has no rows with ratings")
    return columns_of(rows, file, columns, named=named)


def columns_of(
    rows: Sequence[Mapping[str, Any]], file: str, columns: Sequence[str] = (), *, named: bool = False
) -> Raters:
    """The same of rows that have been read; `file` is what errors call them."""
    every = dict.fromkeys(key for row in rows for key in row if key not in IDS)
    cells: dict[str, dict[str, str]] = {name: {} for name in columns or every}
    for number, row in enumerate(rows, 1):
        item = next((str(row[key]) for key in IDS if row.get(key) not in (None, "")), str(number))
        for name, mine in cells.items():
            if not (rating := _cell(row.get(name), f"{file}, row {number}, {name}")):
                continue
            if item in mine:
                raise InputError(f"{file}, row {number}: the id {item!r} is there twice")
            mine[item] = rating
    if empty := [name for name, mine in cells.items() if not mine]:
        raise InputError(f"{file} has no ratings in the column {empty[0]!r}")
    if named or not all(is_number(rating) for mine in cells.values() for rating in mine.values()):
        return Raters("", cells)
    return Raters(
        "", {name: {item: float(cell) for item, cell in mine.items()} for name, mine in cells.items()}
    )


def pair_with_judges(people: Raters, judgements: Iterable[Judgement], rubric: Rubric) -> tuple[Raters, ...]:
    """People's columns, named like aspects, each beside the scores that judges gave the same items.

    Marks are taken as numbers; a judge's repeats count as their mean, and of two answers to one question
    the later one counts. Two questions about one text are refused: nobody knows which is meant.
    """
    scores = [each for each in judgements if each.error is None and each.kind == "score"]
    valid = _latest(each for each in scores if each.rubric == rubric.name)
    if not valid:
        raise InputError(f"there are no scores by the rubric {rubric.name}")
    found = []
    for aspect in rubric.aspects:
        if aspect.scale is None or aspect.name not in people.ratings:
            continue
        ratings: dict[str, dict[str, Rating]] = {
            PEOPLE: {
                item: _on_scale(rating, aspect.scale, f"{aspect.name} of {item}")
                for item, rating in people.ratings[aspect.name].items()
            }
        }
        for item, judges in item_scores(valid, aspect).items():
            for judge, score in judges.items():
                ratings.setdefault(judge, {})[item] = score
        found.append(Raters(aspect.name, ratings))
    if not found:
        names = ", ".join(aspect.name for aspect in rubric.aspects)
        raise InputError(f"no column of people's ratings is named like an aspect of {rubric.name}: {names}")
    return tuple(found)


def _latest(judgements: Iterable[Judgement]) -> list[Judgement]:
    """The last answer to each question; aspects that were asked about apart are questions of their own."""
    asked: dict[tuple[str, str, int, str], str] = {}
    latest = {}
    for judgement in judgements:
        for aspect in judgement.marks:
            place = judgement.id, judgement.judge, judgement.repeat, aspect
            if asked.setdefault(place, judgement.request_hash) != judgement.request_hash:
                raise InputError(
                    f"{judgement.judge} was asked about {aspect} of {judgement.id!r} in more than one way:"
                    " another text, wording or seed; judge each system into a file of its own with --out"
                )
        latest[judgement.key] = judgement
    return list(latest.values())


def _on_scale(rating: Rating, scale: Scale, where: str) -> float:
    label = next((label for label in scale.labels if str(label) == rating), None)
    if label is not None:
        return scale.value(label)
    if isinstance(scale.labels[0], int) and is_number(str(rating)):
        return float(rating)  # people's mean may lie between two marks
    raise InputError(f"people's rating for {where} is not on the scale: {rating!r}")


def read_rows(file: str) -> list[dict[str, Any]]:
    """The rows of a CSV, TSV or JSONL file, by the names of their columns."""
    text = read_text(file).removeprefix("\ufeff")
    if file.endswith((".jsonl", ".json")) or (file == "-" and text.lstrip().startswith("{")):
        return [row for _, row in parse_json_lines(text, file)]
    delimiter = "\t" if file.endswith(".tsv") else ","
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise InputError(f"{file} is no valid CSV: {error}") from None
    if any(None in row for row in rows):
        raise InputError(f"{file} has a row with more cells than its first line has names")
    return rows


def _cell(value: object, where: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"{where}: a rating is a number or a name, not {value!r}")
    return value.strip() if isinstance(value, str) else f"{value:.15g}"


def is_number(text: str) -> bool:
    """Whether a rating is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


HUMAN = "human"
"""The column of people's scores; of several, what their names begin with, as `human_1`."""

_TEXT = ("output", "text")


@dataclass(frozen=True)
class RatedText:
    """A text, and the mean of the scores that people gave it."""

    item: Item
    task: str
    """The name of the rubric that it is judged by."""
    group: str
    """The same for all texts that answer one instruction."""
    score: float


@dataclass(frozen=True)
class HumanPreference:
    """Two texts that answer one instruction, of which people hold one to be better."""

    better: RatedText
    worse: RatedText


@dataclass(frozen=True)
class HumanRatings:
    """The texts of a file that people have scored."""

    rated: tuple[RatedText, ...]
    raters: Raters
    unrated: int
    file_hash: str

    @property
    def tasks(self) -> tuple[str, ...]:
        """The rubrics that they call for, in the order of the file."""
        return tuple(dict.fromkeys(each.task for each in self.rated))

    def preferences(self) -> tuple[tuple[HumanPreference, ...], int]:
        """Every two texts for one instruction that people order.

        And how many they do not: scored alike, or the same text twice, which no judge could order.
        """
        groups: dict[tuple[str, str], list[RatedText]] = {}
        for each in self.rated:
            groups.setdefault((each.task, each.group), []).append(each)
        found, undecided = [], 0
        for one, other in chain.from_iterable(combinations(group, 2) for group in groups.values()):
            if one.score == other.score or one.item.text == other.item.text:
                undecided += 1
            else:
                found.append(HumanPreference(*((one, other) if one.score > other.score else (other, one))))
        return tuple(found), undecided


def read_human_ratings(file: str, columns: Sequence[str] = (), task: str | None = None) -> HumanRatings:
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
    rated = tuple(RatedText(*items[name], fmean(scores[name])) for name in items if name in scores)
    content = json.dumps(rows, sort_keys=True, default=str)
    return HumanRatings(rated, raters, len(items) - len(rated), short_hash(content))


def sample_preferences(
    found: Iterable[HumanPreference], limit: int | None, seed: int
) -> tuple[HumanPreference, ...]:
    """At most `limit` of each task, drawn by the seed from as many instructions as there are."""
    if limit is None:
        return tuple(found)
    tasks: dict[str, dict[str, list[HumanPreference]]] = {}
    for each in found:
        tasks.setdefault(each.better.task, {}).setdefault(each.better.group, []).append(each)
    drawn: list[HumanPreference] = []
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
        problem = f"the task {task!r} is none of" if task else "there is no task: it is one of"
        raise InputError(f"{where}: {problem} {', '.join(rubric_names())}; or judge all by one --rubric")
    return str(task)


def _group(row: Mapping[str, Any], item: Item) -> str:
    if row.get("group") not in (None, ""):
        return str(row["group"])
    context = item.context
    return short_hash(context.instruction or "", context.source or "", *context.references)
