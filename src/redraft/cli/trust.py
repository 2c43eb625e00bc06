"""`redraft trust`: let a file that came with a project choose folders, addresses and models by their path."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redraft.addresses import without_login
from redraft.cli.frame import put, visible
from redraft.errors import InputError
from redraft.project import (
    NAMES,
    distrust,
    is_trusted,
    project_files,
    read_project_file,
    trust as trust_file,
    trusted_files,
)
from redraft.settings import needs_trust


def trust(
    place: Annotated[
        Path,
        typer.Argument(metavar="FOLDER|FILE", help="The files of the project in a folder, or one file."),
    ] = Path(),
    remove: Annotated[bool, typer.Option("--remove", help="Trust it no longer.")] = False,
    show: Annotated[bool, typer.Option("--list", help="Show what is trusted.")] = False,
) -> None:
    """Trust a project's settings as they are now; once they change, they have to be trusted again."""
    if show:
        for name in trusted_files():
            put(visible(f"{name}{_state(Path(name))}") + "\n")
        return
    for path in _files(place):
        if remove:
            known = distrust(path)
            put(visible(f"{'trusted no longer' if known else 'was not trusted'}: {path}") + "\n")
            continue
        found = read_project_file(path) if path.name in NAMES else None
        trust_file(path, found.sha256 if found else None)
        put(visible(f"trusted as it is now: {path}") + "\n")
        for name, value in found.table.items() if found else ():
            if needs_trust(name, value):
                put(visible(f"  {name} = {without_login(str(value))}") + "\n")


def _files(place: Path) -> list[Path]:
    if not place.is_dir():
        return [place]
    found = [file.path for file in project_files(place, anyones=True)]
    if not found:
        names = "redraft.toml, or pyproject.toml with [tool.redraft]"
        raise InputError(f"there is no {names}, in {place.resolve()} or above it")
    return found


def _state(path: Path) -> str:
    if not path.is_file():
        return "  (is gone)"
    return "" if is_trusted(path) else "  (has changed since)"
