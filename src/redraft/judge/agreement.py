"""Agreement of two raters (exact, κ, Kendall, Spearman, Pearson) and of several (Krippendorff's α).

Ratings are counted first: each different pair of ratings is a cell with its count. A resample of the items
only changes the counts, so that a thousand resamples of any statistic are a few matrix products.

Where a statistic has no value (a rater who gives everything the same mark has no order) it is NaN.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError
from redraft.judge.rubric import Label
from redraft.metrics import RESAMPLES, SEED, Interval, percentile_interval

Rating = Label | float
Weights = Literal["none", "linear", "quadratic"]
Floats = NDArray[np.float64]

_CELLS = 2_000_000
"""Numbers that are held at once."""

_MOST_WORK = 2e10
"""Multiplications beyond which a statistic gets no interval."""

_MOST_LEVELS = 100
"""Different ratings beyond which κ is left out of an `Agreement`: it is for scales, not for measurements."""


def defined(value: float) -> float | None:
    """The value of a statistic; None where it has none."""
    return None if np.isnan(value) else value


@dataclass(frozen=True)
class Statistic:
    """A value, and where the middle 95 % of the resampled ones lie."""

    value: float
    interval: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain data; what has no value is null."""
        interval = None if self.interval is None else list(self.interval)
        return {"value": defined(self.value), "interval": interval}


@dataclass(frozen=True)
class Agreement:
    """Everything about two raters: how many items both have rated, and the statistics by name."""

    items: int
    statistics: Mapping[str, Statistic]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"items": self.items} | {name: found.to_dict() for name, found in self.statistics.items()}


@dataclass(frozen=True)
class _Cells:
    """The different pairs of ratings, as numbers, and how often each occurs."""

    x: Floats
    y: Floats
    counts: NDArray[np.int64]


_Measure = Callable[[_Cells, Floats], Floats]
"""A statistic for each row of weights, one weight a cell."""


def exact_agreement(a: Sequence[Rating], b: Sequence[Rating]) -> float:
    """The share of items with the same rating."""
    return _value(_exact, _cells(a, b, None))


def cohen_kappa(
    a: Sequence[Rating],
    b: Sequence[Rating],
    *,
    weights: Weights = "none",
    scale: Sequence[Rating] | None = None,
) -> float:
    """Agreement beyond that of chance (Cohen, 1960 and 1968); NaN where both give everything one rating.

    With weights, two ratings are the further apart the more their numbers differ, or their places in `scale`.
    """
    if weights != "none":
        return _ordered_value(_kappa(weights), a, b, scale)
    return _value(_kappa(weights), _cells(a, b, scale))


def pearson(a: Sequence[Rating], b: Sequence[Rating], *, scale: Sequence[Rating] | None = None) -> float:
    """How nearly the ratings lie on a line."""
    return _ordered_value(_pearson, a, b, scale)


def spearman(a: Sequence[Rating], b: Sequence[Rating], *, scale: Sequence[Rating] | None = None) -> float:
    """Pearson's correlation of the ranks; ties have their mean rank."""
    return _ordered_value(_spearman, a, b, scale)


def kendall(a: Sequence[Rating], b: Sequence[Rating], *, scale: Sequence[Rating] | None = None) -> float:
    """τ-b: how much likelier two items are in the same order than in opposite ones, corrected for ties."""
    return _ordered_value(_kendall, a, b, scale)


def _ordered_value(
    measure: _Measure, a: Sequence[Rating], b: Sequence[Rating], scale: Sequence[Rating] | None
) -> float:
    _check_order(a, b, scale)
    return _value(measure, _cells(a, b, scale))


