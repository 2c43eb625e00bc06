"""`redraft train`: making training data, training a model, making its adapter ready for use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.bench import prompts
from redraft.cli.commands import command
from redraft.cli.console import note, put
from redraft.cli.train.data import (
    judge_data_command,
    reader_data_command,
    synthesise_command,
    train_split,
    train_trajectories,
    writer_data_command,
)
from redraft.cli.train.models import NO_START, start_of, train_curve, train_planner, train_policy
from redraft.cli.train.options import (
    TO_READ,
    TO_TRAIN,
    Data,
    Dev,
    Out,
    TrainingOptions,
    base_file,
    need,
    train,
)
from redraft.cli.train.pairs import train_pairs
from redraft.cli.train.recipe import train_recipe
from redraft.cli.train.sources import train_sources
from redraft.cli.train.teaching import train_keep, train_requests, train_writer_taught
from redraft.cli.train.view import say_kept_out, say_mixture, show_plan
from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.text import read_text
from redraft.train import EDITOR_LONGEST, EMPHASIS, export, merge_instructions, parse_mix

CHAT_NAME = "SmolLM2-135M-Instruct (Apache-2.0) in 8 bits, the embedded model"


def train_export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a training.", exists=True)],
    out: Annotated[Path, typer.Option(metavar="FILE.gguf", help="The adapter for llama.cpp.")],
    name: Annotated[str | None, typer.Option(help="Its name; by default, the file's.")] = None,
    scores: Annotated[Path | None, typer.Option(metavar="FILE", help="Scores for the card, JSON.")] = None,
    licences: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Licences of the data by file or pattern, JSON.")
    ] = None,
    base: Annotated[
        Path | None,
        typer.Option(help="The GGUF it was trained on, if not the embedded model.", exists=True),
    ] = None,
    rank: Annotated[
        int | None,
        typer.Option("--rank", min=1, help="A lower rank, for a smaller file; how much is lost is said."),
    ] = None,
    average: Annotated[
        Path | None,
        typer.Option(metavar="FILE.gguf", help="Another adapter: export the mean of the two.", exists=True),
    ] = None,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="With --average: the training's own share.")
    ] = 0.5,
    precise: Annotated[
        bool,
        typer.Option("--precise", help="All of it in 16 bits; answers then depend a little on their batch."),
    ] = False,
) -> None:
    """Make a training's adapter ready for use: as GGUF, as fp16 for peft, and with a model card."""
    known = _json(licences)
    if known is not None and not isinstance(known, dict):
        raise InputError(f"{licences}: should be an object of file names and licences")
    written = export(
        folder,
        out,
        base_file(base),
        base_name=CHAT_NAME if base is None else None,
        name=name,
        scores=_json(scores),
        licences=known,
        rank=rank,
        average=None if average is None else (average, share),
        precise=precise,
    )
    if written.error:
        note(f"rank {written.rank}: {written.error:.1%} of the adapter is lost (in the Frobenius norm)")
    note(f"{written.gguf.stat().st_size / 1e6:.1f} MB; also {written.peft} and {written.card}")
    put(f"{written.gguf}\n")


def _json(path: Path | None) -> Any:
    if path is None:
        return None
    try:
        return parse_json(read_text(path))
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from None


train_app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Make training data; train an editor, a planner or a simplifier; export its adapter.",
)

command(train_app, "split")(train_split)
command(train_app, "synthesise")(synthesise_command)
command(train_app, "judge-data")(judge_data_command)
command(train_app, "writer-data")(writer_data_command)
command(train_app, "reader-data")(reader_data_command)
command(train_app, "pairs")(train_pairs)
command(train_app, "sources")(train_sources)
command(train_app, "recipe")(train_recipe)
command(train_app, "export")(train_export)
command(train_app, "trajectories")(train_trajectories)
command(train_app, "requests")(train_requests)
command(train_app, "keep")(train_keep)
command(train_app, "writer-taught")(train_writer_taught)
command(train_app, "planner")(train_planner)
command(train_app, "curve")(train_curve)
command(train_app, "policy")(train_policy)


Start = Annotated[
    str,
    typer.Option(
        metavar="ADAPTER|none",
        help="An adapter to start from, by name or path, of the same rank or a lower one.",
    ),
]


@dataclass(frozen=True, slots=True)
class EditorOptions(TrainingOptions):
    """How to train an editor: its texts are short."""

    longest: Annotated[int, typer.Option(min=16, help="Tokens of the longest example.")] = EDITOR_LONGEST


@command(train_app, "editor")
def train_editor(
    data: Data,
    out: Out,
    mix: Annotated[
        str, typer.Option("--mix", help="Weights of the files: name=2,other_*=0.5,*=1, or a TOML file.")
    ] = "*=1",
    dev: Dev = None,
    emphasis: Annotated[
        float,
        typer.Option("--emphasis", min=0, help="How often a token that is no copy of the input counts."),
    ] = EMPHASIS,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be trained on, and train nothing.")
    ] = False,
    start: Start = NO_START,
    *,
    options: EditorOptions,
) -> None:
    """Train an editor on pairs of texts, asked for in EditEval's words and in ours."""
    need(*(TO_READ if dry_run else TO_TRAIN))
    from redraft.train import chat_format, read_editor_data  # noqa: PLC0415 - slow to import

    config = options.config(has_dev=bool(dev))
    found = read_editor_data(
        data,
        parse_mix(mix),
        merge_instructions(prompts()),
        dev=dev or (),
        guard=options.guard(),
        emphasis=emphasis,
        seed=options.seed,
    )
    say_kept_out(found)
    say_mixture(found)
    if dry_run:
        show_plan(found, chat_format(base_file(options.base)), config)
    else:
        from redraft.train import fine_tune  # noqa: PLC0415 - slow to import

        first = start_of(start, options.base, options.rank)
        train(
            out,
            options,
            config,
            found,
            lambda job, *view: fine_tune(job, found.epoch, found.dev, *view),
            first,
        )


@command(train_app, "chat")
def train_chat(
    data: Data, out: Out, dev: Dev = None, start: Start = NO_START, *, options: TrainingOptions
) -> None:
    """Train on conversations, a line each: {"messages": [{"role", "content", "learn"?}, …]}."""
    need(*TO_TRAIN)
    from redraft.train import fine_tune, read_chat_data  # noqa: PLC0415 - slow to import

    config = options.config(has_dev=bool(dev))
    found = read_chat_data(data, dev or (), options.guard())
    say_kept_out(found)
    first = start_of(start, options.base, options.rank)
    train(
        out, options, config, found, lambda job, *view: fine_tune(job, found.epoch, found.dev, *view), first
    )
