"""Rows of training data: JSONL with `task`, `input`, `target`, and optionally `source` and `documents`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.errors import InputError


@dataclass(frozen=True, slots=True)
class Row:
    """A text, what it should become, and by which task; `source` says where the pair is from."""

    task: str
    input: str
    target: str
    source: str = ""
    documents: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The row as it is written to a file."""
        row: dict[str, Any] = {"task": self.task, "input": self.input, "target": self.target}
        row["source"] = self.source
        return {**row, "documents": list(self.documents)} if self.documents else row


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file, one after the other; a bad line is an error that names it."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(line, path, number)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the training data {path} cannot be read: {error}") from None


def _row(line: str, path: Path, number: int) -> Row:
    try:
        found = json.loads(line)
        row = Row(
            found["task"],
            found["input"],
            found["target"],
            found.get("source", ""),
            tuple(found.get("documents", ())),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path}, line {number}: needs task, input and target in a JSON object") from None
    if not all(
        isinstance(value, str) for value in (row.task, row.input, row.target, row.source, *row.documents)
    ):
        raise InputError(f"{path}, line {number}: task, input, target, source and documents must be strings")
    return row
