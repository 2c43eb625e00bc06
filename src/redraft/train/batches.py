"""Batches: examples packed one after the other into a row, or padded beside others of about their length."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from redraft.errors import InputError
from redraft.train.chat import Example

Layout = Literal["packed", "padded"]

BUCKET = 64
"""Batches whose examples are sorted by length together; more would make neighbours ever the same."""
FEWEST_TOKENS = 32
"""A batch holds no more examples than if each had so many: attention pays for all that it might hold."""
LABELS_TOGETHER = 1024
"""Where shapes are to stay the same, the number of predictions is rounded up to a multiple."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Tokens in rows, and where in them (rows end to end) which token is to be predicted.

    In a packed batch `bounds` are the ends of its examples, 0 first, and no token sees past them.
    """

    tokens: Tensor
    positions: Tensor
    index: Tensor
    labels: Tensor
    weights: Tensor
    bounds: Tensor | None
    longest: int
    examples: int
    """How many examples it holds."""
    weight: float
    """The weights of all labels together."""
    used: int
    """How many tokens are no padding."""

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""

        def move(tensor: Tensor) -> Tensor:
            return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor

        bounds = None if self.bounds is None else move(self.bounds)
        return Batch(
            move(self.tokens), move(self.positions), move(self.index), move(self.labels), move(self.weights),
            bounds, self.longest, self.examples, self.weight, self.used,
        )  # fmt: skip


def plan(lengths: Sequence[int], budget: int, layout: Layout, seed: int) -> list[list[int]]:
    """The numbers of the examples of each batch, at most `budget` tokens each, in a seeded order."""
    order = list(range(len(lengths)))
    shuffler = random.Random(seed)
    shuffler.shuffle(order)
    too_long = next((number for number in order if lengths[number] > budget), None)
    if too_long is not None:
        raise InputError(f"an example has {lengths[too_long]} tokens, but a batch holds only {budget}")
    if layout == "packed":
        most = max(1, budget // FEWEST_TOKENS)
        return _filled(order, lambda total, count, length: total + length <= budget and count < most, lengths)
    window = BUCKET * max(1, budget // max(1, sum(lengths) // max(1, len(lengths))))
    batches = []
    for start in range(0, len(order), window):
        near = sorted(order[start : start + window], key=lambda number: lengths[number])
        batches += _filled(near, lambda _, count, length: (count + 1) * length <= budget, lengths)
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


def pack(examples: Sequence[Example], size: int | None = None, longest: int | None = None) -> Batch:
    """The examples in one row, filled up to `size` tokens where the shape has to stay the same."""
    ends = np.cumsum([0, *map(len, examples)])
    used = int(ends[-1])
    longest = longest or max(map(len, examples))
    tokens = np.concatenate([example.tokens for example in examples])
    bounds = ends.tolist()
    if size is not None:
        # What fills the row is cut as the examples are, so that attention never meets a longer stretch.
        bounds += [*range(used + longest, size, longest), size] if size > used else []
        tokens = np.concatenate([tokens, np.zeros(size - used, np.int64)])
        bounds += [size] * (size // FEWEST_TOKENS + size // longest + 2 - len(bounds))
    edges = np.array(bounds)
    positions = np.arange(len(tokens)) - np.repeat(edges[:-1], np.diff(edges))
    weights = np.concatenate([example.weights for example in examples])
    weights[ends[:-1]] = 0  # nothing comes before the first token of an example
    spare = 0 if size is None else -int(np.count_nonzero(weights)) % LABELS_TOGETHER
    return _batch(tokens[None], positions[None], weights, edges, longest, examples, spare)


def pad(examples: Sequence[Example]) -> Batch:
    """One row an example, filled up on the right, where causal attention never looks."""
    longest = max(map(len, examples))
    tokens = np.zeros((len(examples), longest), np.int64)
    weights = np.zeros((len(examples), longest), np.float32)
    for row, example in enumerate(examples):
        tokens[row, : len(example)] = example.tokens
        weights[row, 1 : len(example)] = example.weights[1:]
    positions = np.broadcast_to(np.arange(longest), tokens.shape)
    return _batch(tokens, positions, weights.reshape(-1), None, longest, examples)


def _batch(
    tokens: NDArray[np.int64],
    positions: NDArray[np.int64],
    weights: NDArray[np.float32],
    edges: NDArray[np.int64] | None,
    longest: int,
    examples: Sequence[Example],
    spare: int = 0,
) -> Batch:
    targets = np.flatnonzero(weights)
    return Batch(
        torch.from_numpy(tokens),
        torch.from_numpy(np.ascontiguousarray(positions)),
        torch.from_numpy(np.pad(targets - 1, (0, spare))),
        torch.from_numpy(np.pad(tokens.reshape(-1)[targets], (0, spare))),
        torch.from_numpy(np.pad(weights[targets], (0, spare))),
        None if edges is None else torch.from_numpy(edges.astype(np.int32)),
        longest,
        len(examples),
        float(weights.sum()),
        sum(map(len, examples)),
    )
