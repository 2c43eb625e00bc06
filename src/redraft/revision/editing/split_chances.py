"""How likely a split of a sentence is one that a careful editor would let pass.

Learnt by logistic regression from 1,564 splits by two editors that a language model had read and labelled
(`benchmarks/split_chances.py`): the judge's word, asked whether the split says what its source says and
whether the source says what the split does, tells more with the words that are gone or new beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Final, NamedTuple

from redraft.quality import log_odds
from redraft.revision.draft import content_stems
from redraft.revision.editing.answers import LINKING, changed_words
from redraft.revision.judging.losses import cut_loss
from redraft.revision.judging.verdicts import Verdicts

MOST_NEW: Final = 2
"""New words that a split may have, beside those that link its sentences: with more hardly one was good."""
_MOST_LOSS: Final = 60.0
_LOSS_UNIT: Final = 20.0


class SplitFeatures(NamedTuple):
    """What is known of a split; probabilities as the logarithms of their odds."""

    same: float
    """That it says what its source says."""
    same_back: float
    """That its source says what it does."""
    sound: float
    """That its sentences are good English, in the mean."""
    gone: float
    """The share of its words of content that the source has lost."""
    new: float
    """New words of content, beside those that link sentences."""
    loss: float
    """What the words that are gone were worth."""


_WEIGHTS: Final = SplitFeatures(
    same=0.255, same_back=0.206, sound=0.101, gone=-5.107, new=-0.399, loss=-1.478
)
_START: Final = -1.68


async def split_chances(verdicts: Verdicts, source: str, splits: Sequence[str]) -> list[float]:
    """For each split of a source the probability that it is good English and says the same."""
    return [_chance(one) for one in await split_features(verdicts, source, splits)]


async def split_features(verdicts: Verdicts, source: str, splits: Sequence[str]) -> list[SplitFeatures]:
    """What is known of each split of a source."""
    there = await verdicts.sameness([(source, one) for one in splits])
    back = await verdicts.sameness([(one, source) for one in splits])
    sentences = [verdicts.sentences(one) for one in splits]
    await verdicts.soundness([sentence for own in sentences for sentence in own])
    found = []
    for split, same, same_back, own in zip(splits, there, back, sentences, strict=True):
        gone, new = changed_words(source, split)
        found.append(
            SplitFeatures(
                log_odds(same),
                log_odds(same_back),
                fmean(map(log_odds, await verdicts.soundness(own))) if own else 0.0,
                len(gone) / max(1, len(content_stems(source))),
                len(new - LINKING),
                min(cut_loss(source, split), _MOST_LOSS) / _LOSS_UNIT,
            )
        )
    return found


def _chance(features: SplitFeatures) -> float:
    if features.new > MOST_NEW:
        return 0.0
    known = sum(weight * value for weight, value in zip(_WEIGHTS, features, strict=True))
    return 1 / (1 + math.exp(-(_START + known)))
