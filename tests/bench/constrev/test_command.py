"""`redraft bench run constrev` as a user runs it: strategies, ablations, seeds, published outputs, reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.bench.benchmark import plan
from redraft.bench.constrev import ConsTRev
from redraft.bench.constrev.tables import differences
from redraft.bench.scoring import score_run
from redraft.bench.systems.registry import read_system
from redraft.cli import app
from redraft.errors import InputError
from redraft.revision import prompts_hash
from redraft.runs.results import RunDir
from tests.bench.constrev.records import LATEX, ROWS, TEXT, write_rows
from tests.models.scripted import ScriptedServer, say

pytestmark = pytest.mark.usefixtures("by_rule")

SHORT = "The harbour was quiet. The fishermen sell their catch."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "own.jsonl")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


def bench(*words: str) -> Result:
    return CliRunner().invoke(app, ["bench", *words])


def run(data: Path, out: Path, *words: str) -> Result:
    result = bench("run", "constrev", "--data", str(data), "--out", str(out), *words)
    assert result.exit_code == 0, result.output
    return result


def scores(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    return found


def main_scores(out: Path, dataset: str) -> dict[str, Any]:
    found: dict[str, Any] = scores(out)["datasets"][dataset]["prompts"]["1"]["scores"]
    return found


def test_copy_is_scored_strictly_under_both_countings(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(data, out, "--system", "copy", "--no-quality")
    assert main_scores(out, "L1")["adherence:constrev"]["score"] == 0
    assert main_scores(out, "L2")["adherence:constrev"]["score"] == 50
    assert main_scores(out, "L2")["all_met:default"]["score"] == 0
    assert main_scores(out, "length")["all_met:constrev"]["score"] == 100
    details = scores(out)["details"]
    assert {name: (one["score"], one["n"]) for name, one in details["groups"].items()} == {
        "keyword": (0.0, 1), "length": (50.0, 2), "sentence": (100.0, 1),
    }  # fmt: skip
    assert details["counting"] == "constrev"
    assert details["kinds"]["word_count_check less than"]["score"] == 0


def test_a_run_that_is_there_already_is_left_alone(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(data, out, "--system", "copy", "--no-quality")
    (out / "report.html").unlink()
    words = ("--system", "copy", "--no-quality", "--out", str(out))
    again = bench("run", "constrev", "--data", str(data), *words)
    assert again.exit_code == 2
    assert not again.stdout
    assert not (out / "report.html").exists()


def test_the_counting_may_be_chosen(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", "--system", "copy", "--no-quality", "--counting", "default")
    assert scores(tmp_path / "run")["details"]["counting"] == "default"


def test_published_outputs_are_scored_where_there_are_some(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(data, out, "--system", "published:other", "--no-quality")
    assert scores(out)["coverage"] == {"planned": 2, "done": 2, "failed": 0}
    assert main_scores(out, "L2")["all_met:constrev"]["score"] == 100
    missing = bench("run", "constrev", "--data", str(data), "--system", "published:nobody")
    assert missing.exit_code == 2
    assert "it has: other" in missing.output


def test_measures_are_taken_once_and_can_be_compared(data: Path, tmp_path: Path) -> None:
    outs = [tmp_path / "copy", tmp_path / "other"]
    run(data, outs[0], "--system", "copy")
    run(data, outs[1], "--system", "published:other")
    copied = main_scores(outs[0], "L0")
    assert copied["entities"]["score"] == copied["meaning"]["score"] == pytest.approx(1, abs=1e-3)
    assert copied["perplexity"]["signature"].startswith("perplexity|avg:samples|by:embedded")
    assert main_scores(outs[1], "L0")["grammar"]["score"] <= copied["grammar"]["score"]
    assert "some" not in copied
    before = (outs[0] / "measures.jsonl").read_bytes()
    run(data, outs[0], "--system", "copy", "--resume")
    assert (outs[0] / "measures.jsonl").read_bytes() == before
    shown = bench("compare", *map(str, outs))
    assert shown.exit_code == 0, shown.output
    assert "all_met" in shown.stdout
    size, found = differences(RunDir(outs[0]), RunDir(outs[1]))
    assert (size, found["all_met:constrev"].value) == (2, 100)
    assert found["perplexity"].low is not None


def test_latex_is_measured_by_what_it_keeps(tmp_path: Path) -> None:
    data = write_rows(tmp_path / "latex.jsonl", [{"id": "a", "text": LATEX}])
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(
        json.dumps({"id": "a", "output": LATEX.replace(r" \cite{one}", "")}) + "\n", encoding="utf-8"
    )
    run(data, tmp_path / "run", "--system", f"predictions:{predictions}")
    assert 0 < main_scores(tmp_path / "run", "latex")["keywords"]["score"] < 1


def test_strategies_side_by_side_with_rounds_and_seeds(
    data: Path, tmp_path: Path, server: ScriptedServer
) -> None:
    server.answers = [say(SHORT)]
    out = tmp_path / "runs"
    words = ("--system", "direct", "--system", "iter:rounds=2", "--seeds", "2", "--no-quality")
    result = run(data, out, *words, "--model", f"{server.url}#tiny")
    folders = sorted(path.name for path in out.iterdir() if (path / "run.json").is_file())
    assert len(folders) == 4
    assert result.stdout.strip() == str(out / "report.html")
    iterated = next(out / name for name in folders if "iter" in name)
    curve = scores(iterated)["details"]["rounds"]["L1"]
    assert [(point["round"], point["adherence"]) for point in curve] == [(1, 100.0), (2, 100.0)]
    report = (out / "report.md").read_text(encoding="utf-8")
    for title in ("Adherence", "Over revision rounds", "Over seeds", "As published", "Coverage"):
        assert f"## {title}" in report
    assert (out / "figures" / "rounds-adherence.svg").is_file()
    assert "GPT-4o Direct" in report


def test_no_text_is_left_half_revised_where_the_budget_ends(
    data: Path, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers = [say(SHORT)]
    monkeypatch.setenv("REDRAFT_MAX_CALLS", "3")
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "1")
    words = ("--system", "iter:rounds=2", "--no-quality", "--model", f"{server.url}#tiny")
    result = bench("run", "constrev", "--data", str(data), "--out", str(tmp_path / "run"), *words)
    assert result.exit_code == 4
    assert "the budget is spent" in result.output
    lines = (tmp_path / "run" / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    assert [len(json.loads(line)["rounds"]) for line in lines] == [2]
    assert len(server.requests) == 3


def test_the_budget_is_for_all_systems_together(
    data: Path, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers = [say(SHORT)]
    monkeypatch.setenv("REDRAFT_MAX_CALLS", "5")
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "1")
    words = ("--system", "direct", "--system", "direct:gold", "--no-quality", "--model", f"{server.url}#tiny")
    result = bench("run", "constrev", "--data", str(data), "--out", str(tmp_path / "runs"), *words)
    assert (result.exit_code, len(server.requests)) == (4, 5)
    assert (tmp_path / "runs" / "report.html").is_file()


def test_the_reviser_is_recorded_and_named(
    data: Path, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers = [say(SHORT)]
    monkeypatch.setenv("REDRAFT_REVISER", f"{server.url}#tiny")
    run(data, tmp_path / "run", "--system", "direct", "--no-quality")
    facts = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert (facts["model"], facts["planner"]) == (f"{server.url}#tiny", "embedded")
    assert scores(tmp_path / "run")["label"] == f"direct {server.url}#tiny"


def test_a_run_is_not_resumed_on_other_constraints(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", "--system", "copy", "--no-quality")
    other = data.read_text(encoding="utf-8").replace('"quay\\"', '"dawn\\"')
    data.write_text(other, encoding="utf-8")
    words = ("--out", str(tmp_path / "run"), "--system", "copy", "--no-quality", "--resume")
    again = bench("run", "constrev", "--data", str(data), *words)
    assert again.exit_code == 2
    assert "holds another run" in " ".join(again.output.split())


def test_higher_levels_are_run_and_odd_records_refused(tmp_path: Path) -> None:
    data = write_rows(tmp_path / "high.jsonl", [{**ROWS[1], "id": "L6-000", "level": 6}])
    run(data, tmp_path / "run", "--system", "copy", "--no-quality")
    assert scores(tmp_path / "run")["coverage"]["done"] == 1
    for odd in ({"text": None}, {"level": 1.9}, {"level": -3}, {"calls": None}, {"published": {"x": None}}):
        data = write_rows(tmp_path / "odd.jsonl", [{**ROWS[1], **odd}])
        assert bench("run", "constrev", "--data", str(data), "--system", "copy").exit_code == 2


def test_gains_of_an_ablation_and_of_seeds_are_of_the_same_data(
    data: Path, tmp_path: Path, server: ScriptedServer
) -> None:
    server.answers = [say(SHORT)]
    words = ("--no-quality", "--model", f"{server.url}#tiny")
    out = tmp_path / "runs"
    run(data, out, "--system", "search:low", "--system", "search:without=plan,low", *words)
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "#tiny without plan" in report.replace("\\", "")
    other = write_rows(tmp_path / "other.jsonl", ROWS[1:2])
    run(data, tmp_path / "a", "--system", "copy", "--no-quality")
    run(other, tmp_path / "b", "--system", "copy", "--no-quality", "--seed", "1")
    assert bench("report", str(tmp_path / "a"), str(tmp_path / "b")).exit_code == 0
    assert "Over seeds" not in (tmp_path / "a" / "report.md").read_text(encoding="utf-8")


def test_a_few_measured_texts_have_an_honest_interval(data: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["level"] = 1
        row.pop("set", None)
    one = write_rows(tmp_path / "one.jsonl", rows)
    run(one, tmp_path / "all", "--system", "copy")
    measures = tmp_path / "all" / "measures.jsonl"
    measures.write_text("".join(measures.read_text(encoding="utf-8").splitlines(keepends=True)[:1]), "utf-8")
    folder = RunDir(tmp_path / "all")
    work = plan(ConsTRev().load(one))
    found = score_run(folder, work, ConsTRev(), "copy")["datasets"]["L1"]["prompts"]["1"]["scores"]["quality"]
    assert found["n"] == 1
    assert found["low"] == found["high"] == found["score"] > 0


def test_a_persons_plan_is_followed(data: Path, tmp_path: Path, server: ScriptedServer) -> None:
    server.answers = [say(SHORT)]
    rows = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()][1:2]
    own = write_rows(tmp_path / "planned.jsonl", rows)
    words = ("--no-quality", "--model", f"{server.url}#tiny")
    run(own, tmp_path / "person", "--system", "plan:person", *words)
    (request,) = server.requests
    assert "mend the verb" in json.dumps(request)
    rows[0].pop("plan")
    none = bench("run", "constrev", "--data", str(write_rows(own, rows)), "--system", "plan:person")
    assert none.exit_code == 2
    assert "no plans of a person" in none.output


def test_the_search_obeys_and_its_planner_is_scored(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    words = ("--system", "search:low", "--system", "search:low,without=plan", "--system", "repair:low,gold")
    run(data, out, "--system", "copy", *words)
    found = out / "constrev-search_low_embedded"
    for level in ("L1", "L2", "length"):
        assert main_scores(found, level)["all_met:constrev"]["score"] == 100
        assert main_scores(found, level)["tool_exact"]["score"] == 100
    assert "tool_f1" not in main_scores(out / "constrev-repair_low_gold_embedded", "L1")
    assert bench("report", str(found), str(tmp_path)).exit_code == 2
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "search:low embedded without plan" in report
    planners = report.partition("## Tool use of the planner")[2]
    assert (
        "| search:low embedded | 100.0 [100.0, 100.0] / 100.0 [100.0, 100.0] / 100.0 [100.0, 100.0] |"
        in planners
    )
    assert (out / "figures" / "entities.svg").is_file()
    records = [json.loads(line) for line in (found / "samples.jsonl").read_text("utf-8").splitlines()]
    assert {record["key"] for record in records} == {
        "L0/L0-000/1", "L1/L1-000/1", "L2/L2-000/1", "length/S-length-000/1",
    }  # fmt: skip
    assert all(record["input"] == TEXT for record in records)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("search:fast", "search takes no 'fast'"),
        ("direct:low", "direct takes no 'low'; it takes gold"),
        ("iter:rounds=0", "iter takes no 'rounds=0'"),
        ("search:without=luck", "without=plan"),
        ("repair:without=plan", "repair takes no"),
    ],
)
def test_a_spec_that_is_wrong_says_what_is_right(spec: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_system(spec)


def test_prompts_of_ones_own_are_checked_and_recorded(tmp_path: Path) -> None:
    own = tmp_path / "direct.md"
    own.write_text("Mend it: {instruction} {documents} {part} {text}", encoding="utf-8")
    found = read_system(f"direct:prompts={tmp_path}")
    assert found.options.prompts == tmp_path
    assert found.parameters == {"prompts": prompts_hash(tmp_path)}
    assert read_system("direct").parameters == {}
    own.write_text("Mend it.", encoding="utf-8")
    with pytest.raises(InputError, match="is missing"):
        read_system(f"direct:prompts={tmp_path}")
