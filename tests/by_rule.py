"""Scores and vectors by rule in place of those of the embedded models.

For tests of what is done with a score, which need some numbers, at once, and the same on every processor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from redraft.models import Models
from redraft.models.base import FloatArray
from redraft.revision import running
from tests.revision.fakes import FakeEmbedder, FakeScorer
from tests.rule_judge import RuleJudge


class NearEmbedder(FakeEmbedder):
    """All texts are near one another, and nearer with the same words."""

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        own = await super().embed(texts)
        rows = np.hstack([np.full((len(texts), 1), 5.0, np.float32), own])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def score_by_rule(put: Callable[[object, str, object], None] = setattr) -> None:
    """From now on; `put` may be a test's `monkeypatch.setattr`."""
    put(Models, "scorer", lambda _: FakeScorer())
    put(Models, "embedder", lambda _: NearEmbedder())
    put(running, "open_judge", lambda models: RuleJudge(models.scorer()))
