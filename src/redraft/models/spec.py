"""From a spec such as `embedded` or `openai:MODEL` to a model, with one cache, limit and ledger for all."""

from __future__ import annotations

import asyncio
import difflib
import importlib
from collections.abc import Callable
from copy import copy
from importlib.metadata import EntryPoint, entry_points
from typing import Self, cast
from weakref import WeakValueDictionary

from redraft.addresses import take_login
from redraft.errors import UnknownModel
from redraft.models.base import Answerer, Backend, Embedder, Model, Scorer, Tagger
from redraft.models.cache import Cache, open_cache
from redraft.models.cached import CachedAnswerer, CachedEmbedder, CachedModel, CachedScorer, RetryLimits
from redraft.models.ledger import SERVICES, Ledger
from redraft.settings import PULLED, Settings, Trust

Opener = Callable[[str, Settings], Backend]

ENTRY_POINTS = "redraft.models"
"""Entry-point group: the name is the scheme (what stands before the colon), the object an Opener."""

VALID = (
    "embedded · embedded:base · embedded:qwen-1.5b · embedded:PATH.gguf · hf:PATH · torch · openai:MODEL"
    " · http://HOST:PORT/v1#MODEL"
)

EMBEDDED = ("embedded", "embedded:base", "torch")
"""The model that comes with redraft, however it is run: small, and of English alone."""

ANSWERED_TOGETHER = 64
"""Requests that the embedded model is given at once: it answers them in batches."""

# By name, not by import: each backend loads a library that the others do not need.
_BUILT_IN = {
    "embedded": "redraft.models.embedded:open_embedded",
    "hf": "redraft.models.hf:open_hf",
    "torch": "redraft.models.hf:open_hf",  # the embedded weights in torch; torch:PATH is hf:PATH of before
    "openai": "redraft.models.service:open_openai",
    "http": "redraft.models.service:open_address",
    "https": "redraft.models.service:open_address",
}


class Models:
    """The models of one run, with the cache, the limit and the ledger that they share.

    Use it in one event loop, as a context: `async with Models(settings) as models`.
    """

    def __init__(
        self, settings: Settings, *, cache: Cache | None = None, ledger: Ledger | None = None
    ) -> None:
        self.settings = settings
        self.cache = cache if cache is not None else open_cache(settings)
        self.ledger = ledger if ledger is not None else Ledger.from_settings(settings)
        self._limit = asyncio.Semaphore(settings.concurrency)
        self._own_limit = asyncio.Semaphore(max(settings.concurrency, ANSWERED_TOGETHER))
        self._asked: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._backends: dict[str, Backend] = {}

    def with_own_ledger(self) -> Self:
        """The same models with a page of their own in the ledger; only this one is to be closed."""
        other = copy(self)
        other.ledger = Ledger(parent=self.ledger)
        return other

    def for_role(self, role: str) -> Model:
        """The model that the settings name for a role (`planner`, `reviser`, `judge`, …)."""
        return self.open(self.settings.spec_for(role), role=role)

    def open(self, spec: str, *, role: str = "model") -> Model:
        """The model of a spec; its usage is booked under the role."""
        if spec not in self._backends:
            self._backends[spec] = open_backend(spec, self.settings)
        backend = self._backends[spec]
        limits = RetryLimits(self.settings.retries, self.settings.timeout)
        limit = self._own_limit if spec.startswith("embedded") else self._limit
        return CachedModel(backend, role, self.cache, self.ledger, limit, self._asked, limits)

    def scorer(self) -> Scorer:
        """Log-probabilities from the embedded model."""
        module = importlib.import_module("redraft.models.scoring")
        return CachedScorer(module.EmbeddedScorer(self.settings), self.cache)

    def answer_scorer(self, adapter: str) -> Scorer:
        """How likely the embedded model with an adapter is to say something, after what a user says to it."""
        module = importlib.import_module("redraft.models.scoring")
        return CachedScorer(module.AnswerScorer(self.settings, adapter), self.cache)

    def yes_or_no(self, adapter: str) -> Answerer:
        """How sure the embedded model with an adapter is of yes."""
        module = importlib.import_module("redraft.models.answering")
        return CachedAnswerer(module.YesOrNo(self.settings, adapter), self.cache)

    def editor_answerer(self, spec: str) -> Answerer:
        """How sure the editor of a larger embedded model is of yes."""
        module = importlib.import_module("redraft.models.answering")
        return CachedAnswerer(module.LargerYesOrNo(self.settings, spec), self.cache)

    def embedder(self) -> Embedder:
        """Sentence and token embeddings from the embedded MiniLM."""
        module = importlib.import_module("redraft.models.embedding")
        return CachedEmbedder(module.EmbeddedEmbedder(self.settings), self.cache)

    def tagger(self) -> Tagger:
        """The edit tagger, whose answers come as fast as a cache would give them."""
        module = importlib.import_module("redraft.models.tagging")
        found: Tagger = module.EmbeddedTagger(self.settings)
        return found

    async def aclose(self) -> None:
        """Close every model and the cache."""
        for backend in self._backends.values():
            await backend.aclose()
        self._backends.clear()
        self.cache.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def open_backend(spec: str, settings: Settings) -> Backend:
    """The backend of a spec, unwrapped."""
    spec = take_login(spec)
    scheme = spec.partition(":")[0]
    target = _BUILT_IN.get(scheme)
    if target is not None:
        return cast("Opener", EntryPoint(scheme, target, ENTRY_POINTS).load())(spec, settings)
    added = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if scheme in added:
        return cast("Opener", added[scheme].load())(spec, settings)
    raise UnknownModel(
        f"there is no model {spec!r}", hint=f"{_suggestion(spec, list(added))}valid are: {VALID}"
    )


def is_pulled(spec: str) -> bool:
    """Whether a spec names a larger model that is fetched by its name; few of our adapters are for these."""
    scheme, _, name = spec.partition(":")
    return scheme == "embedded" and name in PULLED


def trust_of(spec: str, override: Trust | None = None) -> Trust:
    """How far a model's revisions are taken at their word; `override` is what the user says of it.

    High for a service, and for a larger model that was pulled by its name: what these write is refused for
    facts alone. Low for the embedded model, and for any file or folder, which may be as small.
    """
    known = spec.partition(":")[0] in SERVICES or is_pulled(spec)
    return override or ("high" if known else "low")


def _suggestion(spec: str, added: list[str]) -> str:
    scheme, colon, rest = spec.partition(":")
    if spec.endswith(".gguf"):
        return f"did you mean embedded:{spec}? "
    if close := difflib.get_close_matches(scheme, [*_BUILT_IN, *added], n=1):
        return f"did you mean {close[0]}{colon}{rest}? "
    return f"did you mean openai:{spec}? " if spec and not colon else ""
