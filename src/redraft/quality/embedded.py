"""Quality by the embedded models, Harper and rules: no reference, no network, no key.

Of whole texts, or sentence by sentence, so that of many revisions of one text no sentence is scored twice.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

from redraft.models import Embedder, Scorer
from redraft.quality.base import Meaning, Quality
from redraft.quality.grammar import grammar_findings, grammar_score
from redraft.quality.meaning import kept_share, meaning_changes
from redraft.text import Document, EntityFinder, Format, RuleFinder, align

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
    changes = await asyncio.to_thread(
        lambda: {pair: meaning_changes(pair[1], pair[0], finder) for pair in dict.fromkeys(pairs)}
    )
    found = []
    for text, source in pairs:
        one, other = plain(text), plain(source)
        cosine = float(np.dot(vectors[one], vectors[other])) if one in vectors and other in vectors else 0.0
        similarity = 1.0 if one == other else min(max(cosine, 0.0), 1.0)
        found.append(Meaning(similarity, changes[text, source]))
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
    infinite, its likelihood minus infinity. The format of a text is guessed where none is given. The
    likelihood takes most of the time, and may be left out.
    """

    def __init__(
        self,
        scorer: Scorer,
        embedder: Embedder,
        finder: EntityFinder | None = None,
        *,
        format: Format | None = None,
        likelihood: bool = True,
    ) -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._finder = finder
        self._format = format
        self._is_likely = likelihood

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        pairs = None if sources is None else paired(texts, sources)
        perplexities = await self.perplexity(texts)
        somes = await self.some(texts, sources)
        likelihoods: Sequence[float | None] = [None] * len(texts)
        meanings: Sequence[Meaning] = ()
        if sources is not None:
            likelihoods = await self.likelihood(texts, sources) if self._is_likely else likelihoods
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


class SentenceQuality:
    """A QualityScorer that remembers; what a sentence that was kept says is certain, given the source."""

    def __init__(self, scorer: Scorer, embedder: Embedder, *, format: Format = "text") -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._format: Format = format
        self._known: dict[tuple[str, str], tuple[float, int]] = {}

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        pairs = None if sources is None else paired(texts, sources)
        alone = [[(plain(s.text), "") for s in Document(text, self._format).sentences] for text in texts]
        changed: list[list[tuple[str, str]] | None] = [None] * len(texts)
        if pairs is not None:
            changed = [self._changed(*pair) for pair in pairs]
        await self._score([pair for known in (*alone, *changed) for pair in known or ()])
        found = [
            (self._perplexity(own), None if new is None else self._likelihood(own, new), None)
            for own, new in zip(alone, changed, strict=True)
        ]
        meanings = await meaning_of(pairs, self._embedder, None) if pairs else ()
        return await combined(texts, pairs, found, meanings, None, self._format)

    def _changed(self, text: str, source: str) -> list[tuple[str, str]]:
        """The passages that are not as they were, each with what it was."""
        if text == source:
            return []
        old, new = Document(source, self._format), Document(text, self._format)
        return [
            (
                plain(" ".join(new.sentence(number).text for number in link.revised)),
                CONTEXT.format(source=plain(" ".join(old.sentence(n).text for n in link.original))),
            )
            for link in align(old, new)
            if link.kind not in ("kept", "moved") and link.revised
        ]

    async def _score(self, pairs: Sequence[tuple[str, str]]) -> None:
        new = [pair for pair in dict.fromkeys(pairs) if pair[0] and pair not in self._known]
        self._known |= await likelihoods(self._scorer, new)

    def _sum(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, int]:
        found = [self._known.get(pair, (0.0, 0)) for pair in pairs]
        return sum(total for total, _ in found), sum(count for _, count in found)

    def _perplexity(self, pairs: Sequence[tuple[str, str]]) -> float:
        total, count = self._sum(pairs)
        return math.exp(-total / count) if count else math.inf

    def _likelihood(self, own: Sequence[tuple[str, str]], changed: Sequence[tuple[str, str]]) -> float:
        total, _ = self._sum(changed)
        _, count = self._sum(own)
        return total / count if count else -math.inf


async def likelihoods(
    scorer: Scorer, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], tuple[float, int]]:
    """The log-probability and the tokens of each text, given the context beside it where there is one."""
    known: dict[tuple[str, str], tuple[float, int]] = {}
    for given in (False, True):
        asked = [pair for pair in pairs if bool(pair[1]) is given]
        if asked:
            contexts = [context for _, context in asked] if given else None
            found = await scorer.log_probs([text for text, _ in asked], contexts)
            known |= {pair: (one.total, len(one.values)) for pair, one in zip(asked, found, strict=True)}
    return known
