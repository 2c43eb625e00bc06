"""Scores on 0 to 1, so that they can be added: Appendix D.3 of the TRIPS paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from redraft.quality.base import Quality

LEAST_LIKELIHOOD: Final = -10.0
"""BART_min of Eq. 7."""

HALF_GRAMMAR: Final = 5.0
"""Errors per 100 words at which grammar without SOME is one half."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """Three scores, each from 0 to 1, where 1 is best."""

    fluency: float
    coherence: float
    grammar: float

    @property
    def mean(self) -> float:
        """R_g of the paper."""
        return (self.fluency + self.coherence + self.grammar) / 3


@dataclass(frozen=True, slots=True)
class Scale:
    """Measures revisions against their original; `source` is the original, scored with itself as source.

    By Eq. 6 the fluency of the original is 0, and only a revision that is less surprising has more. A text
    without words has 0 in all.
    """

    source: Quality

    def __post_init__(self) -> None:
        _likelihood(self.source)

    def of(self, quality: Quality) -> Scaled:
        """The scores of a revision that was scored with the original as its source."""
        likelihood = _likelihood(quality)
        if math.isinf(quality.perplexity):
            return Scaled(0.0, 0.0, 0.0)
        return Scaled(self._fluency(quality.perplexity), self._coherence(likelihood), _grammar(quality))

    def _fluency(self, perplexity: float) -> float:
        """Eq. 6, with PPL_max 0 and PPL_min the original's."""
        return _clamped(1 - perplexity / self.source.perplexity)

    def _coherence(self, likelihood: float) -> float:
        """Eq. 7, with BART_max the original's likelihood given itself."""
        most = _likelihood(self.source)
        if most <= LEAST_LIKELIHOOD:
            return float(likelihood >= most)
        return _clamped((likelihood - LEAST_LIKELIHOOD) / (most - LEAST_LIKELIHOOD))


def _grammar(quality: Quality) -> float:
    if quality.some is not None:
        return _clamped(quality.some)
    return 1 / (1 + quality.grammar / HALF_GRAMMAR)


def _likelihood(quality: Quality) -> float:
    if quality.likelihood is None:
        raise ValueError("a scale needs scores with sources: for the original, the original itself")
    return quality.likelihood


def _clamped(value: float) -> float:
    return min(max(value, 0.0), 1.0)
