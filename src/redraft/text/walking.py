"""The texts under a folder: what its writers wrote, and not what tools put there."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from redraft.errors import FileError
from redraft.text.formats import TEXT_ENDINGS

_MADE_BY_TOOLS: Final = frozenset(["node_modules", "venv", "site-packages", "build", "dist", "target"])
"""Folders that hold no text of the user's, where no git says what is ignored."""
_LIST_FILES: Final = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
_NO_PROGRAM: Final = ("-c", "core.fsmonitor=false")
"""Anyone may have written the settings of a repository: none of them starts a program."""


def list_texts(folder: Path) -> list[Path]:
    """The files under a folder that are texts by their names, in order.

    Links, and what is hidden, are passed over, and so is what git ignores, where the folder is in a git
    repository; elsewhere, folders that are known to be made by tools.
    """
    if not folder.is_dir():
        raise FileError(f"{folder}: there is no such folder")
    listed = _listed_by_git(folder)
    found = _walked(folder) if listed is None else listed
    return sorted(path for path in found if path.suffix.lower() in TEXT_ENDINGS and _is_plain(path, folder))


def _is_plain(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return not any(part.startswith(".") for part in parts) and path.is_file() and not path.is_symlink()


def _listed_by_git(folder: Path) -> list[Path] | None:
    """What git knows of, or would; None where there is no git, no repository, or all of it is ignored."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *_NO_PROGRAM, *_LIST_FILES], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return [folder / os.fsdecode(name) for name in done.stdout.split(b"\0") if name] or None


def _walked(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = [
            name for name in folders if name not in _MADE_BY_TOOLS and not _is_environment(place, name)
        ]
        yield from (Path(place, name) for name in files)


def _is_environment(place: str, name: str) -> bool:
    return name.startswith((".", "__")) or Path(place, name, "pyvenv.cfg").exists()
