"""The training loop: steps, schedule, dev loss, checkpoints. All of a step follows from the seed."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from torch import nn

from redraft.errors import InputError
from redraft.train.batches import Layout
from redraft.train.chat import Example
from redraft.train.checkpoint import Checkpoints
from redraft.train.feed import Epoch, Feed, Group
from redraft.train.journal import Journal


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

    def __post_init__(self) -> None:
        if (
            min(self.epochs, self.tokens, self.accumulate, self.rate, self.check_every, self.patience or 1)
            <= 0
        ):
            raise InputError("epochs, tokens, accumulate, rate, check_every and patience must be above zero")
        if self.longest > self.tokens:
            raise InputError(f"a batch of {self.tokens} tokens cannot hold examples of {self.longest}")
        if not 0 <= self.warmup < 1:
            raise InputError(f"warmup is a share of training from 0 to below 1, not {self.warmup}")


@dataclass(slots=True)
class Progress:
    """Where training stands; kept in every checkpoint."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    """Batches of the epoch that are behind."""
    tokens: int = 0
    share: float = 0.0
    """How much of the training is done, from 0 to 1."""
    best: float = math.inf
    best_step: int = 0
    stale: int = 0
    """Looks at the dev set since the best."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How training ended. The model has its last weights, or with patience those of the best dev loss."""

    progress: Progress
    seconds: float
    tokens_per_second: float
    peak_memory: int
    reason: str


Listener = Callable[[dict[str, Any]], None]
"""Is told of every step and every look at the dev set, as written to `metrics.jsonl`."""


@dataclass(slots=True)
class Trainer:
    """Trains what an objective (a module from a batch to a summed loss) asks to be trained."""

    objective: nn.Module
    data: Epoch
    config: Config
    out: Path
    dev: Sequence[Example] = ()
    listener: Listener = lambda _: None
    stopping: threading.Event = field(default_factory=threading.Event)

    def run(self) -> Outcome:
        """Train to the end, from the newest checkpoint in `out` where there is one.

        The first Ctrl-C ends the step, keeps a checkpoint and raises KeyboardInterrupt.
        """
        config = self.config
        cuda = torch.cuda.is_available()
        accelerator = Accelerator(mixed_precision="bf16" if cuda else "no", cpu=not cuda)
        torch.manual_seed(config.seed)
        weights = [weight for weight in self.objective.parameters() if weight.requires_grad]
        optimiser = torch.optim.AdamW(
            weights, lr=config.rate, betas=config.betas, weight_decay=config.weight_decay, fused=True
        )
        if cuda if config.compile is None else config.compile:
            self.objective.compile()
        objective, optimiser = accelerator.prepare(self.objective, optimiser)
        checkpoints = Checkpoints(self.out, self.objective, optimiser.optimizer, config.keep)
        progress = Progress(**checkpoints.resume())
        run = _Run(self, accelerator, objective, optimiser, checkpoints, progress)
        with _held_back(self.stopping):
            return run.to_the_end()


