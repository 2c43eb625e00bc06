"""The system `planner`: only the tools are planned, by rules, by a model, or by both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redraft.models import adapters
from tests.bench.constrev.records import ROWS, TEXT, write_rows
from tests.bench.constrev.test_command import bench, main_scores, run
from tests.models.scripted import ScriptedServer, say

ODD = {
    **ROWS[1],
    "instruction": "My limit is 60. Improve it.",
    "calls": ['word_count_check(60, "less than")'],
}
ANSWER = 'THOUGHT: Sixty.\nCALLS:\ntext_eval()\nword_count_check(60, "less than")\n'


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "own.jsonl", [ROWS[0], ODD])


def planned(out: Path) -> dict[str, Any]:
    lines = (out / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert {record["output"] for record in records} == {TEXT}
    return {record["dataset"]: record["planned"] for record in records}


def tools(out: Path, level: str) -> tuple[float, float, float]:
    found = main_scores(out, level)
    return tuple(round(found[name]["score"], 1) for name in ("tool_f1", "tool_exact", "check_f1"))  # type: ignore[return-value]


def test_the_rules_plan_without_a_model(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(data, out, "--system", "planner:rules")
    assert planned(out) == {"L0": ["text_eval()"], "L1": ["text_eval()"]}
    assert tools(out, "L0") == (100, 100, 100)
    assert tools(out, "L1") == (66.7, 0, 0)
    assert not (out / "measures.jsonl").exists()  # every text is as it was
    assert "model" not in json.loads((out / "run.json").read_text(encoding="utf-8"))


def test_a_model_plans_alone_or_adds_what_no_rule_read(data: Path, tmp_path: Path) -> None:
    with ScriptedServer() as server:
        server.answers = [say(ANSWER)]
        spec = ("--model", f"{server.url}#tiny")
        shown = run(data, tmp_path / "runs", "--system", "planner:model", "--system", "planner", *spec)
    assert [body["stop"] for body in server.requests] == [["PLAN:"]] * len(server.requests)
    (alone,) = (tmp_path / "runs").glob("constrev-planner_model_*")
    (both,) = (tmp_path / "runs").glob("constrev-planner_http_*")
    assert tools(alone, "L0") == (66.7, 0, 0)  # nothing was to be checked
    assert tools(alone, "L1") == tools(both, "L1") == (100, 100, 100)
    assert tools(both, "L0") == (100, 100, 100)
    report = (tmp_path / "runs" / "report.md").read_text(encoding="utf-8")
    assert "Tool use of the planner" in shown.output
    assert "GPT-4o †" in report.partition("## Tool use of the planner")[2]
    assert "## Adherence" not in report


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("planner:luck",), "planner takes no 'luck'; it takes rules, model, both"),
        (("planner:model", "--model", "embedded"), "embedded has no adapter 'planner'"),
    ],
)
def test_what_cannot_plan_says_so(
    data: Path, tmp_path: Path, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapters, "SHIPPED", tmp_path)
    found = bench("run", "constrev", "--data", str(data), "--out", str(tmp_path / "run"), "--system", *words)
    assert found.exit_code == 2, found.output
    assert said in found.output
