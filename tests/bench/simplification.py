"""A few sentences to simplify, in EditEval's JSONL, and what two systems might make of them."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from redraft.cli import app

SOURCES = [
    "The committee commenced its deliberations, and the members departed at midnight.",
    "Approximately half of the inhabitants utilise the railway.",
    "He resided in Paris for a considerable number of years.",
    "The storm, which was severe, demolished the bridge.",
]
LEXICAL = [
    "The committee began its talks, and the members left at midnight.",
    "About half of the people use the railway.",
    "He lived in Paris for a large number of years.",
    "The storm, which was bad, destroyed the bridge.",
]
REWRITE = [
    "The committee began its talks. The members left at midnight.",
    "About half of the people use the railway.",
    "He lived in Paris for years.",
    "The bad storm destroyed the bridge. It was strong.",
]


def write_turk(folder: Path) -> Path:
    """Write turk.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "id": f"turk-{n}",
            "input": source,
            "references": [LEXICAL[n], REWRITE[n]],
            "task": "simplification",
            "documents": [],
        }
        for n, source in enumerate(SOURCES)
    ]
    (folder / "turk.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def write_outputs(file: Path, texts: list[str]) -> Path:
    """Write predictions."""
    rows = [{"id": f"turk-{n}", "output": text} for n, text in enumerate(texts)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def bench(*words: str) -> Result:
    return CliRunner().invoke(app, ["bench", *words])


def run(data: Path, out: Path, system: str, *words: str) -> Path:
    """A finished run."""
    result = bench("run", "editeval", "--data", str(data), "--out", str(out), "--system", system, *words)
    assert result.exit_code == 0, result.output
    return out


def three_runs(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Runs of a system that copies, one that changes words, and one that rewrites."""
    data = write_turk(tmp_path / "data")
    lexical = write_outputs(tmp_path / "lexical.jsonl", LEXICAL)
    rewrite = write_outputs(tmp_path / "rewrite.jsonl", REWRITE)
    return (
        run(data, tmp_path / "copy", "copy"),
        run(data, tmp_path / "lexical", f"predictions:{lexical}"),
        run(data, tmp_path / "rewrite", f"predictions:{rewrite}"),
    )
