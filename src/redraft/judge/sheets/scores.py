"""What filled-in sheets come to: means, how often a system does well, how far two are apart, agreement."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np

from redraft.errors import InputError
from redraft.judge.ratings import RaterAgreement, Raters, compare_raters
from redraft.judge.sheets.sheet import SCALE, read_cells
from redraft.metrics import Interval, Mean, approximate_randomisation, mean_interval, paired_bootstrap
from redraft.notation import parse_json
from redraft.text import read_text

HIGH: Final = 4.0
MODERATE: Final = 3.0
"""From here on a text follows its policy well, or moderately; below, hardly."""


@dataclass(frozen=True)
class Problem:
    """A row that says nothing, or nothing that can be used; `row` is its line in the sheet."""

    file: str
    row: int
    id: str
    problem: str
    is_empty: bool = False
    """Whether the score is only missing."""


@dataclass(frozen=True)
class SystemScore:
    """The score of a system over its texts, each the mean over the people who scored it."""

    system: str
    texts: int
    mean: float | None
    interval: Interval | None
    high: float | None
    """The share of texts with 4 or more; then from 3 up to 4; then below 3."""
    moderate: float | None
    low: float | None


@dataclass(frozen=True)
class ScoreDifference:
    """How far one system is ahead of another on the sources that both have scores for."""

    first: str
    second: str
    sources: int
    difference: float
    interval: Interval | None
    """Of the paired bootstrap; None with one source."""
    p: float
    """How often a difference as large comes of exchanging the two at random."""


@dataclass(frozen=True)
class SheetScores:
    """Everything that the sheets say."""

    people: tuple[str, ...]
    systems: tuple[SystemScore, ...]
    differences: tuple[ScoreDifference, ...]
    agreement: RaterAgreement | None
    """None with one person, or where two have no text in common."""
    problems: tuple[Problem, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "agreement": self.agreement.to_dict() if self.agreement else None}


def score_sheets(key_file: str, files: Sequence[str]) -> SheetScores:
    """Score the systems of a key by the sheets that people filled in."""
    key = _read_key(key_file)
    problems: list[Problem] = []
    people: dict[str, dict[str, int]] = {}
    for file, person in zip(files, _names(files), strict=True):
        people[person] = _read_sheet(file, key["rows"], problems)
    if not any(people.values()):
        raise InputError("no sheet has a score that can be used" + _first(problems))
    scores: dict[str, dict[str, float]] = {system: {} for system in key["systems"]}
    for name, row in key["rows"].items():
        if given := [mine[name] for mine in people.values() if name in mine]:
            for system in row["systems"]:
                scores[system][row["item"]] = fmean(given)
    raters = Raters("", {person: dict(mine) for person, mine in people.items() if mine})
    pairs = combinations(raters.ratings, 2)
    shared = len(raters.ratings) > 1 and all(raters.both(*pair)[0] for pair in pairs)
    return SheetScores(
        tuple(people),
        tuple(_system(system, list(mine.values())) for system, mine in scores.items()),
        tuple(_differences(scores)),
        compare_raters(raters) if shared else None,
        tuple(problems),
    )


def _system(system: str, values: Sequence[float]) -> SystemScore:
    if not values:
        return SystemScore(system, 0, None, None, None, None, None)
    high, low = (fmean(test) for test in ([v >= HIGH for v in values], [v < MODERATE for v in values]))
    return SystemScore(system, len(values), fmean(values), mean_interval(values), high, 1 - high - low, low)


def _differences(scores: Mapping[str, Mapping[str, float]]) -> list[ScoreDifference]:
    metric = Mean("score", lambda sample: ())
    found = []
    for one, other in combinations(scores, 2):
        shared = [item for item in scores[one] if item in scores[other]]
        if not shared:
            continue
        first, second = (
            np.array([(scores[system][item], 1.0) for item in shared]) for system in (one, other)
        )
        drawn = paired_bootstrap(metric, first, second)
        exchanged = approximate_randomisation(metric, first, second)
        interval = drawn.interval if len(shared) > 1 else None
        found.append(ScoreDifference(one, other, len(shared), drawn.difference, interval, exchanged.p))
    return found


def _read_key(file: str) -> dict[str, Any]:
    try:
        key = parse_json(read_text(file))
        rows = {
            str(name): {"item": str(row["item"]), "systems": [str(each) for each in row["systems"]]}
            for name, row in key["rows"].items()
        }
        systems = [str(each) for each in key["systems"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{file} is no key of a sheet: it is the key.json that judge sheet wrote") from None
    if not rows or not all(set(row["systems"]) <= set(systems) for row in rows.values()):
        raise InputError(f"{file} is damaged: it has no rows, or systems that it does not name")
    return {"rows": rows, "systems": systems}


def _read_sheet(file: str, rows: Mapping[str, Any], problems: list[Problem]) -> dict[str, int]:
    """The scores of a sheet by id; what cannot be used is added to the problems."""
    found: dict[str, int] = {}
    seen: dict[str, int] = {}
    strange = 0
    for number, row in read_cells(file, ("id", "score")):
        name, cell = row.get("id", "").strip(), row.get("score", "").strip()
        if name not in rows:
            strange += 1
            problems.append(Problem(file, number, name, "the id is not in the key: another sheet's row?"))
            continue
        if name in seen:
            problems.append(Problem(file, number, name, f"the id is in row {seen[name]} too, which counts"))
            continue
        seen[name] = number
        if not cell:
            problems.append(Problem(file, number, name, "no score", is_empty=True))
        elif (score := _score(cell)) is None:
            problems.append(
                Problem(file, number, name, f"{cell[:20]!r} is no score: a whole number from 1 to 5")
            )
        else:
            found[name] = score
    if strange and not seen:
        raise InputError(f"{file} is not a sheet of this key: none of its {strange} ids is in it")
    problems += [
        Problem(file, 0, name, "the row is missing", is_empty=True) for name in rows if name not in seen
    ]
    return found


def _score(cell: str) -> int | None:
    """A score from 1 to 5, however a spreadsheet writes it: 4, 4.0, 4,0."""
    try:
        value = float(cell.replace(",", "."))
    except ValueError:
        return None
    return int(value) if math.isfinite(value) and value in SCALE else None


def _names(files: Sequence[str]) -> list[str]:
    """What each person is called: the file's name, or its whole path where names are alike."""
    stems = [Path(file).stem for file in files]
    if len({Path(file).resolve() for file in files}) < len(files):
        raise InputError("a sheet is named twice: name each person's file once")
    return [stem if stems.count(stem) == 1 else file for stem, file in zip(stems, files, strict=True)]


def _first(problems: Sequence[Problem]) -> str:
    real = [each for each in problems if not each.is_empty]
    return f": {real[0].file}, row {real[0].row}: {real[0].problem}" if real else ""
