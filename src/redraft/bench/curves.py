"""How a score grows with the size of what a system was trained on: finished runs as points of curves.

A point is written `SIZE=DIR`, or `NAME@SIZE=DIR` where there are several curves; a baseline `NAME=DIR`, a
line across, or `NAME@SIZE=DIR`, a point. Every data set of the runs has curves of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from redraft.bench.report.plots import Curve, Drawing, line_chart
from redraft.bench.tables import Column, DataSetResult, Number, Table, main_metric, metric_name, read_result
from redraft.errors import InputError
from redraft.runs import RunDir

_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)([km]?)", re.IGNORECASE)
_TIMES: Final = {"": 1, "k": 1_000, "m": 1_000_000}


@dataclass(frozen=True)
class CurveRun:
    """A run, and where it stands: the curve's name, and the size, or none for a line across."""

    name: str
    size: float | None
    run: RunDir

    @classmethod
    def of(cls, spec: str, *, baseline: bool = False) -> CurveRun:
        """Read `SIZE=DIR`, `NAME@SIZE=DIR` or, for a baseline, `NAME=DIR`."""
        head, equals, folder = spec.partition("=")
        name, at, size = head.rpartition("@")
        if baseline and not at:
            name, size = head, ""
        if not equals or not folder or (baseline and not name):
            shape = "NAME=DIR or NAME@SIZE=DIR" if baseline else "SIZE=DIR or NAME@SIZE=DIR"
            raise InputError(f"{spec!r} names no run: write {shape}")
        return cls(name, _size(size, spec) if size or not baseline else None, RunDir(Path(folder)))


def _size(text: str, spec: str) -> float:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise InputError(f"{text!r} in {spec!r} is no size: write a number, as 2000 or 2k")
    return float(match[1]) * _TIMES[match[2].lower()]


@dataclass(frozen=True)
class Point:
    """A score at a size; none for a line across."""

    size: float | None
    score: Number
    run: str

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        score = {"score": self.score.value, "low": self.score.low, "high": self.score.high}
        return {"size": self.size, **score, "run": self.run}


@dataclass(frozen=True)
class SizeCurve:
    """The scores of one name on one data set, the smallest size first."""

    name: str
    dataset: str
    points: tuple[Point, ...]
    baseline: bool = False

    @property
    def label(self) -> str:
        """What a legend calls it."""
        return f"{self.name}, {self.dataset}" if self.name else self.dataset

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        points = [point.to_dict() for point in self.points]
        return {"name": self.name, "dataset": self.dataset, "baseline": self.baseline, "points": points}


def size_curves(
    places: Sequence[CurveRun], baselines: Sequence[CurveRun] = (), metric: str | None = None
) -> tuple[str, tuple[SizeCurve, ...]]:
    """The metric, by default the main one of the runs, and the curves: those of a data set together."""
    results = {place.run.path: read_result(place.run.scores()) for place in (*places, *baselines)}
    metric = metric or main_metric(list(results.values()))
    found: dict[tuple[str, str, bool], list[Point]] = {}
    for place, is_baseline in (*((one, False) for one in places), *((one, True) for one in baselines)):
        for dataset in results[place.run.path].datasets:
            if (spread := dataset.spreads.get(metric)) is not None:
                points = found.setdefault((dataset.abbreviation, place.name, is_baseline), [])
                _check_new(place, dataset, points)
                points.append(Point(place.size, spread.mean, str(place.run.path)))
    if not found:
        known = sorted({name for each in results.values() for one in each.datasets for name in one.metrics})
        raise InputError(f"no run has {metric}; they have: {', '.join(known) or 'no scores'}")
    return metric, tuple(
        SizeCurve(name, dataset, tuple(sorted(points, key=lambda point: point.size or 0)), is_baseline)
        for (dataset, name, is_baseline), points in sorted(found.items(), key=lambda each: each[0][0])
    )


def _check_new(place: CurveRun, dataset: DataSetResult, points: Sequence[Point]) -> None:
    for point in points:
        if point.size == place.size:
            where = f"at {place.size:g}" if place.size is not None else "as a line"
            raise InputError(
                f"{point.run} and {place.run.path} both stand {where} for {dataset.abbreviation}: "
                "give their curves names, as NAME@SIZE=DIR"
            )


def curve_table(metric: str, curves: Sequence[SizeCurve]) -> Table:
    """A row for each point."""
    rows = tuple(
        (
            curve.name + (" (baseline)" if curve.baseline else ""),
            curve.dataset,
            "" if point.size is None else int(point.size),
            (point.score,),
        )
        for curve in curves
        for point in curve.points
    )
    columns = (Column("System"), Column("Data set"), Column("Size"), Column(metric_name(metric), (metric,)))
    return Table("curve", "By size", "Scores with their 95 % intervals.", columns, rows)


def draw_curves(metric: str, curves: Sequence[SizeCurve]) -> Drawing:
    """The curves as a figure."""
    sizes = [point.size for curve in curves for point in curve.points if point.size is not None]
    lines = [
        Curve(curve.label, dict(_ends(curve, sizes)), _intervals(curve), is_baseline=curve.baseline)
        for curve in curves
    ]
    name = metric_name(metric)
    caption = f"{name} by the size of the training set, with 95 % intervals; baselines are dashed."
    return line_chart("size-curve", "By size", caption, ("size", name), lines)


def _ends(curve: SizeCurve, sizes: Sequence[float]) -> Iterator[tuple[float, float]]:
    for point in curve.points:
        for size in (min(sizes), max(sizes)) if point.size is None else (point.size,):
            yield size, point.score.value


def _intervals(curve: SizeCurve) -> dict[float, tuple[float, float]]:
    return {
        point.size: (point.score.low, point.score.high)
        for point in curve.points
        if point.size is not None and point.score.low is not None and point.score.high is not None
    }
