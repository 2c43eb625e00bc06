"""How far a share or a mean may be off: Wilson's interval, the bootstrap's, and the sign test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from redraft.metrics import CONFIDENCE, RESAMPLES, SEED

Interval = tuple[float, float]

_CELLS = 2_000_000
"""Numbers that are held at once while resampling."""


def wilson(successes: int, total: int) -> Interval | None:
    """The 95 % interval of a share (Wilson, 1927), sensible for none and for all too; None of nothing."""
    if not total:
        return None
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share = successes / total
    middle = share + z * z / (2 * total)
    width = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return max(0.0, (middle - width) / scale), min(1.0, (middle + width) / scale)


def mean_interval(
    values: Sequence[float], *, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval | None:
    """The middle 95 % of the means of resampled values; None of fewer than two."""
    return cluster_interval([[value] for value in values], resamples=resamples, seed=seed)


def cluster_interval(
    clusters: Sequence[Sequence[float]], *, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval | None:
    """The same of values that hang together, such as all about one text: whole clusters are resampled."""
    if len(clusters) < 2:
        return None
    sums = np.array([sum(values) for values in clusters], dtype=np.float64)
    sizes = np.array([len(values) for values in clusters])
    generator = np.random.default_rng(seed)
    rows = max(1, _CELLS // len(clusters))
    means = []
    for done in range(0, resamples, rows):
        drawn = generator.integers(0, len(clusters), (min(rows, resamples - done), len(clusters)))
        means.append(sums[drawn].sum(1) / sizes[drawn].sum(1))
    return middle(np.concatenate(means))


def middle(values: np.ndarray) -> Interval:
    """Where the middle 95 % of values lie."""
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(values, [tail, 100 - tail])
    return float(low), float(high)


def sign_test(wins: int, losses: int) -> float:
    """The exact two-sided p of as uneven a split, were wins and losses equally likely; ties do not count."""
    total = wins + losses
    term = reached = 1
    for count in range(min(wins, losses)):
        term = term * (total - count) // (count + 1)
        reached += term
    return min(1.0, 2 * reached / (1 << total)) if wins != losses else 1.0
