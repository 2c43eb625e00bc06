"""`redraft bench build constrev`: instructions with constraints out of texts."""

from __future__ import annotations

import asyncio
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from redraft.bench import (
    BUILT,
    TEMPLATES,
    ConsTRevBuild,
    ConsTRevRecipe,
    Excluded,
    read_constrev_sources,
    read_levels,
    select,
)
from redraft.cli.engine_options import Address, EngineChoice, EngineName, Workers, open_engine
from redraft.cli.frame import console, note, put
from redraft.cli.models import prepare
from redraft.cli.options import Budget, Counting, NoCache, ResumeBuild
from redraft.cli.progress import shown
from redraft.errors import InputError
from redraft.models import check_prices
from redraft.revision import SMALL
from redraft.settings import load_settings


class Paragraphs(StrEnum):
    """What becomes of the paragraphs of a source."""

    joined = "join"
    kept = "keep"


def build_constrev(
    sources: Annotated[
        list[Path],
        typer.Option(metavar="PATH...", help="JSONL files of texts, or folders of .txt files by domain."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the benchmark is written.")],
    levels: Annotated[
        str, typer.Option(metavar="0-4", help="How many constraints an instruction has.")
    ] = "0-4",
    per_level: Annotated[int, typer.Option(min=0, help="Records of each level.")] = 100,
    singles: Annotated[int, typer.Option(min=0, help="Records with one constraint, of each group.")] = 0,
    texts: Annotated[
        int | None,
        typer.Option(
            min=1, help="Revise no more texts than this.", show_default="as many as the records can use"
        ),
    ] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE...", help="Leave out texts that these files name or hold."),
    ] = None,
    paragraphs: Annotated[
        Paragraphs,
        typer.Option(help="Join paragraphs, so that both conventions number sentences alike, or keep them."),
    ] = Paragraphs.joined,
    reviser: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who revises the texts.", show_default="embedded")
    ] = None,
    renderer: Annotated[
        str, typer.Option(metavar="SPEC|templates", help="Who words the instructions.")
    ] = TEMPLATES,
    judge: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Who decides on a model's wording that does not read back."),
    ] = None,
    counting: Counting = None,
    seed: Annotated[int, typer.Option(help="For all that is drawn.")] = 0,
    resume: ResumeBuild = False,
    budget: Budget = None,
    engine: EngineName = EngineChoice.local,
    workers: Workers = None,
    address: Address = None,
    no_cache: NoCache = False,
) -> None:
    """Build a benchmark of constrained instructions, each with a text that proves it can be met."""
    if judge is not None and renderer == TEMPLATES:
        raise InputError("--judge looks at a model's wording: give --renderer SPEC too")
    settings = load_settings(
        {
            "reviser": reviser,
            "judge": judge,
            "counting": counting and counting.value,
            "max_cost": budget,
            "cache": False if no_cache else None,
        }
    )
    recipe = ConsTRevRecipe(
        read_levels(levels),
        per_level,
        singles,
        settings.spec_for("reviser"),
        renderer,
        judge,
        settings.counting,
        paragraphs is Paragraphs.joined,
        seed,
    )
    check_prices(settings, [recipe.reviser, renderer, *([judge] if judge else [])])
    where = open_engine(engine, workers, address)
    with console().status("reading"):
        selection = select(read_constrev_sources(sources), Excluded(exclude or []), join=recipe.join)
    prepare(settings, "reviser", scoring=recipe.reviser in SMALL)
    command = _command(recipe, sources, exclude or [], texts)
    work = ConsTRevBuild(recipe, selection, out, settings, where, shown, texts, command)
    try:
        found = asyncio.run(work.run(resume))
    except KeyboardInterrupt:
        note("go on with: the same command and --resume")
        raise
    if failed := found["revisions_not_used"].get("failed"):
        note(f"{failed} texts could not be revised; --resume tries them again", style="yellow")
    made = sum(one["made"] for one in found["rejections"].values())
    turned_down = sum(one["rejected"] for one in found["rejections"].values())
    note(
        f"{found['records']} records of {found['texts']['different']} texts; "
        f"{turned_down} of {made} renderings were rejected"
    )
    put(f"{out / BUILT}\n")


def _command(recipe: ConsTRevRecipe, sources: list[Path], exclude: list[Path], texts: int | None) -> str:
    """The command that builds the same again: files by their names, and nothing of where they are."""
    words = ["redraft", "bench", "build", "constrev", "--sources", *(path.name for path in sources)]
    for path in exclude:
        words += ["--exclude", path.name]
    words += ["--levels", ",".join(str(level) for level in recipe.levels)]
    words += ["--per-level", str(recipe.per_level), "--singles", str(recipe.singles)]
    words += ["--texts", str(texts)] if texts is not None else []
    words += ["--paragraphs", "join" if recipe.join else "keep"]
    words += ["--reviser", recipe.reviser, "--renderer", recipe.renderer]
    words += ["--judge", recipe.judge] if recipe.judge is not None else []
    words += ["--counting", recipe.counting, "--seed", str(recipe.seed)]
    return shlex.join(words)
