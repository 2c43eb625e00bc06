"""Batches for the training loop: examples packed into rows or padded, made ahead of their use in a thread."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from redraft.errors import InputError
from redraft.train.chat import Example, Pair
from redraft.train.config import FEWEST_TOKENS, Layout, plan_batches

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
    """What its loss is divided by: the weights of all labels together, or the number of pairs."""
    used: int
    """How many tokens are no padding."""
    owners: Tensor
    """The example that each label belongs to."""
    reference: Tensor | None = None
    """The log-probabilities of the examples before training, where they are needed."""

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""

        def move(tensor: Tensor) -> Tensor:
            return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor

        values = {each.name: getattr(self, each.name) for each in fields(self)}
        moved: dict[str, Any] = {k: move(v) for k, v in values.items() if isinstance(v, Tensor)}
        return replace(self, **moved)


def pack_batch(examples: Sequence[Example], size: int | None = None, longest: int | None = None) -> Batch:
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


def pad_batch(examples: Sequence[Example]) -> Batch:
    """One row an example, filled up on the right, where causal attention never looks."""
    longest = max(map(len, examples))
    tokens = np.zeros((len(examples), longest), np.int64)
    weights = np.zeros((len(examples), longest), np.float32)
    for row, example in enumerate(examples):
        tokens[row, : len(example)] = example.tokens
        weights[row, 1 : len(example)] = example.weights[1:]
    positions = np.broadcast_to(np.arange(longest), tokens.shape)
    return _batch(tokens, positions, weights.reshape(-1), None, longest, examples)


def pack_pairs(pairs: Sequence[Pair], size: int | None = None, longest: int | None = None) -> Batch:
    """The pairs in one row: of each the preferred conversation, then the other."""
    batch = pack_batch([one for pair in pairs for one in (pair.preferred, pair.dispreferred)], size, longest)
    found = [pair.reference for pair in pairs if pair.reference is not None]
    reference = torch.tensor(found).flatten() if found else None
    return replace(batch, weight=float(len(pairs)), reference=reference)


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
    width = tokens.shape[1]
    owners = targets // width if edges is None else np.searchsorted(edges, targets, "right") - 1
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
        torch.from_numpy(np.pad(owners, (0, spare))),
    )


T = TypeVar("T")
Made = Generator[T, None, None]
"""Items that are made one by one, until there are no more or `close` is called."""

POLL_SECONDS = 0.2
"""How often a thread that waits for the other looks whether it is to stop."""

Examples = Sequence[Example] | Sequence[Pair]
"""What is learnt from: examples one by one, or pairs of which one is better."""
Epoch = Callable[[int], Examples]
"""Those of epoch 0, 1, …: the same for the same number, so that training can be resumed."""


@dataclass(frozen=True, slots=True)
class StepBatches:
    """The batches of one step, those of all processes, and where in the data it ends."""

    batches: tuple[Batch, ...]
    epoch: int
    end: int
    """Batches of the epoch that are behind after this step."""
    share: float
    """Epochs that are behind after this step."""


@dataclass(frozen=True, slots=True)
class BatchFeed:
    """Turns examples into groups of `size` batches of at most `tokens` tokens.

    `longest` is given where code is compiled for one shape: then every row is filled up to `tokens`.
    `epochs` are all that will be asked for, where that is known. A batch holds at most `most` examples.
    """

    data: Epoch
    tokens: int
    layout: Layout
    seed: int
    size: int
    longest: int | None = None
    epochs: int | None = None
    most: int | None = None

    def groups(self, epoch: int, skip: int, stop: threading.Event | None = None) -> Made[StepBatches]:
        """The groups from a batch of an epoch on, until told to stop; to be closed by who stops before."""
        return _ahead(self._groups(epoch, skip, stop), stop=stop)

    def batches(self, examples: Examples) -> Iterator[Batch]:
        """A fixed set of examples, a dev set, in a fixed order."""
        for numbers in self._plan(examples, 0):
            yield self._batch([examples[number] for number in numbers])

    def _groups(self, epoch: int, skip: int, stop: threading.Event | None) -> Made[StepBatches]:
        numbers = count(epoch) if self.epochs is None else range(epoch, self.epochs)
        # The next epoch is made while this one is learnt.
        with contextlib.closing(_ahead(self._examples(numbers), 1, stop)) as epochs:
            for number, examples in epochs:
                planned = self._plan(examples, self.seed * 1000 + number)
                for start in range(skip if number == epoch else 0, len(planned), self.size):
                    chosen = planned[start : start + self.size]
                    batches = [self._batch([examples[place] for place in places]) for places in chosen]
                    end = start + len(chosen)
                    yield StepBatches(tuple(batches), number, end, number + end / len(planned))

    def _examples(self, numbers: Iterable[int]) -> Made[tuple[int, Examples]]:
        for number in numbers:
            examples = self.data(number)
            if not examples:
                raise InputError("there is nothing to train on: no example is left, or all are too long")
            yield number, examples

    def _plan(self, examples: Examples, seed: int) -> list[list[int]]:
        most = self.most
        if isinstance(examples[0], Pair):
            # Attention is made ready for so many stretches, of which a pair has two.
            most = min(most or self.tokens, max(1, self.tokens // FEWEST_TOKENS // 2))
        return plan_batches([len(example) for example in examples], self.tokens, self.layout, seed, most)

    def _batch(self, examples: Sequence[Example | Pair]) -> Batch:
        shape = (self.tokens, self.longest) if self.longest else (None, None)
        if pairs := [one for one in examples if isinstance(one, Pair)]:
            return pack_pairs(pairs, *shape)
        single = [one for one in examples if isinstance(one, Example)]
        return pad_batch(single) if self.layout == "padded" else pack_batch(single, *shape)


def _ahead(items: Made[T], depth: int = 8, stop: threading.Event | None = None) -> Made[T]:
    """The items, made ahead of their use in a thread, so that the device does not wait for them.

    It ends early once `stop` is set. However it ends, the thread has ended too, and `items` is closed.
    """
    with contextlib.closing(items), ThreadPoolExecutor(1, "batches") as thread:
        # One thread makes them in order; `None` comes after the last.
        ready = deque(thread.submit(next, items, None) for _ in range(depth))
        try:
            while not (stop and stop.is_set()):
                try:
                    item = ready[0].result(POLL_SECONDS)
                except TimeoutError:
                    if ready[0].done():  # the error is that of the maker
                        raise
                    continue
                if item is None:
                    return
                ready.popleft()
                ready.append(thread.submit(next, items, None))
                yield item
        finally:
            thread.shutdown(cancel_futures=True)
