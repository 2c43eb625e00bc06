"""How a training shows what it does: a bar on a terminal, lines elsewhere, and a table before it begins."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from redraft.cli.console import Output, console, note, put
from redraft.errors import InputError
from redraft.train import plan_batches

if TYPE_CHECKING:
    from redraft.train import ChatFormat, Config, EditorData, Listener, TrainingData

_EVERY_S = 10.0


def say_kept_out(data: TrainingData[Any] | EditorData) -> None:
    """How many rows of which files the test sets and the dev set kept out."""
    if data.record["guarded"]:
        _say_of_files("kept out as rows of the test sets, or nearly", data.refused)
    else:
        note("no test sets are named (--tests), so nothing keeps them out of the training", style="yellow")
    if any(data.in_dev.values()):
        _say_of_files("kept out as rows of the dev set", data.in_dev)


def counted(number: int, thing: str) -> str:
    """1 row, 2 rows."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def say_mixture(data: EditorData) -> None:
    """What an epoch takes of each file."""
    if any(data.copies.values()):
        _say_of_files("kept out since they change nothing", data.copies)
    for count in data.mixture.counts():
        rows = f"{count.rows:7,} {'row ' if count.rows == 1 else 'rows'}"
        note(f"{count.file:32} {count.task:16} {rows} x {count.weight:g} = {count.draws:,}")


def _say_of_files(what: str, counts: Mapping[str, int]) -> None:
    note(f"{what}: {sum(counts.values()):,}")
    for name, count in counts.items():
        if count:
            note(f"  {count:6,} of {name}")


def show_plan(data: EditorData, chat: ChatFormat, config: Config) -> None:
    """What the first epoch takes, and one of its examples, token by token."""
    found = list(chat.examples(data.epoch(0)))
    kept = [example for example in found if len(example) <= config.longest]
    too_long = f"{_too_long(len(found) - len(kept))} (--longest {config.longest})"
    put(f"examples  {len(kept):,} in an epoch; {too_long}\n")
    if data.dev:
        held_out = [len(example) <= config.longest for example in chat.examples(data.dev)]
        put(f"dev       {counted(sum(held_out), 'example')}; {_too_long(held_out.count(False))}\n")
    if not kept:
        raise InputError("there is nothing to train on: every example is too long")
    lengths = [len(example) for example in kept]
    learnt = sum(np.count_nonzero(example.weights) for example in kept)
    sizes = f"{statistics.median_high(lengths)} in the middle, {max(lengths)} at most"
    put(f"tokens    {sum(lengths):,} in an epoch, {learnt:,} of them learnt; an example has {sizes}\n")
    batches = len(plan_batches(lengths, config.tokens, config.layout, config.seed * 1000))
    steps = math.ceil(batches / config.accumulate)
    if config.max_steps is None:
        # Another epoch draws other rows, which may take another number of batches.
        epochs = "epoch" if config.epochs == 1 else "epochs"
        whole = f"about {math.ceil(steps * config.epochs):,} in {config.epochs:g} {epochs}"
    else:
        whole = f"{config.max_steps:,} in all"
    put(f"steps     {steps:,} in an epoch, {whole}\n")
    put(f"\none example: place, id, weight in the loss, token\n{chat.table(kept[0])}\n")


def _too_long(number: int) -> str:
    return f"{number:,} {'is' if number == 1 else 'are'} too long"


@contextmanager
def training_view() -> Iterator[tuple[Listener, Callable[[], None]]]:
    """What shows a training, and what says that it was told to stop.

    On a terminal a bar with the losses; elsewhere a line now and then.
    """
    shown = console()
    stopping = "finishing this step; Ctrl-C again stops at once"
    if Output.quiet or not shown.is_terminal:
        yield _Lines(), lambda: note(stopping)
        return
    columns = (
        TextColumn("step {task.fields[step]}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TextColumn("{task.fields[losses]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=shown) as bar:
        # The bar's own console puts a line above it.
        yield _Bar(bar), lambda: shown.print(stopping)


class _Bar:
    """Moves the bar; the speed is that since the first step it heard of, be the training new or resumed."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=1.0, step=0, losses="preparing")
        self._loss = self._dev = self._speed = ""
        self._first: dict[str, Any] | None = None

    def __call__(self, values: dict[str, Any]) -> None:
        if "dev_loss" in values:
            self._dev = f"dev {values['dev_loss']:.4f}"
        else:
            self._loss = f"loss {values['loss']:.4f}"
            first = self._first = self._first or values
            seconds = values["seconds"] - first["seconds"]
            if seconds > 0:
                self._speed = f"{(values['tokens'] - first['tokens']) / seconds:,.0f} tokens/s"
        losses = "  ".join(filter(None, (self._loss, self._dev, self._speed)))
        share = values.get("share")
        self._bar.update(self._task, completed=share, step=values["step"], losses=losses)


class _Lines:
    """Says how training goes every ten seconds, and every dev loss."""

    def __init__(self) -> None:
        self._last = -math.inf

    def __call__(self, values: dict[str, Any]) -> None:
        if "dev_loss" in values:
            note(f"step {values['step']}: dev loss {values['dev_loss']:.4f}, best {values['best']:.4f}")
        elif time.monotonic() - self._last > _EVERY_S:
            self._last = time.monotonic()
            note(f"step {values['step']}, {values['share']:.0%}: loss {values['loss']:.4f}")
