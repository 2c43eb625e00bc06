"""A blind sheet: the same sources, what several systems made of them, in an order that tells nothing.

DIR/sheet.csv    what people fill in: id, source, simplification, score, comment
DIR/sheet.html   the same as a page that works offline
DIR/key.json     which systems stand behind each id; people who score do not need it
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, Final

from jinja2 import Environment, StrictUndefined

from redraft.errors import FileError, InputError
from redraft.judge.item import Item
from redraft.text import escape_formula, read_text, replace_surrogates, to_json, unescape_formula, write_text

_DELIMITERS: Final = (",", ";", "\t")


def csv_of(rows: Iterable[Sequence[str]]) -> str:
    """The rows as CSV with the mark by which Excel knows UTF-8, every cell in quotes."""
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([*map(escape_formula, row)] for row in rows)
    return "\ufeff" + out.getvalue()


def read_cells(file: str, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """The rows of a CSV file by the names of its columns, each with its line as a spreadsheet numbers it.

    Commas, semicolons and tabs may part the cells, as spreadsheets of different countries write them.
    """
    text = read_text(file).removeprefix("\ufeff")
    for delimiter in _DELIMITERS:
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        except csv.Error:
            continue
        names = [name.strip().lower() for name in rows[0]] if rows else []
        if set(needed) <= set(names):
            return [
                (number, dict(zip(names, map(unescape_formula, row), strict=False)))
                for number, row in enumerate(rows[1:], 2)
                if any(cell.strip() for cell in row)
            ]
    raise InputError(f"{file} is no sheet: its first line should name the columns {', '.join(needed)}")


MEANINGS: Final = {
    1: "not at all: meaning lost, or no simpler",
    2: "little",
    3: "partly",
    4: "mostly",
    5: "fully: simpler, fluent, meaning kept",
}
"""What the scores say of how far a text follows the guidelines."""
_INVISIBLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True)
class Guidelines:
    """What people are to go by: a title, what the texts are for, and what counts for and against one."""

    title: str
    text: str
    rewards: tuple[str, ...] = ()
    penalties: tuple[str, ...] = ()


def sheet_page(name: str, rows: Sequence[SheetRow], guidelines: Guidelines) -> str:
    """The page on which people score the rows; whatever a text holds, it is shown and never run."""
    html, script, style = (
        (files(__package__) / file).read_text(encoding="utf-8")
        for file in ("page.html", "page.js", "page.css")
    )
    environment = Environment(autoescape=True, finalize=_make_visible, undefined=StrictUndefined)
    return environment.from_string(html).render(
        sheet=name,
        rows=rows,
        guidelines=guidelines,
        meanings=MEANINGS,
        script=script,
        style=style,
        hashes={"script": _content_hash(script), "style": _content_hash(style)},
    )


def _make_visible(value: Any) -> Any:
    """A text without characters that a page cannot hold; what the page itself marks as safe stays."""
    return _INVISIBLE.sub("\ufffd", value) if type(value) is str else value


def _content_hash(content: str) -> str:
    """What a Content-Security-Policy names a script or style by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


COLUMNS: Final = ("id", "source", "simplification", "score", "comment")
SCALE: Final = (1, 2, 3, 4, 5)
KEY: Final = "key.json"


@dataclass(frozen=True)
class SheetRow:
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
    rows: tuple[SheetRow, ...]
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
        SheetRow(f"{digest}-{number:0{width}}", source, text, name, systems)
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
    write_text(folder / "sheet.csv", replace_surrogates(csv_of([COLUMNS, *texts])))
    write_text(folder / "sheet.html", sheet_page(sheet.name, sheet.rows, guidelines))
    write_text(folder / KEY, to_json(sheet.key(), indent=2) + "\n")
