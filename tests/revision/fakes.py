"""Models that take no time, for the parts of a revision that only need some number."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from redraft.models import LogProbs
from redraft.models.base import FloatArray, TokenEmbeddings
from redraft.revision.appraisal import Appraiser
from redraft.revision.draft import Draft
from redraft.revision.repair import Repair, Repaired
from redraft.revision.task import Task


class FakeScorer:
    """Long words surprise."""

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        found = []
        for text in texts:
            words = tuple(text.split())
            found.append(LogProbs(words, tuple(-0.5 * len(word) - 0.5 for word in words)))
        return tuple(found)


class FakeEmbedder:
    """Texts with the same words are near."""

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.strip(".,;").encode()) % 64] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        raise NotImplementedError


async def repaired(task: Task) -> Repaired:
    """The original of a task, repaired."""
    appraiser = Appraiser(FakeScorer(), FakeEmbedder(), task.format)
    draft = Draft.of(task)
    await appraiser.open([unit.source for unit in draft.units])
    return await Repair(task, appraiser).repaired(draft)
