"""Intervals and tests for any metric, from its statistics: bootstrap, paired bootstrap, randomisation.

Each takes samples, or the rows of statistics that `rows_of` gave for them where these serve more than once.
Resampling a corpus is weighting its samples, so a thousand resamples of a block are one matrix product of
weights and statistics. Blocks are summed as they come: nothing grows with the number of samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError
from redraft.metrics.base import BLOCK, Metric, Rows, Samples

SEED = 12345
RESAMPLES = 1000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A score of the whole corpus, with its components, and those of the resampled ones."""

    value: Rows
    """The score, then its components."""
    resampled: Rows
    """The same for each resample, a row each."""

    @property
    def interval(self) -> tuple[float, float]:
        """Where the middle 95 % of the resampled scores lie."""
        return percentile_interval(self.resampled[:, 0])


@dataclass(frozen=True)
class Comparison:
    """How far the first of two systems is ahead, and how easily chance would do as much."""

    metric: str
    difference: float
    p: float
    interval: tuple[float, float]
    """Where the middle 95 % of the differences lie: the resampled ones for the bootstrap; for randomisation,
    those of systems that do not differ."""
    test: str
    """As `paired-bootstrap|n:1000|seed:12345`."""


def estimate(
    metric: Metric, samples: Samples | Rows, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Estimate:
    """The score of the corpus and of corpora drawn from it with replacement; none if `resamples` is 0."""
    draw = _Multinomial(len(samples), resamples, seed)
    whole: Rows | float = 0.0
    parts: Rows | float = 0.0
    for rows in blocks_of(metric, samples):
        whole = whole + rows.sum(axis=0)
        if resamples:
            parts = parts + draw.weights(len(rows)) @ rows
    value = metric.score(np.asarray(whole))
    resampled = metric.score(np.asarray(parts)) if resamples else np.empty((0, len(value)))
    return Estimate(value, resampled)


def paired_bootstrap(
    metric: Metric,
    one: Samples | Rows,
    other: Samples | Rows,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Compare two systems on resampled corpora, the same for both (Koehn, 2004).

    p is the share of resampled differences, centred, that are at least as large as the one observed.
    """
    _check_pair(one, other)
    draw = _Multinomial(len(one), resamples, seed)
    sums: list[Rows | float] = [0.0] * 4
    for first, second in zip(blocks_of(metric, one), blocks_of(metric, other), strict=True):
        weights = draw.weights(len(first))
        new = (first.sum(axis=0), second.sum(axis=0), weights @ first, weights @ second)
        sums = [total + part for total, part in zip(sums, new, strict=True)]
    whole, whole_other, parts, parts_other = (metric.score(np.asarray(total))[..., 0] for total in sums)
    observed = float(whole - whole_other)
    differences = parts - parts_other
    p = _share(np.abs(differences - differences.mean()), observed)
    test = f"paired-bootstrap|n:{resamples}|seed:{seed}"
    return Comparison(metric.name, observed, p, percentile_interval(differences), test)


def approximate_randomisation(
    metric: Metric, one: Samples | Rows, other: Samples | Rows, *, trials: int = RESAMPLES, seed: int = SEED
) -> Comparison:
    """Compare two systems after exchanging their outputs at random (Noreen, 1989; Riezler and Maxwell, 2005).

    p is the share of exchanges that give a difference at least as large as the one observed.
    """
    _check_pair(one, other)
    generator = np.random.default_rng(seed)
    sums: list[Rows | float] = [0.0] * 3
    for first, second in zip(blocks_of(metric, one), blocks_of(metric, other), strict=True):
        exchanged = generator.integers(0, 2, (trials, len(first))).astype(np.float64)
        new = (first.sum(axis=0), second.sum(axis=0), exchanged @ (second - first))
        sums = [total + part for total, part in zip(sums, new, strict=True)]
    whole, whole_other, moved = (np.asarray(total) for total in sums)
    shuffled, shuffled_other = whole + moved, whole_other - moved
    observed = float(metric.score(whole)[0] - metric.score(whole_other)[0])
    differences = (metric.score(shuffled) - metric.score(shuffled_other))[..., 0]
    test = f"approximate-randomisation|n:{trials}|seed:{seed}"
    p = _share(np.abs(differences), observed)
    return Comparison(metric.name, observed, p, percentile_interval(differences), test)


def blocks_of(metric: Metric, samples: Samples | Rows) -> Iterator[Rows]:
    """A metric's statistics, or those at hand already, in blocks of our size, whatever the metric's own."""
    held: list[Rows] = []
    count = total = 0
    for rows in (samples,) if isinstance(samples, np.ndarray) else metric.statistics(samples):
        held.append(rows)
        count += len(rows)
        total += len(rows)
        if total > len(samples):
            break
        while count >= BLOCK:
            together = held[0] if len(held) == 1 else np.concatenate(held)
            yield together[:BLOCK]
            held, count = [together[BLOCK:]], count - BLOCK
    if total != len(samples):
        raise InputError(
            f"{metric.name} gave more or fewer rows of statistics than the {len(samples)} samples"
        )
    if count:
        yield np.concatenate(held)


class _Multinomial:
    """How often each sample is drawn, block by block, when as many samples are drawn as there are."""

    def __init__(self, samples: int, resamples: int, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._ahead = samples
        self._owed = np.full(resamples, samples)

    def weights(self, block: int) -> Rows:
        """One row a resample: how often each sample of the next block is drawn."""
        # How many of the draws still owed fall into this block is binomial; where they fall, uniform.
        here = self._generator.binomial(self._owed, block / self._ahead)
        self._ahead -= block
        self._owed -= here
        rows = np.repeat(np.arange(len(here)), here)
        cells = rows * block + self._generator.integers(0, block, len(rows))
        return np.bincount(cells, minlength=len(here) * block).reshape(len(here), block).astype(np.float64)


def _check_pair(one: Samples | Rows, other: Samples | Rows) -> None:
    if len(one) != len(other):
        raise InputError(f"the systems have {len(one)} and {len(other)} samples: compare the same ones")
    if not len(one):
        raise InputError("there are no samples to compare")


def _share(differences: NDArray[np.float64], observed: float) -> float:
    # A hair of tolerance, so that sums taken in another order do not count as smaller.
    reached = int((differences >= abs(observed) - 1e-9).sum())
    return (reached + 1) / (len(differences) + 1)


Interval = tuple[float, float]

_CELLS = 2_000_000
"""Numbers that are held at once while resampling."""


def wilson_interval(successes: int, total: int) -> Interval | None:
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
    return percentile_interval(np.concatenate(means))


def percentile_interval(values: np.ndarray) -> Interval:
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
