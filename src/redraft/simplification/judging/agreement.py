"""A judge that asks the candidates themselves: the best is the one that the others bear out.

Where a pool holds many answers of systems that mean well, what most of them do to a source is more often
right than what one of them does. Each candidate is scored by SARI with the other ones as its references (the
idea of minimum Bayes risk decoding), so that words are wanted which others kept, left out and brought in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.editor import agreed_sari
from redraft.metrics import load_metric
from redraft.simplification.base import ASPECTS, Judged
from redraft.simplification.judging.choosing import by_points, check_judgeable, distinct, only_one
from redraft.simplification.policy import Policy
from redraft.text import Document

_AGAINST: Final = 100.0
"""Points off for what the policy does not permit: more than agreement can give."""


@dataclass(frozen=True)
class AgreementJudge:
    """Scores each candidate by the others; what the policy does not permit comes after all that it does."""

    @property
    def name(self) -> str:
        """Who judges."""
        return f"agreement|{load_metric('sari').signature}"

    async def judge(self, source: str, candidates: Sequence[str], policy: Policy) -> Judged:
        """The same verdict for every aspect."""
        check_judgeable(source, candidates)
        places = distinct(candidates)
        if len(places) < 2:
            return only_one(self.name, len(candidates))
        points = await asyncio.to_thread(_points, source, candidates, places, policy)
        verdicts = {aspect: by_points(aspect, points, places) for aspect in ASPECTS}
        return Judged(self.name, verdicts, dict.fromkeys(ASPECTS, 1.0))


def _points(source: str, candidates: Sequence[str], places: Sequence[int], policy: Policy) -> list[float]:
    # The source itself bears nothing out, and would speak for the candidate that did least.
    votes = [int(place in places and text.split() != source.split()) for place, text in enumerate(candidates)]
    scores = 100 * agreed_sari(source, candidates, votes)
    sentences = len(Document(source, "text").sentences)
    return [
        float(score) - _AGAINST * (not _permits(policy, source, text, sentences))
        for score, text in zip(scores, candidates, strict=True)
    ]


def _permits(policy: Policy, source: str, text: str, sentences: int) -> bool:
    split = len(Document(text, "text").sentences) > sentences
    return policy.limits.fits(source, text) and (policy.allows("split") or not split)
