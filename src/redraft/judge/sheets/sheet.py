"""A blind sheet: the same sources, what several systems made of them, in an order that tells nothing.

DIR/sheet.csv    what people fill in: id, source, simplification, score, comment
DIR/sheet.html   the same as a page that works offline
DIR/key.json     which systems stand behind each id; people who score do not need it
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from redraft.errors import FileError, InputError
from redraft.judge.item import Item
from redraft.judge.sheets.cells import csv_of
from redraft.judge.sheets.page import Guidelines, sheet_page
from redraft.text import dumped, sound, write_text

COLUMNS: Final = ("id", "source", "simplification", "score", "comment")
SCALE: Final = (1, 2, 3, 4, 5)
KEY: Final = "key.json"


@dataclass(frozen=True)
class Row:
    """A text to be scored, and the systems that wrote it: several where they wrote the same."""

    id: str
    source: str
    text: str
    item: str
    systems: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """The rows in the order of the sheet, and all systems."""

    name: str
    """Begins every id, so that no row is taken for one of another sheet."""
    systems: tuple[str, ...]
    rows: tuple[Row, ...]
    seed: int

    def key(self) -> dict[str, Any]:
        """What only the one who evaluates needs."""
        rows = {row.id: {"item": row.item, "systems": list(row.systems)} for row in self.rows}
        return {"sheet": self.name, "seed": self.seed, "systems": list(self.systems), "rows": rows}


def draw_sheet(outputs: Mapping[str, Sequence[Item]], limit: int | None = None, seed: int = 0) -> Sheet:
    """A sheet of at most `limit` sources that every system has, drawn by the seed; a source counts once.

    What several systems wrote alike is one row: it is scored once, for all of them.
    """
    by_system = {system: {item.id: item for item in items} for system, items in outputs.items()}
    sources: dict[str, str] = {}
    first, *others = by_system.values()
    for name, item in first.items():
        source = item.context.source
        if not all(name in other for other in others):
            continue
        if source is None:
            raise InputError(f"{name} has no source: a sheet shows each text beside its source")
        if any(other[name].context.source != source for other in others):
            raise InputError(f"{name} does not have the same source everywhere: use runs over the same data")
        sources.setdefault(source, name)
    if not sources:
        raise InputError("the systems have no text for the same source: use runs over the same data")
    random = Random(seed)
    names = list(sources.values())
    if limit is not None and limit < len(names):
        names = random.sample(names, limit)
    drawn: list[tuple[str, str, str, tuple[str, ...]]] = []
    for name in names:
        texts: dict[str, list[str]] = {}
        for system, items in by_system.items():
            texts.setdefault(items[name].text, []).append(system)
        drawn += [
            (name, first[name].context.source or "", text, tuple(systems)) for text, systems in texts.items()
        ]
    random.shuffle(drawn)
    digest = hashlib.sha256(json.dumps([seed, drawn]).encode()).hexdigest()[:6]
    width = len(str(len(drawn)))
    rows = tuple(
        Row(f"{digest}-{number:0{width}}", source, text, name, systems)
        for number, (name, source, text, systems) in enumerate(drawn, 1)
    )
    return Sheet(digest, tuple(outputs), rows, seed)


def write_sheet(sheet: Sheet, folder: Path, guidelines: Guidelines) -> None:
    """Write the three files; a folder that has a sheet already is left alone."""
    if (folder / KEY).exists():
        raise InputError(f"{folder} has a sheet already, which may be in use: choose another --out")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be made: {error.strerror}") from None
    texts = [(row.id, row.source, row.text, "", "") for row in sheet.rows]
    write_text(folder / "sheet.csv", sound(csv_of([COLUMNS, *texts])))
    rows = [(row.id, row.source, row.text) for row in sheet.rows]
    write_text(folder / "sheet.html", sheet_page(sheet.name, rows, guidelines))
    write_text(folder / KEY, dumped(sheet.key(), indent=2) + "\n")
