"""Runs as a user makes them, stopped in every way, and resumed."""

from __future__ import annotations

import json
import random
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from tests.bench.data import write_data
from tests.models.scripted import ScriptedServer, fail, hang, say
from tests.process import Started

KILLS = 4


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")


def bench(*more: str) -> Result:
    return CliRunner().invoke(app, ["bench", *more])


def words(data: Path, out: Path, *more: str) -> list[str]:
    return ["bench", "run", "editeval", "--data", str(data), "--out", str(out), *more]


def run(data: Path, out: Path, *more: str) -> Result:
    return CliRunner().invoke(app, words(data, out, *more))


def scores(out: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    return found


def test_copy_runs_scores_and_reports(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = run(data, out, "--system", "copy", "--prompts", "all")
    assert result.exit_code == 0, result.output
    assert {"run.json", "samples.jsonl", "scores.json", "report.html"} <= {
        file.name for file in out.iterdir()
    }
    found = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    assert found["coverage"] == {"planned": 5 * 11 + 2 * 9, "done": 73, "failed": 0}
    assert found["datasets"]["jfleg"]["over_prompts"]["em"] == {
        "mean": 0.0,
        "max": 0.0,
        "min": 0.0,
        "cv": 0.0,
    }
    assert found["datasets"]["wnc"]["prompts"]["1"]["scores"]["sari"]["signature"].startswith("sari|")


def test_the_model_is_recorded_where_one_is_used(data: Path, tmp_path: Path, server: ScriptedServer) -> None:
    run(data, tmp_path / "a", "--system", "copy")
    run(data, tmp_path / "b", "--system", "model", "--model", f"{server.url}#tiny")
    facts = [json.loads((tmp_path / name / "run.json").read_text(encoding="utf-8")) for name in "ab"]
    assert [found.get("model") for found in facts] == [None, f"{server.url}#tiny"]


def test_a_run_in_which_all_failed_says_that_nothing_was_scored(data: Path, tmp_path: Path) -> None:
    result = run(data, tmp_path / "run", "--system", "cmd:false")
    assert result.exit_code == 4
    assert "nothing was scored" in result.stderr
    assert "7 items failed" in result.stderr
    assert "over 0 data sets" not in result.output


def test_a_limit_draws_by_the_seed(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", repeats=10)
    drawn = []
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        run(data, tmp_path / name, "--system", "copy", "--limit", "2", "--seed", seed)
        lines = (tmp_path / name / "samples.jsonl").read_text(encoding="utf-8").splitlines()
        drawn.append(sorted(json.loads(line)["key"] for line in lines))
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_run_is_not_overwritten_nor_mixed_with_another(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert run(data, out, "--system", "copy").exit_code == 0
    again = run(data, out, "--system", "copy")
    assert again.exit_code == 2
    assert "--resume" in again.stderr
    other = run(data, out, "--system", "copy", "--prompts", "2", "--resume")
    assert other.exit_code == 2
    assert "its prompts was '1'" in " ".join(other.stderr.split())
    assert run(data, out, "--system", "copy", "--resume").exit_code == 0


def test_what_fails_is_recorded_and_tried_again(data: Path, tmp_path: Path, server: ScriptedServer) -> None:
    out = tmp_path / "run"
    asking = ("--system", "model", "--model", f"{server.url}#tiny")
    server.answers = [say("fine"), fail(500), fail(500), say("fine")]
    first = run(data, out, *asking)
    assert first.exit_code == 4
    assert "2 items failed" in " ".join(first.stderr.split())
    assert scores(out)["coverage"] == {"planned": 7, "done": 5, "failed": 2}
    asked = len(server.requests)
    assert run(data, out, *asking, "--resume").exit_code == 0
    assert len(server.requests) == asked + 2
    assert scores(out)["coverage"] == {"planned": 7, "done": 7, "failed": 0}


def test_an_error_that_concerns_every_item_ends_the_run(data: Path, tmp_path: Path) -> None:
    result = run(data, tmp_path / "run", "--system", "model", "--model", "openai:some-model")
    assert result.exit_code == 4
    assert "OPENAI_API_KEY" in result.stderr
    # Nothing was run, so the same folder can be used at once.
    assert run(data, tmp_path / "run", "--system", "copy").exit_code == 0


def test_a_budget_stops_cleanly_and_the_rest_can_follow(
    data: Path, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "redraft.toml").write_text(
        "[prices.tiny]\nprompt = 1.0\ncompletion = 1.0\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "1")
    asking = ("--system", "model", "--model", f"{server.url}#tiny")
    out = tmp_path / "run"
    assert run(data, out, *asking, "--budget", "0.00004").exit_code == 4
    assert len((out / "samples.jsonl").read_text(encoding="utf-8").splitlines()) == 3  # 15 tokens each
    assert run(data, out, *asking, "--resume").exit_code == 0
    assert len(server.requests) == 7


def test_a_budget_is_overspent_by_one_call_at_most_and_what_was_done_is_scored(
    data: Path, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "redraft.toml").write_text(
        "[prices.tiny]\nprompt = 1.0\ncompletion = 1.0\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "4")
    out = tmp_path / "run"
    asking = ("--system", "model", "--model", f"{server.url}#tiny")
    result = run(data, out, *asking, "--budget", "0.00001")
    assert result.exit_code == 4
    assert "raise max_cost (--budget)" in " ".join(result.stderr.split())
    assert len((out / "samples.jsonl").read_text(encoding="utf-8").splitlines()) == len(server.requests) == 1
    assert scores(out)["coverage"] == {"planned": 7, "done": 1, "failed": 0}
    assert (out / "report.html").is_file()


def test_a_command_is_handed_more_than_run_at_once(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "2")
    out = tmp_path / "run"
    # Whoever wants all items before the first answer gets them, also where a budget would have them wait.
    result = run(data, out, "--system", """cmd:sed 's/"input"/"output"/'""", "--budget", "1")
    assert result.exit_code == 0, result.output
    assert scores(out)["coverage"] == {"planned": 7, "done": 7, "failed": 0}


def test_a_report_of_a_run_without_scores_says_how_to_finish_it(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(data, out, "--system", "copy")
    (out / "scores.json").unlink()
    result = bench("report", str(out))
    assert result.exit_code == 2
    assert "has no scores.json yet: finish it with: redraft bench run … --out" in " ".join(
        result.stderr.split()
    )
    assert "--resume" in result.stderr


def test_an_interrupted_run_says_how_to_go_on(data: Path, tmp_path: Path, server: ScriptedServer) -> None:
    out = tmp_path / "run"
    server.answers = [say("fine"), hang]
    started = Started(*words(data, out, "--system", "model", "--model", f"{server.url}#tiny"))
    started.wait_for(lambda: server.requests[1:] and (out / "samples.jsonl").exists())
    started.send(signal.SIGINT)
    status, _, said = started.ended()
    assert status == 130
    assert f"--out {out} --resume" in said


def test_a_dry_run_asks_nobody(data: Path, tmp_path: Path, server: ScriptedServer) -> None:
    result = run(data, tmp_path / "run", "--system", "model", "--model", f"{server.url}#tiny", "--dry-run")
    assert "7 items to run" in result.stdout
    assert not server.requests
    assert not (tmp_path / "run").exists()


def test_two_runs_are_compared(data: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    rows = [
        json.loads(line) for file in data.iterdir() for line in file.read_text(encoding="utf-8").splitlines()
    ]
    gold.write_text("".join(json.dumps({"id": r["id"], "output": r["references"][0]}) + "\n" for r in rows))
    run(data, tmp_path / "a", "--system", "copy")
    run(data, tmp_path / "b", "--system", f"predictions:{gold}")
    result = bench("compare", str(tmp_path / "a"), str(tmp_path / "b"))
    assert result.exit_code == 0, result.output
    assert "goes" in result.stdout
    report = bench("report", str(tmp_path / "a"), str(tmp_path / "b"), "--out", str(tmp_path / "both"))
    assert report.exit_code == 0
    assert (tmp_path / "both" / "report.html").is_file()


def test_a_run_killed_at_random_points_ends_as_if_it_had_not_been(
    tmp_path: Path, server: ScriptedServer
) -> None:
    """SIGKILL four times: the same scores, no finished item run again, no answered call paid for again."""
    data = write_data(tmp_path / "data", repeats=12)
    answer = say("She goes to school every day.")
    slots = 4
    chance = random.Random(7)
    samples = tmp_path / "killed" / "samples.jsonl"
    asking = words(data, samples.parent, "--system", "model", "--model", f"{server.url}#tiny", "--quiet")
    for attempt in range(KILLS):
        # Calls are answered until so many items are written down, those after them never; then it is killed.
        enough = count(samples) + chance.randint(1, 8)

        def until_then(handler: Any, body: dict[str, Any], enough: int = enough) -> None:
            (answer if count(samples) < enough else hang)(handler, body)

        server.answers = [until_then]
        resume = ["--resume"] if attempt else []
        started = Started(*asking, *resume, env={"REDRAFT_CONCURRENCY": str(slots)})
        started.wait_for(lambda: count(samples) >= enough)  # noqa: B023
        started.send(signal.SIGKILL)
        assert started.ended()[0] == -signal.SIGKILL
    server.answers = [answer]
    assert Started(*asking, "--resume").ended()[0] == 0

    records = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
    # A call that a busy machine let fail is recorded with its error, and made again; what was finished is not.
    finished = Counter(record["key"] for record in records if not record["error"])
    assert len(finished) == 84
    assert set(finished.values()) == {1}
    asked_for = Counter(body["messages"][-1]["content"] for body in server.requests)
    # A call that was in the air when the process died has to be made again; nothing else may be.
    assert sum(asked_for.values()) - len(asked_for) <= KILLS * slots

    undisturbed = tmp_path / "undisturbed"
    done = run(data, undisturbed, "--system", "model", "--model", f"{server.url}#tiny", "--no-cache")
    assert done.exit_code == 0
    assert scores(samples.parent) == scores(undisturbed)


def count(samples: Path) -> int:
    return samples.read_bytes().count(b"\n") if samples.exists() else 0


@pytest.mark.parametrize("system", ["edit", "editor:0", "editor:", "editor:100000", "predictions:none.jsonl"])
@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_a_system_that_is_none_is_refused_before_anything_is_written(
    data: Path, tmp_path: Path, system: str, more: tuple[str, ...]
) -> None:
    refused = run(data, tmp_path / "run", "--system", system, *more)
    assert refused.exit_code == 2
    assert not (tmp_path / "run").exists()


def test_no_published_scores_stand_beside_those_on_other_samples(data: Path, tmp_path: Path) -> None:
    done = run(data, tmp_path / "run", "--system", "copy")
    assert "cannot be set beside published ones" in " ".join(done.stderr.split())
    assert "InstructGPT" not in done.output
    assert bench("report", str(tmp_path / "run")).exit_code == 0
    for file in ("report.md", "report.html", "tables/summary.csv", "tables/datasets.csv"):
        assert "InstructGPT" not in (tmp_path / "run" / file).read_text(encoding="utf-8")
