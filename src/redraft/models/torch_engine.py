"""One model in torch, its adapters, and a thread that writes what is asked for in batches."""

from __future__ import annotations

import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from redraft.errors import ModelError
from redraft.models.base import Message, Request
from redraft.models.engines import Shared, thread_count
from redraft.models.lora import read_lora
from redraft.models.pretrained import END, START, load_gguf
from redraft.models.torch_backend import WHOLE_FILE
from redraft.models.torch_decoding import Row, write
from redraft.models.torch_llama import Llama

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM

ROWS = {"cpu": 32, "cuda": 1024}
"""Texts that are written at once, at the most."""

TOKENS = {"cpu": 1 << 14, "cuda": 1 << 20}
"""Tokens of a batch, read and written, at the most; on a GPU its free memory may allow fewer."""

KEPT_ADAPTERS = {"cpu": 3, "cuda": 8}
"""Adapters that stay merged into a copy of the weights."""

FILL_SECONDS = 0.005
MOST_FILL_SECONDS = 0.5
"""How long to wait for another request before a batch begins, and how long for all of them together."""

MEMORY_SHARE = 0.6
WORK_BYTES = 1 << 15
"""Of the free memory of a GPU, what a batch may take; and what a token takes of it beside the cache."""

ENDS = (END, "<|endoftext|>")
"""Tokens after which llama.cpp, too, takes an answer as finished."""


@dataclass(frozen=True, slots=True)
class Written:
    """An answer, whether it ended by itself, its tokens, and its share of the time of its batch."""

    text: str
    stopped: bool
    tokens: int
    seconds: float


