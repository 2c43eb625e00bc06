"""Quality by the embedded models, Harper and rules: no reference, no network, no key."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.models import Embedder, Scorer
from redraft.quality.base import Meaning, Quality
from redraft.quality.parts import (
    grammar_of,
    likelihoods_of,
    meaning_of,
    paired,
    perplexities_of,
    shares_of,
)
from redraft.text import EntityFinder, Format, RuleFinder

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
        grammar = await grammar_of(texts, self._format)
        if pairs is None or sources is None:
            return tuple(
                Quality(perplexity, None, *grammar[text], None, None)
                for text, perplexity in zip(texts, perplexities, strict=True)
            )
        likelihoods: Sequence[float | None] = [None] * len(texts)
        if self._is_likely:
            likelihoods = await self.likelihood(texts, sources)
        meanings = await self.meaning(texts, sources)
        shares = await shares_of(pairs, self._finder or RuleFinder())
        rows = zip(pairs, perplexities, likelihoods, meanings, strict=True)
        return tuple(
            Quality(perplexity, likelihood, *grammar[pair[0]], meaning, shares[pair])
            for pair, perplexity, likelihood, meaning in rows
        )

    async def perplexity(self, texts: Sequence[str]) -> tuple[float, ...]:
        """How surprising a token of each text is on average, to the embedded language model."""
        return await perplexities_of(texts, self._scorer)

    async def likelihood(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[float, ...]:
        """The mean log-probability of a token of each text, where its source has been read before it."""
        return await likelihoods_of(paired(texts, sources), self._scorer, CONTEXT)

    async def meaning(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[Meaning, ...]:
        """How near each text is to its source, and which facts it changes."""
        return await meaning_of(paired(texts, sources), self._embedder, self._finder)
