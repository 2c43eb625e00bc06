"""One model in transformers, its adapters, and a thread that writes what is asked for in batches."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache, GenerationConfig, LogitsProcessor, StoppingCriteria

from redraft.errors import ModelError
from redraft.models.base import Completion, Finish, Request, Usage
from redraft.models.engines import ENDS, Plain, Shared, thread_count
from redraft.models.families import LLAMA, family_of
from redraft.models.hf_loading import Pretrained, gguf_tokenizer, load_folder, load_model, module_name
from redraft.models.lora import Heads, read_lora

ROWS = {"cpu": 32, "cuda": 1024}
"""Texts that are written at once, at the most."""

TOKENS = {"cpu": 1 << 14, "cuda": 1 << 20}
"""Tokens of a batch, read and written, at the most; on a GPU its free memory may allow fewer."""

KEPT_ADAPTERS = {"cpu": 3, "cuda": 8}
"""Adapters whose changed weights stay in memory."""

FILL_SECONDS = 0.005
MOST_FILL_SECONDS = 0.5
"""How long to wait for another request before a batch begins, and how long for all of them together."""

MEMORY_SHARE = 0.6
WORK_VECTORS = 14
"""Of the free memory of a GPU, what a batch may take; and how many vectors of the model's width a token takes
while it is read, beside its keys and values."""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What an engine is made from; equal configurations share one engine.

    `path` is a Hugging Face folder or the GGUF of a Llama. `trained` is a folder with all weights of a
    fine-tuned one, which take the place of those in the GGUF.
    """

    path: Path
    trained: Path | None = None
    dtype: str = "float32"
    threads: int = 0


@dataclass(slots=True, eq=False)
class Row:
    """One text to write; `written` grows until `finished`. A temperature of 0 is greedy.

    `ends` says of what was written whether a stop string is in it, and `gone` whether anybody still waits.
    """

    prompt: list[int]
    max_tokens: int
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    top_k: int = 0
    ends: Callable[[list[int]], bool] | None = None
    gone: Callable[[], bool] | None = None
    written: list[int] = field(default_factory=list)
    finished: bool = False
    stopped: bool = False

    def add(self, token: int, stops: frozenset[int]) -> None:
        """Take the next token, which may be the last."""
        self.written.append(token)
        self.stopped = token in stops or (self.ends is not None and self.ends(self.written))
        self.finished = (
            self.stopped or len(self.written) >= self.max_tokens or (self.gone is not None and self.gone())
        )


@dataclass(slots=True, eq=False)
class Job:
    """One text that is waited for."""

    row: Row
    adapter: Path | None
    stop: tuple[str, ...]
    answer: Future[Completion] = field(default_factory=Future)

    @property
    def tokens(self) -> int:
        """What it takes of a batch."""
        return len(self.row.prompt) + self.row.max_tokens


