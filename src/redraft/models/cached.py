"""Models as the rest of redraft sees them: what was answered once is not asked again, and all is booked."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from weakref import WeakValueDictionary

import numpy as np

from redraft.models.base import (
    Backend,
    Completion,
    Embedder,
    FloatArray,
    LogProbs,
    Request,
    Scorer,
    TokenEmbeddings,
)
from redraft.models.cache import Cache, cache_key
from redraft.models.ledger import Ledger
from redraft.models.thinking import answered


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A Model on a Backend: cached sample by sample, limited, booked under its role.

    `asked` has a lock for each request under way: the same request at once waits for the cached answer.
    """

    backend: Backend
    role: str
    cache: Cache
    ledger: Ledger
    limit: asyncio.Semaphore
    asked: WeakValueDictionary[str, asyncio.Lock]

    @property
    def spec(self) -> str:
        """What the model was opened by."""
        return self.backend.spec

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        """The completions of a request; only those that are not cached are drawn."""
        identity = await asyncio.to_thread(self.backend.identity, request)
        content = replace(request, n=1).as_dict()
        keys = [cache_key("completion", identity, [content, index]) for index in range(request.n)]
        async with self.asked.setdefault(keys[0], asyncio.Lock()):
            known = {key: _completion_from(value) for key, value in self.cache.get(keys).items()}
            for answer in known.values():
                self.ledger.add(self.spec, self.role, answer.usage)
            missing = [index for index, key in enumerate(keys) if key not in known]
            drawn = await asyncio.gather(*(self._draw(request, keys, run) for run in _runs(missing)))
        found = known | dict(itertools.chain(*drawn))
        return tuple(answered(found[key], thinking=request.thinking) for key in keys)

    async def _draw(self, request: Request, keys: list[str], run: range) -> list[tuple[str, Completion]]:
        async with self.limit:
            with self.ledger.call():
                answers = await self.backend.sample(request, run.start, len(run))
            drawn = list(zip(keys[run.start : run.stop], answers, strict=True))
            for _, answer in drawn:
                self.ledger.add(self.spec, self.role, answer.usage)
            self.cache.put("completion", {key: _completion_to(answer) for key, answer in drawn})
        return drawn


class IdentifiedScorer(Scorer, Protocol):
    """A Scorer that can name its weights."""

    def identity(self) -> str: ...


class IdentifiedEmbedder(Embedder, Protocol):
    """An Embedder that can name its weights."""

    def identity(self) -> str: ...


@dataclass(frozen=True, slots=True)
class CachedScorer:
    """A Scorer whose scores are kept."""

    scorer: IdentifiedScorer
    cache: Cache

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        pairs = list(zip(texts, contexts if contexts is not None else [""] * len(texts), strict=True))
        identity = await asyncio.to_thread(self.scorer.identity)
        keys = [cache_key("log_probs", identity, pair) for pair in pairs]
        known = {key: _log_probs_from(value) for key, value in self.cache.get(keys).items()}
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if missing:
            asked, given = zip(*missing.values(), strict=True)
            fresh = dict(zip(missing, await self.scorer.log_probs(asked, given), strict=True))
            self.cache.put("log_probs", {key: _log_probs_to(scores) for key, scores in fresh.items()})
            known |= fresh
        return tuple(known[key] for key in keys)


@dataclass(frozen=True, slots=True)
class CachedEmbedder:
    """An Embedder whose vectors are kept."""

    embedder: IdentifiedEmbedder
    cache: Cache

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        identity = await asyncio.to_thread(self.embedder.identity)
        keys = [cache_key("embedding", identity, text) for text in texts]
        known = {key: np.frombuffer(value, np.float32) for key, value in self.cache.get(keys).items()}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing or not texts:
            fresh = await self.embedder.embed(list(missing.values()))
            if not texts:
                return fresh
            self.cache.put("embedding", {key: row.tobytes() for key, row in zip(missing, fresh, strict=True)})
            known |= dict(zip(missing, fresh, strict=True))
        return np.stack([known[key] for key in keys])

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        identity = await asyncio.to_thread(self.embedder.identity)
        keys = [cache_key("token_embeddings", identity, text) for text in texts]
        known = {key: _tokens_from(value) for key, value in self.cache.get(keys).items()}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = dict(zip(missing, await self.embedder.embed_tokens(list(missing.values())), strict=True))
            self.cache.put("token_embeddings", {key: _tokens_to(found) for key, found in fresh.items()})
            known |= fresh
        return tuple(known[key] for key in keys)


def _runs(indices: Sequence[int]) -> list[range]:
    """Runs of consecutive numbers: 0, 1, 4 → 0–1, 4–4."""
    runs: list[range] = []
    for index in indices:
        if runs and runs[-1].stop == index:
            runs[-1] = range(runs[-1].start, index + 1)
        else:
            runs.append(range(index, index + 1))
    return runs


def _completion_to(answer: Completion) -> bytes:
    thoughts = [answer.thoughts] if answer.thoughts else []
    return json.dumps([answer.text, answer.finish_reason, *thoughts]).encode()


def _completion_from(value: bytes) -> Completion:
    text, reason, *thoughts = json.loads(value)
    return Completion(text, reason, thoughts="".join(thoughts)).from_cache()


def _log_probs_to(scores: LogProbs) -> bytes:
    return json.dumps([scores.tokens, scores.values]).encode()


def _log_probs_from(value: bytes) -> LogProbs:
    tokens, values = json.loads(value)
    return LogProbs(tuple(tokens), tuple(values))


def _tokens_to(found: TokenEmbeddings) -> bytes:
    return json.dumps([found.spans, found.vectors.shape]).encode() + b"\n" + found.vectors.tobytes()


def _tokens_from(value: bytes) -> TokenEmbeddings:
    header, _, body = value.partition(b"\n")
    spans, shape = json.loads(header)
    vectors = np.frombuffer(body, np.float32).reshape(shape)
    return TokenEmbeddings(tuple((start, end) for start, end in spans), vectors)
