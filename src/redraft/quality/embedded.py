"""Quality by the embedded models, Harper and rules: no reference, no network, no key."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from redraft.models import Embedder, LogProbs, Scorer
from redraft.quality.base import Meaning, Quality
from redraft.quality.grammar import grammar_findings, grammar_score
from redraft.quality.meaning import kept_share, meaning_changes
from redraft.text import EntityFinder, Format, RuleFinder

_Item = TypeVar("_Item", bound=Hashable)
Pairs = list[tuple[str, str]]
"""Texts, each with its source."""


def paired(texts: Sequence[str], sources: Sequence[str]) -> Pairs:
    """Each text with its source; as many of one as of the other."""
    if len(texts) != len(sources):
        raise ValueError(f"{len(texts)} texts need as many sources, not {len(sources)}")
    return list(zip(texts, sources, strict=True))


def plain(text: str) -> str:
    """The text as the models take it: half of a surrogate pair is no character, and a line ends in \\n."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.strip().encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def distinct(items: Sequence[_Item]) -> list[_Item]:
    """Each item once, in order, without the empty ones."""
    return [item for item in dict.fromkeys(items) if item]


async def perplexities_of(texts: Sequence[str], scorer: Scorer) -> tuple[float, ...]:
    """How surprising a token of each text is on average; infinite where there is none."""
    asked = distinct([plain(text) for text in texts])
    scores = dict(zip(asked, await scorer.log_probs(asked), strict=True)) if asked else {}
    found = (scores.get(plain(text)) for text in texts)
    return tuple(each.perplexity if each is not None else math.inf for each in found)


async def likelihoods_of(pairs: Pairs, scorer: Scorer, context: str = "{source}") -> tuple[float, ...]:
    """The mean log-probability of a token of each text after its source, as the context puts it."""
    asked_for = [(plain(text), plain(source)) for text, source in pairs]
    asked = [pair for pair in distinct(asked_for) if pair[0]]
    if not asked:
        return (-math.inf,) * len(pairs)
    contexts = [context.format(source=source) for _, source in asked]
    found = await scorer.log_probs([text for text, _ in asked], contexts)
    scores = {pair: each.mean for pair, each in zip(asked, found, strict=True)}
    return tuple(scores.get(pair, -math.inf) for pair in asked_for)


async def meaning_of(pairs: Pairs, embedder: Embedder, finder: EntityFinder | None) -> tuple[Meaning, ...]:
    """How near each text is to its source, and which facts it changes."""
    asked = distinct([plain(text) for pair in pairs for text in pair])
    vectors = dict(zip(asked, await embedder.embed(asked), strict=True)) if asked else {}
    similarities = {
        (text, source): float(np.dot(vectors[plain(text)], vectors[plain(source)]))
        for text, source in pairs
        if plain(text) and plain(source)
    }
    return await meanings_of(pairs, similarities, finder)


async def meanings_of(
    pairs: Pairs, similarities: Mapping[tuple[str, str], float], finder: EntityFinder | None
) -> tuple[Meaning, ...]:
    """How near each text is to its source, from 0 to 1, and which facts it changes."""
    changes = await asyncio.to_thread(
        lambda: {pair: meaning_changes(pair[1], pair[0], finder) for pair in dict.fromkeys(pairs)}
    )
    found = []
    for pair in pairs:
        is_same = plain(pair[0]) == plain(pair[1])
        similarity = 1.0 if is_same else min(max(similarities.get(pair, 0.0), 0.0), 1.0)
        found.append(Meaning(similarity, changes[pair]))
    return tuple(found)


async def combined(
    texts: Sequence[str],
    pairs: Pairs | None,
    found: Sequence[tuple[float, float | None, float | None]],
    meanings: Sequence[Meaning],
    finder: EntityFinder | None,
    format: Format | None,
) -> tuple[Quality, ...]:
    """Perplexity, likelihood and SOME of each text with its grammar and, beside a source, its meaning."""
    grammar = await asyncio.to_thread(
        lambda: {text: (grammar_score(text, format), grammar_findings(text, format)) for text in set(texts)}
    )
    if pairs is None:
        return tuple(
            Quality(perplexity, None, *grammar[text], None, None, some)
            for text, (perplexity, _, some) in zip(texts, found, strict=True)
        )
    entities = finder or RuleFinder()
    shares = await asyncio.to_thread(
        lambda: {pair: kept_share(pair[1], pair[0], entities) for pair in dict.fromkeys(pairs)}
    )
    return tuple(
        Quality(perplexity, likelihood, *grammar[pair[0]], meaning, shares[pair], some)
        for pair, (perplexity, likelihood, some), meaning in zip(pairs, found, meanings, strict=True)
    )


# What comes after it is likelier, the more it says the same; chosen by `benchmarks/quality.py`.
CONTEXT = "{source}\n\nIn other words:\n"


class EmbeddedQuality:
    """A QualityScorer; each score can be had alone, and each distinct text is scored once.

    White space around a text, a byte order mark and the kind of line ends count for nothing; findings have
    their places in the text as it was given. A text without words is the worst there is: its perplexity is
    infinite, its likelihood minus infinity. The format of a text is guessed where none is given.
    """

    def __init__(
        self,
        scorer: Scorer,
        embedder: Embedder,
        finder: EntityFinder | None = None,
        *,
        format: Format | None = None,
    ) -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._finder = finder
        self._format = format

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        pairs = None if sources is None else paired(texts, sources)
        perplexities = await self.perplexity(texts)
        somes = await self.some(texts, sources)
        likelihoods: Sequence[float | None] = [None] * len(texts)
        meanings: Sequence[Meaning] = ()
        if sources is not None:
            likelihoods = await self.likelihood(texts, sources)
            meanings = await self.meaning(texts, sources)
        found = list(zip(perplexities, likelihoods, somes, strict=True))
        return await combined(texts, pairs, found, meanings, self._finder, self._format)

    async def perplexity(self, texts: Sequence[str]) -> tuple[float, ...]:
        """How surprising a token of each text is on average, to the embedded language model."""
        return await perplexities_of(texts, self._scorer)

    async def likelihood(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[float, ...]:
        """The mean log-probability of a token of each text, where its source has been read before it."""
        return await likelihoods_of(paired(texts, sources), self._scorer, CONTEXT)

    async def meaning(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[Meaning, ...]:
        """How near each text is to its source, and which facts it changes."""
        return await meaning_of(paired(texts, sources), self._embedder, self._finder)

    async def some(
        self, texts: Sequence[str], sources: Sequence[str] | None = None
    ) -> Sequence[float | None]:
        """SOME of each text; None where the models for it are not there."""
        return [None] * len(texts)


async def log_probs_of(scorer: Scorer, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], LogProbs]:
    """The log-probabilities of each text, given the context beside it where there is one."""
    known: dict[tuple[str, str], LogProbs] = {}
    for given in (False, True):
        asked = [pair for pair in pairs if bool(pair[1]) is given]
        if asked:
            contexts = [context for _, context in asked] if given else None
            known |= zip(asked, await scorer.log_probs([text for text, _ in asked], contexts), strict=True)
    return known


async def likelihoods(
    scorer: Scorer, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], tuple[float, int]]:
    """The log-probability of each text and its tokens, in the same way."""
    return {pair: (one.total, len(one.values)) for pair, one in (await log_probs_of(scorer, pairs)).items()}
