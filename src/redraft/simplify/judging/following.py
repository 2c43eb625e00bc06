"""How far a candidate follows from its source, as a whole and word by word, to a language model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.models import LogProbs, Scorer
from redraft.quality.embedded import CONTEXT
from redraft.simplify.evidence import Alignment

_LOOK_AHEAD = 8


@dataclass(frozen=True, slots=True)
class Following:
    """What the words of a text cost after its source, in logarithms."""

    mean: float
    """Of a token; minus infinity where there is none."""
    surprise: tuple[float, ...]
    """Of each word of its alignment."""


async def following(scorer: Scorer, source: str, aligned: Sequence[tuple[str, Alignment]]) -> list[Following]:
    """How each text with its alignment follows from the source."""
    texts = [text for text, _ in aligned]
    asked = [text for text in dict.fromkeys(texts) if text]
    scored = await scorer.log_probs(asked, [CONTEXT.format(source=source)] * len(asked)) if asked else ()
    found = dict(zip(asked, scored, strict=True))
    return [_of(text, alignment, found.get(text, LogProbs((), ()))) for text, alignment in aligned]


def _of(text: str, alignment: Alignment, scores: LogProbs) -> Following:
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
    return Following(scores.mean if scores.values else -math.inf, tuple(costs))
