"""Judges that go by a score: a metric that needs no reference, or how far the other candidates agree."""

from __future__ import annotations

import asyncio
import difflib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.editor import agreed_sari
from redraft.errors import InputError
from redraft.metrics import Sample, load_metric, metrics, sample_scores
from redraft.models import Answerer, Models
from redraft.quality import open_quality, question
from redraft.simplification.policy import ASPECTS, Policy
from redraft.simplification.verdicts import Judge, Judged, rank_by_points
from redraft.text import Document

QUALITIES: Final = ("perplexity", "grammar", "meaning", "entities", "some")
"""Scores of `redraft.quality`, by name."""

LOWER: Final = frozenset(
    {"perplexity", "grammar", "reading_grade", "difficult_words", "copied", "compression", "edit_distance"}
)
"""Scores of which less is better; the shortest and the least edited are there as baselines."""

_GIVEN: Final = frozenset({"source"})
"""What a metric can have beside the candidate."""
_MOST: Final = 1e9
NOT_PERMITTED: Final = 100.0
"""Points off for what the policy does not permit: more than agreement can give."""


@dataclass(frozen=True)
class MetricJudge(Judge):
    """Scores the candidates by a metric that needs no reference, or by a quality of the text."""

    metric: str
    models: Models

    @property
    def name(self) -> str:
        """Who judges: the signature of the metric, or the name of the quality with its provider."""
        if self.metric in QUALITIES:
            return f"metric:{self.metric}|quality:{self.models.settings.quality}"
        return f"metric:{load_metric(self.metric).signature}"

    async def _compare(
        self, source: str, candidates: Sequence[str], places: Sequence[int], policy: Policy
    ) -> Judged:
        """The same verdict for every aspect; the points are the scores, with less counted as less."""
        scores = await self._scores(source, candidates)
        sign = -1 if self.metric.partition(":")[0] in LOWER else 1
        # An empty text is infinitely surprising, and records know no infinity.
        points = [max(-_MOST, min(_MOST, sign * score)) for score in scores]
        return Judged.once(self.name, {one: rank_by_points(one, points, places) for one in ASPECTS})

    async def _scores(self, source: str, candidates: Sequence[str]) -> list[float]:
        if self.metric not in QUALITIES:
            samples = [Sample(source, text) for text in candidates]
            found = await asyncio.to_thread(sample_scores, load_metric(self.metric), samples)
            return [float(score) for score in found]
        judged = await open_quality(self.models).score(candidates, [source] * len(candidates))
        values: list[float | None] = [getattr(one, self.metric) for one in judged]
        if self.metric == "meaning":
            values = [None if one.meaning is None else one.meaning.similarity for one in judged]
        if None in values:
            raise InputError(f"{self.metric} needs the published models: set quality to torch")
        return [value for value in values if value is not None]


def check_metric(asked: str) -> None:
    """InputError where there is no such score, or it needs references, which candidates have none of."""
    name = asked.partition(":")[0]
    if asked in QUALITIES:
        return
    if name not in metrics():
        close = difflib.get_close_matches(name, [*QUALITIES, *metrics()], n=1)
        hint = f"did you mean metric:{close[0]}? " if close else ""
        raise InputError(f'there is no score "{name}" to judge by; {hint}there are: {", ".join(usable())}')
    if not load_metric(asked).needs <= _GIVEN:
        raise InputError(f"{name} needs more than a source: judge by one of {', '.join(usable())}")


def usable() -> list[str]:
    """The names of the scores that a candidate and its source are enough for."""
    return sorted([*QUALITIES, *(name for name in metrics() if load_metric(name).needs <= _GIVEN)])


@dataclass(frozen=True)
class AgreementJudge(Judge):
    """Scores each candidate by the others; what the policy does not permit comes after all that it does."""

    kept: float = 0.0
    """Points off for a candidate that keeps every word of the source, fewer for one that keeps a part."""
    doubted: float = 0.0
    """Points off where the trained judge is sure that a candidate is broken, fewer where it is less sure."""
    answerer: Answerer | None = None
    """The trained judge, which is asked where doubt costs points."""

    @property
    def name(self) -> str:
        """Who judges."""
        off = {"kept": self.kept, "doubted": self.doubted}
        named = (f"{what}:{points:g}" for what, points in off.items() if points)
        return "|".join(["agreement", load_metric("sari").signature, *named])

    async def _compare(
        self, source: str, candidates: Sequence[str], places: Sequence[int], policy: Policy
    ) -> Judged:
        """The same verdict for every aspect."""
        points = await asyncio.to_thread(agreement_points, source, candidates, places, policy)
        shares = [kept_share(source, text) for text in candidates]
        points = [one - self.kept * share for one, share in zip(points, shares, strict=True)]
        if self.doubted and self.answerer:
            sure = await surely_sound(source, candidates, self.answerer)
            points = [one - self.doubted * (1 - share) for one, share in zip(points, sure, strict=True)]
        return Judged.once(self.name, {one: rank_by_points(one, points, places) for one in ASPECTS})


def agreement_points(
    source: str, candidates: Sequence[str], places: Sequence[int], policy: Policy
) -> list[float]:
    """SARI of each candidate with the others as references, 0 to 100; 100 less for what is not permitted.

    `places` are those of candidates that differ: a repeated one bears nothing out.
    """
    # The source itself bears nothing out, and would speak for the candidate that did least.
    votes = [int(place in places and text.split() != source.split()) for place, text in enumerate(candidates)]
    scores = 100 * agreed_sari(source, candidates, votes)
    before, *after = (len(Document(text, "text").sentences) for text in (source, *candidates))
    permitted = [
        policy.limits.fits(source, text) and (policy.allows("split") or sentences <= before)
        for text, sentences in zip(candidates, after, strict=True)
    ]
    return [float(score) - NOT_PERMITTED * (not ok) for score, ok in zip(scores, permitted, strict=True)]


def judge_questions(source: str, text: str) -> tuple[str, ...]:
    """What the trained judge is asked of a simplification; a copy of the source is only as good as that."""
    sentences = tuple(question("sound", one.text) for one in Document(text, "text").sentences)
    return sentences if text == source else (*sentences, question("same", text, source))


async def surely_sound(source: str, candidates: Sequence[str], answerer: Answerer) -> list[float]:
    """How sure the trained judge is, 0 to 1, that each is sound in all its sentences, and says the same."""
    asked = [judge_questions(source, text) for text in candidates]
    questions = list(dict.fromkeys(one for own in asked for one in own))
    known = dict(zip(questions, await answerer.yes(questions), strict=True))
    return [min((known[one] for one in own), default=0.0) for own in asked]


def kept_share(source: str, text: str) -> float:
    """The share of the source's words that a text keeps."""
    before, after = (Counter(re.findall(r"\w+", one.lower())) for one in (source, text))
    return (before & after).total() / max(1, before.total())
