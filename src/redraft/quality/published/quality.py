"""Quality by published models in torch; grammar findings and meaning as in the embedded provider."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.models import Cache, CachedScorer, Embedder
from redraft.quality.base import Meaning, Quality
from redraft.quality.parts import (
    grammar_of,
    likelihoods_of,
    meaning_of,
    paired,
    perplexities_of,
    plain,
    shares_of,
)
from redraft.quality.published.folders import Folders
from redraft.quality.published.likelihoods import BartScorer, Gpt2Scorer
from redraft.quality.published.names import GlinerFinder
from redraft.quality.published.some import Pair, Some, Weights
from redraft.text import EntityFinder, Format, RuleFinder


class TorchQuality:
    """A QualityScorer on GPT-2, BARTScore and SOME; what they said is kept in the cache.

    Texts are taken as the embedded provider takes them. Names are found by GLiNER where there is a folder for
    it, else by rule. A text without words is the worst there is: its SOME is 0.
    """

    def __init__(
        self,
        folders: Folders,
        embedder: Embedder,
        cache: Cache,
        *,
        format: Format | None = None,
        weights: Weights | None = None,
        threads: int = 0,
    ) -> None:
        self._gpt2 = CachedScorer(Gpt2Scorer(folders.gpt2, threads), cache)
        self._bart = CachedScorer(BartScorer(folders.bart, threads), cache)
        self._some = Some(folders, cache, weights or Weights(), threads)
        self._embedder = embedder
        self._finder: EntityFinder = GlinerFinder(folders.gliner) if folders.gliner else RuleFinder()
        self._format = format

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        pairs = None if sources is None else paired(texts, sources)
        perplexities = await self.perplexity(texts)
        grammar = await grammar_of(texts, self._format)
        somes = await self.some(texts, sources)
        if pairs is None or sources is None:
            return tuple(
                Quality(perplexity, None, *grammar[text], None, None, some)
                for text, perplexity, some in zip(texts, perplexities, somes, strict=True)
            )
        likelihoods = await self.likelihood(texts, sources)
        meanings = await self.meaning(texts, sources)
        shares = await shares_of(pairs, self._finder)
        rows = zip(pairs, perplexities, likelihoods, meanings, somes, strict=True)
        return tuple(
            Quality(perplexity, likelihood, *grammar[pair[0]], meaning, shares[pair], some)
            for pair, perplexity, likelihood, meaning, some in rows
        )

    async def perplexity(self, texts: Sequence[str]) -> tuple[float, ...]:
        """How surprising a token of each text is on average, to GPT-2."""
        return await perplexities_of(texts, self._gpt2)

    async def likelihood(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[float, ...]:
        """BARTScore from each source to its text: the mean log-probability of a token."""
        return await likelihoods_of(paired(texts, sources), self._bart)

    async def some(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[float, ...]:
        """SOME of each text, from 0 to 1 but for what the regressors overshoot."""
        given = [None] * len(texts) if sources is None else [plain(source) for source in sources]
        pairs: list[Pair] = list(zip([plain(text) for text in texts], given, strict=True))
        asked = [pair for pair in dict.fromkeys(pairs) if pair[0]]
        scores = dict(zip(asked, await self._some.score(asked, self._format), strict=True))
        return tuple(scores.get(pair, 0.0) for pair in pairs)

    async def meaning(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[Meaning, ...]:
        """How near each text is to its source, and which facts it changes."""
        return await meaning_of(paired(texts, sources), self._embedder, None)
