"""`redraft bench fetch`, `describe`, `export` and `correlate` for EditEval."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from redraft.bench.correlations import correlate
from redraft.bench.tables import Result as BenchResult, read_result
from redraft.cli import app
from redraft.errors import InputError
from tests.bench.data import FIXES, NEUTRAL, write_data
from tests.bench.report.runs import dataset, scores


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["bench", *map(str, words)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """An address, and the folder of the files there."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", folder
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_fetch_says_where_the_data_sets_are() -> None:
    result = run("fetch", "editeval")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ("jfleg", "CC BY-NC-SA 4.0", "wafer_insert"))
    assert run("fetch", "c3e").exit_code == 2


@pytest.mark.filterwarnings("ignore:.*the paper's has")
def test_fetch_reads_a_folder_in_any_form(tmp_path: Path) -> None:
    row = {"sentence": "She go .", "corrections": ["She goes .", "She went ."] * 2}
    (tmp_path / "test.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    result = run("fetch", "editeval", "--from", tmp_path / "test.jsonl", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    (written,) = lines(tmp_path / "out" / "jfleg.jsonl")
    assert (written["id"], written["input"], written["task"]) == ("jfleg-test-0", "She go.", "fluency")
    assert run("fetch", "editeval", "--from", tmp_path).exit_code == 2


@pytest.mark.filterwarnings("ignore:.*the paper's has")
def test_fetch_takes_an_address_that_is_given(data: Path, served: tuple[str, Path], tmp_path: Path) -> None:
    address, folder = served
    with zipfile.ZipFile(folder / "sets.zip", "w") as archive:
        archive.write(data / "wnc.jsonl", "data/wnc.jsonl")
        archive.writestr("../outside.txt", "no")
    out = tmp_path / "out"
    result = run("fetch", "editeval", "--from", f"{address}/sets.zip", "--out", out)
    assert result.exit_code == 0, result.output
    assert [row["input"] for row in lines(out / "wnc.jsonl")] == [source for source, _ in NEUTRAL]
    assert not (out / "outside.txt").exists()
    missing = run("fetch", "editeval", "--from", f"{address}/nothing.zip", "--out", out)
    assert (missing.exit_code, "could not be fetched" in missing.output) == (2, True)
    bucket = run("fetch", "editeval", "--from", "gs://gresearch/FRUIT/dataset", "--out", out)
    assert (bucket.exit_code, "fetch it yourself" in bucket.output) == (2, True)


@pytest.mark.filterwarnings("ignore:.*the paper's has")
def test_describe_has_sizes_targets_domains_and_licences(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "described"
    result = run("describe", "editeval", "--data", data, "--json", "--out", out)
    assert result.exit_code == 0, result.output
    first, second = json.loads(result.stdout)
    assert (first["name"], first["samples"], first["paper_samples"]) == ("jfleg", len(FIXES), 747)
    assert (first["targets"], first["paper_targets"], first["domains"]) == ("1", 4, ["TOEFL exam"])
    assert first["input_words"] == pytest.approx(sum(len(text.split()) for text, _ in FIXES) / len(FIXES))
    assert second["licence"]
    assert "TOEFL exam" in (out / "domains.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore:.*the paper's has")
def test_export_writes_what_the_evaluator_reads(data: Path, tmp_path: Path) -> None:
    done = tmp_path / "run"
    assert run("run", "editeval", "--data", data, "--system", "copy", "--out", done).exit_code == 0
    out = tmp_path / "out"
    result = run("export", "editeval", "--data", data, "--run", done, "--out", out)
    assert result.exit_code == 0, result.output
    wanted = [{"id": f"jfleg-0-{n}", "output": source} for n, (source, _) in enumerate(FIXES)]
    assert lines(out / "jfleg.jsonl") == wanted
    assert run("export", "editeval", "--data", data, "--out", out).exit_code == 0
    (first, *_) = lines(out / "wnc_input.jsonl")
    assert first == {
        "id": "wnc-0-0",
        "input": NEUTRAL[0][0],
        "retrieved_documents": [],
        "title": "",
        "task_type": "neutralization",
        "meta": [],
    }
    seen = run("correlate", done, "--metric", "sari", "--metric", "compression")
    assert (seen.exit_code, "no run is scored by compression" in seen.output) == (2, True)
    assert run("correlate", data).exit_code == 2


def test_correlations_leave_out_what_the_paper_leaves_out() -> None:
    def result(label: str, *rows: tuple[float, float]) -> BenchResult:
        sets = {
            name: dataset(name, [{"sari": sari, "gleu": gleu}])
            for name, (sari, gleu) in zip(("jfleg", "turk", "fruit"), rows, strict=True)
        }
        sets["fruit"]["task"] = "updating"
        return read_result(scores(label, sets))

    runs = [
        result("a", (1, 1), (2, 1), (50, 0)),
        result("b", (3, 4), (4, 2), (60, 0)),
        result("PEER-3", (99, 0), (98, 0), (70, 0)),
    ]
    found = correlate(runs)
    # Deviations of (1, 1), (2, 1), (3, 4), (4, 2): -1.5 -0.5 0.5 1.5 and -1 -1 2 0.
    assert found.grid[0, 1] == pytest.approx(3 / (5 * 6) ** 0.5)
    assert (found.metrics, found.scores, found.left_out) == (("sari", "gleu"), 4, ("fruit", "PEER-3"))
    everything = correlate(runs, without_systems=(), without_tasks=())
    assert (everything.scores, everything.left_out) == (9, ())
    # A published system counts with the scores that it has, on the data sets of the runs.
    published = {"T0": {"jfleg": {"sari": 5.0, "gleu": 3.0}, "wnc": {"sari": 1.0}}, "PEER-11": {"turk": {}}}
    assert correlate(runs, published=published).scores == 5
    assert not np.isnan(found.grid).any()
    with pytest.raises(InputError, match="two metrics"):
        correlate(runs, ["sari"])
