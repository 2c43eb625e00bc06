"""Judges that go by a score: a metric that needs no reference, or how far the other candidates agree."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.editor import agreed_sari
from redraft.errors import FATAL, InputError, ModelError
from redraft.metrics import Metric, Sample, load_metric, metrics, sample_scores
from redraft.models import Models
from redraft.quality import Quality, open_quality
from redraft.simplification.policy import Policy
from redraft.simplification.verdicts import (
    ASPECTS,
    Judged,
    all_the_same,
    check_judgeable,
    distinct,
    rank_by_points,
)
from redraft.text import Document

QUALITIES: Final = ("perplexity", "grammar", "meaning", "entities", "some")
"""Scores of `redraft.quality`, by name."""

LOWER: Final = frozenset(
    {"perplexity", "grammar", "reading_grade", "difficult_words", "copied", "compression", "edit_distance"}
)
"""Scores of which less is better; the shortest and the least edited are there as baselines."""

_MOST: Final = 1e9
_AGAINST: Final = 100.0
"""Points off for what the policy does not permit: more than agreement can give."""


@dataclass(frozen=True)
class MetricJudge:
    """Scores the candidates by a metric that needs no reference, or by a quality of the text."""

    metric: str
    models: Models

    @property
    def name(self) -> str:
        """Who judges: the signature of the metric, or the name of the quality with its provider."""
        if self.metric in QUALITIES:
            return f"metric:{self.metric}|quality:{self.models.settings.quality}"
        return f"metric:{load_metric(self.metric).signature}"

    async def judge(self, source: str, candidates: Sequence[str], policy: Policy) -> Judged:
        """The same verdict for every aspect; the points are the scores, with less counted as less."""
        check_judgeable(source, candidates)
        places = distinct(candidates)
        if len(places) < 2:
            return all_the_same(self.name, len(candidates))
        try:
            scores = await self._scores(source, candidates)
        except FATAL:
            raise
        except ModelError as error:
            return Judged(self.name, error=f"{type(error).__name__}: {error}")
        sign = -1 if self.metric.partition(":")[0] in LOWER else 1
        # An empty text is infinitely surprising, and records know no infinity.
        points = [max(-_MOST, min(_MOST, sign * score)) for score in scores]
        verdicts = {aspect: rank_by_points(aspect, points, places) for aspect in ASPECTS}
        return Judged(self.name, verdicts, dict.fromkeys(ASPECTS, 1.0))

    async def _scores(self, source: str, candidates: Sequence[str]) -> list[float]:
        if self.metric not in QUALITIES:
            samples = [Sample(source, text) for text in candidates]
            found = await asyncio.to_thread(sample_scores, load_metric(self.metric), samples)
            return [float(score) for score in found]
        judged = await open_quality(self.models).score(candidates, [source] * len(candidates))
        values = [_quality(each, self.metric) for each in judged]
        if None in values:
            raise InputError(f"{self.metric} needs the published models: set quality to torch")
        return [value for value in values if value is not None]


def _quality(found: Quality, name: str) -> float | None:
    if name == "meaning":
        return found.meaning.similarity if found.meaning is not None else None
    value: float | None = getattr(found, name)
    return value


def check_metric(asked: str) -> None:
    """InputError where there is no such score, or it needs references, which candidates have none of."""
    name = asked.partition(":")[0]
    if asked in QUALITIES:
        return
    if name not in metrics():
        close = difflib.get_close_matches(name, [*QUALITIES, *metrics()], n=1)
        hint = f"did you mean metric:{close[0]}? " if close else ""
        raise InputError(f'there is no score "{name}" to judge by; {hint}there are: {", ".join(usable())}')
    if not _is_usable(load_metric(asked)):
        raise InputError(f"{name} needs more than a source: judge by one of {', '.join(usable())}")


def usable() -> list[str]:
    """The names of the scores that a candidate and its source are enough for."""
    return sorted([*QUALITIES, *(name for name in metrics() if _is_usable(load_metric(name)))])


def _is_usable(metric: Metric) -> bool:
    return metric.needs <= {"source"}


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
            return all_the_same(self.name, len(candidates))
        points = await asyncio.to_thread(_points, source, candidates, places, policy)
        verdicts = {aspect: rank_by_points(aspect, points, places) for aspect in ASPECTS}
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
