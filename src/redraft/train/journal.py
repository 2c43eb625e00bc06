"""What a training writes down as it goes: `metrics.jsonl`, one step or look at the dev set a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Journal:
    """The file; what was written after the step that training resumes from is dropped."""

    def __init__(self, path: Path, step: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = [line for line in _whole_lines(path) if json.loads(line)["step"] <= step] if step else []
        path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
        self._path = path

    def write(self, values: dict[str, Any]) -> None:
        """Add a line."""
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(values) + "\n")


def _whole_lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return []
    return text[: text.rfind("\n") + 1].splitlines()
