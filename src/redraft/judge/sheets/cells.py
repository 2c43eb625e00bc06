"""CSV that goes through spreadsheets: no cell runs as a formula, and every text comes back as it was.

A cell that a spreadsheet would run is written with an apostrophe before it, which is taken off again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from redraft.errors import InputError
from redraft.text import guarded, read_text, unguarded

_DELIMITERS: Final = (",", ";", "\t")


def csv_of(rows: Iterable[Sequence[str]]) -> str:
    """The rows as CSV with the mark by which Excel knows UTF-8, every cell in quotes."""
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([*map(guarded, row)] for row in rows)
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
                (number, dict(zip(names, map(unguarded, row), strict=False)))
                for number, row in enumerate(rows[1:], 2)
                if any(cell.strip() for cell in row)
            ]
    raise InputError(f"{file} is no sheet: its first line should name the columns {', '.join(needed)}")
