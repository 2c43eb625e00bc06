"""A judge that asks no model: it counts points by the principles of the policy, and says for what."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.models import Embedder, Scorer
from redraft.quality import EmbeddedQuality, Meaning
from redraft.quality.names import name_changes
from redraft.simplify.base import ASPECTS, Aspect, Judged
from redraft.simplify.evidence import Aligner, Alignment, Parser
from redraft.simplify.judging.choosing import by_points, distinct, only_one
from redraft.simplify.judging.counting import Count, Words
from redraft.simplify.judging.structure import Build, structural_counts
from redraft.simplify.policy import Policy, Principle
from redraft.text import Document, RuleFinder

VERSION: Final = 1
"""Raised whenever the same candidates may get other points."""

_UNLIKELY: Final = 2.2
_STEP: Final = 0.6
"""Human simplifications are rarely less likely after their source than exp(-2.2) a token; damaged ones are."""
_NEAR: Final = 0.85
_FAR: Final = 0.2
"""Human simplifications are rarely further from their source than 0.85; halves of them nearly always."""
_FINDER: Final = RuleFinder()


@dataclass(frozen=True, slots=True)
class _Seen:
    """All that is known of one candidate."""

    alignment: Alignment
    build: Build
    meaning: Meaning
    likelihood: float
    surprise: float
    names: tuple[str, ...]


class RubricJudge:
    """Counts points for words from alignments and their levels, for structure from parses and perplexity.

    What the source does not say, or no longer says, is found by how likely the candidate is after it, by how
    near both are, and by rules for names, numbers and negations.
    """

    def __init__(self, scorer: Scorer, embedder: Embedder, parser: Parser) -> None:
        self._quality = EmbeddedQuality(scorer, embedder)
        self._aligner = Aligner(embedder)
        self._parser = parser

    @property
    def name(self) -> str:
        """Who judges, and how."""
        return f"rubric|version:{VERSION}|parser:{self._parser.name}"

    async def judge(self, source: str, candidates: Sequence[str], policy: Policy) -> Judged:
        """The points of each candidate in each aspect, what they were given for, hence best and worst."""
        places = distinct(candidates)
        if len(places) < 2:
            return only_one(self.name, len(candidates))
        build, seen = await self._seen(source, candidates)
        lexical = [list(_scored(_lexical(one, policy), policy.lexical)) for one in seen]
        structural = [list(_scored(_structural(build, one), policy.structural)) for one in seen]
        given: dict[Aspect, list[list[tuple[float, str]]]] = {
            "lexical": lexical,
            "structural": structural,
            "overall": [[*words, *structure] for words, structure in zip(lexical, structural, strict=True)],
        }
        sums = {
            aspect: [math.fsum(points for points, _ in each) for each in given[aspect]] for aspect in ASPECTS
        }
        verdicts = {
            aspect: by_points(
                aspect,
                sums[aspect],
                places,
                analysis=[
                    "; ".join(told for _, told in each) or "nothing to count" for each in given[aspect]
                ],
                otherwise=sums["overall"],
            )
            for aspect in ASPECTS
        }
        return Judged(self.name, verdicts, dict.fromkeys(ASPECTS, 1.0))

    async def _seen(self, source: str, candidates: Sequence[str]) -> tuple[Build, list[_Seen]]:
        sources = [source] * len(candidates)
        alignments = await self._aligner.align([(source, text) for text in candidates])
        meanings = await self._quality.meaning(candidates, sources)
        likelihoods = await self._quality.likelihood(candidates, sources)
        before, *after = (math.log(found) for found in await self._quality.perplexity([source, *candidates]))
        build, *builds = [await self._build(text) for text in (source, *candidates)]
        names = await asyncio.to_thread(
            lambda: [tuple(name_changes(source, text, _FINDER)) for text in candidates]
        )
        rows = zip(alignments, builds, meanings, likelihoods, after, names, strict=True)
        return build, [
            _Seen(alignment, built, meaning, likelihood, surprise - before, lost)
            for alignment, built, meaning, likelihood, surprise, lost in rows
        ]

    async def _build(self, text: str) -> Build:
        sentences = [sentence.text for sentence in Document(text).sentences]
        parsed = await self._parser.parse(sentences)
        return Build.of(sentences, [found.tree for found in parsed])


def _lexical(seen: _Seen, policy: Policy) -> Iterator[Count]:
    words = Words(seen.alignment, policy.limits.word_level)
    yield from words.counts()
    names = [told for told in seen.names if not told.startswith("name added")]
    yield from (Count("name_lost", 1.0, told) for told in names)
    yield from (Count("meaning_replaced", 1.0, told) for told in seen.meaning.changes if told not in names)
    if (unlikely := (-seen.likelihood - _UNLIKELY) / _STEP) > 0:
        yield Count(
            "meaning_replaced", unlikely, f"it hardly follows from the source ({seen.likelihood:.1f})"
        )
    far = (_NEAR - seen.meaning.similarity) / _FAR
    if (lost := max(words.lost, far)) > 0:
        told = f"{words.lost_share:.0%} of what it says is gone (similarity {seen.meaning.similarity:.2f})"
        yield Count("important_deleted", lost, told)


def _structural(source: Build, seen: _Seen) -> Iterator[Count]:
    return structural_counts(source, seen.build, seen.alignment, surprise=seen.surprise)


def _scored(counts: Iterator[Count], principles: Sequence[Principle]) -> Iterator[tuple[float, str]]:
    """The points for each count, and what they are for; what no principle looks at counts for nothing."""
    for count in counts:
        for principle in principles:
            points = principle.points * count.amount
            if principle.measure == count.measure and points:
                yield points, f"{count.what}, {points:+.1f}"
