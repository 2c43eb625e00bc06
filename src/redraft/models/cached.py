"""Models as the rest of redraft sees them: cached, limited, tried again, and booked."""

from __future__ import annotations

import asyncio
import functools
import itertools
import json
import math
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from pydantic import TypeAdapter

from redraft.errors import BadAnswer, ModelError
from redraft.models.base import (
    TEMPLATE_TOKENS,
    Answerer,
    Backend,
    Completion,
    Embedder,
    Finish,
    FloatArray,
    LogProbs,
    Priced,
    Request,
    Scorer,
    TokenEmbeddings,
    Usage,
)
from redraft.models.cache import Cache, cache_key
from redraft.models.ledger import Ledger

OPENS, CLOSES = "<think>", "</think>"


def split_thoughts(completion: Completion, *, thinking: bool | None) -> Completion:
    """The completion with its thoughts apart from its text.

    Thoughts that were never closed are no answer: the text is empty, and was cut off. Templates that open the
    thoughts themselves leave the closing tag alone in the text; that counts only where thinking was asked
    for, since any other text may speak of the tag.
    """
    begun = completion.text.lstrip()
    if begun.startswith(OPENS):
        thoughts, closed, text = begun.removeprefix(OPENS).partition(CLOSES)
    elif thinking and CLOSES in begun:
        thoughts, closed, text = begun.partition(CLOSES)
    else:
        return completion
    kept = "\n".join(part for part in (completion.thoughts, thoughts.strip()) if part)
    finish = completion.finish if closed else "length"
    return replace(completion, text=text.lstrip(), thoughts=kept, finish=finish)


T = TypeVar("T")
C = TypeVar("C")

FIRST_WAIT = 0.5
LONGEST_OWN_WAIT = 30.0


@dataclass(frozen=True, slots=True)
class RetryLimits:
    """How often something is tried again, and how many seconds a service may ask to be left alone before."""

    retries: int
    longest_wait: float


async def retry(work: Callable[[], Awaitable[T]], limits: RetryLimits) -> T:
    """The result of `work`, tried once and up to `retries` times more.

    Not by the openai client's retries: each try is reserved in the budget before it and booked after it.

    The wait doubles each time, with jitter so that concurrent requests do not come back together; a server's
    own Retry-After is honoured, unless that is too long: then the failure is final. An answer that cannot be
    read was paid for all the same, and the next one is mostly no better: that is tried once more at most.
    """
    attempt = 0
    while True:
        try:
            return await work()
        except ModelError as error:
            left = limits.retries - attempt
            if isinstance(error, BadAnswer):
                left = min(left, 1 - attempt)
            if not error.retryable or left <= 0:
                raise
            if error.wait is not None and error.wait > limits.longest_wait:
                raise
            own = min(LONGEST_OWN_WAIT, FIRST_WAIT * 2**attempt) * random.uniform(0.5, 1.0)
            await asyncio.sleep(own if error.wait is None else error.wait + random.uniform(0.0, 0.1))
            attempt += 1


