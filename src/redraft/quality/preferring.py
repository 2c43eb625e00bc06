"""Which of several revisions of a sentence people would rather have: a judge and a language model together.

Each alone agrees with people in two pairs of three or so; a few weights put them together. They are fitted,
by logistic regression on pairs of edits of one source that people ranked, with

    python benchmarks/judge.py --sets SETS --fit

on the development half of the rankings alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final

from redraft.models import Scorer
from redraft.quality.base import Judge

_SURE: Final = 0.001
"""Nearer to 0 or 1 than this counts as this: a judge's last digits tell nothing."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for a revision, beside its source; all are 0 for a source that stays as it is."""

    nats: float
    """How much likelier the whole is."""
    nats_a_token: float
    sound: float
    """Log-odds of good English that are gained."""
    better: float
    """Log-odds that it is the better text, less those of the source beside it."""
    same: float
    """The log of how sure it is that the same is said."""


NO_SIGNS: Final = Signs(0, 0, 0, 0, 0)
WEIGHTS: Final = Signs(nats=0.0655, nats_a_token=0.4684, sound=0.1616, better=0.0796, same=0.527)
"""Of 2,726 pairs of 119 sources; on sources that they were not fitted on they agree with people in 78 %."""


class PreferringJudge:
    """A judge whose improvement is what people would prefer; the rest is as the judge in it says."""

    def __init__(self, judge: Judge, scorer: Scorer, weights: Signs = WEIGHTS) -> None:
        self._judge = judge
        self._scorer = scorer
        self._weights = weights

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        """As the judge says."""
        return await self._judge.soundness(sentences)

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """As the judge says."""
        return await self._judge.sameness(pairs)

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """The probability that people prefer each revision to its source; to rank revisions of one source."""
        return tuple(_probability(preference(found, self._weights)) for found in await self.signs(pairs))

    async def signs(self, pairs: Sequence[tuple[str, str]]) -> list[Signs]:
        """What speaks for each revision, which stands after its source."""
        changed = [pair for pair in dict.fromkeys(pairs) if pair[0].split() != pair[1].split()]
        if not changed:
            return [NO_SIGNS] * len(pairs)
        texts = list(dict.fromkeys(text for pair in changed for text in pair))
        likely = dict(zip(texts, await self._scorer.log_probs(texts), strict=True))
        sound = dict(zip(texts, await self._judge.soundness(texts), strict=True))
        same = await self._judge.sameness(changed)
        there = await self._judge.improvement(changed)
        back = await self._judge.improvement([(text, source) for source, text in changed])
        found = {
            (source, text): Signs(
                nats=likely[text].total - likely[source].total,
                nats_a_token=likely[text].mean - likely[source].mean,
                sound=log_odds(sound[text]) - log_odds(sound[source]),
                better=log_odds(there[place]) - log_odds(back[place]),
                same=math.log(max(same[place], _SURE)),
            )
            for place, (source, text) in enumerate(changed)
        }
        return [found.get(pair, NO_SIGNS) for pair in pairs]


def preference(found: Signs, weights: Signs = WEIGHTS) -> float:
    """How much speaks for a revision, as log-odds."""
    return math.fsum(sign * by for sign, by in zip(astuple(found), astuple(weights), strict=True))


def log_odds(share: float) -> float:
    """The logarithm of the odds of a probability, as far as a judge can be sure."""
    share = min(max(share, _SURE), 1 - _SURE)
    return math.log(share / (1 - share))


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-max(min(odds, 50.0), -50.0)))