class _Run:
    """One call of `Trainer.run`, with what was made ready for it."""

    def __init__(
        self,
        trainer: Trainer,
        accelerator: Accelerator,
        objective: nn.Module,
        optimiser: Any,
        checkpoints: Checkpoints,
        progress: Progress,
    ) -> None:
        self.trainer = trainer
        self.config = trainer.config
        self.accelerator = accelerator
        self.objective = objective
        self.optimiser = optimiser
        self.checkpoints = checkpoints
        self.progress = progress
        self.journal = (
            Journal(trainer.out / "metrics.jsonl", progress.step) if accelerator.is_main_process else None
        )
        self.cuda = accelerator.device.type == "cuda"
        self.started = time.monotonic()
        size = self.config.accumulate * accelerator.num_processes
        # Compiled code wants rows of one shape.
        longest = self.config.longest if self.cuda else None
        epochs = math.ceil(self.config.epochs) if self.config.max_steps is None else None
        self.feed = Feed(
            trainer.data, self.config.tokens, self.config.layout, self.config.seed, size, longest, epochs
        )

    def to_the_end(self) -> Outcome:
        progress, config = self.progress, self.config
        first = progress.tokens
        reason = "done"
        if self.cuda:
            torch.cuda.reset_peak_memory_stats()
        self.objective.train()
        for group in self.feed.groups(progress.epoch, progress.batch) if progress.share < 1 else ():
            self._step(group)
            if self.trainer.stopping.is_set():
                self._keep()
                raise KeyboardInterrupt
            if progress.step % config.check_every == 0:
                self._look()
                self._keep()
                if config.patience is not None and progress.stale >= config.patience:
                    reason = f"the dev loss has not fallen for {progress.stale} looks"
                    break
            if progress.share >= 1:
                break
        if progress.step % config.check_every:
            self._look()
        self._keep()
        if config.patience is not None:
            self.checkpoints.load_best()
        seconds = time.monotonic() - self.started
        return Outcome(
            progress,
            seconds,
            (progress.tokens - first) / seconds,
            torch.cuda.max_memory_allocated() if self.cuda else 0,
            reason,
        )

    def _step(self, group: Group) -> None:
        accelerator, progress, config = self.accelerator, self.progress, self.config
        rate = config.rate * _factor(progress.share, config.warmup)
        for settings in self.optimiser.param_groups:
            settings["lr"] = rate
        weight = sum(batch.weight for batch in group.batches)
        mine = group.batches[accelerator.process_index :: accelerator.num_processes]
        total = torch.zeros((), device=accelerator.device)
        for place, batch in enumerate(mine or group.batches[:1]):
            last = place == len(mine) - 1 or not mine
            with _unsynchronised(accelerator, self.objective, not last):
                loss = self.objective(batch.to(accelerator.device))
                # Processes average their gradients; a process without a batch adds nothing.
                scale = accelerator.num_processes / weight if mine else 0.0
                accelerator.backward(loss * scale)
            total += loss.detach() if mine else 0.0
        weights = [weight for weight in self.objective.parameters() if weight.requires_grad]
        norm = accelerator.clip_grad_norm_(weights, config.clip)
        self.optimiser.step()
        self.optimiser.zero_grad()
        progress.step += 1
        progress.epoch, progress.batch = group.epoch, group.end
        progress.tokens += sum(batch.used for batch in group.batches)
        if config.max_steps is None:
            progress.share = min(1.0, group.share / config.epochs)
        else:
            progress.share = progress.step / config.max_steps
        loss_sum = accelerator.reduce(total, "sum")
        # Reading a number waits for the device: done for the log, and every step only on a CPU.
        if not self.cuda or progress.step % 10 == 0 or progress.step == 1:
            self._tell(
                step=progress.step,
                epoch=round(group.share, 4),
                share=round(progress.share, 4),
                loss=loss_sum.item() / weight,
                rate=rate,
                norm=float(norm),
                tokens=progress.tokens,
            )

    def _look(self) -> None:
        """The dev loss; the best weights so far are kept beside the checkpoints."""
        if not self.trainer.dev:
            return
        loss = self.dev_loss()
        progress = self.progress
        if loss < progress.best:
            progress.best, progress.best_step, progress.stale = loss, progress.step, 0
            if self.accelerator.is_main_process and self.config.patience is not None:
                self.checkpoints.keep_best()
        else:
            progress.stale += 1
        self._tell(step=progress.step, dev_loss=loss, best=progress.best)

    def dev_loss(self) -> float:
        """The mean loss of a token of the dev set."""
        device = self.accelerator.device
        total = torch.zeros(2, dtype=torch.float64, device=device)
        self.objective.eval()
        with torch.no_grad():
            for number, batch in enumerate(self.feed.batches(self.trainer.dev)):
                if number % self.accelerator.num_processes == self.accelerator.process_index:
                    total[0] += self.objective(batch.to(device))
                    total[1] += batch.weight
        self.objective.train()
        total = self.accelerator.reduce(total, "sum")
        return float(total[0] / total[1])

    def _keep(self) -> None:
        if self.accelerator.is_main_process:
            self.checkpoints.save(asdict(self.progress))
        self.accelerator.wait_for_everyone()

    def _tell(self, **values: Any) -> None:
        if self.journal:
            values = {**values, "seconds": round(time.monotonic() - self.started, 3)}
            self.journal.write(values)
            self.trainer.listener(values)


def _factor(share: float, warmup: float) -> float:
    if share < warmup:
        return (share + 1e-3) / (warmup + 1e-3)
    return 0.5 * (1 + math.cos(math.pi * (share - warmup) / (1 - warmup)))


@contextmanager
def _unsynchronised(accelerator: Accelerator, objective: nn.Module, wanted: bool) -> Iterator[None]:
    if wanted:
        with accelerator.no_sync(objective):
            yield
    else:
        yield


@contextmanager
def _held_back(stopping: threading.Event) -> Iterator[None]:
    """Let a Ctrl-C wait for the end of the step; a second one is not held back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        stopping.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