_COMPLETION = TypeAdapter[tuple[str, Finish] | tuple[str, Finish, str]](
    tuple[str, Finish] | tuple[str, Finish, str]
)
_LOG_PROBS = TypeAdapter(tuple[tuple[str, ...], tuple[float, ...]])
_TOKENS = TypeAdapter(tuple[tuple[tuple[int, int], ...], tuple[int, int]])
_ROUNDING: Final = 1e-3
"""How far from 1 the length of a vector may be."""


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
    limits: RetryLimits

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
            known = _kept(self.cache, keys, _completion_from)
            for answer in known.values():
                self.ledger.add(self.spec, self.role, answer.usage)
            missing = [index for index, key in enumerate(keys) if key not in known]
            drawn = await asyncio.gather(*(self._draw(request, keys, run) for run in _runs(missing)))
        found = known | dict(itertools.chain(*drawn))
        return tuple(split_thoughts(found[key], thinking=request.thinking) for key in keys)

    async def _draw(self, request: Request, keys: list[str], run: range) -> list[tuple[str, Completion]]:
        """The samples of a run, in as many calls as it takes; what was drawn is kept, whatever comes then."""
        drawn: list[tuple[str, Completion]] = []
        async with self.limit:
            while left := run[len(drawn) :]:
                answers = await retry(functools.partial(self._call, request, left), self.limits)
                fresh = list(zip(keys[left.start : left.stop], answers, strict=False))
                self.cache.put("completion", {key: _completion_to(answer) for key, answer in fresh})
                drawn += fresh
        return drawn

    async def _call(self, request: Request, run: range) -> tuple[Completion, ...]:
        """One call, one sample or more: what it may take is reserved before, what it took booked after."""
        most = self._most(request, len(run))
        async with self.ledger.reserved(most):
            try:
                answers = await self.backend.sample(request, run.start, len(run))
            except asyncio.CancelledError:
                if most.cost:  # somebody may charge for it all the same
                    self.ledger.add(self.spec, self.role, replace(most, estimated=1))
                raise
            except ModelError as error:
                if error.spent is not None:
                    self.ledger.add(self.spec, self.role, error.spent)
                raise
            for answer in answers:
                self.ledger.add(self.spec, self.role, answer.usage)
        if not answers:
            raise BadAnswer(f"{self.spec} gave no answer", provider=self.spec)
        return answers

    def _most(self, request: Request, count: int) -> Usage:
        """What one call can take: a token is at least a byte."""
        prompt = request.size + TEMPLATE_TOKENS * len(request.messages)
        written = count * request.max_tokens
        price = self.backend.price if isinstance(self.backend, Priced) else None
        return Usage(1, prompt, written, cost=math.inf if price is None else price.of(prompt, written))


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    """How answers of a kind are kept: each as bytes, and back."""

    kind: str
    to_bytes: Callable[[T], bytes]
    from_bytes: Callable[[bytes], T]

    async def answers(
        self,
        cache: Cache,
        identity: str,
        asked: Sequence[C],
        ask: Callable[[Sequence[C]], Awaitable[Sequence[T]]],
    ) -> list[T]:
        """An answer for each of what is asked; only what is not cached is asked, all of it at once."""
        keys = [cache_key(self.kind, identity, one) for one in asked]
        known = _kept(cache, keys, self.from_bytes)
        missing = {key: one for key, one in zip(keys, asked, strict=True) if key not in known}
        if missing:
            fresh = dict(zip(missing, await ask(list(missing.values())), strict=True))
            cache.put(self.kind, {key: self.to_bytes(answer) for key, answer in fresh.items()})
            known |= fresh
        return [known[key] for key in keys]


class IdentifiedScorer(Scorer, Protocol):
    """A Scorer that can name its weights."""

    def identity(self) -> str: ...


class IdentifiedAnswerer(Answerer, Protocol):
    """An Answerer that can name its weights."""

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

        async def ask(new: Sequence[tuple[str, str]]) -> Sequence[LogProbs]:
            asked, given = zip(*new, strict=True)
            return await self.scorer.log_probs(asked, given)

        identity = await asyncio.to_thread(self.scorer.identity)
        return tuple(await _LOG_PROBS_KEPT.answers(self.cache, identity, pairs, ask))


@dataclass(frozen=True, slots=True)
class CachedAnswerer:
    """An Answerer whose answers are kept."""

    answerer: IdentifiedAnswerer
    cache: Cache

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        if not questions:
            return ()
        identity = await asyncio.to_thread(self.answerer.identity)
        return tuple(await _SHARES_KEPT.answers(self.cache, identity, questions, self.answerer.yes))


