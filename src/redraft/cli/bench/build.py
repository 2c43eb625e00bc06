"""`redraft bench build`: benchmarks out of texts."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from redraft.bench import (
    BUILT,
    FILES,
    TEMPLATES,
    C3EBuild,
    C3ERecipe,
    ConsTRevBuild,
    ConsTRevRecipe,
    Excluded,
    read_c3e_sources,
    read_constrev_sources,
    read_levels,
    select,
)
from redraft.cli.console import console, note, put
from redraft.cli.models import prepare
from redraft.cli.options import Counting, settings_from
from redraft.cli.runs import BuildOptions, shown
from redraft.errors import InputError
from redraft.models import EMBEDDED, check_prices
from redraft.revision import SMALL


def build_constrev(
    options: BuildOptions,
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
        Literal["join", "keep"],
        typer.Option(help="Join paragraphs, so that both conventions number sentences alike, or keep them."),
    ] = "join",
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
) -> None:
    """Build a benchmark of constrained instructions, each with a text that proves it can be met."""
    if judge is not None and renderer == TEMPLATES:
        raise InputError("--judge looks at a model's wording: give --renderer SPEC too")
    settings = settings_from(
        reviser=reviser, judge=judge, counting=counting, max_cost=options.budget, no_cache=options.no_cache
    )
    recipe = ConsTRevRecipe(
        read_levels(levels),
        per_level,
        singles,
        settings.spec_for("reviser"),
        renderer,
        judge,
        settings.counting,
        paragraphs == "join",
        seed,
    )
    check_prices(settings, [recipe.reviser, renderer, *([judge] if judge else [])])
    where = options.open_engine()
    with console().status("reading"):
        selection = select(read_constrev_sources(sources), Excluded(exclude or []), join=recipe.join)
    prepare(settings, "reviser", scoring=recipe.reviser in SMALL)
    command = _command(recipe, sources, exclude or [], texts)
    work = ConsTRevBuild(recipe, selection, out, settings, where, shown, texts, command)
    try:
        found = asyncio.run(work.run(options.resume))
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


def build_c3e(
    options: BuildOptions,
    sources: Annotated[
        list[Path],
        typer.Option(metavar="PATH...", help="Texts: .txt, .md, JSONL with “text”, or folders of them."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the benchmark is written.")],
    model: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Who sorts the texts, and writes instructions and critiques."),
    ] = None,
    writer: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="Whose answers may replace references; may be repeated."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Who marks texts and compares answers.", show_default="--model"),
    ] = None,
    lang: Annotated[Literal["en", "zh"], typer.Option(help="Of the texts; others are left out.")] = "en",
) -> None:
    """Build the four writing tasks of C3EBench from professional texts.

    The records hold the texts: that you may use them is your affair.
    """
    settings = settings_from(model=model, judge=judge, max_cost=options.budget, no_cache=options.no_cache)
    recipe = C3ERecipe(lang, settings.spec_for("model"), settings.spec_for("judge"), tuple(writer or ()))
    for spec in (recipe.model, recipe.judge):
        if spec in EMBEDDED:
            raise InputError(f"{spec} is too small to build a benchmark with: give --model SPEC")
    check_prices(settings, [recipe.model, recipe.judge, *recipe.writers])
    where = options.open_engine()
    with console().status("reading"):
        found = read_c3e_sources(sources, lang)
    work = C3EBuild(recipe, found, out, settings, where, shown, note)
    try:
        card = asyncio.run(work.run(options.resume))
    except KeyboardInterrupt:
        note("go on with: the same command and --resume")
        raise
    if failed := sum(card["failed"].values()):
        note(f"{failed} pieces of work failed; --resume tries them again", style="yellow")
    replaced = card["references"]["replaced"]
    note(f"{card['records']} records of {len(found.usable)} texts; {replaced} references were replaced")
    put(f"{out / FILES[lang == 'zh']}\n")
