"""A small set of our own in ConsTRev's shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEXT = (
    "The harbour was quiet in the morning. A few boats leave before dawn, and they come back at noon. "
    "The fishermen sells their catch on the quay. Nobody in the town remembers when the market began. "
    "It is said that it is older than the church."
)
LATEX = (
    r"We train the model on \textbf{two} corpora \cite{one}. The loss is $L = -\log p$ and it fall quickly."
)

ROWS: list[dict[str, Any]] = [
    {"id": "L0-000", "level": 0, "instruction": "Please improve the following text.", "text": TEXT, "calls": [],
     "published": {"other": TEXT.replace("sells", "sell")}},
    {"id": "L1-000", "level": 1, "instruction": "Improve this text. Use fewer than 40 words.", "text": TEXT,
     "calls": ['word_count_check(40, "less than")'], "plan": "3: mend the verb\n"},
    {"id": "L2-000", "level": 2, "instruction": "Do not change the first sentence, and avoid the word 'quay'.",
     "text": TEXT, "calls": ['sentence_check([1], "unchange")', 'keyword_keep_removal_check("quay", "remove")'],
     "published": {"other": TEXT.replace("on the quay", "there")}},
    {"id": "S-length-000", "level": 1, "set": "single", "instruction": "Each sentence should have fewer than 30 words.",
     "text": TEXT, "calls": ['sentence_length_check(30, "less than")']},
]  # fmt: skip


def write_rows(path: Path, rows: list[dict[str, Any]] | None = None) -> Path:
    """Write records, a line each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows or ROWS)
    path.write_text("".join(lines), encoding="utf-8")
    return path
