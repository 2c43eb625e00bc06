"""Many texts at once, for `redraft revise` and `redraft simplify`: what both do with a file of them."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from redraft.cli.frame import note
from redraft.cli.models import prepare
from redraft.cli.progress import shown
from redraft.constraints import parse_call
from redraft.errors import FileError, InputError
from redraft.runs import (
    Batch,
    BatchKind,
    Engine,
    OpenWorker,
    Progress,
    Record,
    RunFile,
    count_statuses,
    execute,
    finished_inputs,
    open_run,
)
from redraft.settings import Settings

_SAID: Final = {0: "met", 1: "not met", 3: "conflicting", 4: "failed"}


@dataclass(frozen=True)
class Files:
    """Where the texts are, where the results go, and whether those that are there are gone on with."""

    source: Path | None
    out: Path | None
    resume: bool


def work_through(
    files: Files,
    kind: BatchKind,
    instruction: str,
    calls: list[str],
    facts: Record,
    opening: OpenWorker,
    settings: Settings,
    engine: Engine,
) -> None:
    """Do every text of a file; the worst status of any is the exit status of all.

    The facts decide the results beside the texts, the instruction and the calls.
    """
    if files.source is None or files.out is None:
        raise InputError("many texts need both: --batch IN.jsonl --out OUT.jsonl")
    for call in calls:
        parse_call(call)
    if files.out.exists() and not files.out.is_file():
        raise FileError(f"{files.out} is no file: name one that results can be added to, such as out.jsonl")
    run = RunFile(files.out)
    for file in (files.out, run.file("run.json")):
        if os.path.realpath(file) == os.path.realpath(files.source):
            raise InputError(f"{file} is the file of the texts: choose another --out")
    batch = Batch(files.source, instruction, tuple(calls), kind)
    count = batch.survey(finished_inputs(run.results) if files.resume and run.exists() else None)
    with open_run(run, {"instruction": instruction, "calls": list(calls), **facts}, files.resume):
        prepare(settings, "reviser", scoring=True)
        try:
            asyncio.run(_run(batch, count, run, opening, settings, engine))
        except KeyboardInterrupt:
            note("go on with the same command and --resume")
            raise
        finally:
            ended = count_statuses(run.results)
            note(_summary(ended, count))
    if ended[4]:
        note("--resume tries those that failed again", style="yellow")
    if worst := max(ended, default=0):
        raise typer.Exit(worst)


async def _run(
    batch: Batch, count: int, run: RunFile, opening: OpenWorker, settings: Settings, engine: Engine
) -> Progress:
    with shown(count) as progress:
        return await execute(
            batch.jobs(), opening, settings, run.results, engine, planned=count, progress=progress
        )


def _summary(ended: Counter[int], count: int) -> str:
    parts = [f"{ended[status]} {said}" for status, said in _SAID.items() if ended[status]]
    left = count - ended.total()
    return f"{count} texts: " + ", ".join([*parts, *([f"{left} left"] if left > 0 else [])])
