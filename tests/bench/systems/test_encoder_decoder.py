"""A model with an encoder and a decoder, of random numbers, runs a benchmark from its folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from redraft.cli import app
from tests.bench.data import FIXES, NEUTRAL, write_data
from tests.models.tiny_llama import write_folder


@pytest.mark.usefixtures("one_thread")
@pytest.mark.filterwarnings("ignore:.*the paper's has")
@pytest.mark.parametrize("system", ["model", "model:instruction"])
def test_a_t5_runs_editeval(tmp_path: Path, system: str) -> None:
    folder = write_folder(tmp_path / "t5", "T5", "")
    words = ["bench", "run", "editeval", "--data", write_data(tmp_path / "data"), "--system", system]
    words += ["--model", f"hf:{folder}", "--no-cache", "--out", tmp_path / "run"]
    result = CliRunner().invoke(app, list(map(str, words)))
    assert result.exit_code == 0, result.output
    records = [json.loads(line) for line in (tmp_path / "run" / "samples.jsonl").read_text().splitlines()]
    assert len(records) == len(FIXES) + len(NEUTRAL)
    assert all(record["error"] is None and isinstance(record["output"], str) for record in records)
    facts = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (facts["system"], facts["model"]) == (system, f"hf:{folder}")
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert "bleu:nmt" in scores["datasets"]["jfleg"]["prompts"]["1"]["scores"]
