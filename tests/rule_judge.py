"""A judge by rule, for tests that need no weights: Harper, the surprise of a scorer, and the patterns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from redraft.models import LogProbs, Scorer
from redraft.quality import compare_meaning, grammar_findings, weight
from redraft.quality.strict import faults_of

_USUAL: Final = 2.5
"""The log-odds that a sentence with nothing against it is good English."""
_ERROR: Final = 1.2
_FAULT: Final = 3.5
"""What an error that Harper finds, and a fault of the patterns, takes off."""
_SURPRISE: Final = 5.0
"""Nats a token from which on a sentence is doubted, one for one."""
_CLEAR_NATS: Final = 4.0
_CLEAR_SOUND: Final = 4.0
"""What makes an improvement: nats of the sentence, and the soundness gained."""
_CHANGED: Final = 0.7
"""What each change of meaning leaves of the probability that the same is said."""
_REVERSED: Final = ("negation", "opposite", "all")


class RuleJudge:
    """Judges without being trained."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        """Less for each error and fault, and for what is very surprising."""
        if not sentences:
            return ()
        scores = await self._scorer.log_probs(list(sentences))
        faults = [_faults(one) for one in sentences]
        doubts = (max(_surprise(one) - _SURPRISE, 0.0) for one in scores)
        return tuple(
            _probability(_USUAL - fault - doubt) for fault, doubt in zip(faults, doubts, strict=True)
        )

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """Less for each change of meaning that the rules find; 0 where one turns the meaning round."""
        found = []
        for source, text in pairs:
            changes = compare_meaning(source, text)
            turned = any(change.kind in _REVERSED for change in changes)
            found.append(0.0 if turned else _CHANGED ** len(changes))
        return tuple(found)

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """By how much the soundness grows, and the surprise of a word falls."""
        texts = [text for pair in pairs for text in pair]
        sound = dict(zip(texts, await self.soundness(texts), strict=True))
        scores = dict(zip(texts, await self._scorer.log_probs(texts), strict=True)) if texts else {}
        found = []
        for source, text in pairs:
            surprise = _surprise(scores[source]) - _surprise(scores[text])
            gain = surprise * len(scores[source].values) / _CLEAR_NATS
            found.append(_probability(gain + _CLEAR_SOUND * (sound[text] - sound[source]) - 1))
        return tuple(found)


def _surprise(scores: LogProbs) -> float:
    """Nats a token."""
    return -scores.total / max(len(scores.values), 1)


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _faults(sentence: str) -> float:
    return _ERROR * weight(grammar_findings(sentence, "text")) + _FAULT * len(list(faults_of(sentence)))
