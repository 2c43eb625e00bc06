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
        self._stream = path.open("a", encoding="utf-8")

    def write(self, values: dict[str, Any]) -> None:
        """Add a line, at once on disk for who watches."""
        self._stream.write(json.dumps(values) + "\n")
        self._stream.flush()

    def close(self) -> None:
        """No more lines."""
        self._stream.close()


def _whole_lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return []
    return text[: text.rfind("\n") + 1].splitlines()
