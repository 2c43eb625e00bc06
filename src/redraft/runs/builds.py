"""Tables and values as a data card writes them, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redraft.text import markdown_text


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table; what stands in a cell is text, whatever it looks like."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def plain(value: Any) -> str:
    """A value in words: names with their counts, or items, one after another."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {count}" for name, count in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value)
    return "" if value is None else str(value)


def _cell(value: Any) -> str:
    return markdown_text(f"{value:,}" if isinstance(value, int) else str(value))
