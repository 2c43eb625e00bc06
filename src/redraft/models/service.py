"""Models behind an OpenAI-compatible service, through the `openai` SDK with our own reading and errors."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import math
import os
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
import openai

from redraft.addresses import origin_of
from redraft.errors import MissingKey, ModelError, UnknownModel
from redraft.models.base import Completion, Request, Usage
from redraft.models.cache import cache_key, open_cache
from redraft.models.hosts import announce
from redraft.models.ledger import price_of
from redraft.models.replies import (
    OPTIONAL,
    SYSTEM,
    AttemptError,
    BoundedClient,
    Reply,
    as_failure,
    error_fields,
    read_json,
    read_reply,
    rejected_parameter,
    reported_failure,
    unreadable,
)
from redraft.settings import OPENAI_URL, Settings

NO_KEY = "none"
"""What is sent where there is no key: the SDK wants one, and would else read the environment's."""

BYTES_A_TOKEN: Final = 4
"""Of English, by most tokenizers."""
LONGEST_TOKEN: Final = 64
"""Characters that no text has on average to a token."""

_log = logging.getLogger(__name__)
"""Hosts chosen by files that this process has told of."""
_refused: dict[str, set[str]] = {}
"""What models of services do not take, by the name of each, as this process knows it."""


class Service:
    """A Backend on `/chat/completions` of one address."""

    def __init__(self, spec: str, model: str, base_url: str, key: str, settings: Settings) -> None:
        self.spec = spec
        self.price = price_of(spec, settings)
        self._model = model
        self._url = base_url.rstrip("/")
        self._name = f"{self._url} {model}"
        self._chosen_by = settings.chosen_by(spec)
        self._timeout = settings.timeout
        self._settings = settings
        login = settings.login(self._url)
        self._key = login[1] if login else key
        self._sent = "texts" if login or key == NO_KEY else "texts and your key"
        headers = {"Authorization": _basic(*login)} if login else {}
        self._client = openai.AsyncOpenAI(
            api_key=key,
            base_url=self._url,
            timeout=settings.timeout,
            max_retries=0,
            default_headers=headers,
            http_client=BoundedClient(),
        )
        if origin_of(self._url) != origin_of(os.environ.get("OPENAI_BASE_URL") or OPENAI_URL):
            # The SDK takes these from the environment, where they are meant for another service.
            self._client.organization = self._client.project = None
            self._client._custom_headers = headers

    def identity(self, request: Request) -> str:
        return self._name

    async def sample(self, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        """One call; what this model does not take is left out, or said otherwise, from then on."""
        announce(self._url, self._chosen_by, f"sending {self._sent}")
        without = set(self.refused)
        found_out: set[str] = set()
        while True:
            parameters = self._parameters(request, first, count, without)
            try:
                answers = await self._post(parameters, request, parameters.get("n", 1))
            except AttemptError as failure:
                if failure.filtered:
                    nothing = Completion("", "filtered")
                    return (replace(nothing, usage=Usage(calls=1)), *[nothing] * (count - 1))
                name = rejected_parameter(failure, parameters)
                if name is None:
                    raise await self._explained(failure) from None
                without.add(name)
                if failure.is_lasting:
                    found_out.add(name)
            else:
                self._remember(found_out - self.refused)
                return answers

    @property
    def refused(self) -> set[str]:
        """What this model was found not to take, by this process or, as far as the cache goes, any other."""
        if self._name not in _refused:
            keys = {cache_key("refusal", self._name, parameter): parameter for parameter in OPTIONAL}
            with closing(open_cache(self._settings)) as cache:
                _refused[self._name] = {keys[key] for key in cache.get(list(keys))}
        return _refused[self._name]

    def _remember(self, parameters: set[str]) -> None:
        """Keep what was refused, now that the request without it was answered."""
        if parameters:
            self.refused.update(parameters)
            with closing(open_cache(self._settings)) as cache:
                cache.put("refusal", {cache_key("refusal", self._name, one): b"" for one in parameters})
            _log.warning("%s does not take %s: asked without", self.spec, ", ".join(sorted(parameters)))

    async def aclose(self) -> None:
        await self._client.close()

    async def _post(
        self, parameters: dict[str, Any], request: Request, wanted: int
    ) -> tuple[Completion, ...]:
        started = time.monotonic()

        def spent(reply: Reply, otherwise: int) -> Usage:
            """What the call took; by our own count where the service has none that can be believed."""
            known = reply.prompt_tokens, reply.completion_tokens
            prompt, written = known[0] or estimate_tokens(request.size), known[1] or otherwise
            cost = self.price.of(prompt, written) if self.price else 0.0
            return Usage(1, prompt, written, time.monotonic() - started, cost, estimated=int(None in known))

        most = wanted * request.max_tokens
        try:
            # The SDK's own time limit is per read; a server that sends a byte now and then would never end.
            async with asyncio.timeout(self._timeout):
                response = await self._client.post(
                    "/chat/completions", cast_to=httpx2.Response, body=parameters
                )
        except (openai.OpenAIError, TimeoutError, ValueError) as error:
            failure = as_failure(error, self._url, self._model, self._timeout, self._key)
            failure.error.spent = spent(Reply(), most) if failure.charged else None
            raise failure from None
        reply = read_reply(response.content)
        if reply.error:
            told = error_fields(reply.error)
            raise reported_failure(200, told, self._url, self._model, self._key, response.headers)
        if problem := reply.problem or _too_long(reply.answers, request):
            failure = unreadable(problem, self._url, response.content)
            failure.error.spent = spent(reply, min(most, estimate_tokens(len(response.content))))
            raise failure
        first, *others = reply.answers[:wanted]
        written = sum(estimate_tokens(len(answer.whole.encode())) for answer in (first, *others))
        return (replace(first, usage=spent(reply, written)), *others)

    def _parameters(self, request: Request, first: int, count: int, without: set[str]) -> dict[str, Any]:
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        parameters: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            "temperature": request.temperature,
            "seed": request.seed + first,
            "max_tokens": request.max_tokens,
        }
        if request.top_p < 1:
            parameters["top_p"] = request.top_p
        if request.top_k:
            parameters["top_k"] = request.top_k
        if request.stop:
            parameters["stop"] = list(request.stop)
        if count > 1:
            parameters["n"] = count
        if request.thinking is not None:
            parameters["chat_template_kwargs"] = {"enable_thinking": request.thinking}
        if request.schema:
            schema = json.loads(request.schema)
            wanted = {"name": _schema_name(schema), "schema": schema}
            parameters["response_format"] = {"type": "json_schema", "json_schema": wanted}
        for name in without & parameters.keys():
            del parameters[name]
            if name == "max_tokens":
                parameters["max_completion_tokens"] = request.max_tokens
            if name == "response_format":  # in a message that is there: few take the system's at the end
                question = [message for message in messages if message["role"] != "assistant"][-1]
                question["content"] += f"\n\nAnswer with JSON alone, by this JSON schema:\n{request.schema}"
        if SYSTEM in without and len(messages) > 1 and messages[0]["role"] == SYSTEM:
            told = messages.pop(0)["content"]
            messages[0]["content"] = f"{told}\n\n{messages[0]['content']}"
        return parameters

    async def _explained(self, failure: AttemptError) -> ModelError:
        """The error to raise; an unknown model is told with those that the service has."""
        if not isinstance(failure.error, UnknownModel):
            return failure.error
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._client.get("/models", cast_to=httpx2.Response)
            known = read_json(response.content)
        except (openai.OpenAIError, TimeoutError, ValueError):
            return failure.error
        listed = known.get("data") if isinstance(known, dict) else None
        entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
        names = [str(entry["id"]) for entry in entries if isinstance(entry.get("id"), str)]
        shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
        return UnknownModel(failure.error.args[0], provider=self._url, hint=f"it has: {shown or 'none'}")


