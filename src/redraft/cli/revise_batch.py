"""`redraft revise --batch`: many texts, on the runner of benchmarks and its engines."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final

import typer

from redraft.bench.batch import Batch, open_reviser, revised_inputs, tally
from redraft.bench.results import Record
from redraft.bench.rundir import RunFile
from redraft.bench.runner import Progress, begin, execute
from redraft.bench.work import Engine
from redraft.cli.frame import note
from redraft.cli.models import prepare
from redraft.cli.progress import shown
from redraft.constraints import parse_call
from redraft.errors import FileError, InputError
from redraft.revise.revision import How
from redraft.settings import Settings

_SAID: Final = {0: "met", 1: "not met", 3: "conflicting", 4: "failed"}


def revise_batch(
    source: Path | None,
    out: Path | None,
    instruction: str,
    calls: list[str],
    how: How,
    settings: Settings,
    engine: Engine,
    *,
    resume: bool,
) -> None:
    """Revise every text of a file; the worst status of any is the exit status of all."""
    if source is None or out is None:
        raise InputError("many texts need both: --batch IN.jsonl --out OUT.jsonl")
    for call in calls:
        parse_call(call)
    if out.exists() and not out.is_file():
        raise FileError(f"{out} is no file: name one that results can be added to, such as out.jsonl")
    run = RunFile(out)
    for file in (out, run.file("run.json")):
        if os.path.realpath(file) == os.path.realpath(source):
            raise InputError(f"{file} is the file of the texts: choose another --out")
    batch = Batch(source, instruction, tuple(calls))
    count = batch.survey(revised_inputs(run.results) if resume and run.exists() else None)
    begin(run, _facts(batch, how, settings), resume)
    prepare(settings, "reviser", scoring=True)
    try:
        asyncio.run(_run(batch, count, run, how, settings, engine))
    except KeyboardInterrupt:
        note("go on with the same command and --resume")
        raise
    finally:
        ended = tally(run.results)
        note(_summary(ended, count))
    if ended[4]:
        note("--resume tries those that failed again", style="yellow")
    if worst := max(ended, default=0):
        raise typer.Exit(worst)


async def _run(
    batch: Batch, count: int, run: RunFile, how: How, settings: Settings, engine: Engine
) -> Progress:
    with shown(count) as progress:
        return await execute(
            batch.jobs(),
            partial(open_reviser, how),
            settings,
            run.results,
            engine,
            planned=count,
            progress=progress,
        )


def _facts(batch: Batch, how: How, settings: Settings) -> Record:
    """What decides the revisions beside the texts themselves."""
    return {
        "instruction": batch.instruction,
        "calls": list(batch.calls),
        "strategy": how.strategy,
        "effort": how.effort,
        "best_effort": how.best_effort,
        "without": list(how.switches.off),
        "seed": how.seed,
        "max_seconds": how.max_seconds,
        "planner": settings.spec_for("planner"),
        "reviser": settings.spec_for("reviser"),
        "quality": settings.quality,
        "counting": settings.counting,
        "format": settings.format,
    }


def _summary(ended: Counter[int], count: int) -> str:
    parts = [f"{ended[status]} {said}" for status, said in _SAID.items() if ended[status]]
    left = count - ended.total()
    return f"{count} texts: " + ", ".join([*parts, *([f"{left} left"] if left > 0 else [])])
