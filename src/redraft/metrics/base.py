"""What a metric is: sufficient statistics of each sample first, the score and everything else derived.

A corpus score is a function of summed statistics, so the interval, the paired tests and the score of a single
sample come from the same two methods for every metric, ours or another package's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from redraft import __version__

Rows = NDArray[np.float64]
Need = Literal["source", "references", "calls"]
T = TypeVar("T")

BLOCK = 256
"""Samples that are in memory at a time: enough to keep numpy busy, few enough to stay in cache."""

_TEXTS = 16 * BLOCK


@dataclass(frozen=True, slots=True)
class Sample:
    """One edit to be scored; `calls` are the constraints it was to meet, `measures` what is known of it."""

    source: str
    prediction: str
    references: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    measures: Mapping[str, float | None] = field(default_factory=dict)


class Samples(Protocol):
    """Samples that can be counted and gone through again: a list, or a view that reads as it goes."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Sample]: ...


class Metric(Protocol):
    """A measure of edits; frozen, so that one object can be shared."""

    @property
    def name(self) -> str:
        """What it is asked for by."""

    @property
    def signature(self) -> str:
        """Everything that changes the number, as `sari|avg:macro|case:lower|tok:13a|redraft:0.1.0`."""

    @property
    def components(self) -> tuple[str, ...]:
        """The names of the further numbers that `score` gives."""

    @property
    def needs(self) -> frozenset[Need]:
        """The parts of a sample, beside the prediction, that it looks at."""

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        """One row of sufficient statistics for each sample, in order, in blocks of any size."""

    def score(self, sums: Rows) -> Rows:
        """The score and its components, along the last axis, of summed statistics: (…, k) to (…, 1 + c)."""


@runtime_checkable
class ScoresSamples(Protocol):
    """A metric whose score of a single sample is not its corpus score of that sample alone."""

    def sample_scores(self, rows: Rows) -> NDArray[np.float64]:
        """The score of each row."""


@dataclass(frozen=True)
class Score:
    """A number that can be reproduced: its signature says how, its interval how far to trust it."""

    name: str
    value: float
    signature: str
    n: int
    interval: tuple[float, float] | None = None
    """The bootstrap's 95 % interval, where one was asked for."""
    components: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As the command line prints it."""
        return {
            "score": self.value,
            "interval": None if self.interval is None else list(self.interval),
            "components": dict(self.components),
            "n": self.n,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Mean:
    """A metric that is the mean of what it measures on each sample: most metrics are no more than this."""

    name: str
    measure: Callable[[Sample], Sequence[float]]
    """The value of one sample, then its components."""
    details: tuple[str, ...] = ()
    """What goes into the signature, as `tok:13a`."""
    components: tuple[str, ...] = ()
    needs: frozenset[Need] = frozenset({"source", "references"})

    @property
    def signature(self) -> str:
        return make_signature(self.name, *self.details)

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        for block in batched(samples, BLOCK):
            yield np.array([(*self.measure(sample), 1.0) for sample in block], dtype=np.float64)

    def score(self, sums: Rows) -> Rows:
        return ratio(sums[..., :-1], sums[..., -1:])


def make_signature(name: str, *details: str) -> str:
    """A signature: the name, what makes the number what it is, and our version."""
    return "|".join((name, *details, f"redraft:{__version__}"))


def ratio(part: Rows, whole: Rows) -> Rows:
    """Division in which nothing over nothing is nothing."""
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of at most `size`."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def sample_blocks(samples: Iterable[Sample]) -> Iterator[list[Sample]]:
    """The samples in lists of at most `BLOCK`, and of fewer where they have very many references."""
    block: list[Sample] = []
    texts = 0
    for sample in samples:
        block.append(sample)
        texts += 2 + len(sample.references)
        if len(block) == BLOCK or texts >= _TEXTS:
            yield block
            block, texts = [], 0
    if block:
        yield block


def rows_of(metric: Metric, samples: Iterable[Sample]) -> Rows:
    """The statistics of all samples, one row each."""
    return np.concatenate(list(metric.statistics(samples)))


def sample_scores(metric: Metric, samples: Iterable[Sample] | Rows) -> NDArray[np.float64]:
    """The score of each sample on its own, from the samples or from their statistics."""
    parts = (samples,) if isinstance(samples, np.ndarray) else metric.statistics(samples)
    if isinstance(metric, ScoresSamples):
        return np.concatenate([metric.sample_scores(rows) for rows in parts])
    return np.concatenate([metric.score(rows)[..., 0] for rows in parts])


def texts_of(block: Iterable[Sample]) -> Iterator[str]:
    """Source, prediction and references of each sample, one after the other."""
    for sample in block:
        yield sample.source
        yield sample.prediction
        yield from sample.references


def references_of(block: Iterable[Sample]) -> NDArray[np.int64]:
    """How many references each sample has."""
    return np.array([len(sample.references) for sample in block])
