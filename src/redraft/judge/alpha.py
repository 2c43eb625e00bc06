"""Krippendorff's α: how far any number of raters agree, some ratings missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError
from redraft.judge.agreement import Rating, check_scale

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
    apart = _distances(level, totals, np.array(numbers))
    expected = (np.outer(totals, totals) * apart).sum()
    if not expected > 0:
        return float("nan")
    return float(1 - (totals.sum() - 1) * (coincidences * apart).sum() / expected)


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
