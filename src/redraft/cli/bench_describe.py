"""`redraft bench describe` and `redraft bench overlap`: what a benchmark holds, and who else holds it."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from redraft.bench import (
    FILES,
    Column,
    Table,
    contamination,
    figures,
    lengths_table,
    markdown,
    read_records,
    rich_table,
    statistics,
)
from redraft.cli.frame import console, note, put, put_json, result_console
from redraft.cli.options import Json
from redraft.cli.progress import counted
from redraft.errors import FileError, InputError
from redraft.text import objects, read_text, write_text


def describe(
    benchmark: Annotated[str, typer.Argument(metavar="BENCH", help="The benchmark to describe: c3e.")],
    data: Annotated[Path, typer.Option(metavar="PATH", help="Its file, or the folder of its files.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the table, the numbers and the figures here.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the lengths of a benchmark's records by task, its genres, and how lengths go together."""
    if benchmark != "c3e":
        raise InputError(f"only c3e can be described, not {benchmark!r}")
    with console().status("counting"):
        found = statistics(read_records(data))
    if not found.records:
        raise InputError(f"{data} has no records")
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{out} cannot be made: {error}") from None
        write_text(out / "lengths.md", markdown(lengths_table(found)))
        write_text(out / "statistics.json", dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n")
        for drawing in figures(found):
            write_text(out / f"{drawing.name}.svg", drawing.standalone())
        note(f"{out} has the table, the numbers and the figures")
    if json:
        put_json(found.to_dict())
    else:
        result_console().print(rich_table(lengths_table(found)))


def overlap(
    data: Annotated[
        Path, typer.Option(metavar="PATH", help="The benchmark: JSONL, or a folder with C3EBench's files.")
    ],
    against: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Texts that may hold it: .txt, .md and .jsonl, however many."),
    ],
    n: Annotated[
        int, typer.Option("--n", min=1, help="The length of a run, in words (Chinese: characters).")
    ] = 13,
    top: Annotated[int, typer.Option(min=1, help="How many of the worst to list.")] = 10,
    json: Json = False,
) -> None:
    """Show how much of each record of a benchmark stands, word for word, in a folder of texts."""
    if not against.is_dir():
        raise InputError(f"{against} is no folder")
    files = [data / name for name in FILES if (data / name).is_file()] if data.is_dir() else [data]
    if not files:
        raise InputError(f"{data} has neither {' nor '.join(FILES)}")
    records = [
        (str(row.get("infer_id") or row.get("id") or f"{file.name}#{number}"), row)
        for file in files
        for number, row in objects(read_text(file), str(file))
    ]
    with counted("reading") as progress:
        found = contamination(records, against, n, without=files, progress=progress)
    facts = found.to_dict()
    if json:
        put_json(facts)
        return
    worst = [one for one in found.records if one.share][:top]
    told = (
        f"{facts['touched']} of {facts['records']} records share a run of {n} words with {facts['files']} "
        f"files; {facts['too_short']} are too short to have one."
    )
    if not worst:
        put(f"{told}\n")
        return
    table = Table(
        "overlap",
        f"Runs of {n} words that {against.name} holds",
        told,
        (Column("Record"), Column("Share"), Column("Most of it in"), Column("Share there")),
        tuple((one.id, f"{one.share or 0:.1%}", one.file or "", f"{one.in_file:.1%}") for one in worst),
    )
    result_console().print(rich_table(table))
