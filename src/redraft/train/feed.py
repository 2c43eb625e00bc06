"""What feeds the loop: the batches of each step, made ahead in a thread, from any place on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from redraft.errors import InputError
from redraft.train.batches import Batch, Layout, pack, pad, plan
from redraft.train.chat import Example

T = TypeVar("T")

Epoch = Callable[[int], Sequence[Example]]
"""The examples of epoch 0, 1, …: the same for the same number, so that training can be resumed."""


@dataclass(frozen=True, slots=True)
class Group:
    """The batches of one step, those of all processes, and where in the data it ends."""

    batches: tuple[Batch, ...]
    epoch: int
    end: int
    """Batches of the epoch that are behind after this step."""
    share: float
    """Epochs that are behind after this step."""


@dataclass(frozen=True, slots=True)
class Feed:
    """Turns examples into groups of `size` batches of at most `tokens` tokens.

    `longest` is given where code is compiled for one shape: then every row is filled up to `tokens`.
    `epochs` are all that will be asked for, where that is known.
    """

    data: Epoch
    tokens: int
    layout: Layout
    seed: int
    size: int
    longest: int | None = None
    epochs: int | None = None

    def groups(self, epoch: int, skip: int) -> Iterator[Group]:
        """The groups from a batch of an epoch on."""
        return _ahead(self._groups(epoch, skip))

    def batches(self, examples: Sequence[Example]) -> Iterator[Batch]:
        """A fixed set of examples, a dev set, in a fixed order."""
        for numbers in self._plan(examples, 0):
            yield self._batch([examples[number] for number in numbers])

    def _groups(self, epoch: int, skip: int) -> Iterator[Group]:
        numbers = count(epoch) if self.epochs is None else range(epoch, self.epochs)
        # The next epoch is made while this one is learnt.
        for number, examples in _ahead(((number, self.data(number)) for number in numbers), 1):
            if not examples:
                raise InputError("there is nothing to train on: no example is left")
            planned = self._plan(examples, self.seed * 1000 + number)
            for start in range(skip if number == epoch else 0, len(planned), self.size):
                chosen = planned[start : start + self.size]
                batches = [self._batch([examples[place] for place in places]) for places in chosen]
                end = start + len(chosen)
                yield Group(tuple(batches), number, end, number + end / len(planned))

    def _plan(self, examples: Sequence[Example], seed: int) -> list[list[int]]:
        return plan([len(example) for example in examples], self.tokens, self.layout, seed)

    def _batch(self, examples: Sequence[Example]) -> Batch:
        if self.layout == "padded":
            return pad(examples)
        return pack(examples, self.tokens, self.longest) if self.longest else pack(examples)


def _ahead(items: Iterator[T], depth: int = 8) -> Iterator[T]:
    """The items, made ahead of their use in a thread, so that the device does not wait for them."""
    ready: queue.Queue[T | BaseException] = queue.Queue(depth)
    stopped = threading.Event()

    def put(item: T | BaseException) -> None:
        while not stopped.is_set():
            try:
                ready.put(item, timeout=0.2)
            except queue.Full:
                continue
            return

    def work() -> None:
        try:
            for item in items:
                put(item)
                if stopped.is_set():
                    return
            put(StopIteration())
        except Exception as error:
            put(error)

    thread = threading.Thread(target=work, name="batches", daemon=True)
    thread.start()
    try:
        while not isinstance(item := ready.get(), StopIteration):
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stopped.set()
        thread.join()
