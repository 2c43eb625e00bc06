"""What was asked of a model once, remembered while the work goes on, whether answers are cached or not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from redraft.models.base import Embedder, FloatArray, LogProbs, Scorer, TokenEmbeddings


class RememberingScorer:
    """A Scorer that scores no text twice; those with a context are asked for each time."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._known: dict[str, LogProbs] = {}

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        """What the scorer behind says of each text."""
        if contexts is not None:
            return await self._scorer.log_probs(texts, contexts)
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, await self._scorer.log_probs(new), strict=True))
        return tuple(self._known[text] for text in texts)


class RememberingEmbedder:
    """An Embedder that embeds no text twice; tokens are asked for each time."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, FloatArray] = {}

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        """What the embedder behind gives, a row a text."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new or not texts:
            found = await self._embedder.embed(new)
            if not texts:
                return found
            self._known.update(zip(new, found, strict=True))
        return np.stack([self._known[text] for text in texts])

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        """What the embedder behind gives."""
        return await self._embedder.embed_tokens(texts)
