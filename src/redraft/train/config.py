"""How to train: what the loop is told, known without loading torch."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.errors import InputError

Layout = Literal["packed", "padded"]
"""Examples one after the other in a row, or padded beside others of about their length."""

BUCKET = 64
"""Batches whose examples are sorted by length together; more would make neighbours ever the same."""
FEWEST_TOKENS = 32
"""A batch holds no more examples than if each had so many: attention pays for all that it might hold."""


def plan(
    lengths: Sequence[int], budget: int, layout: Layout, seed: int, most: int | None = None
) -> list[list[int]]:
    """The numbers of the examples of each batch, at most `budget` tokens each, in a seeded order.

    Nor are there more than `most` in a batch.
    """
    most = min(max(1, budget // FEWEST_TOKENS), most or budget)
    order = list(range(len(lengths)))
    shuffler = random.Random(seed)
    shuffler.shuffle(order)
    too_long = next((number for number in order if lengths[number] > budget), None)
    if too_long is not None:
        raise InputError(f"an example has {lengths[too_long]} tokens, but a batch holds only {budget}")
    if layout == "packed":
        return _filled(order, lambda total, count, length: total + length <= budget and count < most, lengths)
    window = BUCKET * max(1, budget // max(1, sum(lengths) // max(1, len(lengths))))
    batches = []
    for start in range(0, len(order), window):
        near = sorted(order[start : start + window], key=lambda number: lengths[number])
        batches += _filled(
            near, lambda _, count, length: (count + 1) * length <= budget and count < most, lengths
        )
    shuffler.shuffle(batches)
    return batches


def _filled(
    order: list[int], fits: Callable[[int, int, int], bool], lengths: Sequence[int]
) -> list[list[int]]:
    batches: list[list[int]] = []
    total = 0
    for number in order:
        if not batches or not fits(total, len(batches[-1]), lengths[number]):
            batches.append([])
            total = 0
        batches[-1].append(number)
        total += lengths[number]
    return batches


@dataclass(frozen=True, slots=True)
class Config:
    """How to train. A step learns from `accumulate` batches of `tokens` tokens (for each process)."""

    epochs: float = 3.0
    max_steps: int | None = None
    """Ends there, and the learning rate falls towards it, whatever the epochs."""
    tokens: int = 16_384
    longest: int = 512
    """Tokens of the longest example that is learnt from."""
    accumulate: int = 1
    examples: int | None = None
    """Examples, or pairs, that a batch holds at most, whatever its tokens."""
    layout: Layout = "packed"
    rate: float = 1e-3
    """The highest learning rate, reached after the `warmup` share of training; then half a cosine to zero."""
    warmup: float = 0.03
    weight_decay: float = 0.0
    betas: tuple[float, float] = (0.9, 0.99)
    clip: float = 1.0
    seed: int = 0
    check_every: int = 200
    """Steps between looks at the dev set, each of which is followed by a checkpoint."""
    save_seconds: float = 300.0
    """Seconds after which there is a checkpoint anyway; they change nothing of what is learnt."""
    patience: int | None = None
    """Looks without a lower dev loss until training stops, and the best weights are taken; never by default.

    A small model that edits goes on getting better long after its loss on a dev set of single answers has
    begun to rise: see docs/training.md.
    """
    compile: bool | None = None
    """By default on a GPU only, where it pays."""
    keep: int = 2
    """Checkpoints that are kept, the newest."""

    def __post_init__(self) -> None:
        names = (
            "epochs",
            "max_steps",
            "tokens",
            "accumulate",
            "examples",
            "rate",
            "check_every",
            "save_seconds",
            "patience",
            "keep",
        )
        for name in names:
            value = getattr(self, name)
            if value is None:
                continue
            if not math.isfinite(value):
                raise InputError(f"{name} must be a finite number, not {value}")
            if value <= 0:
                raise InputError(f"{name} must be above zero, not {value}")
        if self.longest > self.tokens:
            raise InputError(
                f"a batch of {self.tokens} tokens (--tokens) cannot hold an example of {self.longest} "
                "(--longest): raise the one, or lower the other"
            )
        if not 0 <= self.warmup < 1:
            raise InputError(f"warmup is a share of training from 0 to below 1, not {self.warmup}")
