"""A small benchmark of our own in EditEval's JSONL."""

from __future__ import annotations

import json
from pathlib import Path

FIXES = [
    ("She go to school every day.", "She goes to school every day."),
    ("He have two brother.", "He has two brothers."),
    ("They was late again.", "They were late again."),
    ("I has a idea.", "I have an idea."),
    ("The informations is wrong.", "The information is wrong."),
]
NEUTRAL = [
    ("the brilliant general won the battle.", "the general won the battle."),
    ("he foolishly claimed the throne.", "he claimed the throne."),
]


def write_data(folder: Path, repeats: int = 1) -> Path:
    """Write jfleg.jsonl and wnc.jsonl; `repeats` makes them longer."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, task, pairs in (("jfleg", "fluency", FIXES), ("wnc", "neutralization", NEUTRAL)):
        rows = [
            {"id": f"{name}-{turn}-{n}", "input": f"{source} ({turn})" if turn else source,
             "references": [f"{target} ({turn})" if turn else target], "task": task, "documents": []}
            for turn in range(repeats) for n, (source, target) in enumerate(pairs)
        ]  # fmt: skip
        (folder / f"{name}.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
        )
    return folder
