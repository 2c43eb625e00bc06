"""How far a candidate follows from its source, as a whole and word by word."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.models import LogProbs, Scorer
from redraft.quality import CONTEXT
from redraft.simplification.evidence import Alignment

_LOOK_AHEAD: Final = 8
_NEAR: Final = 15.0
_HALF_WAY: Final = 0.5
"""A word that is nearer than half way to a word of the source is worth so many logarithms less surprise: both
together tell words that people put from words put at random better than either."""


@dataclass(frozen=True, slots=True)
class Following:
    """How a text follows from its source."""

    less_likely: float
    """By how much its tokens are less likely after the source than those of the source itself, on average."""
    doubt: tuple[float, ...]
    """What each word of its alignment costs after the source, in logarithms, less if near to it."""


async def following(scorer: Scorer, source: str, aligned: Sequence[tuple[str, Alignment]]) -> list[Following]:
    """How each text with its alignment follows from the source."""
    asked = list(dict.fromkeys([source, *(text for text, _ in aligned if text)]))
    scored = await scorer.log_probs(asked, [CONTEXT.format(source=source)] * len(asked))
    found = dict(zip(asked, scored, strict=True))
    same = found[source].mean
    return [
        _of(text, alignment, found[text], same) if text else Following(math.inf, ())
        for text, alignment in aligned
    ]


def _of(text: str, alignment: Alignment, scores: LogProbs, same: float) -> Following:
    costs = zip(_costs(text, alignment, scores), alignment.near, strict=True)
    return Following(same - scores.mean, tuple(cost - _NEAR * (near - _HALF_WAY) for cost, near in costs))


def _costs(text: str, alignment: Alignment, scores: LogProbs) -> list[float]:
    costs = [0.0] * len(alignment.target)
    place = word = 0
    for token, value in zip(scores.tokens, scores.values, strict=True):
        # Letters of several bytes may come in pieces that are no letters: those belong to where we are.
        if bare := token.strip():
            start = text.find(bare, place, place + len(token) + _LOOK_AHEAD)
            place = start + len(bare) if start >= 0 else place
            while word < len(costs) and alignment.target[word].end < place:
                word += 1
        if word < len(costs) and alignment.target[word].start < place:
            costs[word] -= value
    return costs
