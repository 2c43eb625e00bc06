"""`redraft train requests`, `keep`, `writer-taught`: what a teacher is asked, and what of it teaches."""

from __future__ import annotations

import asyncio
import json as json_module
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.console import note, put
from redraft.cli.runs import counted
from redraft.cli.train.data import check_out
from redraft.cli.train.options import TO_TRAIN, Tests, need
from redraft.errors import InputError
from redraft.models import Models
from redraft.settings import load_settings
from redraft.text import json_lines, open_for_writing, write_text
from redraft.train import (
    CONTROLS,
    BatchWriter,
    Guard,
    can_batch,
    clean_texts,
    draw_requests,
    kept_rows,
    read_answers,
    read_requests,
    read_some,
    sections_to_teach,
    teach,
)


def train_requests(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Clean text: .txt, or .jsonl.")],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where the requests go.")],
    controls: Annotated[
        str | None, typer.Option(metavar="NAME,...", help="What to ask for.", show_default="every control")
    ] = None,
    tests: Tests = None,
    seed: Annotated[int, typer.Option(help="For all that is drawn.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after so many requests.")] = None,
) -> None:
    """Draw requests for a teacher: a larger model that rewrites passages, one operation at a time.

    Each line has the whole `prompt`; give the answers as {"id", "answer", "finish"} to `redraft train keep`.
    """
    tasks = _tasks(controls)
    check_out(out, files)
    guard = Guard.from_files(tests) if tests else None
    texts = ((where, text) for where, text in clean_texts(files) if not (guard and guard.knows(text)))
    asked: Counter[str] = Counter()
    with open_for_writing(out) as file, counted("requests") as show:
        for request in islice(draw_requests(texts, seed=seed, tasks=tasks), limit):
            file.write(json_module.dumps(request.as_dict(), ensure_ascii=False) + "\n")
            asked[request.task] += 1
            show(asked.total(), limit)
        if not asked:
            raise InputError(
                f"no text in {files[0]} is fit for {', '.join(tasks)}: it takes whole English sentences of 8 "
                "to 90 words; nothing was written"
            )
    for task, count in asked.most_common():
        note(f"  {task:13} {count:8,}")
    put(f"{out}\n")


def train_keep(
    requests: Annotated[Path, typer.Argument(metavar="REQUESTS", help="What `train requests` wrote.")],
    answers: Annotated[
        list[Path], typer.Argument(metavar="ANSWERS...", help='JSON lines of {"id", "answer", "finish"}.')
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where the rows go.")],
) -> None:
    """Keep the answers of a teacher that obey and are faithful, as rows for `train editor`."""
    check_out(out, [requests, *answers])
    asked = {request.id: request for request in read_some(requests, read_requests, "request")}
    given: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    every = (answer for path in answers for answer in read_answers(path, asked))
    with open_for_writing(out) as file, counted("answers") as show:
        for request, found in kept_rows(every):
            given[request.task] += 1
            show(given.total(), None)
            if found.row is None:
                reasons[found.reason] += 1
                continue
            kept[request.task] += 1
            file.write(json_module.dumps(found.row.as_dict(), ensure_ascii=False) + "\n")
        if not kept:
            raise InputError(f"of {given.total()} answers none can be kept; nothing was written")
    for task, count in given.most_common():
        note(f"  {task:13} {kept[task]:8,} of {count:8,} ({kept[task] / count:.0%})")
    note(
        "refused: " + (", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common()) or "none")
    )
    put(f"{out}\n")


def train_writer_taught(
    base: Annotated[
        Path, typer.Option(metavar="FILE.gguf", help="The teacher: a Llama or a Qwen2.", exists=True)
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where its paragraphs go.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after so many sections.")] = None,
    seed: Annotated[int, typer.Option(help="For all that is drawn.")] = 0,
) -> None:
    """Let a larger model write paragraphs on our everyday subjects, for `train writer-data --taught`."""
    need(*TO_TRAIN)
    if not can_batch(base):
        raise InputError(f"{base} is not the GGUF of a model that writes many answers at once")

    async def write() -> int:
        async with Models(load_settings()) as models:
            sections = (await sections_to_teach(models.embedder(), seed))[:limit]
        rows = [one.as_dict() for one in await teach(sections, BatchWriter(base), seed)]
        write_text(out, json_lines(rows))
        return len(rows)

    note(f"{asyncio.run(write()):,} sections")
    put(f"{out}\n")


def _tasks(names: str | None) -> Sequence[str]:
    if names is None:
        return CONTROLS
    wanted = tuple(name.strip() for name in names.split(",") if name.strip())
    for name in wanted:
        if name not in CONTROLS:
            raise InputError(f"there is no control {name!r}; there are {', '.join(CONTROLS)}")
    return wanted
