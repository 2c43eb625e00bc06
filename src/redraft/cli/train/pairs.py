"""`redraft train pairs`: training pairs for the editor's controls."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.console import console, note, put, put_json
from redraft.cli.options import Json
from redraft.cli.train.options import Tests
from redraft.errors import FileError
from redraft.train import PAIR_MAKERS, Guard, make_pairs, write_pairs


def train_pairs(
    kinds: Annotated[str, typer.Argument(metavar="KIND,...", help=f"Of {', '.join(PAIR_MAKERS)}.")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE...]", help="JSON lines, gzipped or not.", exists=True),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where KIND.jsonl.gz and dev/KIND.jsonl.gz go.")],
    name: Annotated[
        str, typer.Option(help="How the files are called, {} being the kind.", metavar="PATTERN")
    ] = "{}",
    tests: Tests = None,
    most: Annotated[int | None, typer.Option(min=1, help="Pairs of a kind, at most.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Records to read, drawn by the seed.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="For all that is drawn.")] = 0,
    json: Json = False,
) -> None:
    """Make training pairs for the editor's controls, from revisions, from prose by rule, and from templates.

    One text in fifty is for development, whatever the kind.
    """
    guard = Guard.from_files(tests) if tests else None
    with console().status("making pairs"):
        made = make_pairs(kinds.split(","), files or [], guard, most=most, limit=limit, seed=seed)
    try:
        (out / "dev").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{out / 'dev'} cannot be made: {error.strerror}") from None
    report = {}
    for kind, found in made.items():
        file = f"{name.replace('{}', kind)}.jsonl.gz"
        write_pairs(found.train, out / file)
        write_pairs(found.dev, out / "dev" / file)
        tasks = Counter(pair.task for pair in found.train)
        report[kind] = {
            "out": str(out / file), "rows": len(found.train), "dev": len(found.dev), "tasks": dict(tasks),
            "left_out": dict(found.left_out),
        }  # fmt: skip
        note(f"{kind}: left out {', '.join(f'{n:,} {why}' for why, n in found.left_out.items()) or 'none'}")
    if json:
        put_json(report)
        return
    for kind, found in made.items():
        tasks = Counter(pair.task for pair in found.train)
        shares = ", ".join(f"{task} {count:,}" for task, count in tasks.most_common())
        put(f"{kind:14} {len(found.train):7,} rows, {len(found.dev):5,} for development: {shares}\n")