def agreement(
    a: Sequence[Rating],
    b: Sequence[Rating],
    *,
    scale: Sequence[Rating] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Agreement:
    """Every statistic that the ratings allow, with intervals over resampled items.

    `scale` is the order of named ratings; without it, those have no order, and only exact agreement and the
    plain κ make sense.
    """
    cells = _cells(a, b, scale)
    ordered = scale is not None or _numeric(a, b)
    wanted: dict[str, _Measure] = {"exact": _exact}
    if len(np.union1d(cells.x, cells.y)) <= _MOST_LEVELS:
        wanted["kappa"] = _kappa("none")
        if ordered:
            wanted |= {"kappa_linear": _kappa("linear"), "kappa_quadratic": _kappa("quadratic")}
    if ordered:
        wanted |= {"pearson": _pearson, "spearman": _spearman, "kendall": _kendall}
    return Agreement(
        len(a), {name: _with_interval(measure, cells, resamples, seed) for name, measure in wanted.items()}
    )


def check_scale(scale: Sequence[Rating] | None) -> None:
    """Raise where a step stands on the scale twice: it would have two places."""
    if doubled := [step for step, count in Counter(scale or ()).items() if count > 1]:
        raise InputError(f"the scale names {doubled[0]!r} twice: name each step once, from the lowest up")


def _numeric(a: Sequence[Rating], b: Sequence[Rating]) -> bool:
    return not any(isinstance(rating, str) for rating in (*a, *b))


def _check_order(a: Sequence[Rating], b: Sequence[Rating], scale: Sequence[Rating] | None) -> None:
    if scale is None and not _numeric(a, b):
        raise InputError("named ratings have no order of their own: give their scale, from the lowest up")


def _cells(a: Sequence[Rating], b: Sequence[Rating], scale: Sequence[Rating] | None) -> _Cells:
    if len(a) != len(b):
        raise InputError(f"the raters have {len(a)} and {len(b)} ratings: give both for the same items")
    if not a:
        raise InputError("there are no ratings to compare")
    check_scale(scale)
    if scale is None and _numeric(a, b):
        pairs = np.array([a, b], dtype=np.float64)
        if not np.isfinite(pairs).all():
            raise InputError("ratings must be finite numbers")
    else:
        places: dict[Hashable, int] = {rating: place for place, rating in enumerate(scale or _seen(a, b))}
        if strange := [rating for rating in (*a, *b) if rating not in places]:
            raise InputError(f"the rating {strange[0]!r} is not on the scale")
        pairs = np.array([[places[rating] for rating in side] for side in (a, b)], dtype=np.float64)
    cells, counts = np.unique(pairs, axis=1, return_counts=True)
    return _Cells(cells[0], cells[1], counts)


def _seen(a: Sequence[Rating], b: Sequence[Rating]) -> list[Rating]:
    return list(dict.fromkeys((*a, *b)))


def _value(measure: _Measure, cells: _Cells) -> float:
    return float(measure(cells, cells.counts[None].astype(np.float64))[0])


def _with_interval(measure: _Measure, cells: _Cells, resamples: int, seed: int) -> Statistic:
    value = _value(measure, cells)
    size = len(cells.counts)
    heavy = measure is _kendall and float(size) ** 2 * resamples > _MOST_WORK
    if np.isnan(value) or not resamples or heavy:
        return Statistic(value)
    total = int(cells.counts.sum())
    generator = np.random.default_rng(seed)
    rows = max(1, _CELLS // size)
    drawn = []
    for done in range(0, resamples, rows):
        counts = generator.multinomial(total, cells.counts / total, min(rows, resamples - done))
        drawn.append(measure(cells, counts.astype(np.float64)))
    found = np.concatenate(drawn)
    found = found[~np.isnan(found)]  # a resample may happen to have one rating only
    return Statistic(value, percentile_interval(found) if len(found) > resamples / 2 else None)


def _exact(cells: _Cells, weights: Floats) -> Floats:
    same: Floats = weights @ (cells.x == cells.y) / weights.sum(axis=1)
    return same


def _kappa(kind: Weights) -> _Measure:
    def measure(cells: _Cells, weights: Floats) -> Floats:
        levels = np.union1d(cells.x, cells.y)
        distances = np.abs(levels[:, None] - levels)
        distances = (
            (distances > 0).astype(np.float64)
            if kind == "none"
            else distances ** (2 if kind == "quadratic" else 1)
        )
        rows, columns = (np.searchsorted(levels, side) for side in (cells.x, cells.y))
        total = weights.sum(axis=1)
        observed = weights @ distances[rows, columns] / total
        of_a, of_b = (_by_level(weights, places, len(levels)) for places in (rows, columns))
        expected = ((of_a @ distances) * of_b).sum(axis=1) / total**2
        return 1 - _divided(observed, expected)

    return measure


def _pearson(cells: _Cells, weights: Floats) -> Floats:
    return _correlation(cells.x[None], cells.y[None], weights)


def _spearman(cells: _Cells, weights: Floats) -> Floats:
    return _correlation(_ranks(cells.x, weights), _ranks(cells.y, weights), weights)


def _kendall(cells: _Cells, weights: Floats) -> Floats:
    agreeing = np.zeros(len(weights))
    rows = max(1, _CELLS // len(cells.x))
    for start in range(0, len(cells.x), rows):
        part = slice(start, start + rows)
        signs = np.sign(cells.x[part, None] - cells.x) * np.sign(cells.y[part, None] - cells.y)
        agreeing += ((weights @ signs.T) * weights[:, part]).sum(axis=1) / 2
    untied = []
    total = weights.sum(axis=1)
    for side in (cells.x, cells.y):
        levels, places = np.unique(side, return_inverse=True)
        tied = _by_level(weights, places, len(levels))
        untied.append((total * (total - 1) - (tied * (tied - 1)).sum(axis=1)) / 2)
    return _divided(agreeing, np.sqrt(untied[0]) * np.sqrt(untied[1]))


def _correlation(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's correlation of cells, a row of values for each row of weights or one for all."""
    total = weights.sum(axis=1, keepdims=True)
    centred = []
    for side in (x, y):
        moved = side - side[:, :1]
        largest = np.abs(moved).max(axis=1, keepdims=True)
        moved = moved / np.where(largest > 0, largest, 1.0)
        centred.append(moved - (weights * moved).sum(axis=1, keepdims=True) / total)
    spread = [(weights * side * side).sum(axis=1) for side in centred]
    together = (weights * centred[0] * centred[1]).sum(axis=1)
    # What rounding leaves of the spread of equal values is far below that of different ones.
    scale = np.where(np.minimum(*spread) > 1e-18, np.sqrt(spread[0]) * np.sqrt(spread[1]), 0.0)
    found: Floats = np.clip(_divided(together, scale), -1.0, 1.0)
    return found


def _ranks(side: Floats, weights: Floats) -> Floats:
    levels, places = np.unique(side, return_inverse=True)
    counts = _by_level(weights, places, len(levels))
    ranks = np.cumsum(counts, axis=1) - (counts - 1) / 2
    found: Floats = ranks[:, places]
    return found


def _by_level(weights: Floats, places: NDArray[np.int64], levels: int) -> Floats:
    """Weights added up by the level that each cell is at."""
    order = np.argsort(places, kind="stable")
    present, starts = np.unique(places[order], return_index=True)
    found = np.zeros((len(weights), levels))
    found[:, present] = np.add.reduceat(weights[:, order], starts, axis=1)
    return found


def _divided(above: Floats, below: Floats) -> Floats:
    """The quotient; NaN where there is nothing to divide by."""
    found = np.full(len(above), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found


Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    raters: Sequence[Sequence[Rating | None]],
    *,
    level: Level = "ordinal",
    scale: Sequence[Rating] | None = None,
) -> float:
    """1 for perfect agreement, 0 for that of chance (Krippendorff, 2011).

    One row a rater, one column an item, None where it was not rated. NaN where no item has two ratings, or
    where all ratings are the same. Named ratings are nominal unless `scale` gives their order.
    """
    if len({len(row) for row in raters}) > 1:
        raise InputError("every rater needs a rating, or none, for each of the same items")
    check_scale(scale)
    values = scale or sorted({rating for row in raters for rating in row if rating is not None}, key=_order)
    if scale is None and level != "nominal" and any(isinstance(value, str) for value in values):
        raise InputError("named ratings have no order of their own: give their scale, from the lowest up")
    places = {value: place for place, value in enumerate(values)}
    counts = np.zeros((len(raters[0]) if raters else 0, len(values)))
    for row in raters:
        for item, rating in enumerate(row):
            if rating is None:
                continue
            if rating not in places:
                raise InputError(f"the rating {rating!r} is not on the scale")
            counts[item, places[rating]] += 1
    counts = counts[counts.sum(axis=1) > 1]
    coincidences = np.zeros((len(values), len(values)))
    for item in counts:
        coincidences += (np.outer(item, item) - np.diag(item)) / (item.sum() - 1)
    totals = coincidences.sum(axis=1)
    numbers = [float(place if isinstance(value, str) else value) for place, value in enumerate(values)]
    distances = _distances(level, totals, np.array(numbers))
    expected = (np.outer(totals, totals) * distances).sum()
    if not expected > 0:
        return float("nan")
    return float(1 - (totals.sum() - 1) * (coincidences * distances).sum() / expected)


def _distances(
    level: Level, totals: NDArray[np.float64], numbers: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How far each rating is from each other."""
    if level == "nominal":
        return 1 - np.eye(len(totals))
    # Ordinal ratings are as far apart as there are ratings from the middle of one to that of the other.
    along = np.cumsum(totals) - totals / 2 if level == "ordinal" else numbers
    distances: NDArray[np.float64] = (along[:, None] - along) ** 2
    return distances


def _order(rating: Rating) -> tuple[int, float, str]:
    return (1, 0.0, rating) if isinstance(rating, str) else (0, float(rating), "")
