"""`redraft bench run c3e` as a user runs it: a prompted model, compose, judges, roles exchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.bench.c3e.details import repeated
from redraft.cli import app
from redraft.composition import PaperPrompts
from redraft.judge import load_rubric
from redraft.judge.reliability import Reliability, reliability_file, rubric_prompt_hash, save_reliability
from redraft.settings import load_settings
from tests.bench.c3e.records import write_data
from tests.composition.published import Published
from tests.composition.strong import Strong
from tests.models.scripted import ScriptedServer, say

ESSAY = "Sure, here is the text:\n\nRain falls on roofs. Rain falls on streets."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        scripted.answers = [say(ESSAY)]
        yield scripted


@pytest.fixture
def judge() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        scripted.answers = [say('{"reason": "It holds.", "score": 7}')]
        yield scripted


@pytest.fixture
def strong() -> Iterator[Strong]:
    with Strong() as scripted:
        yield scripted


def bench(*words: str) -> Result:
    return CliRunner().invoke(app, ["bench", *words])


def run(data: Path, out: Path, *words: str) -> Result:
    result = bench("run", "c3e", "--data", str(data), "--out", str(out), "--no-cache", *words)
    assert result.exit_code == 0, result.output
    return result


def read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def scores(out: Path, dataset: str) -> dict[str, Any]:
    found: dict[str, Any] = read(out / "scores.json")["datasets"][dataset]["prompts"]["1"]["scores"]
    return found


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "samples.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_prompted_model_does_all_tasks_in_both_languages(
    data: Path, tmp_path: Path, server: ScriptedServer
) -> None:
    out = tmp_path / "run"
    result = run(data, out, "--system", "model", "--model", f"{server.url}#tiny")
    assert len(server.requests) == 11
    assert {request["temperature"] for request in server.requests} == {0.7}
    assert {record["output"] for record in records(out)} == {ESSAY.partition("\n\n")[2]}
    found = scores(out, "en-end2end")
    assert found["length"]["n"] == 1  # one of the two asks for a length
    assert found["length"]["score"] == pytest.approx(100 * 8 / 30)
    assert found["within"]["score"] == 0
    assert found["rougeL"]["score"] > 0
    assert "judge" not in found
    assert "success" not in found
    assert "not judged" in result.output
    assert read(out / "run.json")["temperature"] == 0.7
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "GPT-5.2 †" in report
    assert (out / "tables" / "texts.csv").is_file()


def test_chinese_overlaps_by_characters(data: Path, tmp_path: Path, server: ScriptedServer) -> None:
    server.answers = [say("雨让城市安静下来。")]
    run(
        data,
        tmp_path / "run",
        "--system",
        "model",
        "--task",
        "end2end",
        "--lang",
        "zh",
        "--model",
        f"{server.url}#tiny",
    )
    assert scores(tmp_path / "run", "zh-end2end")["rougeL"]["score"] == pytest.approx(100)


def test_outputs_are_judged_once_by_the_rubric_of_their_task(
    data: Path, tmp_path: Path, server: ScriptedServer, judge: ScriptedServer
) -> None:
    out = tmp_path / "run"
    words = ("--system", "model", "--lang", "en", "--model", f"{server.url}#tiny")
    run(data, out, *words)
    result = run(data, out, *words, "--judge", f"{judge.url}#judge", "--resume")
    assert (len(server.requests), len(judge.requests)) == (7, 7)
    edit = next(request for request in judge.requests if "Show it; nothing is seen." in str(request))
    assert "The sea is nice." in str(edit)
    assert "The sea turns its grey pages." in str(edit)
    found = scores(out, "en-cloze")["judge"]
    assert (found["score"], found["n"]) == (7, 2)
    assert f"by:{judge.url}#judge,prompt:" in found["signature"]
    assert found["signature"] != scores(out, "en-edit")["judge"]["signature"]
    assert "not judged" not in result.output
    assert "not measured" in result.output
    assert read(out / "run.json")["judge"]["agreement"]["cloze"] == "not measured"
    for again in (("--judge", f"{judge.url}#judge"), ()):
        run(data, out, *words, *again, "--resume")
        assert len(judge.requests) == 7
        assert scores(out, "en-cloze")["judge"] == found


def test_the_judge_comes_with_its_measured_agreement(
    data: Path, tmp_path: Path, server: ScriptedServer, judge: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    rubric, spec = load_rubric("edit"), f"{judge.url}#judge"
    found = Reliability(
        spec, "edit", rubric_prompt_hash(rubric), 200, 50, 0, 0.88, None, "2026-01-01", "ab12"
    )
    save_reliability([found], reliability_file(load_settings()))
    out = tmp_path / "run"
    result = run(data, out, "--system", "copy", "--task", "edit", "--lang", "en", "--judge", spec)
    assert "88 % of 200 pairs" in " ".join(result.output.split())
    assert "88 % of 200 pairs" in (out / "report.md").read_text(encoding="utf-8")


def test_a_judgement_that_fails_is_tried_again(
    data: Path, tmp_path: Path, server: ScriptedServer, judge: ScriptedServer
) -> None:
    out = tmp_path / "run"
    words = ("--system", "model", "--lang", "en", "--task", "expand", "--model", f"{server.url}#tiny")
    judge.answers = [say("I would rather not.")]
    first = bench(
        "run",
        "c3e",
        "--data",
        str(data),
        "--out",
        str(out),
        *words,
        "--judge",
        f"{judge.url}#judge",
        "--no-cache",
    )
    assert first.exit_code == 4
    assert "judge" not in scores(out, "en-expand")
    judge.answers = [say('{"reason": "Fine.", "score": 5}')]
    run(data, out, *words, "--judge", f"{judge.url}#judge", "--resume")
    assert scores(out, "en-expand")["judge"]["score"] == 5


def test_compose_writes_whole_pieces_and_keeps_their_dynamics(
    data: Path, tmp_path: Path, strong: Strong
) -> None:
    out = tmp_path / "run"
    result = run(data, out, "--system", "compose:fixed", "--lang", "en", "--model", f"{strong.url}#strong")
    assert "leaves out en-cloze, en-edit" in result.output
    assert {record["dataset"] for record in records(out)} == {"en-expand", "en-end2end"}
    found = scores(out, "en-end2end")
    assert found["success"]["score"] == 100
    assert found["failures"]["score"] == 0
    # An outline, and each of three sections drafted, reviewed, refined and reviewed again; then the end.
    assert found["steps"]["score"] == 14
    own = read(out / "scores.json")["details"]["dynamics"]["en-end2end"]
    assert own["gain"] == 2
    assert own["refinements_per_section"] == 100
    assert own["reviews_per_section"] == 200
    step = next(each for each in records(out)[0]["trajectory"] if each["action"] == "draft")
    assert step["content"]
    assert step["usage"]["calls"] == 1
    assert "content" not in str(records(out)[0]["dynamics"])
    figure = (out / "figures" / "lives.svg").read_text(encoding="utf-8")
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "Δ med" in report
    (row,) = (line for line in report.splitlines() if "#strong ‡ | End2End en" in line)
    assert "2 ISS" in row
    assert "‡ guarded: it finishes by construction" in report
    assert "| GPT-5.2 † | End2End en |" in report
    assert "start" in figure


def test_an_unguarded_reasoner_may_fail(data: Path, tmp_path: Path, strong: Strong) -> None:
    out = tmp_path / "run"
    strong.choices = ["finish", "draft 9", "dance"]
    words = ("--task", "end2end", "--lang", "en", "--limit", "1", "--model", f"{strong.url}#strong")
    run(data, out, "--system", "compose:autonomous,free", *words)
    found = scores(out, "en-end2end")
    assert found["success"]["score"] == 100
    assert found["steps"]["score"] == 17
    assert found["failures"]["score"] == pytest.approx(100 * 3 / 17)
    assert read(out / "run.json")["parameters"]["guarded"] is False


def test_the_protocol_of_the_paper(data: Path, tmp_path: Path) -> None:
    """One piece: an outline, an unknown action, a draft, a review that 6 passes, and the end at step 5."""
    out = tmp_path / "run"
    PaperPrompts.read().write(tmp_path / "prompts")
    told = ["outline", "dance", "draft 1", "review 1", "finish"]
    with Published(told, scores=[6]) as server:
        system = f"compose:paper,tau=6,steps=5,prompts={tmp_path / 'prompts'}"
        words = ("--task", "end2end", "--lang", "en", "--limit", "1", "--model", f"{server.url}#tiny")
        run(data, out, "--system", system, *words)
    found = scores(out, "en-end2end")
    assert (found["success"]["score"], found["steps"]["score"]) == (100, 5)
    assert found["failures"]["score"] == pytest.approx(100 * 1 / 5)
    assert found["efficiency"]["score"] == pytest.approx(5 / 2)
    parameters = read(out / "run.json")["parameters"]
    assert (parameters["tau"], parameters["max_steps"], parameters["guarded"]) == (6, 5, False)
    assert parameters["prompts"] == PaperPrompts.read().hashes()
    (record,) = records(out)
    review = record["trajectory"][3]
    assert (review["params"]["content"], review["critique"]) == ("the policy's content", "Too short.")
    details = read(out / "scores.json")["details"]
    assert details["lives"]["en-end2end"] == [[3, 4]]  # done with at the review, by the run's own τ
    report = (out / "report.md").read_text(encoding="utf-8")
    assert not any("‡" in line for line in report.splitlines() if "compose:paper" in line)


def test_nothing_of_the_hidden_input_reaches_the_writer(data: Path, tmp_path: Path) -> None:
    """An End2End record hides whom its reference is for, and how long that is."""
    out = tmp_path / "run"
    for system in ("compose:paper", "compose:fixed"):
        with Published(["finish"]) if system == "compose:paper" else Strong() as server:
            words = ("--task", "end2end", "--lang", "en", "--model", f"{server.url}#tiny")
            run(data, out / system, "--system", system, *words)
            told = json.dumps([request["messages"] for request in server.requests])
        assert "a clock that stops" in told
        assert "Audience" not in told
        assert "500" not in told
        assert "story" in told  # its sub_task
        asked = {record["instruction"]: record["asked"] for record in records(out / system)}
        assert asked["Write a story about a clock that stops."] is None
        assert asked["Write an essay on rain in cities, about 30 words."] == {"low": 30, "high": 30}


def test_chinese_pieces_are_written_by_a_service(data: Path, tmp_path: Path, strong: Strong) -> None:
    out = tmp_path / "run"
    run(
        data,
        out,
        "--system",
        "compose:batch",
        "--lang",
        "zh",
        "--task",
        "end2end",
        "--model",
        f"{strong.url}#strong",
    )
    assert scores(out, "zh-end2end")["success"]["score"] == 100
    assert "城市为何内涝" in records(out)[0]["output"]


def test_roles_are_exchanged_one_by_one(
    data: Path, tmp_path: Path, strong: Strong, judge: ScriptedServer
) -> None:
    out = tmp_path / "study"
    with Strong() as other:
        other.scores = (9.0,)
        words = (
            "--task",
            "end2end",
            "--lang",
            "en",
            "--limit",
            "1",
            "--model",
            f"{strong.url}#strong",
            "--judge",
            f"{judge.url}#judge",
        )
        result = run(
            data, out, "--system", "compose:fixed", *words,
            "--swap", f"reviewer={other.url}#other", "--swap", f"writer={other.url}#other",
        )  # fmt: skip
        folders = [path for path in out.iterdir() if (path / "run.json").is_file()]
        facts = [read(path / "run.json") for path in folders]
        assert sorted(each.get("swap", "").partition("=")[0] for each in facts) == ["", "reviewer", "writer"]
        assert set(other.roles()) == {"review", "draft"}
    assert "Who decides" in result.output
    table = (out / "tables" / "roles.csv").read_text(encoding="utf-8")
    rows = {line.split(",")[1].strip(): line for line in table.splitlines()[1:]}
    assert len(table.splitlines()) == 4
    assert any("as given" in row for row in rows)
    assert (out / "figures" / "roles-1-success.svg").is_file()
    swapped = next(
        path for path, each in zip(folders, facts, strict=True) if "reviewer" in each.get("swap", "")
    )
    assert scores(swapped, "en-end2end")["refinements_per_section"]["score"] == 0
    assert len(judge.requests) == 3
    compared = bench("compare", *map(str, folders[:2]))
    assert compared.exit_code == 0, compared.output
    assert "judge" in compared.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--system", "model"), "choose --lang en"),
        (("--system", "compose", "--lang", "zh"), "knows no Chinese"),
        (("--system", "compose", "--task", "cloze", "--lang", "en"), "expand and end2end"),
        (("--system", "compose:sideways"), "autonomous, fixed"),
        (("--system", "compose:fixed,free"), "no reasoner is guarded in fixed"),
        (("--system", "compose:paper,free"), "no reasoner is guarded in paper"),
        (("--system", "compose:paper,tau=high"), "tau and steps are numbers"),
        (("--system", "compose:paper,tau=11"), "tau is from 1 to 10"),
        (("--system", "compose:paper,temperature=1"), "free, tau=N, steps=N, prompts=DIR"),
        (("--system", "compose:fixed,prompts=here"), "prompts=DIR is for compose:paper"),
        (("--system", "compose:paper,prompts=nowhere"), "nowhere has no prompts"),
        (("--system", "copy", "--judge", "embedded"), "--any-judge"),
        (("--system", "copy", "--task", "poem"), "nothing for --task poem"),
        (("--system", "model", "--swap", "reasoner=openai:x"), "--swap is for compose"),
        (("--system", "compose", "--swap", "judge=openai:x"), "ROLE=SPEC"),
        (("--system", "compose", "--swap", "writer=embedded"), "changes nothing"),
    ],
)
def test_what_cannot_be_is_refused(data: Path, tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    result = bench("run", "c3e", "--data", str(data), "--out", str(tmp_path / "run"), *words)
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())
    assert not (tmp_path / "run").exists()


def test_other_benchmarks_have_no_such_options(tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text('{"id": "a", "text": "A text to improve."}\n', encoding="utf-8")
    for option in ("--task", "--lang", "--judge"):
        result = bench(
            "run", "constrev", "--data", str(tmp_path / "own.jsonl"), "--system", "copy", option, "x"
        )
        assert result.exit_code == 2
        assert "benchmarks of writing" in " ".join(result.output.split())


def test_what_stands_twice_is_seen() -> None:
    line = "The river rose by a metre in one night."
    assert repeated(f"{line} Nobody slept until the morning came.") == 0
    assert repeated(f"{line}\n\n{line}") == 50
    assert 30 < repeated(f"{line} Nobody slept until the morning came. {line}") < 40
    assert repeated("Yes.\n\nNo.\n\nYes, and no.") == 0
    assert repeated("雨落在城市的屋顶上面。\n\n雨落在城市的屋顶上面。") == 50
    assert repeated("") == 0
