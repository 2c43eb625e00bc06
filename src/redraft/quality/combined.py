"""The scores of a text as the code of the TRIPS authors puts them together from those of its sentences.

Perplexity is over the tokens of all sentences, each read by itself. The likelihood is a mean over paragraphs:
where a paragraph and its source have as many sentences, each sentence given its own, else the whole given the
whole. SOME is the mean of its mark for grammar.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from statistics import fmean

from redraft.models import CachedScorer, Embedder, Models, Scorer
from redraft.quality.base import Meaning, Quality
from redraft.quality.embedded import (
    CONTEXT,
    Pairs,
    combined,
    likelihoods,
    likelihoods_of,
    meaning_of,
    paired,
    plain,
)
from redraft.quality.loading import find_folders
from redraft.quality.published_scorers import BartScorer, Gpt2Scorer, Some, Weights
from redraft.settings import Settings
from redraft.text import Document, Format

_GRAMMAR_ALONE = Weights(1.0, 0.0, 0.0)


def scorers_named(settings: Settings) -> str:
    """What gives the scores, for a record."""
    return "embedded" if settings.quality == "embedded" else "GPT-2 Large, BARTScore and SOME"


class CombinedQuality:
    """A QualityScorer; `some` is None where its models are not there, and grammar is counted by rule."""

    def __init__(
        self,
        fluency: Scorer,
        coherence: Scorer,
        embedder: Embedder,
        *,
        context: str = "{source}",
        some: Some | None = None,
        format: Format = "text",
    ) -> None:
        self._fluency = fluency
        self._coherence = coherence
        self._embedder = embedder
        self._context = context
        self._some = some
        self._format: Format = format

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        pairs = None if sources is None else paired(texts, sources)
        perplexities = [await self._perplexity(text) for text in texts]
        somes: Sequence[float | None] = [None] * len(texts)
        if self._some is not None:
            somes = await self._some.score([(plain(text), None) for text in texts], self._format)
        likely: Sequence[float | None] = [None] * len(texts)
        meanings: Sequence[Meaning] = ()
        if pairs is not None:
            likely = [await self._likelihood(*pair) for pair in pairs]
            meanings = await meaning_of(pairs, self._embedder, None)
        found = list(zip(perplexities, likely, somes, strict=True))
        return await combined(texts, pairs, found, meanings, None, self._format)

    async def _perplexity(self, text: str) -> float:
        sentences = [(plain(one.text), "") for one in Document(text, self._format).sentences]
        known = await likelihoods(self._fluency, list(dict.fromkeys(sentences)))
        tokens = sum(known[one][1] for one in sentences)
        return math.exp(-sum(known[one][0] for one in sentences) / tokens) if tokens else math.inf

    async def _likelihood(self, text: str, source: str) -> float:
        paragraphs = _paragraph_pairs(Document(text, self._format), Document(source, self._format))
        asked = [pair for pairs in paragraphs for pair in pairs]
        found = await likelihoods_of(asked, self._coherence, self._context)
        scores = dict(zip(asked, found, strict=True))
        return fmean(fmean(scores[pair] for pair in pairs) for pairs in paragraphs)


def _paragraph_pairs(text: Document, source: Document) -> list[Pairs]:
    """For each paragraph its sentences, or all of it, with what they come from."""
    new, old = _paragraphs(text), _paragraphs(source)
    if len(new) != len(old):
        return [[(text.text, source.text)]]
    return [
        paired(after, before) if len(after) == len(before) else [(" ".join(after), " ".join(before))]
        for after, before in zip(new, old, strict=True)
    ] or [[(text.text, source.text)]]


def _paragraphs(document: Document) -> list[list[str]]:
    return [
        [sentence.text for sentence in own]
        for _, own in groupby(document.sentences, key=lambda sentence: sentence.paragraph)
    ]


def open_combined_quality(models: Models, *, format: Format) -> CombinedQuality:
    """GPT-2 Large, BARTScore and SOME where the settings name them, and the embedded scores where not."""
    settings, embedder = models.settings, models.embedder()
    if settings.quality == "embedded":
        scorer = models.scorer()
        return CombinedQuality(scorer, scorer, embedder, context=CONTEXT, format=format)
    folders, cache = find_folders(settings), models.cache
    return CombinedQuality(
        CachedScorer(Gpt2Scorer(folders.gpt2, settings.threads), cache),
        CachedScorer(BartScorer(folders.bart, settings.threads), cache),
        embedder,
        some=Some(folders, cache, _GRAMMAR_ALONE, settings.threads),
        format=format,
    )