@dataclass(frozen=True, slots=True)
class CachedEmbedder:
    """An Embedder whose vectors are kept."""

    embedder: IdentifiedEmbedder
    cache: Cache

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        if not texts:
            return await self.embedder.embed(texts)

        async def ask(new: Sequence[str]) -> Sequence[FloatArray]:
            return list(await self.embedder.embed(new))

        identity = await asyncio.to_thread(self.embedder.identity)
        return np.stack(await _VECTORS_KEPT.answers(self.cache, identity, texts, ask))

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        identity = await asyncio.to_thread(self.embedder.identity)
        return tuple(await _TOKENS_KEPT.answers(self.cache, identity, texts, self.embedder.embed_tokens))


def _runs(indices: Sequence[int]) -> list[range]:
    """Runs of consecutive numbers: 0, 1, 4 → 0–1, 4–4."""
    runs: list[range] = []
    for index in indices:
        if runs and runs[-1].stop == index:
            runs[-1] = range(runs[-1].start, index + 1)
        else:
            runs.append(range(index, index + 1))
    return runs


def _kept(cache: Cache, keys: Sequence[str], read: Callable[[bytes], T]) -> dict[str, T]:
    """What the cache has; a value that cannot be read is forgotten, and counts as never kept."""
    known: dict[str, T] = {}
    spoilt: list[str] = []
    for key, value in cache.get(keys).items():
        try:
            known[key] = read(value)
        except ValueError:
            spoilt.append(key)
    if spoilt:
        cache.forget(spoilt)
    return known


def _completion_to(answer: Completion) -> bytes:
    thoughts = [answer.thoughts] if answer.thoughts else []
    return json.dumps([answer.text, answer.finish, *thoughts]).encode()


def _completion_from(value: bytes) -> Completion:
    text, finish, *thoughts = _COMPLETION.validate_json(value, strict=True)
    return Completion(text, finish, thoughts="".join(thoughts)).from_cache()


def _log_probs_to(scores: LogProbs) -> bytes:
    return json.dumps([scores.tokens, scores.values]).encode()


def _log_probs_from(value: bytes) -> LogProbs:
    tokens, values = _LOG_PROBS.validate_json(value, strict=True)
    if len(tokens) != len(values):
        raise ValueError("each token has a value")
    return LogProbs(tokens, values)


def _share_to(share: float) -> bytes:
    return repr(share).encode()


def _share_from(value: bytes) -> float:
    share = float(value)
    if not 0 <= share <= 1:
        raise ValueError("a share is from 0 to 1")
    return share


def _vector_to(vector: FloatArray) -> bytes:
    return vector.tobytes()


def _vector_from(value: bytes) -> FloatArray:
    return _unit(np.frombuffer(value, np.float32))


def _tokens_to(found: TokenEmbeddings) -> bytes:
    return json.dumps([found.spans, found.vectors.shape]).encode() + b"\n" + found.vectors.tobytes()


def _tokens_from(value: bytes) -> TokenEmbeddings:
    header, _, body = value.partition(b"\n")
    spans, shape = _TOKENS.validate_json(header, strict=True)
    if len(spans) != shape[0]:
        raise ValueError("each token has a vector")
    return TokenEmbeddings(spans, _unit(np.frombuffer(body, np.float32).reshape(shape)))


def _unit(vectors: FloatArray) -> FloatArray:
    """Vectors as embedders make them; one of a text without tokens, all zeros, is soon made again."""
    with np.errstate(over="ignore", invalid="ignore"):  # these may be any bytes
        lengths = np.linalg.norm(vectors, axis=-1)
    if not np.all(np.abs(lengths - 1) < _ROUNDING):
        raise ValueError("a vector is of length 1")
    return vectors


_LOG_PROBS_KEPT: Final = _Kept("log_probs", _log_probs_to, _log_probs_from)
_SHARES_KEPT: Final = _Kept("yes", _share_to, _share_from)
_VECTORS_KEPT: Final = _Kept("embedding", _vector_to, _vector_from)
_TOKENS_KEPT: Final = _Kept("token_embeddings", _tokens_to, _tokens_from)