def _schema_name(schema: Mapping[str, Any]) -> str:
    """A name as services want it, from the schema's title."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title") or "answer"))[:64]


def estimate_tokens(size: int) -> int:
    """About how many tokens so many bytes of text have."""
    return math.ceil(size / BYTES_A_TOKEN)


def _too_long(answers: Sequence[Completion], request: Request) -> str:
    longest = max((len(answer.text) for answer in answers), default=0)
    if longest <= LONGEST_TOKEN * max(request.max_tokens, 256):  # some servers mind no small limit
        return ""
    return f"it has {longest:,} characters where at most {request.max_tokens:,} tokens were asked for"


def open_openai(spec: str, settings: Settings) -> Service:
    """`openai:MODEL`, at the address that `base_url` names."""
    _, _, model = spec.partition(":")
    if not model:
        raise UnknownModel(f"{spec!r} names no model", hint="write openai:MODEL, such as openai:gpt-4o-mini")
    return _open(spec, model, settings.base_url, settings)


def open_address(spec: str, settings: Settings) -> Service:
    """`http://HOST:PORT/v1#MODEL`."""
    url, _, model = spec.partition("#")
    if not model or not urlsplit(url).hostname:
        raise UnknownModel(
            f"{spec!r} names no host or no model",
            hint="write http://HOST:PORT/v1#MODEL, the model after the #",
        )
    return _open(spec, model, url, settings)


def _open(spec: str, model: str, url: str, settings: Settings) -> Service:
    key = settings.api_key.get_secret_value() if settings.api_key else NO_KEY
    if key == NO_KEY and urlsplit(url).hostname == urlsplit(OPENAI_URL).hostname:
        raise MissingKey(
            f"{spec} needs a key",
            provider=url,
            hint="set OPENAI_API_KEY (and OPENAI_BASE_URL for other services)",
        )
    return Service(spec, model, url, key, settings)


def _basic(name: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()
