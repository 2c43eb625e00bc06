"""How a person has a say on the outline of a piece before anything is drafted."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
from pathlib import Path

import typer

from redraft.cli.compose_view import View
from redraft.cli.frame import problem
from redraft.composition import Approve, Outline, outline_text, read_outline
from redraft.errors import InputError
from redraft.text import is_private, read_text, sound, write_text

OUTLINE = "outline.md"


def approval(file: Path, view: View, asked: bool, is_resumed: bool) -> Approve | None:
    """A person's say: in an editor on a terminal, else in a file that is read when the piece is resumed."""
    if not asked and not (is_resumed and file.exists()):
        return None

    async def approve(outline: Outline) -> Outline | None:
        is_there = file.exists()
        if not is_there:
            write_text(file, sound(outline_text(outline)), private=is_private(file.parent))
        if asked and sys.stdin.isatty() and sys.stderr.isatty():
            view.paused()
            try:
                return await asyncio.to_thread(_edited, file)
            finally:
                view.resumed()
        return read_outline(read_text(file)) if is_resumed and is_there else None

    return approve


def _edited(file: Path) -> Outline | None:
    """The outline after an editor was closed; None where the person gives up."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    while True:
        try:
            status = subprocess.call([*shlex.split(editor), str(file)])
        except (OSError, ValueError) as error:
            raise InputError(f"the editor {editor!r} cannot be started: {error}; set EDITOR") from None
        if status:
            raise InputError(f"the editor {editor!r} ended with {status}; the outline is as it was")
        try:
            return read_outline(read_text(file))
        except InputError as error:
            problem(str(error))
            if not typer.confirm("Edit it again?", default=True, err=True):
                return None
