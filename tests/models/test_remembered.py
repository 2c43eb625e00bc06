from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from redraft.models import LogProbs, RememberingEmbedder, RememberingScorer
from redraft.models.base import FloatArray
from tests.revision.fakes import FakeEmbedder, FakeScorer


class Counting(FakeScorer, FakeEmbedder):
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        self.asked += texts
        return await super().log_probs(texts, contexts)

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        self.asked += texts
        return await super().embed(texts)


def test_no_text_is_scored_twice() -> None:
    async def run() -> None:
        behind = Counting()
        scorer = RememberingScorer(behind)
        first = await scorer.log_probs(["a b", "c", "a b"])
        assert await scorer.log_probs(["c", "a b"]) == (first[1], first[0])
        assert behind.asked == ["a b", "c"]
        await scorer.log_probs(["c"], ["after this"])
        assert behind.asked == ["a b", "c", "c"], "what stands after a context is another question"
        assert await scorer.log_probs([]) == ()

    asyncio.run(run())


def test_no_text_is_embedded_twice() -> None:
    async def run() -> None:
        behind = Counting()
        embedder = RememberingEmbedder(behind)
        first = await embedder.embed(["a b", "c", "a b"])
        again = await embedder.embed(["c", "a b"])
        assert np.array_equal(again, first[[1, 0]])
        assert behind.asked == ["a b", "c"]
        assert (await embedder.embed([])).shape[0] == 0

    asyncio.run(run())
