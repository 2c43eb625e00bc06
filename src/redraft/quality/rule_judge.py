"""A judge made of what needs no training: Harper, the surprise of the language model, and a few patterns.

It knows the commonest ways in which a sentence is broken by a cut or a split, and little else.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from redraft.models import LogProbs, Scorer
from redraft.quality.base import Judge
from redraft.quality.grammar import grammar_findings, weight
from redraft.quality.meaning import compare_meaning
from redraft.text import BY_FORM, FINITE, tagged

_USUAL: Final = 2.5
"""The log-odds that a sentence with nothing against it is good English."""
_ERROR: Final = 1.2
_FAULT: Final = 3.5
"""What an error that Harper finds, and a fault of the patterns below, takes off."""
_SURPRISE: Final = 5.0
"""Nats a token from which on a sentence is doubted, one for one."""
_CLEAR_NATS: Final = 4.0
_CLEAR_SOUND: Final = 4.0
"""What makes an improvement: nats of the sentence, and the soundness gained."""
_LEAST_WORDS: Final = 4
"""Words from which on a sentence needs a verb."""
_CHANGED: Final = 0.7
"""What each change of meaning leaves of the probability that the same is said."""
_REVERSED: Final = ("negation", "opposite", "all")
_HANGING: Final = re.compile(
    r"(?i)\A(?:this|it|that|these|they) (?:is|are|was|were) (?:\w+ )?(?:which|whom|whose|who|than|whereas)\b"
    r"|\A(?:this|these) (?:is|are|was|were) (?:also )?"
    r"(?:by|from|into|through|during|until|upon|without|per|via) "
    r"|\b(?:a|an|the|of|and|or|but|nor|with|from|into|because|although|than|which|whose|very)[.!?]+\Z"
)
_AFTER_MODAL: Final = frozenset({"VB", "VBP", "VBN"})
_THIRD: Final = frozenset({"it", "he", "she"})


class StrictJudge:
    """A judge, and what the patterns know besides: a sentence is as sound as the stricter of the two says."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        """Less where a sentence is built wrongly, whatever the judge says."""
        found = await self._judge.soundness(sentences)
        faults = [_FAULT * len(list(_broken(sentence))) for sentence in sentences]
        return tuple(
            min(one, _probability(_USUAL - fault)) if fault else one
            for one, fault in zip(found, faults, strict=True)
        )

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """As the judge says."""
        return await self._judge.sameness(pairs)

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """As the judge says."""
        return await self._judge.improvement(pairs)


class RuleJudge:
    """The judge that is always there."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        """Less for each error and fault, and for what is very surprising."""
        if not sentences:
            return ()
        scores = await self._scorer.log_probs(list(sentences))
        faults = await asyncio.to_thread(lambda: [_faults(one) for one in sentences])
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
    return _ERROR * weight(grammar_findings(sentence, "text")) + _FAULT * len(list(_broken(sentence)))


def _broken(sentence: str) -> Iterator[str]:
    """What is broken in the build of a sentence."""
    words = tagged(sentence)
    tags = [word.tag for word in words]
    spoken = [word for word in words if word.text[:1].isalnum()]
    if _HANGING.search(sentence):
        yield "a clause that hangs on nothing"
    if len(spoken) >= _LEAST_WORDS and not any(tag in FINITE or tag == "VB" for tag in tags):
        yield "no verb"
    if spoken and spoken[0].tag in ("WDT", "WP", "WP$") and not sentence.rstrip('"”’)').endswith("?"):
        yield "a relative clause alone"
    if "MD" in tags and not _AFTER_MODAL & set(tags) and not sentence.rstrip().endswith("?"):
        yield "a modal without its verb"
    if len(spoken) > 1 and spoken[0].text.lower() in _THIRD:
        forms = BY_FORM.get(spoken[1].text)
        if forms is not None and spoken[1].text == forms.base != forms.past:
            yield "a verb that does not agree"
