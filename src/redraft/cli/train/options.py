"""What the commands of `redraft train` share: their options, the base model, and a training that is shown."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.addresses import without_login
from redraft.cli.console import note, put
from redraft.cli.models import weights_progress
from redraft.cli.train.view import counted, training_view
from redraft.errors import MissingExtra
from redraft.models import CHAT, MODEL_FILE, ensure
from redraft.settings import load_settings
from redraft.train import Config

Data = Annotated[
    list[Path], typer.Option("--data", help="Training files, JSONL.", exists=True, dir_okay=False)
]
Out = Annotated[
    Path,
    typer.Option("--out", help="The folder of the training; going on where it stopped.", file_okay=False),
]
Dev = Annotated[
    list[Path] | None,
    typer.Option("--dev", help="Files never trained on, that say when to stop.", exists=True, dir_okay=False),
]
Tests = Annotated[
    list[Path] | None,
    typer.Option("--tests", help="Test sets: what is like their texts is kept out.", exists=True),
]
Base = Annotated[
    Path | None,
    typer.Option(
        "--base", help="A GGUF to train instead of the embedded model.", exists=True, dir_okay=False
    ),
]
Longest = Annotated[int, typer.Option("--longest", min=16, help="Tokens of the longest example.")]


@dataclass(frozen=True, slots=True)
class How:
    """How to train, as said on the command line."""

    rank: Annotated[
        int, typer.Option("--rank", min=0, help="The adapter's rank; 0 trains the whole model.")
    ] = 16
    epochs: Annotated[float, typer.Option("--epochs", min=0.001, help="Times through the data.")] = 3.0
    max_steps: Annotated[int | None, typer.Option("--max-steps", min=1, help="Stop after so many steps.")] = (
        None
    )
    rate: Annotated[
        float | None, typer.Option("--rate", help="The highest learning rate.", show_default="by rank")
    ] = None
    tokens: Annotated[int, typer.Option("--tokens", min=64, help="Tokens of a batch.")] = 16_384
    accumulate: Annotated[int, typer.Option("--accumulate", min=1, help="Batches of a step.")] = 1
    check_every: Annotated[
        int,
        typer.Option(
            "--check-every",
            min=1,
            help="Steps between dev losses, and checkpoints (one every 5 minutes, too).",
        ),
    ] = 200
    patience: Annotated[
        int | None,
        typer.Option(
            "--patience",
            min=1,
            help="Stop after so many dev losses without a lower one.",
            show_default="never",
        ),
    ] = None
    seed: Annotated[int, typer.Option("--seed", min=0, help="For the order, and for all that is drawn.")] = 0

    def config(self, longest: int) -> Config:
        """The same for the training loop."""
        return Config(
            epochs=self.epochs,
            max_steps=self.max_steps,
            tokens=self.tokens,
            longest=longest,
            accumulate=self.accumulate,
            # A few weights bear, and need, a higher rate than many.
            rate=self.rate if self.rate is not None else 1e-3 if self.rank else 2e-4,
            check_every=self.check_every,
            patience=self.patience,
            seed=self.seed,
        )


if TYPE_CHECKING:
    from redraft.train import Job, Listener, Outcome

TO_READ = ("tokenizers",)
TO_TRAIN = (*TO_READ, "torch", "transformers", "peft", "accelerate")


def need(*packages: str) -> None:
    """Raise unless the packages are installed."""
    if any(find_spec(package) is None for package in packages):
        raise MissingExtra("training", "train")


def base_file(base: Path | None) -> Path:
    """The GGUF to train on: the embedded model's, fetched where need be, unless another is named."""
    if base is not None:
        return base
    with weights_progress() as progress:
        return ensure(CHAT, load_settings().weights(), progress) / MODEL_FILE


def command_line() -> str:
    """What was typed, for the record of a training."""
    return without_login(shlex.join(["redraft", *sys.argv[1:]]))


def trained(job: Job, learn: Callable[[Listener, Callable[[], None]], Outcome], *, looked: bool) -> None:
    """Train, and say how it goes and ended; `looked` says whether there is a dev set."""
    try:
        with training_view() as (listener, interrupted):
            outcome = learn(listener, interrupted)
    except KeyboardInterrupt:
        if any((job.out / "checkpoints").glob("*.pt")):
            note(f"the same command goes on from the last checkpoint in {job.out}")
        raise
    progress = outcome.progress
    length = f"after {counted(progress.step, 'step')} and {counted(progress.tokens, 'token')}"
    if outcome.already:
        reason = "" if outcome.reason == "done" else f" ({outcome.reason})"
        note(f"already finished{reason} {length}: nothing was trained this time")
    else:
        note(f"{outcome.reason} {length}")
        memory = f", peak {outcome.peak_memory / 2**30:.1f} GiB on the GPU" if outcome.peak_memory else ""
        note(f"{outcome.tokens_per_second:,.0f} tokens/s{memory}")
    if looked:
        note(f"dev loss {progress.best:.4f}, best at step {progress.best_step}")
    put(f"{job.result}\n")
