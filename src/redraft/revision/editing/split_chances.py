"""How likely a split of a sentence is one that a careful editor would let pass.

Learnt by logistic regression from 1,564 splits by two editors that a language model had read and labelled
(`benchmarks/judged_splits.jsonl.gz`): the judge's word, asked whether the split says what its source says and
whether the source says what the split does, tells more with the words that are gone beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Final

from redraft.revision.draft import content_stems
from redraft.revision.editing.answers import changed_words
from redraft.revision.judging.losses import cut_loss
from redraft.revision.judging.verdicts import Verdicts

_SAME: Final = 0.261
_SAME_BACK: Final = 0.217
_SOUND: Final = 0.128
_GONE: Final = -5.978
_LOSS: Final = -1.264
_START: Final = -1.879
_MOST_LOSS: Final = 60.0
_LOSS_UNIT: Final = 20.0
_NEVER_SURE: Final = 0.001


async def split_chances(verdicts: Verdicts, source: str, splits: Sequence[str]) -> list[float]:
    """For each split of a source the probability that it is good English and says the same."""
    there = await verdicts.sameness([(source, one) for one in splits])
    back = await verdicts.sameness([(one, source) for one in splits])
    sentences = [verdicts.sentences(one) for one in splits]
    await verdicts.soundness([sentence for own in sentences for sentence in own])
    found = []
    for split, same, same_back, own in zip(splits, there, back, sentences, strict=True):
        sound = fmean(map(_odds, await verdicts.soundness(own))) if own else 0.0
        gone = _GONE * len(changed_words(source, split)[0]) / max(1, len(content_stems(source)))
        lost = _LOSS * min(cut_loss(source, split), _MOST_LOSS) / _LOSS_UNIT
        judged = _SAME * _odds(same) + _SAME_BACK * _odds(same_back) + _SOUND * sound
        found.append(1 / (1 + math.exp(-(_START + judged + gone + lost))))
    return found


def _odds(probability: float) -> float:
    """The logarithm of the odds, as far as a judge can be sure."""
    inside = min(max(probability, _NEVER_SURE), 1 - _NEVER_SURE)
    return math.log(inside / (1 - inside))
