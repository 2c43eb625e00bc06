"""The curve of a planner's self-training over several runs, beside its control: means and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from redraft.errors import InputError
from redraft.metrics import cluster_interval
from redraft.train.planning.selftraining import CONTROL, HELD_OUT, SFT
from redraft.train.rows import read_objects

ARMS: Final = {"iteration": "self-training", CONTROL: "random pairs"}

Rows = Mapping[str, Mapping[str, Any]]
"""What was measured of each held-out request, by its id."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The mean over runs and requests after an iteration, and how much it is above imitation alone.

    The intervals are of 95 %: requests are drawn anew, and those of all runs go with them.
    """

    iteration: int
    runs: int
    mean: float
    interval: tuple[float, float] | None
    gain: float
    gain_interval: tuple[float, float] | None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def planner_curves(runs: Sequence[Path], measure: str) -> dict[str, list[CurvePoint]]:
    """The points of each arm; the runs differ in their seeds, and were measured on the same requests."""
    first = [_rows(run / SFT, measure) for run in runs]
    missing = next((run for run, rows in zip(runs, first, strict=True) if rows is None), None)
    if missing is not None:
        raise InputError(f"{missing} holds no planner that was measured ({SFT}/{HELD_OUT}, with {measure})")
    start = [rows for rows in first if rows is not None]
    if any(rows.keys() != start[0].keys() for rows in start):
        raise InputError("the runs were measured on other requests: train them with the same --sources")
    found = {label: _points(runs, start, arm, measure) for arm, label in ARMS.items()}
    return {label: points for label, points in found.items() if len(points) > 1}


def _points(runs: Sequence[Path], start: Sequence[Rows], arm: str, measure: str) -> list[CurvePoint]:
    points = [_point(0, [(rows, rows) for rows in start], measure)]
    for number in count(1):
        found = [
            (rows, before)
            for run, before in zip(runs, start, strict=True)
            if (rows := _rows(run / f"{arm}-{number}", measure)) is not None
        ]
        if not found:
            return points
        points.append(_point(number, found, measure))
    return points


def _point(number: int, runs: Sequence[tuple[Rows, Rows]], measure: str) -> CurvePoint:
    names = sorted(set.intersection(*(set(rows) & set(before) for rows, before in runs)))
    values = [[rows[name][measure] for rows, _ in runs] for name in names]
    gains = [[rows[name][measure] - before[name][measure] for rows, before in runs] for name in names]
    return CurvePoint(
        number,
        len(runs),
        fmean(value for own in values for value in own),
        cluster_interval(values),
        fmean(value for own in gains for value in own),
        cluster_interval(gains) if number else None,
    )


def _rows(folder: Path, measure: str) -> Rows | None:
    path = folder / HELD_OUT
    if not path.exists():
        return None
    rows = {str(row["id"]): row for _, row in read_objects(path, "what was measured of a request")}
    return rows if rows and all(measure in row for row in rows.values()) else None