class Engine:
    """A loaded model. `submit` may be called from any thread; one thread of the engine's own computes."""

    def __init__(self, config: EngineConfig) -> None:
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._config = config
        loaded = _load(config)
        self.model: Any = loaded.model.to(self._device)
        self.tokenizer: Any = loaded.tokenizer
        self._stops = _take_over_generation(loaded)
        self._control = [
            token.content for token in self.tokenizer.added_tokens_decoder.values() if token.special
        ]
        self._base: dict[str, torch.nn.Parameter] = {}
        self._variants: OrderedDict[Path, tuple[int, dict[str, torch.nn.Parameter]]] = OrderedDict()
        self._tokenizing = threading.Lock()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="torch", daemon=True)
        self._thread.start()

    def prompt(self, request: Request) -> list[int]:
        """A conversation in the model's own template, up to where it is to answer; what people wrote is text.

        A last message of the assistant's own is gone on with.
        """
        plain = Plain(self._control, request)
        messages = [{"role": message.role, "content": plain(message.content)} for message in request.messages]
        with self._tokenizing:  # a tokenizer is no thing for two threads at once
            if self.tokenizer.chat_template is None:
                # A model that knows no conversations is given the texts alone, and what marks their end.
                text = "\n\n".join(message["content"] for message in messages)
                return self._tokens(text, plain, add_special_tokens=True)
            return self._tokens(self._rendered(messages, request), plain, add_special_tokens=False)

    def text(self, tokens: Sequence[int]) -> str:
        """What tokens say, without those that end an answer."""
        with self._tokenizing:
            return str(
                self.tokenizer.decode(
                    [token for token in tokens if token not in self._stops],
                    skip_special_tokens=True,
                    clean_up_tokenization_spaces=False,
                )
            )

    def submit(
        self, request: Request, prompt: list[int], adapter: Path | None, seed: int
    ) -> Future[Completion]:
        """An answer to come; cancelling it frees its place in the batch."""
        row = Row(prompt, request.max_tokens, request.temperature, request.top_p, seed, request.top_k)
        job = Job(row, adapter, request.stop)
        row.gone = lambda: job.answer.cancelled() or self._closing.is_set()
        if request.stop:
            row.ends = lambda written: _first_stop(self.text(written), request.stop) is not None
        self._jobs.put(job)
        return job.answer

    def use(self, adapter: Path | None) -> None:
        """Put the weights of an adapter, or the model's own, into their places."""
        changed = self._variant(adapter) if adapter is not None else {}
        for name, own in self._base.items():
            self.model.get_submodule(name).weight = changed.get(name, own)

    def close(self) -> None:
        """Leave what is not finished, and free the model."""
        self._closing.set()
        self._jobs.put(None)
        self._thread.join(timeout=30)
        self._variants.clear()

    def _rendered(self, messages: list[dict[str, str]], request: Request) -> str:
        begun = request.messages[-1].role == "assistant"
        options = {} if request.thinking is None else {"enable_thinking": request.thinking}

        def render(messages: list[dict[str, str]]) -> str:
            found = self.tokenizer.apply_chat_template(
                messages,
                tokenize=False,
                add_generation_prompt=not begun,
                continue_final_message=begun,
                **options,
            )
            return str(found)

        try:
            return render(messages)
        except jinja2.TemplateError as error:
            if messages[0]["role"] != "system" or len(messages) == 1:
                raise ModelError(
                    f"the model's chat template refuses this: {error}", provider="torch"
                ) from None
        # Some templates know no system message: then it begins the next one.
        system, following, *others = messages
        content = f"{system['content']}\n\n{following['content']}"
        return self._rendered([{**following, "content": content}, *others], request)

    def _tokens(self, text: str, plain: Plain, *, add_special_tokens: bool) -> list[int]:
        tokenizer = self.tokenizer
        if not plain.mark:
            return list(tokenizer(text, add_special_tokens=add_special_tokens)["input_ids"])
        found: list[int] = []
        for piece in plain.split(text):
            if piece in self._control:
                found.append(tokenizer.convert_tokens_to_ids(piece))
            elif piece:
                own = tokenizer(plain.undo(piece), add_special_tokens=False, split_special_tokens=True)
                found += own["input_ids"]
        return tokenizer.build_inputs_with_special_tokens(found) if add_special_tokens else found

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
            config = self.model.config.get_text_config(decoder=True)
            heads = _heads(config)
            size = getattr(config, "head_dim", None) or config.hidden_size // heads.queries
            cached = 2 * config.num_hidden_layers * heads.groups * size
            each = (cached + WORK_VECTORS * config.hidden_size) * self.model.dtype.itemsize
            most = min(most, int(MEMORY_SHARE * free) // each)
        return most

    def _write(self, batch: list[Job]) -> None:
        batch = [job for job in batch if not job.answer.cancelled()]
        if not batch:
            return
        started = time.monotonic()
        try:
            self.use(batch[0].adapter)
            with _exact():
                write(self.model, [job.row for job in batch], self._stops)
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
                job.answer.set_result(self._completion(job, seconds))

    def _completion(self, job: Job, seconds: float) -> Completion:
        """The answer to a job, and its share of the time of its batch."""
        row = job.row
        text = self.text(row.written)
        usage = Usage(completion_tokens=len(row.written), seconds=seconds)
        finish: Finish = "stop" if row.stopped else "length"
        return Completion(text[: _first_stop(text, job.stop)], finish, usage)

    def _variant(self, adapter: Path) -> dict[str, torch.nn.Parameter]:
        """The weights that an adapter changes, by the names of their modules."""
        version = _version(adapter)
        if adapter in self._variants and self._variants[adapter][0] == version:
            self._variants.move_to_end(adapter)
        else:
            while len(self._variants) >= KEPT_ADAPTERS[self._device.type]:
                self._variants.popitem(last=False)
            self._variants[adapter] = (version, self._merged(adapter))
        return self._variants[adapter][1]

    def _merged(self, adapter: Path) -> dict[str, torch.nn.Parameter]:
        lora = read_lora(adapter, _heads(self.model.config))
        found = {}
        for place, (a, b) in lora.pairs.items():
            name = module_name(place)
            try:
                own = self._base.get(name, self.model.get_submodule(name).weight)
            except AttributeError:
                raise ModelError(f"the adapter changes {name}, which the model has not") from None
            if tuple(own.shape) != (len(b), a.shape[1]):
                raise ModelError(
                    f"the adapter was trained for another model: its {place[1]} is {len(b)} × {a.shape[1]}"
                    f", the model's {own.shape[0]} × {own.shape[1]}"
                )
            down, up = (torch.from_numpy(half).to(own.device) for half in (a, b))
            changed = (own.float() + lora.scale * (up @ down)).to(own.dtype)
            found[name] = torch.nn.Parameter(changed, requires_grad=False)
            self._base.setdefault(name, own)
        return found


@torch.inference_mode()
def write(model: Any, rows: Sequence[Row], stops: frozenset[int]) -> None:
    """Write every row to its end; the answer to one does not depend on the others, but for rounding."""
    live = list(rows)
    # What is gone on with ends alike; an encoder may count its places from the start.
    goes_on = not model.config.is_encoder_decoder
    tokens, mask = _padded([row.prompt for row in live], model.device, left=goes_on)
    options: dict[str, Any] = {}
    if goes_on:
        options["past_key_values"] = DynamicCache(config=model.config.get_text_config(decoder=True))
    while live:
        found = model.generate(
            input_ids=tokens,
            attention_mask=mask,
            max_new_tokens=max(row.max_tokens - len(row.written) for row in live),
            logits_processor=[Chooser(live, model.device)],
            stopping_criteria=[_Follower(live, stops, until_half=bool(options))],
            **options,
        )
        # Those that are done would be computed as long as any is not: half of them, and they are dropped.
        kept = torch.tensor(
            [place for place, row in enumerate(live) if not row.finished],
            dtype=torch.long,
            device=model.device,
        )
        live = [row for row in live if not row.finished]
        if live:
            mask = torch.nn.functional.pad(mask, (0, found.shape[1] - tokens.shape[1]), value=1)[kept]
            tokens = found[kept]
            options["past_key_values"].batch_select_indices(kept)


class Chooser(LogitsProcessor):
    """Leaves of each row's scores one token: the likeliest, or one drawn with the row's own random numbers.

    So an answer depends on its own request and seed, and not on what is written beside it.
    """

    def __init__(self, rows: Sequence[Row], device: torch.device) -> None:
        self._temperature = torch.tensor([row.temperature for row in rows], device=device)
        self._top_p = torch.tensor([row.top_p for row in rows], device=device)
        self._top_k = torch.tensor([row.top_k or sys.maxsize for row in rows], device=device)
        self._cuts = any(row.top_p < 1 or row.top_k for row in rows)
        self._random: Iterator[Tensor] = iter(())
        if any(row.temperature > 0 for row in rows):
            numbers = np.zeros((max(row.max_tokens for row in rows), len(rows), 1), np.float32)
            for place, row in enumerate(rows):
                own = np.random.default_rng(row.seed).random(row.max_tokens, np.float32)
                left = own[len(row.written) :]
                numbers[: len(left), place, 0] = left
            self._random = iter(torch.from_numpy(numbers).to(device))

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        random = next(self._random, None)
        if random is None:
            return scores
        chosen = self.choose(scores.float(), random)
        return torch.full_like(scores, -torch.inf).scatter_(1, chosen[:, None], 0.0)

    def choose(self, logits: Tensor, random: Tensor) -> Tensor:
        """One token a row, by a number between 0 and 1 for each."""
        likeliest = logits.argmax(-1)
        if self._cuts:
            logits = self._cut(logits)
        likely = torch.softmax(logits / self._temperature.clamp(min=1e-4)[:, None], -1)
        summed = likely.cumsum(-1)
        # The sum is 1 but for rounding: scaled by it, a number close to 1 finds a token that is possible.
        drawn = torch.searchsorted(summed, random * summed[:, -1:], right=True)[:, 0]
        return torch.where(self._temperature > 0, drawn.clamp(max=summed.shape[1] - 1), likeliest)

    def _cut(self, logits: Tensor) -> Tensor:
        """Less what is outside top_k, and then top_p, of the model's own probabilities.

        As llama.cpp has it: unheated.
        """
        ordered = logits.sort(-1, descending=True).values
        behind = torch.arange(ordered.shape[1], device=ordered.device) >= self._top_k[:, None]
        likely = torch.softmax(ordered.masked_fill(behind, -torch.inf), -1)
        inside = ~behind & (likely.cumsum(-1) - likely < self._top_p[:, None])
        least = ordered.masked_fill(~inside, torch.inf).amin(-1, keepdim=True)
        out = (logits < least) & ((self._top_p < 1) | (self._top_k < sys.maxsize))[:, None]
        return logits.masked_fill(out, -torch.inf)


class _Follower(StoppingCriteria):
    """Gives each row its new tokens; ends the batch when all are done, or half of those that began it."""

    def __init__(self, rows: Sequence[Row], stops: frozenset[int], *, until_half: bool) -> None:
        self._rows = rows
        self._stops = stops
        self._enough = (len(rows) + 1) // 2 if until_half else len(rows)

    def __call__(self, input_ids: Tensor, scores: Any, **_: Any) -> Tensor:
        for row, token in zip(self._rows, input_ids[:, -1].tolist(), strict=True):
            if not row.finished:
                row.add(token, self._stops)
        done = [row.finished for row in self._rows]
        if sum(done) >= self._enough:
            done = [True] * len(done)
        return torch.tensor(done, device=input_ids.device)


def _load(config: EngineConfig) -> Pretrained:
    if config.trained is None:
        return load_model(config.path, config.dtype)
    return load_folder(config.trained, config.dtype, tokenizer=gguf_tokenizer(config.path))


def _take_over_generation(loaded: Pretrained) -> frozenset[int]:
    """The tokens that end an answer; what else a folder says of sampling is for the request to say."""
    given, tokenizer = loaded.model.generation_config, loaded.tokenizer
    known = tokenizer.get_vocab()
    ends = [loaded.model.config.eos_token_id, given.eos_token_id, tokenizer.eos_token_id]
    ends += [known[token] for token in ENDS if token in known]
    flat = {token for end in ends for token in (end if isinstance(end, list) else [end]) if token is not None}
    loaded.model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
        do_sample=False,
        pad_token_id=next((i for i in (tokenizer.pad_token_id, *sorted(flat)) if i is not None), 0),
        decoder_start_token_id=given.decoder_start_token_id,
        forced_bos_token_id=given.forced_bos_token_id,
    )
    return frozenset(flat)


def _heads(config: Any) -> Heads:
    config = config.get_text_config(decoder=True)
    queries = config.num_attention_heads
    family = family_of(config.model_type) or LLAMA
    return Heads(queries, getattr(config, "num_key_value_heads", None) or queries, family)


def _padded(rows: Sequence[Sequence[int]], device: torch.device, *, left: bool) -> tuple[Tensor, Tensor]:
    """Rows of tokens that end alike, or begin alike, and where they have any."""
    width = max(map(len, rows))
    tokens = np.zeros((2, len(rows), width), np.int64)
    for place, row in enumerate(rows):
        start = width - len(row) if left else 0
        tokens[0, place, start : start + len(row)] = row
        tokens[1, place, start : start + len(row)] = 1
    found, mask = torch.from_numpy(tokens).to(device)
    return found, mask


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
