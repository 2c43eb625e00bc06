"""Searching the editor's weights for the largest SARI, cross-validated: what `tune` of editor.py rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from redraft.editor import NAMES, Weights
from redraft.metrics import load_metric

Array = NDArray[np.float64]
Picks = NDArray[np.int64]

SARI = load_metric("sari")
STEPS = (-2.0, -1.0, -0.5, -0.2, -0.1, 0.1, 0.2, 0.5, 1.0, 2.0)
"""What is added to a weight, where the feature's spread within an item is one."""
ROUNDS = 8
LEAST = 0.1
"""A change that gains less SARI than this is noise."""
FLOORS = Weights(
    overlap=0.0, sari=0.0, greedy=-5.0, shorter=-2.0, copy=0.0,
    perplexity=0.0, likelihood=0.0, grammar=0.05, similarity=1.0, changes=1.0,
)  # fmt: skip
"""The least that each weight may be: more is better of nearly all, whatever a small set says; and SARI hardly
sees what the last three guard, so they always count for something."""
CEILINGS = Weights(*(2.0 if name == "shorter" else 100.0 for name in NAMES))
"""The most: a text that is shorter is not better for it."""


@dataclass(frozen=True)
class Pool:
    """The candidates of one data set: items by candidates by columns, filled up where an item has fewer."""

    name: str
    features: Array
    there: NDArray[np.bool_]
    statistics: Array
    """SARI's sufficient statistics of every candidate."""
    greedy: Array
    """Those of what greedy decoding gives."""
    folds: Picks
    """Which half each item is in: the same input is in the same half of every data set."""

    @classmethod
    def of(
        cls,
        name: str,
        sources: Sequence[str],
        features: Sequence[Array],
        statistics: Sequence[Array],
        greedy: Sequence[Array],
    ) -> Pool:
        """The pool of items with a matrix each."""
        size = (len(features), max(map(len, features)))
        there = np.zeros(size, dtype=bool)
        filled = [np.zeros((*size, rows[0].shape[1])) for rows in (features, statistics)]
        for whole, parts in zip(filled, (features, statistics), strict=True):
            for at, part in enumerate(parts):
                whole[at, : len(part)] = part
                there[at, : len(part)] = True
        halves = np.array([crc32(source.encode()) % 2 for source in sources])
        return cls(name, filled[0], there, filled[1], np.array(greedy), halves)

    def without(self, fold: int) -> Pool:
        """The items of the other half."""
        rest = self.folds != fold
        parts = (self.features, self.there, self.statistics, self.greedy, self.folds)
        return Pool(self.name, *(part[rest] for part in parts))

    def picks(self, weights: Array) -> Picks:
        """The candidate chosen of each item."""
        scores = (self.features * weights).sum(axis=-1).round(9)
        chosen: Picks = np.where(self.there, scores, -np.inf).argmax(axis=-1)
        return chosen

    def sari(self, picks: Picks) -> float:
        """Corpus SARI of one candidate of each item."""
        return corpus_sari(self.statistics[np.arange(len(picks)), picks])

    def oracle(self) -> float:
        """Corpus SARI of the candidates that have the best SARI on their own: about what is to be had."""
        return self.sari(np.where(self.there, SARI.score(self.statistics)[..., 0], -1).argmax(axis=-1))


def corpus_sari(statistics: Array) -> float:
    """SARI of samples from their statistics."""
    return float(SARI.score(statistics.sum(axis=0))[0])


def mean_sari(pools: Sequence[Pool], weights: Array) -> float:
    """The mean over data sets of what the weights choose."""
    return float(np.mean([pool.sari(pool.picks(weights)) for pool in pools]))


def tuned(pools: Sequence[Pool]) -> Weights:
    """The weights that coordinate descent finds best, from the defaults and from each consensus alone."""
    spread = _spread(pools)
    scale = np.where(spread > 0, spread, 1.0)
    # A feature that never varies was not measured: its weight is nothing, not its default.
    starts = [np.array(astuple(Weights())) * spread, *np.eye(len(NAMES))[:2]]
    bounds = [np.array(astuple(bound)) * spread for bound in (FLOORS, CEILINGS)]
    found = [_descend(pools, start.clip(*bounds), scale, *bounds) for start in starts]
    best = max(found, key=lambda pair: pair[0])[1] / scale
    return Weights(*(float(f"{value:.3g}") for value in best))


def _descend(
    pools: Sequence[Pool], start: Array, scale: Array, floors: Array, ceilings: Array
) -> tuple[float, Array]:
    weights, value = start.copy(), mean_sari(pools, start / scale)
    for _ in range(ROUNDS):
        before = value
        for at in range(len(weights)):
            trials = [weights.copy() for _ in range(len(STEPS) + 1)]
            for trial, step in zip(trials, (*STEPS, -weights[at]), strict=True):
                trial[at] += step
                trial[at] = min(max(trial[at], floors[at]), ceilings[at])
            values = [mean_sari(pools, trial / scale) for trial in trials]
            if max(values) > value + LEAST:
                value = max(values)
                weights = trials[values.index(value)]
        if value == before:
            break
    return value, weights


def _spread(pools: Sequence[Pool]) -> Array:
    """How far each feature varies within an item."""
    parts = []
    for pool in pools:
        count = pool.there.sum(axis=-1, keepdims=True)
        mean = (pool.features * pool.there[..., None]).sum(axis=1) / count
        parts.append((pool.features - mean[:, None])[pool.there])
    spread: Array = np.concatenate(parts).std(axis=0)
    return spread


def crossed(pools: Sequence[Pool]) -> list[Picks]:
    """For each data set the candidates chosen with weights that were tuned on the other half."""
    halves = [np.array(astuple(tuned([pool.without(fold) for pool in pools]))) for fold in (0, 1)]
    return [np.where(pool.folds == 0, pool.picks(halves[0]), pool.picks(halves[1])) for pool in pools]