@dataclass(slots=True, eq=False)
class Job:
    """One text that is waited for."""

    row: Row
    adapter: Path | None
    stop: tuple[str, ...]
    answer: Future[Written] = field(default_factory=Future)

    @property
    def tokens(self) -> int:
        """What it takes of a batch."""
        return len(self.row.prompt) + self.row.max_tokens


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What an engine is made from; equal configurations share one engine.

    `trained` is a folder with all weights of a fine-tuned model, which take the place of those in the GGUF.
    """

    path: Path
    trained: Path | None = None
    dtype: str = "float32"
    threads: int = 0


class Engine:
    """A loaded model. `submit` may be called from any thread; one thread of the engine's own computes."""

    def __init__(self, config: EngineConfig) -> None:
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._config = config
        loaded = load_gguf(config.path)
        if config.trained is not None:
            _take(loaded.model, config.trained)
        self._base = Llama.of(loaded.model, self._device, getattr(torch, config.dtype))
        self._tokenizer = loaded.tokenizer
        self._tokenizer.encode_special_tokens = True  # a control token in a text is text
        vocabulary = self._tokenizer.get_vocab()
        self._start, self._end = vocabulary[START], vocabulary[END]
        self._stops = frozenset(vocabulary[token] for token in ENDS if token in vocabulary)
        self._variants: OrderedDict[Path, tuple[int, Llama]] = OrderedDict()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="torch", daemon=True)
        self._thread.start()

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """A conversation in ChatML, up to where the model is to answer; what people wrote is only text.

        A last message of the assistant's own is gone on with.
        """
        texts = [f"{message.role}\n{message.content}" for message in messages]
        pieces = self._tokenizer.encode_batch([*texts, "\n", "assistant\n"], add_special_tokens=False)
        *contents, gap, last = (piece.ids for piece in pieces)
        turns = [token for content in contents for token in (self._start, *content, self._end, *gap)]
        if messages[-1].role == "assistant":
            return turns[: -1 - len(gap)]
        return [*turns, self._start, *last]

    def submit(self, request: Request, prompt: list[int], adapter: Path | None, seed: int) -> Future[Written]:
        """An answer to come; cancelling it frees its place in the batch."""
        row = Row(prompt, request.max_tokens, request.temperature, request.top_p, seed)
        job = Job(row, adapter, request.stop)
        row.gone = lambda: job.answer.cancelled() or self._closing.is_set()
        if request.stop:
            row.ends = lambda written: _first_stop(self._text(written), request.stop) is not None
        self._jobs.put(job)
        return job.answer

    def close(self) -> None:
        """Leave what is not finished, and free the model."""
        self._closing.set()
        self._jobs.put(None)
        self._thread.join(timeout=30)
        self._variants.clear()

    def _work(self) -> None:
        torch.set_num_threads(thread_count(self._config.threads))
        while not self._closing.is_set():
            for batch in self._batches(self._collect()):
                self._write(batch)

    def _collect(self) -> list[Job]:
        """What was asked for by now, and within a moment; waits for the first."""
        found = [self._jobs.get()]
        deadline = time.monotonic() + MOST_FILL_SECONDS
        while time.monotonic() < deadline:
            try:
                found.append(self._jobs.get(timeout=FILL_SECONDS))
            except queue.Empty:
                break
        return [job for job in found if job is not None]

    def _batches(self, jobs: Sequence[Job]) -> Iterator[list[Job]]:
        """Jobs of one adapter and of similar length, as many as a batch may have."""
        order = sorted(jobs, key=lambda job: (str(job.adapter or ""), job.tokens, job.row.prompt))
        limit = self._token_limit()
        batch: list[Job] = []
        for job in order:
            # In this order the latest is the longest, and the others are padded to it.
            full = len(batch) >= ROWS[self._device.type] or (len(batch) + 1) * job.tokens > limit
            if batch and (full or batch[0].adapter != job.adapter):
                yield batch
                batch = []
            batch.append(job)
        if batch:
            yield batch

    def _token_limit(self) -> int:
        most = TOKENS[self._device.type]
        if self._device.type == "cuda":
            free, _ = torch.cuda.mem_get_info()
            free += torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
            most = min(most, int(MEMORY_SHARE * free) // (self._base.bytes_a_token + WORK_BYTES))
        return most

    def _write(self, batch: list[Job]) -> None:
        batch = [job for job in batch if not job.answer.cancelled()]
        if not batch:
            return
        started = time.monotonic()
        try:
            with _exact():
                write(self._variant(batch[0].adapter), [job.row for job in batch], self._stops)
            if self._closing.is_set():
                raise ModelError("the model was closed before it answered", provider="torch")
        except Exception as error:  # whatever it is, those who wait must hear of it
            reason = error if isinstance(error, ModelError) else _as_error(error)
            for job in batch:
                if job.answer.set_running_or_notify_cancel():
                    job.answer.set_exception(reason)
            return
        seconds = (time.monotonic() - started) / len(batch)
        for job in batch:
            if job.answer.set_running_or_notify_cancel():
                job.answer.set_result(self._written(job, seconds))

    def _written(self, job: Job, seconds: float) -> Written:
        text = self._text(job.row.written)
        cut = _first_stop(text, job.stop)
        tokens = len(job.row.written)
        return Written(text if cut is None else text[:cut], job.row.stopped, tokens, seconds)

    def _text(self, tokens: list[int]) -> str:
        return self._tokenizer.decode([token for token in tokens if token not in self._stops])

    def _variant(self, adapter: Path | None) -> Llama:
        if adapter is None:
            return self._base
        version = _version(adapter)
        if adapter in self._variants and self._variants[adapter][0] == version:
            self._variants.move_to_end(adapter)
        else:
            while len(self._variants) >= KEPT_ADAPTERS[self._device.type]:
                self._variants.popitem(last=False)
            self._variants[adapter] = (version, self._base.with_lora(read_lora(adapter, self._base.heads)))
        return self._variants[adapter][1]


def _take(model: LlamaForCausalLM, trained: Path) -> None:
    """Put the weights of a folder that transformers wrote into a model of the same shape."""
    try:
        found = load_file(trained / WHOLE_FILE)
        odd = model.load_state_dict(found, strict=False)
    except (OSError, RuntimeError, SafetensorError) as error:
        raise ModelError(
            f"{trained} does not hold a model like the base: {error}", provider="torch"
        ) from None
    # A head that is the embedding too is written once.
    missing = set(odd.missing_keys) - ({"lm_head.weight"} if model.config.tie_word_embeddings else set())
    if missing or odd.unexpected_keys:
        raise ModelError(
            f"{trained} does not hold a model like the base: {sorted(missing) + odd.unexpected_keys}",
            provider="torch",
        )


def _version(adapter: Path) -> int:
    files = sorted(adapter.iterdir()) if adapter.is_dir() else [adapter]
    return max(path.stat().st_mtime_ns for path in files)


def _first_stop(text: str, stops: Sequence[str]) -> int | None:
    found = [at for stop in stops if stop and (at := text.find(stop)) >= 0]
    return min(found, default=None)


def _as_error(error: Exception) -> ModelError:
    if isinstance(error, torch.cuda.OutOfMemoryError):
        return ModelError(
            "the GPU has too little memory", provider="torch", hint="ask for fewer tokens, or free its memory"
        )
    return ModelError(f"torch failed: {type(error).__name__}: {error}", provider="torch")


@contextmanager
def _exact() -> Iterator[None]:
    """Products of float32 in full precision, whatever else in this process asked for."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


_shared: Shared[EngineConfig, Engine] = Shared(Engine)
shared_engine = _shared.get
close_engines = _shared.close
