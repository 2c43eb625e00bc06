"""Looking for the data sets in a folder: which files hold which of them, and which hold none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redraft.bench.editeval import fruit, hub, original, own, rows, wafer
from redraft.bench.editeval.facts import facts
from redraft.bench.editeval.source import FORMS, Source
from redraft.errors import InputError, MissingExtra

_OTHER_SPLIT = re.compile(r"(?:^|[^a-z])(?:train|dev|valid|validation|tune)(?:[^a-z]|$)")


@dataclass(frozen=True)
class Found:
    """What a folder holds."""

    sources: dict[str, Source]
    """The one to read of each data set."""
    spare: tuple[Source, ...]
    """Further copies of data sets that are read from elsewhere."""
    ignored: tuple[Path, ...]
    unreadable: tuple[MissingExtra, ...]
    """Files that need an optional part to be looked into."""


def find(path: Path) -> Found:
    """The data sets at a path, a folder or one file."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    sources: list[Source] = []
    ignored: list[Path] = []
    unreadable: list[MissingExtra] = []
    for file in _files(path):
        try:
            recognised = _recognise(file, path)
        except MissingExtra as missing:
            unreadable.append(missing)
            continue
        sources += recognised
        if not recognised:
            ignored.append(file)
    chosen: dict[str, Source] = {}
    spare: list[Source] = []
    for source in sorted(sources, key=_preference):
        if chosen.setdefault(source.dataset, source) is not source:
            spare.append(source)
    companions = {file for source in sources for file in source.files}
    others = tuple(file for file in ignored if file not in companions)
    return Found(chosen, tuple(spare), others, tuple(unreadable))


def nothing(path: Path, found: Found) -> InputError:
    """The error for a path at which there is no data set; says what was looked for."""
    if found.unreadable:
        return found.unreadable[0]
    wanted = (
        f"{', '.join(f'{name}.jsonl' for name in facts())} (id, input, references, task, documents)",
        f"original files: {', '.join((*original.NAMES, *fruit.NAMES, *wafer.NAMES))}",
        f"JSON, CSV or Parquet of the test split with the columns {'; '.join(hub.COLUMNS)}",
    )
    return InputError("\n  ".join((f"{path} holds no data set of EditEval; looked for", *wanted)))


def _preference(source: Source) -> tuple[int, bool, str]:
    # TurkCorpus's repository has its files in lower case, and with capitals in the folder GEM, which is what
    # EditEval uses.
    return FORMS.index(source.form), "GEM" not in source.path.parts, str(source.path)


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def _recognise(file: Path, path: Path) -> tuple[Source, ...]:
    if source := original.recognise(file) or fruit.recognise(file):
        return (source,)
    if file.suffix not in rows.SUFFIXES or (file != path and _other_split(file, path)):
        return ()
    columns = rows.columns(file)
    source = (
        own.recognise(file, columns)
        or fruit.recognise_rows(file, columns)
        or wafer.recognise_rows(file, columns)
    )
    return (source,) if source else hub.recognise(file, columns)


def _other_split(file: Path, path: Path) -> bool:
    """Whether a file's name, or that of its folder below the given path, says that it is no test split."""
    folder = "" if file.parent == path else file.parent.name
    return any(_OTHER_SPLIT.search(part.lower()) for part in (file.stem, folder))
