"""`redraft train`: making training data, training the editor, making its adapter ready for use."""

from __future__ import annotations

import math
import shlex
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from redraft.bench.editeval.facts import prompts
from redraft.cli.frame import Output, command, console, note, put
from redraft.cli.train_export import train_export
from redraft.cli.train_split import train_split
from redraft.cli.train_synthesise import synthesise_command
from redraft.errors import MissingExtra
from redraft.models.weights import CHAT, MODEL_FILE, ensure
from redraft.settings import load_settings
from redraft.train.guard import Guard
from redraft.train.mix import parse_mix
from redraft.train.phrasings import joined

if TYPE_CHECKING:
    from redraft.train.chat import TrainingData
    from redraft.train.loop import Config, Listener

app = typer.Typer(no_args_is_help=True, help="Make training data, train an editor, export its adapter.")

Data = Annotated[
    list[Path], typer.Option("--data", help="Training files, JSONL.", exists=True, dir_okay=False)
]
Out = Annotated[Path, typer.Option("--out", help="The folder of the training; going on where it stopped.")]
Dev = Annotated[
    list[Path] | None,
    typer.Option("--dev", help="Files never trained on, that say when to stop.", exists=True, dir_okay=False),
]
Base = Annotated[
    Path | None, typer.Option("--base", help="A GGUF to train instead of the embedded model.", exists=True)
]
Rank = Annotated[int, typer.Option("--rank", min=0, help="The adapter's rank; 0 trains the whole model.")]
Epochs = Annotated[float, typer.Option("--epochs", min=0.001)]
Steps = Annotated[int | None, typer.Option("--max-steps", min=1, help="Stop after so many steps.")]
Rate = Annotated[
    float | None, typer.Option("--rate", help="The highest learning rate.", show_default="by rank")
]
Tokens = Annotated[int, typer.Option("--tokens", min=64, help="Tokens of a batch.")]
Accumulate = Annotated[int, typer.Option("--accumulate", min=1, help="Batches of a step.")]
Longest = Annotated[int, typer.Option("--longest", min=16, help="Tokens of the longest example.")]
CheckEvery = Annotated[int, typer.Option("--check-every", min=1, help="Steps between dev losses.")]
Patience = Annotated[
    int | None,
    typer.Option(
        "--patience", min=1, help="Stop after so many dev losses without a lower one.", show_default="never"
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0)]


command(app, "split")(train_split)
command(app, "synthesise")(synthesise_command)
command(app, "export")(train_export)


@command(app, "editor")
def editor(
    data: Data,
    out: Out,
    mix: Annotated[
        str, typer.Option("--mix", help="Weights of the files: name=2,other_*=0.5,*=1, or a TOML file.")
    ] = "*=1",
    dev: Dev = None,
    tests: Annotated[
        list[Path] | None,
        typer.Option("--tests", help="Test sets: rows like theirs are kept out.", exists=True),
    ] = None,
    base: Base = None,
    emphasis: Annotated[
        float,
        typer.Option("--emphasis", min=0, help="How often a token that is no copy of the input counts."),
    ] = 3.0,
    rank: Rank = 16,
    epochs: Epochs = 3.0,
    max_steps: Steps = None,
    rate: Rate = None,
    tokens: Tokens = 16_384,
    accumulate: Accumulate = 1,
    longest: Longest = 320,
    check_every: CheckEvery = 200,
    patience: Patience = None,
    seed: Seed = 0,
) -> None:
    """Train an editor on pairs of texts, asked for in EditEval's words and in ours."""
    _need_torch()
    from redraft.train.editor import editor_data  # noqa: PLC0415 - loads torch

    guard = Guard.from_files(tests) if tests else None
    found = editor_data(
        data, parse_mix(mix), joined(prompts()), dev=dev or (), guard=guard, emphasis=emphasis, seed=seed
    )
    _say_refused(found.refused, guarded=guard is not None)
    for count in found.mixture.counts():
        note(f"{count.file:32} {count.task:16} {count.rows:7,} rows x {count.weight:g} = {count.draws:,}")
    config = _config(rank, epochs, max_steps, rate, tokens, accumulate, longest, check_every, patience, seed)
    _train(base, out, rank, config, found)


