"""A table as Markdown, as CSV, and on a terminal."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable
from rich.text import Text

from redraft.bench.tables import Cell, Column, Number, Table, metric_name
from redraft.text import escape_formula, markdown_text

MISSING = "–"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LABEL = 16
"""Characters of a name that a terminal always has room for."""


def number(value: Number | None, digits: int = 1) -> str:
    """A number without its interval."""
    return MISSING if value is None else f"{value.value:.{digits}f}"


def interval(value: Number | None, digits: int = 1) -> str:
    """Its interval, or nothing where none is known."""
    if value is None or value.low is None or value.high is None:
        return ""
    return f"[{value.low:.{digits}f}, {value.high:.{digits}f}]"


def markdown(table: Table) -> str:
    """As a Markdown table, under its title and followed by its note."""
    heads = [_title(column) for column in table.columns]
    rule = ["---:" if _is_numeric(table, place) else "---" for place in range(len(heads))]
    rows = [
        [
            markdown_text(cell) if isinstance(cell, str) else _full(cell, column)
            for cell, column in _cells(row, table)
        ]
        for row in table.rows
    ]
    lines = ["| " + " | ".join(row) + " |" for row in [map(markdown_text, heads), rule, *rows]]
    return f"## {markdown_text(table.title)}\n\n" + "\n".join(lines) + f"\n\n{markdown_text(table.note)}\n"


def csv_text(table: Table) -> str:
    """As CSV, a column for each metric and for the ends of its interval, numbers in full."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([escape_formula(head) for column in table.columns for head in _csv_heads(column)])
    for row in table.rows:
        writer.writerow([value for cell, _ in _cells(row, table) for value in _csv_values(cell)])
    return out.getvalue()


def terminal(text: str, style: str = "") -> Text:
    """Text that a terminal shows and does not obey: control characters become replacement marks."""
    return Text(_CONTROL.sub("\ufffd", text), style=style)


def rich_table(table: Table, *, intervals: bool = True) -> RichTable:
    """For a terminal: several numbers of a cell stand under each other, without intervals, to fit it."""
    shown = RichTable(
        title=terminal(table.title),
        caption=terminal(table.note),
        caption_justify="left",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
    for place, column in enumerate(table.columns):
        head = "\n".join([column.title, *metric_names(column)])
        if _is_numeric(table, place):
            cells = (_stacked(row[place], column, intervals) for row in table.rows)
            lines = (line for cell in cells for line in cell.split("\n"))
            width = max(map(len, lines), default=0)
            is_wide = width >= max(map(len, head.split("\n")))  # then it is the others that give way
            shown.add_column(terminal(head), justify="right", min_width=width, no_wrap=is_wide)
        else:
            longest = max((len(str(row[place])) for row in table.rows), default=0)
            shown.add_column(terminal(head), overflow="fold", min_width=min(longest, _LABEL))
    for row in table.rows:
        shown.add_row(*(terminal(_stacked(cell, column, intervals)) for cell, column in _cells(row, table)))
    return shown


def _cells(row: tuple[Cell, ...], table: Table) -> Iterator[tuple[Cell, Column]]:
    return zip(row, table.columns, strict=True)


def metric_names(column: Column) -> list[str]:
    """The metrics that the title does not name already."""
    return [metric_name(metric) for metric in column.metrics if metric.lower() not in column.title.lower()]


def _title(column: Column) -> str:
    return f"{column.title} {' / '.join(metric_names(column))}".rstrip()


def _is_numeric(table: Table, place: int) -> bool:
    return bool(table.columns[place].metrics) or any(isinstance(row[place], int) for row in table.rows)


def _full(cell: Cell, column: Column) -> str:
    if not isinstance(cell, tuple):
        return str(cell)
    parts = (f"{number(each, column.digits)} {interval(each, column.digits)}".rstrip() for each in cell)
    return " / ".join(parts) or MISSING


def _stacked(cell: Cell, column: Column, intervals: bool) -> str:
    if not isinstance(cell, tuple) or (intervals and len(cell) < 2):
        return _full(cell, column)
    return "\n".join(number(each, column.digits) for each in cell)


def _csv_heads(column: Column) -> Iterator[str]:
    if not column.metrics:
        yield column.title
    for metric in column.metrics:
        name = metric if column.title.lower() == metric.lower() else f"{column.title} {metric}".rstrip()
        yield from (name, f"{name} low", f"{name} high")


def _csv_values(cell: Cell) -> Iterator[str]:
    if not isinstance(cell, tuple):
        yield escape_formula(cell) if isinstance(cell, str) else str(cell)
        return
    for each in cell:
        parts = (each.value, each.low, each.high) if each else (None, None, None)
        yield from ("" if part is None else repr(part) for part in parts)
