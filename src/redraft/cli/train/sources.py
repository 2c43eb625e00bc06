"""`redraft train sources`: sentences whose terms are known, and that no test set has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.console import note, put
from redraft.cli.train.data import check_out
from redraft.cli.train.options import Tests, files
from redraft.errors import InputError
from redraft.text import read_text, write_text
from redraft.train import Guard


def train_sources(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Sentences, one a line.", exists=True)],
    found_in: Annotated[
        list[Path], files("Files whose terms are known: a sentence that none of them holds is left out.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.txt", help="Where the sentences go.")],
    tests: Tests = None,
) -> None:
    """Keep the sentences that other files hold as well, and that are like no text of a test set."""
    check_out(out, [file, *found_in])
    lines = list(dict.fromkeys(filter(None, map(str.strip, read_text(file).splitlines()))))
    known = Guard.from_files(found_in)
    held = [line for line in lines if known.holds(line)]
    guard = Guard.from_files(tests or ())
    kept = [line for line in held if not guard.knows(line)]
    if not kept:
        raise InputError(f"no sentence of {file} is left; nothing was written")
    note(f"{len(lines) - len(held):,} of {len(lines):,} are left out, as no other file holds them")
    note(f"{len(held) - len(kept):,} are left out, as they are in a test set, or nearly")
    write_text(out, "".join(f"{line}\n" for line in kept))
    put(f"{out}\n")
