"""Models that take no time, for the parts of a revision that only need some number."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from redraft.models import LogProbs, TagOdds
from redraft.models.base import FloatArray, TokenEmbeddings
from redraft.quality import Judge
from redraft.revision.choosing.repair import Repair, Repaired
from redraft.revision.draft import Draft
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.judging.verdicts import Verdicts
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


async def repaired(task: Task, judge: Judge | None = None) -> Repaired:
    """The original of a task, repaired."""
    appraiser = Appraiser(FakeScorer(), FakeEmbedder(), task.format)
    verdicts = None if judge is None else Verdicts(judge, task.original, task.format)
    draft = Draft.of(task)
    await appraiser.open([unit.source for unit in draft.units])
    return await Repair(task, appraiser, verdicts).repaired(draft)


class ScriptedJudge:
    """Says of sentences what a test says of them, and remembers what it was asked."""

    def __init__(
        self,
        is_broken: Callable[[str], bool] = lambda sentence: False,
        says_otherwise: Callable[[str, str], bool] = lambda source, text: False,
        is_better: Callable[[str, str], bool] = lambda source, text: False,
    ) -> None:
        self._is_broken = is_broken
        self._says_otherwise = says_otherwise
        self._is_better = is_better
        self.asked: list[str] = []

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        self.asked += sentences
        return tuple(0.05 if self._is_broken(sentence) else 0.95 for sentence in sentences)

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(0.01 if self._says_otherwise(*pair) else 0.99 for pair in pairs)

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(0.99 if self._is_better(*pair) else 0.5 for pair in pairs)


class Saying:
    """A scorer to whom each word is as likely as a test says, and else sure."""

    def __init__(self, values: Mapping[str, float] | None = None) -> None:
        self._values = values or {}

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        return tuple(
            LogProbs(
                tuple(f"{word} " for word in text.split(" ")),
                tuple(self._values.get(word.strip(".,"), 0.0) for word in text.split(" ")),
            )
            for text in texts
        )


class Tagging:
    """A tagger that doubts each word as much as a test says (a likelihood), and else knows nothing of it."""

    def __init__(
        self, doubts: Mapping[str, float] | None = None, edits: Mapping[str, str] | None = None
    ) -> None:
        self._doubts = doubts or {}
        self._edits = edits or {}
        self._tags = ("$KEEP", "$OTHER", *dict.fromkeys(self._edits.values()))

    async def tagged(self, passages: Sequence[Sequence[str]]) -> tuple[TagOdds, ...]:
        return tuple(
            TagOdds(self._tags, np.array([self._row(word) for word in ("", *words)], np.float32))
            for words in passages
        )

    def _row(self, word: str) -> list[float]:
        doubt = self._doubts.get(word, 0.5)
        wrong = self._edits.get(word, "$OTHER")
        given = {"$KEEP": 1 - doubt, wrong: doubt}
        return [math.log(max(given.get(tag, 0.0), 1e-9)) for tag in self._tags]
