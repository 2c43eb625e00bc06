"""What a training writes down as it goes: `metrics.jsonl`, one step or look at the dev set a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from redraft.errors import FileError
from redraft.notation import parse_json
from redraft.text import write_text


class Journal:
    """The file; what was written after the step that training resumes from is dropped."""

    def __init__(self, path: Path, step: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = _lines(path)
        kept = [line for line in lines if 0 < _step(line) <= step]
        if kept != lines or not path.exists():
            write_text(path, "".join(kept))
        self._path = path

    def write(self, values: dict[str, Any]) -> None:
        """Add a line."""
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(values) + "\n")
        except OSError as error:
            raise FileError(f"{self._path} cannot be written: {error.strerror or error}") from None


def _lines(path: Path) -> list[str]:
    """The lines with their ends, and what a crash left of the last one."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    except OSError:
        return []


def _step(line: str) -> int:
    """The step of a line; 0 of one that a crash cut off or garbled."""
    try:
        return int(parse_json(line)["step"]) if line.endswith("\n") else 0
    except (ValueError, KeyError, TypeError):
        return 0
