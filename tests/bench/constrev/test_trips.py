"""The paper's search as a system of the bench, well-formed items apart, and the data described."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redraft.bench.benchmark import Item, Plan, Sample
from redraft.bench.measures import _compile_errors
from redraft.bench.systems.registry import read_system
from redraft.errors import InputError
from redraft.revision.asking import learnt
from redraft.settings import Settings
from tests.bench.constrev.records import LATEX, ROWS, TEXT, write_rows
from tests.bench.constrev.test_command import bench, main_scores, run, scores
from tests.models.scripted import ScriptedServer, say

pytestmark = pytest.mark.usefixtures("by_rule")

REVISED = "The harbour was quiet in the morning. The fishermen sell their catch there."
PLAN = 'THOUGHT: Shorter.\nCALLS:\nword_count_check(40, "less than")\nPLAN:\n3: mend the verb'
CONTRARY = {
    "id": "L2-001", "level": 2, "text": TEXT,
    "instruction": "Do not change the third sentence, and avoid the word 'quay'.",
    "calls": ['sentence_check([3], "unchange")', 'keyword_keep_removal_check("quay", "remove")'],
}  # fmt: skip


def answering(handler: Any, body: dict[str, Any]) -> None:
    """Plans, comments and revisions, by what is asked."""
    words = body["messages"][0]["content"]
    plans = [PLAN] * body.get("n", 1)
    said = plans if "You plan" in words else ["none" if "one thing only" in words else REVISED]
    say(*said)(handler, body)


def test_trips_and_its_ablations_are_systems(tmp_path: Path) -> None:
    data, out = write_rows(tmp_path / "own.jsonl", ROWS[1:3]), tmp_path / "runs"
    systems = ("--system", "trips:iterations=1", "--system", "trips:iterations=1,without=plan")
    with ScriptedServer() as server:
        server.answers = [answering]
        run(data, out, *systems, "--model", f"{server.url}#tiny", "--no-quality")
    whole, ablated = sorted(out.glob("constrev-*"), key=lambda path: "without" in path.name)
    assert main_scores(whole, "L1")["all_met:constrev"]["score"] == 100
    assert main_scores(whole, "L1")["tool_f1"]["score"] > 0
    (first, _) = [json.loads(line) for line in (whole / "samples.jsonl").read_text().splitlines()]
    assert (first["output"], first["scored_by"]) == (REVISED, "embedded")
    facts = json.loads((whole / "run.json").read_text())
    assert facts["parameters"]["pace"]["limits"]["enough"] == 85
    assert not any("tool_f1" in main_scores(ablated, level) for level in ("L1", "L2"))
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "## Ablations" in report
    assert "TRIPS-4o without plan †" in report
    assert "34.93 / 88.16 / -1.91" not in report  # of L0, which these runs do not have
    assert "32.52 / 87.11 / -1.82" in report


def test_the_pace_of_our_search_is_written_as_it_was() -> None:
    limits = read_system("search:low").parameters["pace"]["limits"]
    assert not {"as_published", "enough"} & limits.keys()
    assert "enough" in read_system("trips").parameters["pace"]["limits"]


def test_items_that_contradict_themselves_are_told_apart(tmp_path: Path) -> None:
    data, out = write_rows(tmp_path / "own.jsonl", [*ROWS, CONTRARY]), tmp_path / "run"
    printed = run(data, out, "--system", "published:other", "--system", "copy", "--no-quality").output
    assert "Adherence on well-formed items" in printed
    found = scores(out / "constrev-copy")["details"]["well_formed"]
    assert found["L2"] == {"met": 50.0, "all": 0.0, "n": 1, "left_out": 1}
    assert found["L1"]["left_out"] == 0
    assert "L0" not in found


def test_what_a_planner_has_learnt_from_is_not_scored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ours = Item(Sample("a", "L0", "", TEXT, ()), 1, "Improve it.")
    other = replace(ours, sample=replace(ours.sample, input="Another text that nobody has learnt from."))
    work = Plan((ours, other), ())
    monkeypatch.setattr(learnt, "_openings", lambda: {learnt.opening_hash(TEXT)})
    shipped, service = Settings(weights_dir=tmp_path), Settings(model="openai:tiny", weights_dir=tmp_path)
    for spec in ("trips", "search", "planner:model"):
        assert read_system(spec).unlearnt(work, shipped).items == (other,), spec
        assert read_system(spec).unlearnt(work, service) is work
    for spec in ("search:low", "direct", "planner:rules", "copy", "trips:without=plan"):
        assert read_system(spec).unlearnt(work, shipped) is work, spec
    with pytest.raises(InputError, match="has learnt from every text"):
        read_system("trips").unlearnt(Plan((ours,), ()), shipped)


def test_the_levels_are_described(tmp_path: Path) -> None:
    data = write_rows(tmp_path / "own.jsonl", [*ROWS, CONTRARY])
    rows = json.loads(bench("describe", "constrev", "--data", str(data), "--json").stdout)
    assert [row["Level"] for row in rows] == ["L0", "L1", "L2", "length"]
    assert rows[2] == {
        "Level": "L2", "Texts": 2, "Sentences (default)": 10, "Words (default)": 92,
        "Sentences (constrev)": 10, "Words (constrev)": 104, "Calls": 4, "Contradictory": 1,
    }  # fmt: skip
    assert "Table 10" in bench("describe", "constrev", "--data", str(data)).stdout
    assert bench("describe", "tetra", "--data", str(tmp_path)).exit_code == 2
    assert bench("describe", "nothing", "--data", str(data)).exit_code == 2


@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="needs pdflatex: apt-get install texlive-latex-base"
)
def test_errors_of_latex_are_counted() -> None:
    assert _compile_errors(LATEX, LATEX) == 0
    assert _compile_errors(LATEX, LATEX.replace("$ and", " and")) == 1


def test_without_an_engine_there_are_none_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert _compile_errors(LATEX, LATEX) is None
