"""A judge that asks no model: it counts points by the principles of the policy, and says for what."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.models import Embedder, LogProbs, Scorer
from redraft.quality import CONTEXT, EmbeddedQuality, Meaning, name_changes
from redraft.simplification import tuning
from redraft.simplification.judging.alignment import Aligner, Alignment
from redraft.simplification.judging.counting import Count, ExtraWords, Words
from redraft.simplification.judging.structure import Structure, structural_counts
from redraft.simplification.judging.trees import Parser
from redraft.simplification.policy import ASPECTS, Aspect, Policy, Principle, operations_used
from redraft.simplification.verdicts import Judge, Judged, rank_by_points
from redraft.text import Document, RuleFinder, Sentence

_LOOK_AHEAD: Final = 8
_FINDER: Final = RuleFinder()
_Scored = tuple[float, str]
"""Points, and what they are for."""


def _doubt(text: str, alignment: Alignment, scores: LogProbs) -> tuple[float, ...]:
    """What each word of the text costs, in logarithms, less if near to a word of the source."""
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
    return tuple(
        cost - tuning.NEAR_WORTH * (near - tuning.HALF_WAY)
        for cost, near in zip(costs, alignment.near, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Evidence:
    """All that is known of one candidate."""

    alignment: Alignment
    extra: ExtraWords
    structure: Structure
    meaning: Meaning
    names: tuple[str, ...]
    less_likely: float
    """By how much its tokens are less likely after the source than those of the source itself, on average."""
    doubt: tuple[float, ...]
    """What each word of its alignment costs after the source, in logarithms, less if near to it."""
    surprise: float
    """By how much the logarithm of its perplexity is above that of the source."""

    @property
    def strangeness(self) -> float:
        """By how much it is less likely after the source than for so many new words it should be."""
        before, after = self.alignment.source_words, self.alignment.words
        known = {word.lower() for word in before}
        new = sum(word.lower() not in known for word in after) / max(len(after), 1)
        shorter = max(0.0, 1 - len(after) / max(len(before), 1))
        strange = self.less_likely - tuning.UNLIKELY - tuning.UNLIKELY_NEW * new
        return strange - tuning.UNLIKELY_SHORTER * shorter

    @property
    def spoilt(self) -> float:
        """How much of what it says is false, made up, said twice or out of place; 1 is one full case."""
        false = sum("lost" not in change for change in self.meaning.changes)
        return false + self.extra.weight + max(0.0, self.strangeness) / tuning.UNLIKELY_FULL


class RubricJudge(Judge):
    """Counts points for words from alignments and their levels, for structure from parses and perplexity.

    What the source does not say, or no longer says, is found by how likely the candidate is after it, by how
    near both are, and by rules for names, numbers and negations.
    """

    def __init__(self, scorer: Scorer, embedder: Embedder, parser: Parser) -> None:
        self._quality = EmbeddedQuality(scorer, embedder)
        self._scorer = scorer
        self._aligner = Aligner(embedder)
        self._parser = parser

    @property
    def name(self) -> str:
        """Who judges, and how."""
        return f"rubric|version:{tuning.RUBRIC_VERSION}|parser:{self._parser.name}"

    async def _compare(
        self, source: str, candidates: Sequence[str], places: Sequence[int], policy: Policy
    ) -> Judged:
        """The points of each candidate in each aspect, what they were given for, hence best and worst."""
        source, candidates = source.strip(), [text.strip() for text in candidates]
        build, seen = await self._seen(source, candidates)
        given: dict[Aspect, list[list[_Scored]]] = {aspect: [] for aspect in ASPECTS}
        for text, one in zip(candidates, seen, strict=True):
            words = Words(one.alignment, policy.limits.word_level, one.doubt)
            lexical = _earned(_scored(_lexical(one, words), policy.lexical), one.spoilt + words.lost)
            structural = _earned(_scored(_structural(build, one), policy.structural), one.spoilt)
            beside = [
                (tuning.STRUCTURE_WORTH * points, what) for points, what in _earned(structural, words.lost)
            ]
            for aspect, scored in zip(ASPECTS, (lexical, structural, lexical + beside), strict=True):
                forbidden = _forbidden(source, text, policy) if aspect == policy.decides else []
                given[aspect].append(scored + forbidden)
        sums = {
            aspect: [math.fsum(points for points, _ in each) for each in given[aspect]] for aspect in ASPECTS
        }
        verdicts = {
            aspect: rank_by_points(
                aspect,
                sums[aspect],
                places,
                analysis=[
                    "; ".join(f"{what}, {points:+.1f}" for points, what in each) or "nothing to count"
                    for each in given[aspect]
                ],
                otherwise=sums["overall"],
            )
            for aspect in ASPECTS
        }
        return Judged.once(self.name, verdicts)

    async def _seen(self, source: str, candidates: Sequence[str]) -> tuple[Structure, list[_Evidence]]:
        """How the source is built, and the evidence on each candidate."""
        texts = [source, *candidates]
        alignments = await self._aligner.align([(source, text) for text in candidates])
        meanings = await self._quality.meaning(candidates, [source] * len(candidates))
        asked = list(dict.fromkeys(text for text in texts if text))
        follows = await self._scorer.log_probs(asked, [CONTEXT.format(source=source)] * len(asked))
        before, *after = (math.log(found) for found in await self._quality.perplexity(texts))
        names = await asyncio.to_thread(
            lambda: [tuple(map(str, name_changes(source, text, _FINDER))) for text in candidates]
        )
        likely = dict(zip(asked, follows, strict=True))
        seen = []
        for text, alignment, meaning, changed, surprise in zip(
            candidates, alignments, meanings, names, after, strict=True
        ):
            extra = ExtraWords.of(alignment)
            structure = await self._build(extra.telling(Document(text).sentences))
            less_likely = likely[source].mean - likely[text].mean if text else math.inf
            doubt = _doubt(text, alignment, likely[text]) if text else ()
            seen.append(
                _Evidence(
                    alignment, extra, structure, meaning, changed, less_likely, doubt, surprise - before
                )
            )
        return await self._build(Document(source).sentences), seen

    async def _build(self, sentences: Sequence[Sentence]) -> Structure:
        texts = [sentence.text for sentence in sentences]
        parsed = await self._parser.parse(texts)
        return Structure.of(texts, [found.tree for found in parsed])


def _forbidden(source: str, text: str, policy: Policy) -> list[_Scored]:
    """What the policy does not allow, as far as words tell: sentences split, or their parts moved."""
    used = operations_used(source, text)
    return [
        (tuning.NOT_ALLOWED, f"the policy allows no {operation}: {used[operation]}")
        for operation in ("split", "reorder")
        if operation in used and operation not in policy.operations
    ]


def _lexical(seen: _Evidence, words: Words) -> Iterator[Count]:
    yield from words.counts()
    yield from seen.extra.counts()
    names = [change for change in seen.names if not change.startswith("name added")]
    yield from (Count("name_lost", 1.0, change) for change in names)
    for change in seen.meaning.changes:
        if change.startswith("number lost"):
            yield Count("important_deleted", tuning.NUMBER_LOST, change)
        elif change not in names:
            yield Count("meaning_replaced", 1.0, change)
    if (strange := seen.strangeness) > 0:
        amount = min(tuning.MEANING_MOST, strange / tuning.UNLIKELY_FULL)
        yield Count("meaning_replaced", amount, f"how little it follows from the source: {strange:.1f}")
    similarity = seen.meaning.similarity
    far = (tuning.LIKE_SOURCE - similarity) / tuning.UNLIKE_FULL
    missed = min(1.0, max(tuning.UNMISSED, (1 - similarity) / (1 - tuning.LIKE_SOURCE)))
    if (lost := max(words.lost * missed, far)) > 0:
        what = f"{words.lost_share:.0%} of what it says is gone (similarity {similarity:.2f})"
        yield Count("important_deleted", lost, what)


def _structural(source: Structure, seen: _Evidence) -> Iterator[Count]:
    yield from structural_counts(source, seen.structure, seen.alignment, surprise=seen.surprise)
    yield from seen.extra.idle()


def _earned(scored: Sequence[_Scored], spoilt: float) -> list[_Scored]:
    """The points as they count: nothing is made simpler by being left out, made up or broken."""
    return [(points / (1 + spoilt) if points > 0 else points, what) for points, what in scored]


def _scored(counts: Iterable[Count], principles: Sequence[Principle]) -> list[_Scored]:
    """The points for each count, and what they are for; each further one for the same counts a little less.

    What no principle looks at counts for nothing.
    """
    found = sorted(counts, key=lambda count: -count.amount)
    scored = []
    for principle in principles:
        matching = [count for count in found if count.measure == principle.measure]
        for number, count in enumerate(matching, 1):
            if points := principle.points * count.amount / math.sqrt(number):
                scored.append((points, count.what))
    return scored
