"""Answers to thousands of requests: one batch, one reading of each request, one graph a step.

`hf:` and `torch:` models answer whatever comes, when it comes. Self-training asks for everything at once, and
for several answers to each request; so here the keys and values of a request are kept once for all of its
answers, the next request takes the place of answers that have ended, the caches never move, and on a GPU a
step is replayed as one CUDA graph.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from redraft.models import (
    END,
    START,
    Completion,
    Message,
    Pretrained,
    Request,
    Usage,
    load_gguf,
    read_frame,
    read_lora,
)
from redraft.train.chat import chat_format
from redraft.train.conversations import Conversation
from redraft.train.planning.batch_decoder import BatchDecoder, Written
from redraft.train.planning.batch_state import Ids


def can_batch(base: Path) -> bool:
    """Whether a base is written with here: the GGUF of a Llama, or of a Qwen2."""
    return base.is_file() and read_frame(base).architecture in ("llama", "qwen2")


class BatchWriter:
    """Writes with the GGUF of a Llama or a Qwen2 and one adapter at a time.

    `loaded` is what is in the GGUF, where someone has read it; `rows` and `room` are those of the decoder.
    """

    def __init__(
        self,
        base: Path,
        loaded: Pretrained | None = None,
        rows: int | None = None,
        room: tuple[int, int] | None = None,
    ) -> None:
        self.spec = f"batch:{base.name}"
        loaded = loaded or load_gguf(base)
        self._tokenizer = loaded.tokenizer
        self._chat = chat_format(base)
        words = loaded.tokenizer.get_vocab()
        self._decoder = BatchDecoder(loaded.model, (words[END], words[START]), rows, room)
        self._adapter: tuple[Path, int] | None = None
        self.likelihoods: list[tuple[float, ...]] = []
        """Of the answers that were written last: the mean log-probability of a token."""

    async def complete_all(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """The answers to each request, all of which ask alike; none where one is too long."""
        return await asyncio.to_thread(self._write, requests)

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        """The answers to one request."""
        return (await self.complete_all([request]))[0]

    def _write(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        if not requests:
            return []
        first = requests[0]
        self._use(Path(first.adapter) if first.adapter else None)
        torch.manual_seed(first.seed)
        prompts = self._prompts(requests)
        limits = [request.max_tokens for request in requests]

        def ends(tokens: Ids) -> bool:
            text = self._text(tokens)
            return any(stop in text for stop in first.stop)

        started = time.monotonic()
        written = self._decoder.write(
            prompts, limits, first.n, first.temperature, ends if first.stop else None
        )
        seconds = (time.monotonic() - started) / max(1, sum(map(len, written)))
        self.likelihoods = [tuple(one.likelihood for one in own) for own in written]
        return [tuple(self._completion(one, first.stop, seconds) for one in own) for own in written]

    def _prompts(self, requests: Sequence[Request]) -> list[Ids]:
        asked = (Conversation((*one.messages, Message("assistant", ""))) for one in requests)
        return [[int(token) for token in example.tokens[:-1]] for example in self._chat.examples(asked)]

    def _completion(self, written: Written, stops: Sequence[str], seconds: float) -> Completion:
        text = self._text(written.tokens)
        ends = [at for stop in stops if (at := text.find(stop)) >= 0]
        usage = Usage(completion_tokens=len(written.tokens), seconds=seconds)
        whole = written.stopped or bool(ends)
        return Completion(text[: min(ends, default=None)], "stop" if whole else "length", usage)

    def _text(self, tokens: Ids) -> str:
        decoded = self._tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return str(decoded)

    def _use(self, adapter: Path | None) -> None:
        """Put an adapter into the weights; a file that has changed is read again."""
        known = None
        if adapter is not None:
            files = sorted(adapter.iterdir()) if adapter.is_dir() else [adapter]
            known = adapter, max(path.stat().st_mtime_ns for path in files)
        if known != self._adapter:
            self._decoder.merge(None if adapter is None else read_lora(adapter, self._decoder.heads))
            self._adapter = known
