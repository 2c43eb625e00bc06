"""Models behind an OpenAI-compatible service, through the `openai` SDK with our own retries and errors."""

from __future__ import annotations

import asyncio
import base64
import functools
import json
import logging
import os
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from redraft.addresses import origin_of
from redraft.errors import BadAnswer, MissingKey, ModelError, UnknownModel
from redraft.models.base import Completion, FinishReason, Request, Usage
from redraft.models.failures import AttemptError, as_failure, rejected_parameter
from redraft.models.retry import retried
from redraft.settings import OPENAI_URL, ROLES, Price, Settings

NO_KEY = "none"
"""What is sent where there is no key: the SDK wants one, and would else read the environment's."""

_log = logging.getLogger(__name__)
_announced: set[str] = set()
"""Hosts chosen by files that this process has told of."""

_REASONS: dict[str, FinishReason] = {"length": "length", "content_filter": "filter"}


class Service:
    """A Backend on `/chat/completions` of one address."""

    def __init__(self, spec: str, model: str, base_url: str, key: str, settings: Settings) -> None:
        self.spec = spec
        self._model = model
        self._url = base_url.rstrip("/")
        self._chosen_by = settings.chosen_by(spec)
        self._retries = settings.retries
        self._timeout = settings.timeout
        self._price = settings.prices.get(model) or settings.prices.get(spec) or Price(prompt=0, completion=0)
        self._refused: set[str] = set()
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
        )
        if origin_of(self._url) != origin_of(os.environ.get("OPENAI_BASE_URL") or OPENAI_URL):
            # The SDK takes these from the environment, where they are meant for another service.
            self._client.organization = self._client.project = None
            self._client._custom_headers = headers

    def identity(self, request: Request) -> str:
        return f"{self._url} {self._model}"

    async def sample(self, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        """Samples in one call where the server honours `n`, in more where it gives fewer."""
        _announce(self._url, self._chosen_by, f"sending {self._sent}")
        drawn: list[Completion] = []
        while len(drawn) < count:
            wanted = 1 if "n" in self._refused else count - len(drawn)
            drawn += (await self._call(request, first + len(drawn), wanted))[:wanted]
        return tuple(drawn)

    async def aclose(self) -> None:
        await self._client.close()

    async def _call(self, request: Request, first: int, count: int) -> list[Completion]:
        """One call; a parameter that this server does not take is left out, or replaced, from then on."""
        while True:
            parameters = self._parameters(request, first, count)
            try:
                return await retried(
                    functools.partial(self._post, parameters),
                    retries=self._retries,
                    longest_wait=self._timeout,
                )
            except AttemptError as failure:
                name = rejected_parameter(failure, parameters)
                if name is None or name in self._refused:
                    raise await self._explained(failure) from None
                self._refused.add(name)

    async def _post(self, parameters: dict[str, Any]) -> list[Completion]:
        started = time.monotonic()
        try:
            # The SDK's own time limit is per read; a server that sends a byte now and then would never end.
            async with asyncio.timeout(self._timeout):
                answer = await self._client.chat.completions.create(**parameters)
        except (openai.OpenAIError, TimeoutError, ValueError) as error:
            raise as_failure(error, self._url, self._model, self._timeout, self._key) from None
        return self._completions(answer, time.monotonic() - started)

    def _completions(self, answer: object, seconds: float) -> list[Completion]:
        if not isinstance(answer, ChatCompletion) or not answer.choices:
            raise AttemptError(
                BadAnswer(
                    f"{self._url} answered with something that is no chat completion: {str(answer)[:200]!r}",
                    provider=self._url,
                    retryable=True,
                    hint="check that the address ends where /chat/completions begins, often in /v1",
                )
            )
        prompt = answer.usage.prompt_tokens if answer.usage else 0
        written = answer.usage.completion_tokens if answer.usage else 0
        cost = (prompt * self._price.prompt + written * self._price.completion) / 1e6
        spent = Usage(1, prompt, written, seconds, cost)
        return [
            Completion(
                choice.message.content or "",
                _REASONS.get(choice.finish_reason or "", "stop"),
                spent if index == 0 else Usage(),
                _thoughts(choice.message.model_extra or {}),
            )
            for index, choice in enumerate(answer.choices)
        ]

    def _parameters(self, request: Request, first: int, count: int) -> dict[str, Any]:
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
        if request.stop:
            parameters["stop"] = list(request.stop)
        if count > 1:
            parameters["n"] = count
        if request.thinking is not None:
            parameters["extra_body"] = {"chat_template_kwargs": {"enable_thinking": request.thinking}}
        if request.schema:
            schema = {"name": "answer", "schema": json.loads(request.schema)}
            parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
        for name in self._refused & parameters.keys():
            del parameters[name]
            if name == "max_tokens":
                parameters["max_completion_tokens"] = request.max_tokens
            if name == "response_format":
                wish = f"Answer with JSON alone, valid by this JSON schema:\n{request.schema}"
                parameters["messages"] = [*messages, {"role": "system", "content": wish}]
        return parameters

    async def _explained(self, failure: AttemptError) -> ModelError:
        """The error to raise; an unknown model is told with those that the service has."""
        if not isinstance(failure.error, UnknownModel):
            return failure.error
        try:
            async with asyncio.timeout(self._timeout):
                names = [model.id async for model in self._client.models.list()]
        except (openai.OpenAIError, TimeoutError, ValueError):
            return failure.error
        shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
        return UnknownModel(failure.error.args[0], provider=self._url, hint=f"it has: {shown or 'none'}")


def _thoughts(beside: Mapping[str, Any]) -> str:
    """What stands beside an answer as the model's thinking; servers call it one or the other."""
    found = beside.get("reasoning_content") or beside.get("reasoning") or ""
    return found if isinstance(found, str) else ""


def announce_hosts(settings: Settings) -> None:
    """Say where the models of the settings are, if files chose them: workers elsewhere are not heard."""
    for spec in dict.fromkeys(settings.spec_for(role) for role in ("model", *ROLES)):
        if spec.startswith(("openai:", "http:", "https:")):
            address = settings.base_url if spec.startswith("openai:") else spec.partition("#")[0]
            _announce(address, settings.chosen_by(spec), "texts may be sent")


def _announce(url: str, chosen_by: str | None, what: str) -> None:
    """Say where texts go before the first one does, if that was not the user's own choice."""
    host = urlsplit(url).netloc
    if chosen_by is not None and host not in _announced:
        _announced.add(host)
        _log.warning("%s to %s, which %s chose", what, host, chosen_by)


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