@command(app, "chat")
def chat(
    data: Data,
    out: Out,
    dev: Dev = None,
    tests: Annotated[
        list[Path] | None,
        typer.Option("--tests", help="Test sets: conversations with their texts are kept out.", exists=True),
    ] = None,
    base: Base = None,
    rank: Rank = 16,
    epochs: Epochs = 3.0,
    max_steps: Steps = None,
    rate: Rate = None,
    tokens: Tokens = 16_384,
    accumulate: Accumulate = 1,
    longest: Longest = 512,
    check_every: CheckEvery = 200,
    patience: Patience = None,
    seed: Seed = 0,
) -> None:
    """Train on conversations, a line each: {"messages": [{"role", "content", "learn"?}, …]}."""
    _need_torch()
    from redraft.train.chat import chat_data  # noqa: PLC0415 - loads torch

    guard = Guard.from_files(tests) if tests else None
    found = chat_data(data, dev or (), guard)
    _say_refused(found.refused, guarded=guard is not None)
    config = _config(rank, epochs, max_steps, rate, tokens, accumulate, longest, check_every, patience, seed)
    _train(base, out, rank, config, found)


def _need_torch() -> None:
    for package in ("torch", "transformers", "peft", "accelerate"):
        if find_spec(package) is None:
            raise MissingExtra("training", "train")


def _say_refused(refused: Mapping[str, int], *, guarded: bool) -> None:
    if not guarded:
        note("no test sets are named (--tests), so nothing keeps them out of the training", style="yellow")
        return
    note(f"kept out as rows of the test sets, or nearly: {sum(refused.values())}")
    for name, count in refused.items():
        if count:
            note(f"  {count:6,} of {name}")


def _config(
    rank: int,
    epochs: float,
    max_steps: int | None,
    rate: float | None,
    tokens: int,
    accumulate: int,
    longest: int,
    check_every: int,
    patience: int | None,
    seed: int,
) -> Config:
    from redraft.train.loop import Config  # noqa: PLC0415 - loads torch

    return Config(
        epochs=epochs,
        max_steps=max_steps,
        tokens=max(tokens, longest),
        longest=longest,
        accumulate=accumulate,
        # A few weights bear, and need, a higher rate than many.
        rate=rate if rate is not None else 1e-3 if rank else 2e-4,
        check_every=check_every,
        patience=patience,
        seed=seed,
    )


def _train(base: Path | None, out: Path, rank: int, config: Config, data: TrainingData) -> None:
    from redraft.train.model import Lora  # noqa: PLC0415 - loads torch
    from redraft.train.sft import Job, fine_tune  # noqa: PLC0415

    weights = base or ensure(CHAT, load_settings().weights()) / MODEL_FILE
    record = {"command": shlex.join(["redraft", *sys.argv[1:]]), **data.record}
    job = Job(weights, out, Lora(rank) if rank else None, config, record)
    with _view() as listener:
        outcome = fine_tune(job, data.epoch, data.dev, listener)
    progress = outcome.progress
    note(f"{outcome.reason} after {progress.step} steps and {progress.tokens:,} tokens")
    note(f"{outcome.tokens_per_second:,.0f} tokens/s, peak {outcome.peak_memory / 2**30:.1f} GiB on the GPU")
    if data.dev:
        note(f"dev loss {progress.best:.4f}, best at step {progress.best_step}")
    put(f"{out / ('adapter' if rank else 'model')}\n")


@contextmanager
def _view() -> Iterator[Listener]:
    """On a terminal a bar with the losses; elsewhere a line now and then."""
    shown = console()
    if Output.quiet or not shown.is_terminal:
        yield _Lines()
        return
    columns = (
        TextColumn("step {task.fields[step]}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TextColumn(
            "loss {task.fields[loss]:.4f}  dev {task.fields[dev]:.4f}  {task.fields[speed]:,.0f} tokens/s"
        ),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=shown) as bar:
        task = bar.add_task("", total=1.0, step=0, loss=math.nan, dev=math.nan, speed=0.0)

        def listen(values: dict[str, Any]) -> None:
            if "dev_loss" in values:
                bar.update(task, dev=values["dev_loss"])
                return
            speed = values["tokens"] / values["seconds"]
            bar.update(task, completed=values["share"], step=values["step"], loss=values["loss"], speed=speed)

        yield listen


class _Lines:
    """Says how training goes every ten seconds, and every dev loss."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, values: dict[str, Any]) -> None:
        if "dev_loss" in values:
            note(f"step {values['step']}: dev loss {values['dev_loss']:.4f}, best {values['best']:.4f}")
        elif time.monotonic() - self._last > 10:
            self._last = time.monotonic()
            note(f"step {values['step']}, {values['share']:.0%}: loss {values['loss']:.4f}")
