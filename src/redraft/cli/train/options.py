"""What the commands of `redraft train` share: their options, the base model, and a training that is shown."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.addresses import without_login
from redraft.cli.console import note, put
from redraft.cli.models import weights_progress
from redraft.cli.train.view import counted, training_view
from redraft.errors import InputError, MissingExtra
from redraft.models import CHAT, MODEL_FILE, ensure
from redraft.settings import load_settings
from redraft.train import WHOLE_MODEL_RATE, Config, Guard

if TYPE_CHECKING:
    from redraft.train import EditorData, Listener, Outcome, TrainingData, TrainingJob


def files(help: str) -> Any:
    """An option for files that have to be there."""
    return typer.Option(help=help, exists=True, dir_okay=False)


Data = Annotated[list[Path], files("Training files, JSONL.")]
Out = Annotated[
    Path, typer.Option(help="The folder of the training; going on where it stopped.", file_okay=False)
]
Dev = Annotated[list[Path] | None, files("Files never trained on, that say when to stop.")]
Tests = Annotated[
    list[Path] | None, typer.Option(help="Test sets: what is like their texts is kept out.", exists=True)
]

_DEFAULTS = Config()


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How to train, as the command line says it; the rest is as in `Config`."""

    tests: Tests = None
    base: Annotated[
        Path | None,
        typer.Option(help="A GGUF or a folder to train instead of the embedded model.", exists=True),
    ] = None
    longest: Annotated[int, typer.Option(min=16, help="Tokens of the longest example.")] = _DEFAULTS.longest
    rank: Annotated[int, typer.Option(min=0, help="The adapter's rank; 0 trains the whole model.")] = 16
    epochs: Annotated[float, typer.Option(min=0.001, help="Times through the data.")] = _DEFAULTS.epochs
    max_steps: Annotated[int | None, typer.Option(min=1, help="Stop after so many steps.")] = None
    minutes: Annotated[
        float | None, typer.Option(min=0.01, help="Stop after so many, the learning rate falling towards it.")
    ] = None
    rate: Annotated[float | None, typer.Option(help="The highest learning rate.", show_default="by rank")] = (
        None
    )
    tokens: Annotated[int, typer.Option(min=64, help="Tokens of a batch.")] = _DEFAULTS.tokens
    accumulate: Annotated[int, typer.Option(min=1, help="Batches of a step.")] = _DEFAULTS.accumulate
    check_every: Annotated[
        int, typer.Option(min=1, help="Steps between dev losses, and checkpoints (one every 5 minutes, too).")
    ] = _DEFAULTS.check_every
    patience: Annotated[
        int | None,
        typer.Option(min=1, help="Stop after so many dev losses without a lower one.", show_default="never"),
    ] = None
    seed: Annotated[int, typer.Option(min=0, help="For the order, and for all that is drawn.")] = 0

    def config(self, *, has_dev: bool = True) -> Config:
        """The same for the training loop."""
        if self.patience is not None and not has_dev:
            raise InputError("--patience waits for dev losses: name the files of a dev set with --dev")
        known = {field.name for field in fields(Config)}
        values: dict[str, Any] = {
            field.name: getattr(self, field.name) for field in fields(self) if field.name in known
        }
        if self.rate is None:
            values["rate"] = _DEFAULTS.rate if self.rank else WHOLE_MODEL_RATE
        return Config(**values)

    def guard(self) -> Guard | None:
        """What keeps the test sets out, where some are named."""
        return Guard.from_files(self.tests) if self.tests else None


TO_READ = ("tokenizers",)
TO_TRAIN = (*TO_READ, "torch", "transformers", "peft", "accelerate")


def need(*packages: str) -> None:
    """Raise unless the packages are installed."""
    if any(find_spec(package) is None for package in packages):
        raise MissingExtra("training", "train")


def base_file(base: Path | None) -> Path:
    """The model to train: the embedded one's GGUF, fetched where need be, unless another is named."""
    if base is not None:
        return base
    with weights_progress() as progress:
        return ensure(CHAT, load_settings().weights(), progress) / MODEL_FILE


def command_line() -> str:
    """What was typed, for the record of a training."""
    return without_login(shlex.join(["redraft", *sys.argv[1:]]))


def train(
    out: Path,
    options: TrainingOptions,
    config: Config,
    data: TrainingData[Any] | EditorData,
    learn: Callable[[TrainingJob, Listener, Callable[[], None]], Outcome],
    start: Path | None = None,
) -> None:
    """Train into a folder, and say what was kept out, how it goes and how it ended."""
    from redraft.train import Lora, TrainingJob  # noqa: PLC0415 - slow to import

    lora = Lora(options.rank) if options.rank else None
    record = {"command": command_line(), **data.record}
    job = TrainingJob(base_file(options.base), out, lora, config, record, start)
    try:
        with training_view() as (listener, interrupted):
            outcome = learn(job, listener, interrupted)
    except KeyboardInterrupt:
        if any((out / "checkpoints").glob("*.pt")):
            note(f"the same command goes on from the last checkpoint in {out}")
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
    if data.dev:
        note(f"dev loss {progress.best:.4f}, best at step {progress.best_step}")
    put(f"{job.result}\n")
