"""`redraft train`: making training data, training the editor, making its adapter ready for use."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.bench import prompts
from redraft.cli.frame import command
from redraft.cli.train_export import train_export
from redraft.cli.train_options import Base, Data, Dev, How, Longest, Out, Tests, with_how
from redraft.cli.train_planner import train_planner
from redraft.cli.train_policy import train_policy
from redraft.cli.train_running import TO_READ, TO_TRAIN, base_file, command_line, need, trained
from redraft.cli.train_split import train_split
from redraft.cli.train_synthesise import synthesise_command
from redraft.cli.train_trajectories import train_trajectories
from redraft.cli.train_view import say_in_dev, say_mixture, say_refused, show_plan
from redraft.errors import InputError
from redraft.train import Guard, merge_instructions, parse_mix

if TYPE_CHECKING:
    from redraft.train import ChatFormat, Config, TrainingData

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Make training data; train an editor, a planner or a simplifier; export its adapter.",
)

command(app, "split")(train_split)
command(app, "synthesise")(synthesise_command)
command(app, "export")(train_export)
command(app, "trajectories")(train_trajectories)
command(app, "planner")(train_planner)
command(app, "policy")(train_policy)


@command(app, "editor")
@with_how
def editor(
    data: Data,
    out: Out,
    how: How,
    mix: Annotated[
        str, typer.Option("--mix", help="Weights of the files: name=2,other_*=0.5,*=1, or a TOML file.")
    ] = "*=1",
    dev: Dev = None,
    tests: Tests = None,
    base: Base = None,
    emphasis: Annotated[
        float,
        typer.Option("--emphasis", min=0, help="How often a token that is no copy of the input counts."),
    ] = 3.0,
    longest: Longest = 320,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be trained on, and train nothing.")
    ] = False,
) -> None:
    """Train an editor on pairs of texts, asked for in EditEval's words and in ours."""
    need(*(TO_READ if dry_run else TO_TRAIN))
    from redraft.train import read_editor_data  # noqa: PLC0415 - slow to import

    config = _config(how, longest, dev)
    guard = Guard.from_files(tests) if tests else None
    found = read_editor_data(
        data,
        parse_mix(mix),
        merge_instructions(prompts()),
        dev=dev or (),
        guard=guard,
        emphasis=emphasis,
        seed=how.seed,
    )
    say_refused(found.refused, guarded=guard is not None)
    say_in_dev(found.in_dev)
    say_mixture(found)
    if dry_run:
        show_plan(found, _format(base_file(base)), config)
    else:
        _train(base_file(base), out, how.rank, config, found)


@command(app, "chat")
@with_how
def chat(
    data: Data,
    out: Out,
    how: How,
    dev: Dev = None,
    tests: Tests = None,
    base: Base = None,
    longest: Longest = 512,
) -> None:
    """Train on conversations, a line each: {"messages": [{"role", "content", "learn"?}, …]}."""
    need(*TO_TRAIN)
    from redraft.train import read_chat_data  # noqa: PLC0415 - slow to import

    config = _config(how, longest, dev)
    guard = Guard.from_files(tests) if tests else None
    found = read_chat_data(data, dev or (), guard)
    say_refused(found.refused, guarded=guard is not None)
    say_in_dev(found.in_dev)
    _train(base_file(base), out, how.rank, config, found)


def _config(how: How, longest: int, dev: list[Path] | None) -> Config:
    if how.patience is not None and not dev:
        raise InputError("--patience waits for dev losses: name the files of a dev set with --dev")
    return how.config(longest)


def _format(base: Path) -> ChatFormat:
    """How a model reads conversations, from its file alone."""
    from redraft.models import load_tokenizer  # noqa: PLC0415 - slow to import
    from redraft.train import ChatFormat  # noqa: PLC0415

    return ChatFormat(load_tokenizer(base))


def _train(base: Path, out: Path, rank: int, config: Config, data: TrainingData) -> None:
    from redraft.train import (  # noqa: PLC0415
        Lora,
        TrainingJob,
        fine_tune,
    )

    record = {"command": command_line(), **data.record}
    job = TrainingJob(base, out, Lora(rank) if rank else None, config, record)
    trained(job, partial(fine_tune, job, data.epoch, data.dev), looked=bool(data.dev))
