"""Similarity of token embeddings (BERTScore; Zhang et al., 2020), with any embedder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from redraft.metrics.base import Need, Rows, Sample, batched, ratio, sign, texts_of
from redraft.models import Embedder, TokenEmbeddings
from redraft.settings import load_settings

_BATCH = 32


class TokenEmbedder(Protocol):
    """Something that gives every token of a text a vector."""

    @property
    def name(self) -> str:
        """Which model, for the signature."""

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[NDArray[np.floating]]:
        """For each text, one row a token."""


@dataclass(frozen=True)
class TokenSimilarity:
    """Each token is matched with the most similar one of the other text; F1 with the best reference.

    Zhang et al. (2020), section 3, without idf weights and without rescaling; 0 to 100.
    """

    embedder: TokenEmbedder

    name: ClassVar[str] = "similarity"
    components: ClassVar[tuple[str, ...]] = ("precision", "recall")
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    @property
    def signature(self) -> str:
        return sign(self.name, f"embedder:{self.embedder.name}", "idf:no", "rescale:no", "multi:best")

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        for block in batched(samples, _BATCH):
            texts = list(dict.fromkeys(texts_of(block)))
            vectors = dict(zip(texts, map(_unit, self.embedder.embed_tokens(texts)), strict=True))
            rows = np.ones((len(block), 4))
            for row, sample in zip(rows, block, strict=True):
                found = vectors[sample.prediction]
                row[:3] = max(_match(vectors[text], found) for text in sample.references)
            yield rows

    def score(self, sums: Rows) -> Rows:
        return 100 * ratio(sums[..., :3], sums[..., 3:])


@dataclass(frozen=True)
class EmbeddedTokens:
    """The embedded MiniLM as a TokenEmbedder; its weights are loaded at the first text."""

    embedder: Embedder

    @property
    def name(self) -> str:
        return "all-minilm-l6-v2"

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[NDArray[np.floating]]:
        # In a thread of its own: whoever scores may be in an event loop already.
        with ThreadPoolExecutor(max_workers=1) as pool:
            found = pool.submit(lambda: asyncio.run(self._embed(texts))).result()
        return [tokens.vectors for tokens in found]

    async def _embed(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        return await self.embedder.embed_tokens(texts)


def embedded_similarity() -> TokenSimilarity:
    """`similarity`, with the embedded model."""
    from redraft.models import EmbeddedEmbedder  # noqa: PLC0415  (loads llama.cpp)

    return TokenSimilarity(EmbeddedTokens(EmbeddedEmbedder(load_settings())))


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float64)


def _match(wanted: NDArray[np.float64], found: NDArray[np.float64]) -> tuple[float, float, float]:
    if not len(wanted) or not len(found):
        return 0.0, 0.0, 0.0
    cosines = found @ wanted.T
    precision, recall = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    both = precision + recall
    return (2 * precision * recall / both if both > 0 else 0.0), precision, recall
