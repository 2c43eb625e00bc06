"""`redraft bench build c3e`: writing tasks out of professional texts, by reverse construction."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from redraft.bench import FILES, C3EBuild, C3ERecipe, read_c3e_sources
from redraft.cli.engine_options import Address, EngineChoice, EngineName, Workers, open_engine
from redraft.cli.frame import console, note, put
from redraft.cli.options import Budget, NoCache, ResumeBuild
from redraft.cli.progress import shown
from redraft.errors import InputError
from redraft.models import EMBEDDED, check_prices
from redraft.settings import load_settings


class LanguageChoice(StrEnum):
    """What the texts are written in."""

    en = "en"
    zh = "zh"


def build_c3e(
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
    lang: Annotated[LanguageChoice, typer.Option(help="Of the texts; others are left out.")] = (
        LanguageChoice.en
    ),
    resume: ResumeBuild = False,
    budget: Budget = None,
    engine: EngineName = EngineChoice.local,
    workers: Workers = None,
    address: Address = None,
    no_cache: NoCache = False,
) -> None:
    """Build the four writing tasks of C3EBench from professional texts.

    The records hold the texts: that you may use them is your affair.
    """
    settings = load_settings(
        {"model": model, "judge": judge, "max_cost": budget, "cache": False if no_cache else None}
    )
    recipe = C3ERecipe(
        lang.value, settings.spec_for("model"), settings.spec_for("judge"), tuple(writer or ())
    )
    for spec in (recipe.model, recipe.judge):
        if spec in EMBEDDED:
            raise InputError(f"{spec} is too small to build a benchmark with: give --model SPEC")
    check_prices(settings, [recipe.model, recipe.judge, *recipe.writers])
    where = open_engine(engine, workers, address)
    with console().status("reading"):
        found = read_c3e_sources(sources, lang.value)
    work = C3EBuild(recipe, found, out, settings, where, shown, note)
    try:
        card = asyncio.run(work.run(resume))
    except KeyboardInterrupt:
        note("go on with: the same command and --resume")
        raise
    if failed := sum(card["failed"].values()):
        note(f"{failed} pieces of work failed; --resume tries them again", style="yellow")
    replaced = card["references"]["replaced"]
    note(f"{card['records']} records of {len(found.usable)} texts; {replaced} references were replaced")
    put(f"{out / FILES[lang is LanguageChoice.zh]}\n")
