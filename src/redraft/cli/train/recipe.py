"""`redraft train recipe`: from raw data to an exported adapter, by one command."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.main import get_command

from redraft.cli.console import note, put
from redraft.cli.train.options import TO_TRAIN, need
from redraft.errors import InputError
from redraft.train import Recipe, RecipeRun, Stage, read_recipe, recipe_names

Device = Literal["auto", "cpu", "cuda"]


def train_recipe(
    recipe: Annotated[
        str | None, typer.Argument(metavar="NAME|FILE.toml", help="A recipe; --list shows ours.")
    ] = None,
    data: Annotated[
        Path, typer.Option(metavar="ROOT", help="The folder that the recipe's data files are in.")
    ] = Path("data"),
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where each stage has a folder.", show_default="runs/NAME"),
    ] = None,
    stage: Annotated[
        str | None, typer.Option(help="Do this stage, and what it needs.", show_default="all")
    ] = None,
    device: Annotated[Device, typer.Option(help="Where to train.", show_default="a GPU if there is one")] = (
        "auto"
    ),
    small: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="A rehearsal: about so much of everything.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(metavar="DATA", help="Leave out raw data that are optional.")
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="List the recipes, or the data and stages of one.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the data, and print the commands that are left.")
    ] = False,
) -> None:
    """Make an adapter from raw data by its recipe, stage by stage, up to the file and its card.

    A finished stage is not done again, unless its settings or what it needs have changed; given again, the
    same command goes on where it was stopped.
    """
    if list_:
        _list(recipe)
        return
    if recipe is None:
        raise InputError(f"name a recipe: {', '.join(recipe_names())}, or a .toml file")
    chosen = read_recipe(recipe)
    check_commands(chosen)
    if not chosen.stages:
        raise InputError(f"{chosen.name} has no stages: it holds only what --recipe and --mix take")
    backend = "embedded" if dry_run else _use(device)
    folder = out or Path("runs") / (chosen.name if small is None else f"{chosen.name}-small")
    run = RecipeRun(chosen, recipe, data, folder, small, tuple(without or ()), backend, note)
    if dry_run:
        todo = [one for one in run.needed(stage) if not run.done(one)]
        for one in todo:
            put(f"{shlex.join(['redraft', *one.run.split(), *run.words(one)])}\n")
        run.check_data(todo)
        return
    run.follow(_do, stage)
    last = folder / run.needed(stage)[-1].name
    put(f"{next(iter(sorted(last.glob('*.gguf'))), last)}\n")


def check_commands(recipe: Recipe) -> None:
    """InputError where a stage runs no command of ours, or gives one an option that it does not have."""
    for stage in recipe.stages:
        known = {name for option in _command(stage).params for name in option.opts}
        for name in {*stage.options, *stage.small}:
            if f"--{name}" not in known:
                raise InputError(f"{recipe.name}, stage {stage.name}: {stage.run} has no option --{name}")


def _command(stage: Stage) -> Any:
    from redraft.cli.app import app  # noqa: PLC0415 - the app imports this module

    found: Any = get_command(app)
    for word in stage.run.split():
        found = found.get_command(None, word) if hasattr(found, "get_command") else None
        if found is None:
            raise InputError(f"stage {stage.name}: there is no command {stage.run!r}")
    return found


def _do(stage: Stage, words: list[str]) -> None:
    """Run a command in this process; what it prints is no result of ours."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            status = _command(stage).main(words, prog_name=f"redraft {stage.run}", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    if status:
        raise typer.Exit(status)


def _use(device: Device) -> str:
    """Choose the device; what our own systems write with there."""
    need(*TO_TRAIN)
    if device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        return "embedded"
    import torch  # noqa: PLC0415 - slow to import

    found = torch.cuda.is_available()
    if device == "cuda" and not found:
        raise InputError("torch finds no GPU: leave --device out, or give --device cpu")
    return "torch" if found else "embedded"


def _list(name: str | None) -> None:
    if name is None:
        for one in recipe_names():
            recipe = read_recipe(one)
            put(f"{one:18}{recipe.about}{'' if recipe.ships else ' (is measured, and never ships)'}\n")
        return
    recipe = read_recipe(name)
    for key, raw in recipe.data.items():
        use = "measured on" if raw.measured else "optional" if raw.optional else "learnt"
        put(f"{key:28} {raw.file:48} {use:12} {raw.licence}\n")
    for stage in recipe.stages:
        put(f"{stage.name:28} redraft {stage.run}\n")
