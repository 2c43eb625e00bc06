"""Quality by the embedded models, Harper and rules: no reference, no network, no key."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

from redraft.models import Embedder, Scorer
from redraft.quality.base import Meaning, Quality
from redraft.quality.grammar import GrammarFinding, grammar_findings, grammar_score
from redraft.quality.meaning import meaning_changes
from redraft.quality.names import kept_share
from redraft.text import EntityFinder, Format, RuleFinder

# What comes after it is likelier, the more it says the same; chosen by `benchmarks/quality.py`.
CONTEXT = "{source}\n\nIn other words:\n"

_Item = TypeVar("_Item", bound=Hashable)
_Pairs = list[tuple[str, str]]


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
        pairs = None if sources is None else _paired(texts, sources)
        perplexities = await self.perplexity(texts)
        grammar = await asyncio.to_thread(_grammar, texts, self._format)
        if pairs is None or sources is None:
            return tuple(
                Quality(perplexity, None, *grammar[text], None, None)
                for text, perplexity in zip(texts, perplexities, strict=True)
            )
        likelihoods = await self.likelihood(texts, sources)
        meanings = await self.meaning(texts, sources)
        shares = await asyncio.to_thread(_shares, pairs, self._finder or RuleFinder())
        rows = zip(pairs, perplexities, likelihoods, meanings, strict=True)
        return tuple(
            Quality(perplexity, likelihood, *grammar[pair[0]], meaning, shares[pair])
            for pair, perplexity, likelihood, meaning in rows
        )

    async def perplexity(self, texts: Sequence[str]) -> tuple[float, ...]:
        """How surprising a token of each text is on average, to the embedded language model."""
        asked = _distinct([_plain(text) for text in texts])
        scores = dict(zip(asked, await self._scorer.log_probs(asked), strict=True)) if asked else {}
        found = (scores.get(_plain(text)) for text in texts)
        return tuple(each.perplexity if each is not None else math.inf for each in found)

    async def likelihood(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[float, ...]:
        """The mean log-probability of a token of each text, where its source has been read before it."""
        pairs = [(_plain(text), _plain(source)) for text, source in _paired(texts, sources)]
        asked = [pair for pair in _distinct(pairs) if pair[0]]
        if not asked:
            return (-math.inf,) * len(pairs)
        contexts = [CONTEXT.format(source=source) for _, source in asked]
        found = await self._scorer.log_probs([text for text, _ in asked], contexts)
        scores = {pair: each.mean for pair, each in zip(asked, found, strict=True)}
        return tuple(scores.get(pair, -math.inf) for pair in pairs)

    async def meaning(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[Meaning, ...]:
        """How near each text is to its source, and which facts it changes."""
        pairs = _paired(texts, sources)
        asked = _distinct([_plain(text) for pair in pairs for text in pair])
        vectors = dict(zip(asked, await self._embedder.embed(asked), strict=True)) if asked else {}
        changes = await asyncio.to_thread(_changes, pairs, self._finder)
        found = []
        for text, source in pairs:
            one, other = _plain(text), _plain(source)
            cosine = (
                float(np.dot(vectors[one], vectors[other])) if one in vectors and other in vectors else 0.0
            )
            similarity = 1.0 if one == other else min(max(cosine, 0.0), 1.0)
            found.append(Meaning(similarity, changes[text, source]))
        return tuple(found)


def _paired(texts: Sequence[str], sources: Sequence[str]) -> _Pairs:
    if len(texts) != len(sources):
        raise ValueError(f"{len(texts)} texts need as many sources, not {len(sources)}")
    return list(zip(texts, sources, strict=True))


def _plain(text: str) -> str:
    """The text as the models take it: half of a surrogate pair is no character, and a line ends in \\n."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.strip().encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _distinct(items: Sequence[_Item]) -> list[_Item]:
    return [item for item in dict.fromkeys(items) if item]


def _grammar(
    texts: Sequence[str], format: Format | None
) -> dict[str, tuple[float, tuple[GrammarFinding, ...]]]:
    return {text: (grammar_score(text, format), grammar_findings(text, format)) for text in set(texts)}


def _changes(pairs: _Pairs, finder: EntityFinder | None) -> dict[tuple[str, str], tuple[str, ...]]:
    return {pair: meaning_changes(pair[1], pair[0], finder) for pair in dict.fromkeys(pairs)}


def _shares(pairs: _Pairs, finder: EntityFinder) -> dict[tuple[str, str], float]:
    return {pair: kept_share(pair[1], pair[0], finder) for pair in dict.fromkeys(pairs)}
