"""Texts to build from: where they are read, how they are laid out, and what each record must say of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from redraft.errors import InputError
from redraft.text import objects, read_text

_NOT_STATED: Final = "not stated"


@dataclass(frozen=True, slots=True)
class Source:
    """A text to build from, where it is from, and under what terms."""

    id: str
    domain: str
    text: str
    source: str = _NOT_STATED
    licence: str = _NOT_STATED


def read_constrev_sources(paths: Sequence[Path]) -> list[Source]:
    """The texts of JSONL files, and of folders that hold a sub-folder of .txt files for each domain."""
    found = [source for path in paths for source in (_folder(path) if path.is_dir() else _lines(path))]
    seen: set[str] = set()
    for source in found:
        if source.id in seen:
            raise InputError(f"two sources have the id {source.id!r}: each needs one of its own")
        seen.add(source.id)
    return found


def _folder(path: Path) -> Iterator[Source]:
    files = sorted(path.rglob("*.txt"))
    if not files:
        raise InputError(f"{path} holds no text: a folder of sources has a sub-folder of .txt files a domain")
    for file in files:
        name = file.relative_to(path).with_suffix("").as_posix()
        domain = file.parent.name if file.parent != path else path.name
        yield Source(name, domain, read_text(file), source=name)


def _lines(path: Path) -> Iterator[Source]:
    for number, row in rows(path):
        where = f"{path}, line {number}"
        values = {name: row.get(name) for name in ("id", "domain", "text")}
        for name, value in values.items():
            if not isinstance(value, str) or not value.strip():
                raise InputError(f'{where}: a source needs "{name}", a string')
        known = {name: str(row[name]) for name in ("source", "licence") if row.get(name)}
        yield Source(**values, **known)  # type: ignore[arg-type]  # they were found to be strings


def rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSONL file, each with the number of its line."""
    return objects(read_text(path), str(path))
