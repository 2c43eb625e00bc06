"""Models that count what they are asked, and answer by rule."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from redraft.models import LogProbs, TokenEmbeddings
from redraft.models.base import FloatArray


class FakeScorer:
    """Every token costs 1, or half where the context has it."""

    def __init__(self) -> None:
        self.calls: list[tuple[list[str], list[str] | None]] = []

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        self.calls.append((list(texts), None if contexts is None else list(contexts)))
        given = contexts if contexts is not None else [""] * len(texts)
        return tuple(
            LogProbs(tuple(text.split()), tuple(-0.5 if word in context else -1.0 for word in text.split()))
            for text, context in zip(texts, given, strict=True)
        )


class FakeEmbedder:
    """A bag of words, hashed."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        self.calls.append(list(texts))
        rows = np.zeros((len(texts), 64), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % 64] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: FloatArray = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return unit

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        raise NotImplementedError
