"""The embedded models that write: SmolLM2 with our adapters, or a larger one."""

from __future__ import annotations

import asyncio
import functools
import itertools
import json
import shlex
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from redraft.errors import UnknownModel
from redraft.models import weights, writing
from redraft.models.adapters import find_adapter, known_adapters
from redraft.models.base import (
    TEMPLATE_TOKENS,
    Completion,
    Finish,
    Request,
    Usage,
)
from redraft.models.engines import CHATML, SMOLLM2, Plain, check_context
from redraft.models.gguf_file import Chat, check_gguf, is_adapter, read_chat
from redraft.models.larger import CONTEXT, LargerModel, larger_file, larger_model, writing_weights
from redraft.models.llama import ENGINE, Engine, EngineConfig, shared_engine
from redraft.settings import FREE, PULLED, Settings


class Embedded:
    """A Backend on llama.cpp. Weights are looked for, and loaded, at the first request."""

    price = FREE

    def __init__(
        self,
        spec: str,
        settings: Settings,
        path: Path | None,
        *,
        adapters: bool,
        larger: LargerModel | None = None,
    ) -> None:
        self.spec = spec
        self._settings = settings
        self._path = path
        self._adapters = adapters
        self._larger = larger
        own = larger is not None and "context" not in settings.model_fields_set
        self._context = CONTEXT if own else settings.context

    def identity(self, request: Request) -> str:
        adapter = self._adapter(request)
        if adapter is not None and self._is_written(request):
            name = weights.SCORING.name if self._larger is None else self._weights_hash
            return f"{writing.ENGINE} {name} {weights.current_sha256(adapter)[:16]}"
        template = "chatml" if self._template else "own template"
        changed = weights.current_sha256(adapter)[:16] if adapter else "no adapter"
        return f"{ENGINE} {self._weights_hash} {template} {changed}"

    async def sample(self, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        """The samples asked for; where nothing is drawn, the first is the greedy answer, and the others are
        those of a wider search where the model can make one."""
        if self._is_written(request):
            return await self._write(request, first, count)
        engine = await asyncio.to_thread(self._engine)
        if request.temperature == 0:
            # Greedy decoding does not depend on the seed: one answer is all of them.
            (one,) = await self._draw(engine, request, first, 1)
            return (one, *(replace(one, usage=Usage()) for _ in range(count - 1)))
        return await self._draw(engine, request, first, count)

    async def aclose(self) -> None:
        """Nothing: the engine is shared by the process, and freed at its end."""

    def _is_written(self, request: Request) -> bool:
        """Whether weights with an adapter in them answer it, many at once: where nothing is drawn."""
        ours = self._path is None and self._adapters and request.adapter is not None
        theirs = self._larger is not None and self._adapter(request) is not None
        is_free = not (request.temperature or request.schema or request.stop)
        return (ours or theirs) and is_free and request.messages[-1].role == "user"

    async def _write(self, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        cancelled = threading.Event()
        writer = await asyncio.to_thread(self._writer, request)
        prompt = writer.prompt(request.messages)
        check_context(len(prompt), request.max_tokens, self._context, self.spec)
        ask = functools.partial(writer.write, prompt, request.max_tokens, cancelled)
        asked = [ask(), ask(several=True)] if first + count > 1 else [ask()]
        try:
            (greedy,), *wider = await asyncio.gather(*map(asyncio.wrap_future, asked))
        except asyncio.CancelledError:
            cancelled.set()
            raise
        others = [one for one in itertools.chain(*wider) if one.tokens != greedy.tokens]
        answers = [greedy, *others][first : first + count] or [greedy]
        seconds = greedy.seconds + sum(each[0].seconds for each in wider)
        usage = Usage(1, len(prompt), len(answers[0].tokens), seconds)
        spent = [usage, *(Usage(completion_tokens=len(one.tokens)) for one in answers[1:])]
        found = [
            Completion(writer.text(one), "stop" if one.ended else "length", used)
            for one, used in zip(answers, spent, strict=True)
        ]
        return (*found, *(replace(found[-1], usage=Usage()) for _ in range(count - len(found))))

    def _writer(self, request: Request) -> writing.Writer:
        adapter = self._adapter(request)
        assert adapter is not None
        root, threads = self._settings.weights(), self._settings.threads
        if self._larger is None:
            folder, chat = weights.ensure(weights.adapted_scoring(adapter), root), None
        else:
            folder, chat = weights.ensure(writing_weights(self._larger, adapter), root), self._chat_facts
        return writing.shared_writer(writing.WriterConfig(folder, threads, chat))

    async def _draw(self, engine: Engine, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        cancelled = threading.Event()
        work = functools.partial(self._chat, engine, request, first, count, cancelled)
        try:
            return await asyncio.get_running_loop().run_in_executor(engine.workers, work)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def _chat(
        self, engine: Engine, request: Request, first: int, count: int, cancelled: threading.Event
    ) -> tuple[Completion, ...]:
        plain = Plain(self._chat_facts.control, request)
        messages = [{"role": message.role, "content": plain(message.content)} for message in request.messages]
        self._check_length(engine, messages, request.max_tokens)
        payload = _payload(request, messages)
        if request.stop:
            payload["stop"] = list(dict.fromkeys([*request.stop, *map(plain, request.stop)]))
        ask = functools.partial(engine.chat, adapter=self._adapter(request), cancelled=cancelled)
        if request.temperature > 0:
            # Every sample goes on from the same reading of the prompt, so that it is the same whichever
            # others are drawn with it.
            ask({**payload, "max_tokens": 0})
            payload["cache_prompt"] = True
        found = []
        for index in range(first, first + count):
            started = time.monotonic()
            chunks = ask({**payload, "seed": (request.seed + index) % 2**31})
            completion = _completion(chunks, index == first, time.monotonic() - started)
            found.append(replace(completion, text=plain.undo(completion.text)))
        return tuple(found)

    def _check_length(self, engine: Engine, messages: list[dict[str, str]], max_tokens: int) -> None:
        """Raise before anything is computed; a token is at least a byte, so short requests need no count."""
        most = sum(
            len(message["content"].encode("utf-8", "replace")) + TEMPLATE_TOKENS for message in messages
        )
        if most + max_tokens <= self._context:
            return
        check_context(engine.count_tokens(messages), max_tokens, self._context, self.spec)

    def _engine(self) -> Engine:
        settings = self._settings
        path = self._model_file().resolve()  # by whatever name, it is loaded once
        config = EngineConfig(path, settings.threads, self._context, template=self._template)
        return shared_engine(config)

    def _model_file(self) -> Path:
        if self._path is not None:
            return self._path
        return weights.ensure(weights.CHAT, self._settings.weights()) / weights.MODEL_FILE

    @functools.cached_property
    def _chat_facts(self) -> Chat:
        return read_chat(self._model_file())

    @property
    def _template(self) -> str:
        """Ours in the place of SmolLM2's; any other model's own is named by nothing."""
        return CHATML if self._path is None or self._chat_facts.template == SMOLLM2 else ""

    @functools.cached_property
    def _weights_hash(self) -> str:
        if self._larger is not None:
            return self._larger.sha256[:16]
        if self._path is not None:
            check_gguf(self._path)
            return weights.current_sha256(self._path)[:16]
        return weights.fingerprint(weights.ensure(weights.CHAT, self._settings.weights()))

    def _adapter(self, request: Request) -> Path | None:
        if request.adapter is None:
            return None
        if self._larger is not None:
            # What was trained for it, where there is any: else it answers as it is.
            known = known_adapters(self._settings.weights(), self._larger.name)
            return known.get(request.adapter)
        if not self._adapters:
            return None
        return find_adapter(request.adapter, self._settings.weights())


def open_embedded(spec: str, settings: Settings) -> Embedded:
    """`embedded`, `embedded:base` (no adapters), `embedded:NAME` (a larger one), `embedded:PATH.gguf`."""
    _, _, rest = spec.partition(":")
    if rest in ("", "base"):
        return Embedded(spec, settings, None, adapters=not rest)
    if rest in PULLED:
        path = larger_file(rest, settings.weights())
        return Embedded(spec, settings, path, adapters=False, larger=larger_model(rest))
    path = Path(rest).expanduser().resolve()
    if not path.exists() and rest in known_adapters(settings.weights()):
        raise UnknownModel(
            f"there is no model {spec!r}",
            provider="embedded",
            hint=f"that is an adapter: redraft models test --adapter {rest}",
        )
    if is_adapter(path):
        raise UnknownModel(
            f"{path} is no model",
            provider="embedded",
            hint=f"this is an adapter: redraft models add {shlex.quote(rest)}",
        )
    return Embedded(spec, settings, path, adapters=True)


def _payload(request: Request, messages: list[dict[str, str]]) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "messages": messages,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "top_k": request.top_k,
        "min_p": 0.0,
        "cache_prompt": False,
        "return_progress": True,
        "stream_options": {"include_usage": True},
    }
    if request.schema:
        schema = {"name": "answer", "schema": json.loads(request.schema)}
        payload["response_format"] = {"type": "json_schema", "json_schema": schema}
    return payload


def _completion(chunks: list[dict[str, Any]], is_first: bool, seconds: float) -> Completion:
    """Put the chunks of an answer together; the prompt, and the call, are booked with the first sample."""
    text = ""
    finish: Finish = "length"
    usage = Usage()
    for chunk in chunks:
        for choice in chunk.get("choices", ()):
            text += choice["delta"].get("content") or ""
            if choice.get("finish_reason"):
                finish = "length" if choice["finish_reason"] == "length" else "stop"
        if spent := chunk.get("usage"):
            usage = Usage(
                calls=int(is_first),
                prompt_tokens=spent["prompt_tokens"] if is_first else 0,
                completion_tokens=spent["completion_tokens"],
                seconds=seconds,
            )
    return Completion(text, finish, usage)
