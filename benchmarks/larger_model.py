"""A larger embedded model on a GPU, read once to be written with and trained: for benchmarks/larger.py."""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import torch

from redraft.editor import room, usable
from redraft.models import Completion, Message, Pretrained, Request, load_gguf
from redraft.train import model as model_module, sft
from redraft.train.chat import chat_format
from redraft.train.planning.batch_writer import BatchWriter

ROWS, ROOM = 512, (132_000, 132_000)
"""Answers written at once, and tokens of requests and of answers: 8 GB of a 1.5B's keys and values."""
TOGETHER = 512
"""Requests between two looks at the clock."""
HEAT = 0.9
"""The temperature of a simplifier's candidates."""

Asked = tuple[str, tuple[Message, ...]]
"""A source, and how it is put to the model."""
Texts = list[list[str]]
"""The usable answers to each source, the greedy one first where it is one."""
Answers = list[tuple[Completion, float]]
"""Answers to a request, each with its likelihood."""


class Larger:
    """A model that writes and is trained with the same weights in memory."""

    def __init__(self, base: Path, until: float) -> None:
        self.base, self.until = base, until
        self.runner = asyncio.Runner()
        on_gpu = torch.cuda.is_available()
        self.loaded = load_gguf(base, "bfloat16" if on_gpu else "float32")
        self.loaded.model.to("cuda" if on_gpu else "cpu")
        self.writer = BatchWriter(base, self.loaded, *((ROWS, ROOM) if on_gpu else ()))
        # A training wraps the modules, and leaves the weights alone: it takes modules of its own over these.
        vars(model_module)["load_gguf"] = lambda *_: Pretrained(self._copy(), self.loaded.tokenizer)
        vars(sft)["chat_format"] = cache(chat_format)

    def _copy(self) -> Any:
        model = self.loaded.model
        return copy.deepcopy(model, {id(one): one for one in chain(model.parameters(), model.buffers())})

    def left(self) -> float:
        """Seconds until the end."""
        return self.until - time.time()

    def draw(
        self, asked: Sequence[Asked], adapter: Path | None, count: int, heat: float, seed: int, seconds: float
    ) -> list[list[tuple[str, float]]]:
        """Usable answers with their likelihoods; fewer sources than asked where the time is over."""
        ends = min(time.time() + seconds, self.until)
        found: list[list[tuple[str, float]]] = []
        for start in range(0, len(asked), TOGETHER):
            if time.time() > ends:
                break
            part = asked[start : start + TOGETHER]
            requests = [
                Request(
                    said,
                    max_tokens=room(source),
                    temperature=heat,
                    n=count,
                    seed=seed + start,
                    adapter=None if adapter is None else str(adapter),
                )
                for source, said in part
            ]
            for (source, _), request, answers in zip(part, requests, self._all(requests), strict=True):
                whole = answers or self._one_by_one(request)
                texts = ((usable(one, source), likelihood) for one, likelihood in whole)
                found.append([(text, likelihood) for text, likelihood in texts if text is not None])
        return found

    def _all(self, requests: Sequence[Request]) -> list[Answers]:
        answers = self.runner.run(self.writer.complete_all(requests))
        return [list(zip(*both, strict=True)) for both in zip(answers, self.writer.likelihoods, strict=True)]

    def _one_by_one(self, request: Request) -> Answers:
        """The answers to a request that is too long for all of them at once."""
        single = [replace(request, n=1, seed=request.seed + number) for number in range(request.n)]
        return [answer for one in single for answer in self._all([one])[0]]

    def pool(
        self, asked: Sequence[Asked], adapter: Path | None, draws: int, seed: int, seconds: float
    ) -> Texts:
        """The greedy answer to each source, and sampled ones."""
        sampled = self.draw(asked, adapter, draws, HEAT, seed, seconds)
        greedy = self.draw(asked[: len(sampled)], adapter, 1, 0.0, seed, self.left())
        both = zip(greedy, sampled, strict=False)
        return [[text for text, _ in (*first, *others)] for first, others in both]


def say(*what: Any) -> None:
    """With the time."""
    print(time.strftime("%H:%M:%S"), *what, flush=True)
