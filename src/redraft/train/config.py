"""How to train: what the loop is told, known without loading torch."""

from __future__ import annotations

import math
from dataclasses import dataclass

from redraft.errors import InputError
from redraft.train.plan import Layout


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
    layout: Layout = "packed"
    rate: float = 1e-3
    """The highest learning rate, reached after the `warmup` share of training; then half a cosine to zero."""
    warmup: float = 0.03
    weight_decay: float = 0.0
    betas: tuple[float, float] = (0.9, 0.99)
    clip: float = 1.0
    seed: int = 0
    check_every: int = 200
    """Steps between looks at the dev set, and between checkpoints."""
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
        names = ("epochs", "max_steps", "tokens", "accumulate", "rate", "check_every", "patience", "keep")
        for name in names:
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise InputError(f"{name} must be above zero, not {value}")
        if self.longest > self.tokens:
            raise InputError(f"a batch of {self.tokens} tokens cannot hold examples of {self.longest}")
        if not 0 <= self.warmup < 1:
            raise InputError(f"warmup is a share of training from 0 to below 1, not {self.warmup}")
