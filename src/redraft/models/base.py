"""What a model is: messages in, completions out; and what some backends can do beside that."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from redraft.settings import Price

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "filtered", "refused"]
FloatArray = NDArray[np.float32]

TEMPLATE_TOKENS = 64
"""More than a chat template adds to one message, with the system message it may add."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """All that decides an answer, hashable; sample i of n is drawn with `seed + i`.

    A conversation whose last message is the assistant's is gone on with by embedded models, and the answer
    is what comes after it; services may do otherwise.
    `schema` is a JSON schema as text (see `schema_text`); `adapter` is the name of a known
    adapter or the path of a GGUF LoRA, and only embedded models take one. `thinking` switches the thinking
    of a model behind a service on or off, where it can do both (as Qwen3 can); None leaves it to the model.
    `top_k` leaves the likeliest tokens to draw from, 0 all of them.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 512
    temperature: float = 0.0
    top_p: float = 1.0
    n: int = 1
    stop: tuple[str, ...] = ()
    seed: int = 0
    adapter: str | None = None
    schema: str | None = None
    # Outside the repr, which journals of judgements are keyed by.
    thinking: bool | None = field(default=None, repr=False)
    top_k: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        if not self.messages:
            raise ValueError("a request needs at least one message")
        if self.max_tokens < 1 or self.n < 1:
            raise ValueError(f"max_tokens and n must be at least 1, not {self.max_tokens} and {self.n}")
        if not 0 <= self.temperature <= 2 or not 0 < self.top_p <= 1 or self.top_k < 0:
            told = f"temperature {self.temperature}, top_p {self.top_p} or top_k {self.top_k}"
            raise ValueError(f"{told} is out of range")

    @classmethod
    def of(cls, prompt: str, *, system: str | None = None, **options: Any) -> Self:
        """A request with one user message, and a system message before it where given."""
        first = (Message("system", system),) if system is not None else ()
        return cls((*first, Message("user", prompt)), **options)

    @property
    def size(self) -> int:
        """The bytes of all that is sent: a prompt has no more tokens than these, and what a template adds."""
        texts = [*(message.content for message in self.messages), self.schema or ""]
        return sum(len(text.encode("utf-8", "replace")) for text in texts)

    def as_dict(self) -> dict[str, Any]:
        """The request as plain data, for traces and cache keys; what came later is there only where set."""
        found = asdict(self)
        if self.thinking is None:
            del found["thinking"]
        if not self.top_k:
            del found["top_k"]
        return found


def schema_text(schema: Mapping[str, Any]) -> str:
    """A JSON schema as text. The order of its properties stays: it is the order they are written in."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent. `cached` counts answers that came from the cache and cost nothing, `estimated` calls
    whose service did not say how many tokens they took."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    cached: int = 0
    estimated: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.seconds + other.seconds,
            self.cost + other.cost,
            self.cached + other.cached,
            self.estimated + other.estimated,
        )

    @property
    def tokens(self) -> int:
        """Tokens read and written, together."""
        return self.prompt_tokens + self.completion_tokens

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, as commands print it."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


PROBLEMS: Mapping[Finish, str] = {
    "stop": "",
    "length": "it was cut off",
    "filtered": "the service withheld it, or a part of it",
    "refused": "the model refused to answer",
}


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer, why it ended, and what it took; `thoughts` are what the model told itself before it."""

    text: str
    finish: Finish = "stop"
    usage: Usage = Usage()
    thoughts: str = ""

    @property
    def problem(self) -> str:
        """Why this is no whole answer, and so no revision; empty where it is one."""
        return PROBLEMS[self.finish]

    @property
    def whole(self) -> str:
        """Everything that was written, the thoughts between their tags."""
        return f"<think>\n{self.thoughts}\n</think>\n{self.text}" if self.thoughts else self.text

    def from_cache(self) -> Completion:
        """The same answer, now free of charge."""
        return replace(self, usage=Usage(cached=1))


@dataclass(frozen=True, slots=True)
class LogProbs:
    """Natural log-probabilities of the tokens of one text; empty for an empty text."""

    tokens: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def total(self) -> float:
        """The log-probability of the whole text."""
        return math.fsum(self.values)

    @property
    def mean(self) -> float:
        """The mean over the tokens; zero for an empty text."""
        return self.total / len(self.values) if self.values else 0.0

    @property
    def perplexity(self) -> float:
        """How surprising a token is on average: 1 where each was certain."""
        return math.exp(-self.mean)


@dataclass(frozen=True, slots=True, eq=False)
class TokenEmbeddings:
    """One vector for each token of a text, with the span of characters that the token covers."""

    spans: tuple[tuple[int, int], ...]
    vectors: FloatArray


@runtime_checkable
class Model(Protocol):
    """A model that writes."""

    @property
    def spec(self) -> str:
        """The name that the model was opened by, such as `embedded` or `openai:MODEL`."""

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        """As many completions as `request.n` asks for, in the order of their seeds."""


@runtime_checkable
class Scorer(Protocol):
    """A model that says how likely a text is, alone or after a context of its own."""

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        """The log-probabilities of each text, right after its context where there are contexts."""


@runtime_checkable
class Answerer(Protocol):
    """A model that answers questions with yes or no."""

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        """How sure it is of yes, from 0 to 1."""


@runtime_checkable
class Embedder(Protocol):
    """A model that places texts, and their tokens, in a space where near means alike."""

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        """One row a text, of length 1; that of a text without tokens is zero."""

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        """A vector of length 1 for each token of each text, with the characters that it covers."""


@runtime_checkable
class Backend(Protocol):
    """What a provider implements; `redraft.models` turns it into a Model.

    `sample` draws samples `first`, `first + 1`, … of a request (its `n` is to be ignored): sample i with
    `seed + i`. It is one call, and may give fewer than `count`: it is asked for the rest. `identity` names
    everything outside the request that decides an answer (weights, adapter, address), and never a secret: it
    is part of the cache key.
    """

    @property
    def spec(self) -> str: ...

    def identity(self, request: Request) -> str: ...

    async def sample(self, request: Request, first: int, count: int) -> tuple[Completion, ...]: ...

    async def aclose(self) -> None: ...


@runtime_checkable
class Priced(Protocol):
    """A Backend whose price is known before it is asked; None where nobody has named one."""

    @property
    def price(self) -> Price | None: ...


@dataclass(frozen=True, slots=True)
class TagOdds:
    """Logarithms of the likelihoods of tags: a row for the place before the first word, and one a word."""

    tags: tuple[str, ...]
    log_probs: FloatArray


class Tagger(Protocol):
    """Who tags the words of passages."""

    async def tagged(self, passages: Sequence[Sequence[str]]) -> tuple[TagOdds, ...]:
        """The odds of each passage, which is given as its words."""
