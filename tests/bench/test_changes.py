"""What simplifiers did, in a report: measured without references, with and without models."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from redraft.bench import scoring
from redraft.bench.editeval import EditEval
from redraft.bench.editeval.facts import facts
from redraft.bench.measures import Measured
from redraft.bench.tables import Number, read_result
from redraft.errors import ModelError
from redraft.metrics import Sample, load_metric, rows_of
from redraft.metrics.base import Rows
from tests.bench.simplification import LEXICAL, bench, run, three_runs, write_outputs, write_turk


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_one_report_shows_how_systems_differ(tmp_path: Path) -> None:
    runs = three_runs(tmp_path)
    shown = bench("report", *map(str, runs), "--out", str(tmp_path / "all"))
    assert shown.exit_code == 0, shown.output
    assert "What the edits did" in shown.output
    copy, lexical, rewrite = table(tmp_path / "all", "changes")
    assert float(copy["sari low"]) <= float(copy["sari"])
    assert [row["Copied"] for row in (copy, lexical, rewrite)] == ["100.0", "0.0", "0.0"]
    assert [row["Split"] for row in (copy, lexical, rewrite)] == ["0.0", "0.0", "50.0"]
    assert float(copy["Deleted"]) == float(lexical["Deleted"]) == 0 < float(rewrite["Deleted"])
    assert 0 == float(copy["Replaced"]) < float(rewrite["Replaced"]) < float(lexical["Replaced"])
    assert float(rewrite["Length"]) < float(lexical["Length"]) <= 1
    copy, *others = table(tmp_path / "all", "ease")
    for row in others:
        assert (
            float(row["Grade after"])
            < float(row["Grade before"])
            == pytest.approx(float(copy["Grade after"]))
        )
        assert (
            float(row["Difficult after"])
            < float(row["Difficult before"])
            == pytest.approx(float(copy["Difficult after"]))
        )
    assert "Perplexity after" not in copy  # nothing was measured by models
    assert "bench run --quality" in (tmp_path / "all" / "report.md").read_text(encoding="utf-8")
    assert not (tmp_path / "all" / "tables" / "policies.csv").exists()  # of other samples than the paper's


def test_other_tasks_have_no_such_table(tmp_path: Path) -> None:
    row = {"id": "a", "input": "He go.", "references": ["He goes."], "task": "fluency", "documents": []}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "jfleg.jsonl").write_text(json.dumps(row), encoding="utf-8")
    out = run(tmp_path / "data", tmp_path / "run", "copy", "--quality")
    assert not (out / "tables" / "changes.csv").exists()
    assert not (out / "measures.jsonl").exists()


def test_several_prompts_are_averaged_with_their_components(tmp_path: Path) -> None:
    out = run(write_turk(tmp_path / "data"), tmp_path / "run", "copy", "--prompts", "2")
    (dataset,) = read_result(json.loads((out / "scores.json").read_text(encoding="utf-8"))).datasets
    assert len(dataset.prompts) == 2
    assert dataset.spreads["compression"].mean.components == {"words": pytest.approx(1)}


def test_the_change_of_a_measure_is_over_the_samples_that_have_both() -> None:
    measures = [
        {"perplexity": 20.0, "perplexity_before": 30.0},
        {"perplexity": 40.0, "perplexity_before": float("inf")},
        {"perplexity": None, "perplexity_before": 10.0},
    ]
    metric = Measured("perplexity", "embedded")
    rows = rows_of(metric, [Sample("a", "b", measures=each) for each in measures])
    assert metric.components == ("change",)
    assert metric.score(rows.sum(axis=0)).tolist() == [30.0, -10.0]
    assert metric.sample_scores(rows).tolist()[:2] == [20.0, 40.0]


def test_what_the_paper_on_policies_printed(tmp_path: Path) -> None:
    found = read_result(
        {"datasets": {"turk": {"abbreviation": "TRK"}}, "label": "x", "benchmark": "editeval"}
    )
    (shown,) = EditEval().context([found])
    rows = {row[0]: row[1] for row in shown.rows}
    assert rows["Phi3-3.8B"] == (Number(8.0), None)
    assert rows["Phi3-3.8B, PO_Think"] == (None, Number(4.13))
    assert len(shown.columns) == 2
    assert EditEval().context([]) == ()


def test_published_facts_stand_beside_a_full_test_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(facts(), "turk", replace(facts()["turk"], size=len(LEXICAL)))
    out = run(write_turk(tmp_path / "data"), tmp_path / "run", "copy")
    rows = {row["System"]: row for row in table(out, "policies")}
    assert rows["Phi3-3.8B"]["TRK gain"] == "8.0"
    assert rows["GPT-4o"]["TRK people"] == "3.65"
    assert "InstructGPT †" in [row["System"] for row in table(out, "datasets")]


def test_a_learned_metric_whose_weights_cannot_be_had_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Weightless(Measured):
        def statistics(self, samples: object) -> Iterator[Rows]:
            raise ModelError("the weights could not be loaded", provider="lens")

    monkeypatch.setitem(facts(), "turk", replace(facts()["turk"], metrics=("sari", "bleurt")))
    monkeypatch.setattr(
        "redraft.bench.scoring.metric_of",
        lambda name, by: Weightless(name) if name == "bleurt" else load_metric(name),
    )
    scoring._usable.cache_clear()
    result = bench(
        "run",
        "editeval",
        "--data",
        str(write_turk(tmp_path / "data")),
        "--system",
        "copy",
        "--out",
        str(tmp_path / "run"),
    )
    scoring._usable.cache_clear()
    assert result.exit_code == 0, result.output
    assert "bleurt is left out: the weights could not be loaded" in " ".join(result.stderr.split())
    scores = json.loads((tmp_path / "run" / "scores.json").read_text(encoding="utf-8"))
    assert list(scores["datasets"]["turk"]["over_prompts"]) == ["sari"]


@pytest.mark.usefixtures("by_rule")
def test_models_measure_simplifications_where_it_is_asked_for(tmp_path: Path) -> None:
    data = write_turk(tmp_path / "data")
    outputs = write_outputs(tmp_path / "lexical.jsonl", LEXICAL)
    out = run(data, tmp_path / "run", f"predictions:{outputs}")
    assert not (out / "measures.jsonl").exists()
    run(data, out, f"predictions:{outputs}", "--resume", "--quality")
    (row,) = table(out, "ease")
    measured = [
        json.loads(line)["measures"] for line in (out / "measures.jsonl").read_text("utf-8").splitlines()
    ]
    assert float(row["Perplexity before"]) == pytest.approx(
        fmean(each["perplexity_before"] for each in measured)
    )
    assert float(row["Perplexity after"]) == pytest.approx(fmean(each["perplexity"] for each in measured))
    assert 0.5 < float(row["Meaning"]) < 1
    assert "Errors after" in row
