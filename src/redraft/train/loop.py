"""The training loop: steps, schedule, dev loss, checkpoints. All of a step follows from the seed."""

from __future__ import annotations

import math
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from torch import nn

from redraft.errors import InputError
from redraft.train.batches import BatchFeed, Epoch, Examples, StepBatches
from redraft.train.checkpoint import Checkpoints, MetricsLog
from redraft.train.config import Config
from redraft.train.model import PreferenceObjective

__all__ = ["Config", "Listener", "Outcome", "Progress", "Trainer"]


@dataclass(slots=True)
class Progress:
    """Where training stands; kept in every checkpoint."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    """Batches of the epoch that are behind."""
    tokens: int = 0
    seconds: float = 0.0
    """What the steps have taken, before an interruption too; the first, which compiles, is not counted."""
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
    already: bool = False
    """Whether it had ended before, and nothing was trained this time."""


Listener = Callable[[dict[str, Any]], None]
"""Is told of every step and every look at the dev set, as written to `metrics.jsonl`."""


@dataclass(slots=True)
class Trainer:
    """Trains what an objective (a module from a batch to a summed loss) asks to be trained."""

    objective: nn.Module
    data: Epoch
    config: Config
    out: Path
    dev: Examples = ()
    listener: Listener = lambda _: None
    stopping: threading.Event = field(default_factory=threading.Event)
    interrupted: Callable[[], None] = lambda: None
    """Is called, from a thread of its own, as soon as a signal asks for an end, while the step goes on."""

    def run(self) -> Outcome:
        """Train to the end, from the newest checkpoint in `out` where there is one.

        The first Ctrl-C, or SIGTERM, ends the step, keeps a checkpoint and raises KeyboardInterrupt; in the
        last step it lets training end.
        """
        config = self.config
        cuda = torch.cuda.is_available()
        accelerator = Accelerator(mixed_precision="bf16" if cuda else "no", cpu=not cuda)
        torch.manual_seed(config.seed)
        trained = [weight for weight in self.objective.parameters() if weight.requires_grad]
        optimiser = torch.optim.AdamW(
            trained, lr=config.rate, betas=config.betas, weight_decay=config.weight_decay, fused=True
        )
        if _compiles(config):
            self.objective.compile()
        objective, optimiser = accelerator.prepare(self.objective, optimiser)
        checkpoints = Checkpoints(self.out, self.objective, optimiser.optimizer, config.keep)
        try:
            progress = Progress(**checkpoints.resume())
        except TypeError:
            raise InputError(
                f"the checkpoints in {self.out} are of another version of redraft; choose another --out"
            ) from None
        run = _Run(self, accelerator, objective, optimiser, checkpoints, progress)
        with _stopping_softly(self.stopping, self.interrupted):
            return run.to_the_end()


@dataclass(slots=True)
class _Run:
    """One call of `Trainer.run`, with what was made ready for it."""

    trainer: Trainer
    accelerator: Accelerator
    objective: nn.Module
    optimiser: Any
    checkpoints: Checkpoints
    progress: Progress
    started: float = field(default_factory=time.monotonic)
    kept: float = field(default_factory=time.monotonic)
    """When there was a checkpoint."""
    config: Config = field(init=False)
    cuda: bool = field(init=False)
    feed: BatchFeed = field(init=False)
    journal: MetricsLog | None = None

    def __post_init__(self) -> None:
        config = self.config = self.trainer.config
        if config.minutes is not None and self.accelerator.num_processes > 1:
            raise InputError("minutes are for one process: several would not stop at the same step")
        if self.accelerator.is_main_process:
            self.journal = MetricsLog(self.trainer.out / "metrics.jsonl", self.progress.step)
        self.cuda = self.accelerator.device.type == "cuda"
        self.feed = BatchFeed(
            self.trainer.data,
            config.tokens,
            config.layout,
            config.seed,
            config.accumulate * self.accelerator.num_processes,
            config.longest if _compiles(config) else None,  # compiled code wants rows of one shape
            math.ceil(config.epochs) if config.max_steps is None else None,
            config.examples,
        )

    def to_the_end(self) -> Outcome:
        progress = self.progress
        first = progress.tokens
        if self.cuda:
            torch.cuda.reset_peak_memory_stats()
        if not self._end():
            self._train()
        if self.config.patience is not None:
            self.checkpoints.load_best()
        seconds = time.monotonic() - self.started
        return Outcome(
            progress,
            seconds,
            (progress.tokens - first) / seconds,
            torch.cuda.max_memory_allocated() if self.cuda else 0,
            self._end(),
        )

    def _end(self) -> str:
        """Why training has ended, or nothing while it has not."""
        if self.config.patience is not None and self.progress.stale >= self.config.patience:
            looks = "look" if self.progress.stale == 1 else "looks"
            return f"the dev loss has not fallen for {self.progress.stale} {looks}"
        return "done" if self.progress.share >= 1 else ""

    def _train(self) -> None:
        progress, stopping = self.progress, self.trainer.stopping
        self.objective.train()
        with closing(self.feed.groups(progress.epoch, progress.batch, stopping)) as groups:
            before = None
            for group in groups:
                self._step(group)
                now = time.monotonic()
                progress.seconds += 0.0 if before is None else now - before
                before = now
                # What says that training is done is kept only after the last look: see `_end`.
                if progress.share >= 1 or progress.step % self.config.check_every == 0:
                    self._look()
                    self._keep()
                elif time.monotonic() - self.kept >= self.config.save_seconds:
                    # Each process has its own clock, so none may wait for another here.
                    self._save()
                if self._end():
                    return
        # Nothing but a signal ends the groups before the training.
        self._keep()
        raise KeyboardInterrupt

    def _step(self, group: StepBatches) -> None:
        accelerator, progress, config = self.accelerator, self.progress, self.config
        rate = config.rate * _factor(progress.share, config.warmup)
        for settings in self.optimiser.param_groups:
            settings["lr"] = rate
        weight = sum(batch.weight for batch in group.batches)
        mine = group.batches[accelerator.process_index :: accelerator.num_processes]
        total = torch.zeros((), device=accelerator.device)
        for place, batch in enumerate(mine or group.batches[:1]):
            last = place == len(mine) - 1 or not mine
            with nullcontext() if last else accelerator.no_sync(self.objective):
                loss = self.objective(batch.to(accelerator.device))
                # Processes average their gradients; a process without a batch adds nothing.
                scale = accelerator.num_processes / weight if mine else 0.0
                accelerator.backward(loss * scale)
            total += loss.detach() if mine else 0.0
        trained = [weight for weight in self.objective.parameters() if weight.requires_grad]
        norm = accelerator.clip_grad_norm_(trained, config.clip)
        self.optimiser.step()
        self.optimiser.zero_grad()
        progress.step += 1
        progress.epoch, progress.batch = group.epoch, group.end
        progress.tokens += sum(batch.used for batch in group.batches)
        if config.max_steps is None:
            progress.share = min(1.0, group.share / config.epochs)
        else:
            progress.share = progress.step / config.max_steps
        if config.minutes is not None:
            progress.share = min(1.0, max(progress.share, progress.seconds / (60 * config.minutes)))
        loss_sum = accelerator.reduce(total, "sum")
        # Reading a number waits for the device: done for the log, and every step only on a CPU.
        if not self.cuda or progress.step % 10 == 0 or progress.step == 1:
            loss_mean = loss_sum.item() / weight
            if not math.isfinite(loss_mean):
                raise InputError(
                    f"the loss is {loss_mean} at step {progress.step}: train anew with a lower --rate"
                )
            self._log(
                step=progress.step,
                epoch=round(group.share, 4),
                share=round(progress.share, 4),
                loss=loss_mean,
                rate=rate,
                norm=float(norm),
                tokens=progress.tokens,
                **self._measures(),
            )

    def _measures(self) -> dict[str, float]:
        """What an objective on preferences has seen in this process."""
        objective = self.trainer.objective
        return objective.measures() if isinstance(objective, PreferenceObjective) else {}

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
        self._log(step=progress.step, dev_loss=loss, best=progress.best)

    def dev_loss(self) -> float:
        """The mean loss of a token, or of a pair, of the dev set."""
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
        self._save()
        self.accelerator.wait_for_everyone()

    def _save(self) -> None:
        if self.accelerator.is_main_process:
            self.checkpoints.save(asdict(self.progress))
        self.kept = time.monotonic()

    def _log(self, **values: Any) -> None:
        if self.journal:
            values = {**values, "seconds": round(time.monotonic() - self.started, 3)}
            self.journal.write(values)
            self.trainer.listener(values)


def _compiles(config: Config) -> bool:
    return torch.cuda.is_available() if config.compile is None else config.compile


def _factor(share: float, warmup: float) -> float:
    if share < warmup:
        return (share + 1e-3) / (warmup + 1e-3)
    return 0.5 * (1 + math.cos(math.pi * (share - warmup) / (1 - warmup)))


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def _stopping_softly(stopping: threading.Event, tell: Callable[[], None]) -> Iterator[None]:
    """Let a Ctrl-C or SIGTERM wait for the end of the step, and tell of it; a second one is not held back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        stopping.set()
        restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number in _SIGNALS:
        signal.signal(number, stop)
    try:
        with _announced_at_once(tell):
            yield
    finally:
        restore()


@contextmanager
def _announced_at_once(tell: Callable[[], None]) -> Iterator[None]:
    """Tell of the first signal when it comes: Python's own handlers wait for the end of a backward pass."""

    def wait() -> None:
        # The other end sends the numbers of signals, and is closed at last.
        while found := reader.recv(1):
            if found[0] in _SIGNALS:
                tell()
                return

    reader, writer = socket.socketpair()
    thread = threading.Thread(target=wait, name="signals", daemon=True)
    with reader:
        writer.setblocking(False)
        before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        thread.start()
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            writer.close()
            thread.join()  # before the reader is closed, whatever went wrong
