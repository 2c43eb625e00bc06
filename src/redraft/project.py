"""Files with settings that come with a project, and which of them the user trusts.

Anyone may have written such a file. It is looked for from a folder upwards, to the root of the repository or
the user's home; one that belongs to another user is passed over. What it may set only if the user trusts it,
the settings say. What is trusted is a path and the hash of what stands there, so that a file that was changed
has to be trusted again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shlex
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs

from redraft.errors import FileError, SettingsError
from redraft.notation import parse_json, parse_toml

NAMES: Final = ("pyproject.toml", "redraft.toml")
"""The weaker first."""

_log = logging.getLogger(__name__)
_passed_over: set[Path] = set()
"""Files of others that this process has told of."""


@dataclass(frozen=True, slots=True, eq=False)
class ProjectFile:
    """A file with settings."""

    path: Path
    table: Mapping[str, Any]
    sha256: str

    @property
    def where(self) -> str:
        """What people are told of where a value came from."""
        return f"{self.path.name} at {self.path.parent}"


def project_files(directory: Path, *, anyones: bool = False) -> list[ProjectFile]:
    """The nearest file of each name, the weaker first; with `anyones`, those of other users too."""
    found = (_nearest(name, directory.resolve(), anyones) for name in NAMES)
    return [file for file in found if file is not None]


def read_project_file(path: Path) -> ProjectFile | None:
    """A file as it is now; None where it holds nothing of ours."""
    content = _content(path)
    try:
        table: Any = parse_toml(content.decode())
    except ValueError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from None
    for part in ("tool", "redraft") if path.name == "pyproject.toml" else ():
        table = table.get(part) if isinstance(table, dict) else None
    return ProjectFile(path, table, _hash(content)) if isinstance(table, dict) else None


def is_trusted(path: Path, sha256: str | None = None) -> bool:
    """Whether the user trusts a file as it is, or as it was when it had this hash."""
    known = trusted_files().get(_key(path))
    return known is not None and known == (sha256 or _hash(_content(path)))


def how_to_trust(path: Path) -> str:
    """What to do about a file that is not trusted."""
    changed = "it has changed since you trusted it; " if _key(path) in trusted_files() else ""
    return f"{changed}read it, and if you trust it: redraft trust {shlex.quote(str(path))}"


def trust(path: Path, sha256: str | None = None) -> None:
    """Trust a file as it is now, or as it was when it had this hash."""
    _write({**trusted_files(), _key(path): sha256 or _hash(_content(path))})


def distrust(path: Path) -> bool:
    """Trust a file no longer; False where it was not trusted."""
    left = trusted_files()
    known = left.pop(_key(path), None) is not None
    if known:
        _write(left)
    return known


def trusted_files() -> dict[str, str]:
    """The hash of each trusted file, by its path; none where the list cannot be read."""
    try:
        found = parse_json(_list().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _nearest(name: str, directory: Path, anyones: bool) -> ProjectFile | None:
    for folder in _upwards(directory):
        path = folder / name
        if path.is_file():
            found = read_project_file(path) if anyones or _is_own(path) else _of_another(path)
            if found is not None:
                return found
    return None


def _upwards(directory: Path) -> Iterator[Path]:
    ends = []
    with contextlib.suppress(RuntimeError):  # nobody's home
        ends.append(Path.home().resolve())
    for folder in (directory, *directory.parents):
        yield folder
        if folder in ends or (folder / ".git").exists():
            return


def _is_own(path: Path) -> bool:
    """Whether a file is the user's, or root's, who could do anything anyway."""
    return not hasattr(os, "geteuid") or _owners(path) <= {os.geteuid(), 0}


def _of_another(path: Path) -> ProjectFile | None:
    """The file of another user, if the user trusts it; what is wrong with it is nothing to the user."""
    try:
        found = read_project_file(path)
    except SettingsError:
        return None
    if found is None or is_trusted(path, found.sha256):
        return found
    if path not in _passed_over:
        _passed_over.add(path)
        _log.warning("%s belongs to another user and is not used; %s", path, how_to_trust(path))
    return None


def _owners(path: Path) -> set[int]:
    return {path.lstat().st_uid, path.stat().st_uid}


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _key(path: Path) -> str:
    return str(path.parent.resolve() / path.name)


def _list() -> Path:
    return Path(platformdirs.user_config_dir("redraft")) / "trusted.json"


def _write(files: Mapping[str, str]) -> None:
    target = _list()
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=".trusted.", dir=target.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(files, file, indent=2)
        Path(name).replace(target)
    except OSError as error:
        raise FileError(f"{target} cannot be written: {error.strerror}") from None
