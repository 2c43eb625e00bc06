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
from redraft.simplification.policy import OPERATIONS, Policy, Principle, operations_used
from redraft.simplification.verdicts import (
    ASPECTS,
    Aspect,
    Judged,
    all_the_same,
    check_judgeable,
    distinct,
    rank_by_points,
)
from redraft.text import Document, RuleFinder, Sentence

_LOOK_AHEAD: Final = 8
_FINDER: Final = RuleFinder()
_Scored = tuple[float, str]
"""Points, and what they are for."""


@dataclass(frozen=True, slots=True)
class Following:
    """How a text follows from its source."""

    less_likely: float
    """By how much its tokens are less likely after the source than those of the source itself, on average."""
    doubt: tuple[float, ...]
    """What each word of its alignment costs after the source, in logarithms, less if near to it."""


async def following(scorer: Scorer, source: str, aligned: Sequence[tuple[str, Alignment]]) -> list[Following]:
    """How each text with its alignment follows from the source."""
    asked = list(dict.fromkeys([source, *(text for text, _ in aligned if text)]))
    scored = await scorer.log_probs(asked, [CONTEXT.format(source=source)] * len(asked))
    found = dict(zip(asked, scored, strict=True))
    same = found[source].mean
    return [
        _of(text, alignment, found[text], same) if text else Following(math.inf, ())
        for text, alignment in aligned
    ]


def _of(text: str, alignment: Alignment, scores: LogProbs, same: float) -> Following:
    costs = zip(_costs(text, alignment, scores), alignment.near, strict=True)
    return Following(
        same - scores.mean, tuple(cost - tuning.NEAR_WORTH * (near - tuning.HALF_WAY) for cost, near in costs)
    )


def _costs(text: str, alignment: Alignment, scores: LogProbs) -> list[float]:
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
    return costs


@dataclass(frozen=True, slots=True)
class _Evidence:
    """All that is known of one candidate."""

    alignment: Alignment
    extra: ExtraWords
    structure: Structure
    meaning: Meaning
    names: tuple[str, ...]
    following: Following
    strangeness: float
    """By how much its tokens are less likely after the source than for so many new words they should be."""
    surprise: float
    """By how much the logarithm of its perplexity is above that of the source."""

    @property
    def spoilt(self) -> float:
        """How much of what it says is false, made up, said twice or out of place; 1 is one full case."""
        false = sum("lost" not in told for told in self.meaning.changes)
        return false + self.extra.weight + max(0.0, self.strangeness) / tuning.UNLIKELY_FULL


class RubricJudge:
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

    async def judge(self, source: str, candidates: Sequence[str], policy: Policy) -> Judged:
        """The points of each candidate in each aspect, what they were given for, hence best and worst."""
        check_judgeable(source, candidates)
        places = distinct(candidates)
        source, candidates = source.strip(), [text.strip() for text in candidates]
        if len(places) < 2:
            return all_the_same(self.name, len(candidates))
        build, seen = await self._seen(source, candidates)
        words = [Words(one.alignment, policy.limits.word_level, one.following.doubt) for one in seen]
        lexical = [
            _earned(_scored(_lexical(one, each), policy.lexical), one.spoilt + each.lost)
            for one, each in zip(seen, words, strict=True)
        ]
        structural = [
            _earned(_scored(_structural(build, one), policy.structural), one.spoilt) for one in seen
        ]
        given: dict[Aspect, list[list[_Scored]]] = {
            "lexical": lexical,
            "structural": structural,
            "overall": [
                [
                    *one,
                    *((tuning.STRUCTURE_WORTH * points, what) for points, what in _earned(other, each.lost)),
                ]
                for one, other, each in zip(lexical, structural, words, strict=True)
            ],
        }
        for text, scored in zip(candidates, given[policy.decides], strict=True):
            scored.extend(_forbidden(source, text, policy))
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
        return Judged(self.name, verdicts, dict.fromkeys(ASPECTS, 1.0))

    async def _seen(self, source: str, candidates: Sequence[str]) -> tuple[Structure, list[_Evidence]]:
        texts = [source, *candidates]
        alignments = await self._aligner.align([(source, text) for text in candidates])
        meanings = await self._quality.meaning(candidates, [source] * len(candidates))
        follows = await following(self._scorer, source, list(zip(candidates, alignments, strict=True)))
        before, *after = (math.log(found) for found in await self._quality.perplexity(texts))
        extra = [ExtraWords.of(alignment) for alignment in alignments]
        build = await self._build(Document(source).sentences)
        builds = [
            await self._build(each.telling(Document(text).sentences))
            for each, text in zip(extra, candidates, strict=True)
        ]
        names = await asyncio.to_thread(
            lambda: [tuple(map(str, name_changes(source, text, _FINDER))) for text in candidates]
        )
        rows = zip(alignments, extra, builds, meanings, names, follows, after, strict=True)
        return build, [
            _Evidence(
                alignment,
                beyond,
                built,
                meaning,
                changed,
                follow,
                _strange(alignment, follow.less_likely),
                surprise - before,
            )
            for alignment, beyond, built, meaning, changed, follow, surprise in rows
        ]

    async def _build(self, sentences: Sequence[Sentence]) -> Structure:
        texts = [sentence.text for sentence in sentences]
        parsed = await self._parser.parse(texts)
        return Structure.of(texts, [found.tree for found in parsed])


def _forbidden(source: str, text: str, policy: Policy) -> list[_Scored]:
    """What the policy does not allow, as far as words tell: sentences split, or their parts moved."""
    used = operations_used(source, text)
    return [
        (tuning.NOT_ALLOWED, f"the policy allows no {operation}: {used[operation]}")
        for operation in OPERATIONS
        if operation in ("split", "reorder") and operation in used and not policy.allows(operation)
    ]


def _strange(alignment: Alignment, less_likely: float) -> float:
    known = {word.lower() for word in alignment.source_words}
    new = sum(word.lower() not in known for word in alignment.words) / max(len(alignment.words), 1)
    shorter = max(0.0, 1 - len(alignment.words) / max(len(alignment.source_words), 1))
    return less_likely - tuning.UNLIKELY - tuning.UNLIKELY_NEW * new - tuning.UNLIKELY_SHORTER * shorter


def _lexical(seen: _Evidence, words: Words) -> Iterator[Count]:
    yield from words.counts()
    yield from seen.extra.counts()
    names = [told for told in seen.names if not told.startswith("name added")]
    yield from (Count("name_lost", 1.0, told) for told in names)
    for told in seen.meaning.changes:
        if told.startswith("number lost"):
            yield Count("important_deleted", tuning.NUMBER_LOST, told)
        elif told not in names:
            yield Count("meaning_replaced", 1.0, told)
    if seen.strangeness > 0:
        told = f"how little it follows from the source: {seen.strangeness:.1f}"
        yield Count(
            "meaning_replaced", min(tuning.MEANING_MOST, seen.strangeness / tuning.UNLIKELY_FULL), told
        )
    similarity = seen.meaning.similarity
    far = (tuning.LIKE_SOURCE - similarity) / tuning.UNLIKE_FULL
    missed = min(1.0, max(tuning.UNMISSED, (1 - similarity) / (1 - tuning.LIKE_SOURCE)))
    if (lost := max(words.lost * missed, far)) > 0:
        told = f"{words.lost_share:.0%} of what it says is gone (similarity {similarity:.2f})"
        yield Count("important_deleted", lost, told)


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
