"""`redraft revise --batch` as a user types it: what it reads, writes, refuses, and goes on with."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.write import texts as batch
from redraft.revision.asking.baselines import ROUNDS
from redraft.runs.batch import Batch
from tests.models.scripted import ScriptedServer, fail, hang, say
from tests.process import Started

pytestmark = pytest.mark.usefixtures("by_rule")

TEXT = "The harbour froze over in January, and the ferries stayed in port for six weeks."
SHORT = 'word_count_check(10, "less than")'
LONG = 'word_count_check(10, "more than")'
WRITTEN = "The harbour froze, so the ferries stayed in port."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "1")
    with ScriptedServer() as scripted:
        scripted.answers = [say(WRITTEN)]
        yield scripted


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """No work may be begun."""

    def began(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(batch, "prepare", began)


def texts(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def words(source: Path, out: Path, server: ScriptedServer | None = None, *more: str) -> list[str]:
    asked = ["--model", f"{server.url}#tiny", "--strategy", "direct", "--no-cache"] if server else []
    return ["revise", "--batch", str(source), "--out", str(out), *asked, *more]


def run(*args: Any) -> Result:
    return CliRunner().invoke(app, words(*args))


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


def lines(out: Path) -> list[dict[str, Any]]:
    if not out.exists():
        return []
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def latest(out: Path) -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in lines(out)}


def test_each_text_gets_what_it_asks_for_and_the_worst_decides_the_status(
    tmp_path: Path, server: ScriptedServer
) -> None:
    source = texts(
        tmp_path / "in.jsonl",
        {"id": "own", "text": TEXT, "instruction": "Make it a poem.", "topic": "frost"},
        {"id": 2, "text": TEXT, "calls": [LONG]},
        {"id": "shared", "text": TEXT},
    )
    before = source.read_bytes()
    out = tmp_path / "out.jsonl"
    result = run(source, out, server, "-i", "Make it plain.", "-c", SHORT)
    assert result.exit_code == 3
    assert result.stdout == ""
    assert "3 texts: 2 met, 1 conflicting" in told(result)
    found = latest(out)
    assert {name: line["status"] for name, line in found.items()} == {"own": 0, "2": 3, "shared": 0}
    assert found["own"]["text"] == found["shared"]["text"] == WRITTEN
    assert found["2"]["text"] == TEXT
    assert found["2"]["infeasible"]
    assert [finding["call"] for finding in found["own"]["findings"]] == [SHORT]
    assert found["own"]["usage"]["calls"] == 1
    prompts = [body["messages"][-1]["content"] for body in server.requests]
    assert ["poem" in prompt for prompt in prompts] == [True, False]
    assert ["plain" in prompt for prompt in prompts] == [False, True]
    assert source.read_bytes() == before
    facts = json.loads((tmp_path / "out.run.json").read_text(encoding="utf-8"))
    assert facts["strategy"] == "direct"


def test_what_failed_is_tried_again_and_nothing_else_is(tmp_path: Path, server: ScriptedServer) -> None:
    source = texts(tmp_path / "in.jsonl", *({"id": name, "text": TEXT} for name in "abc"))
    out = tmp_path / "out.jsonl"
    server.answers = [say(WRITTEN), fail(500), say("Too " + "many " * 10 + "words.")]
    first = run(source, out, server, "-c", SHORT)
    assert first.exit_code == 4
    assert "3 texts: 1 met, 1 not met, 1 failed" in told(first)
    assert latest(out)["b"]["text"] is None
    assert latest(out)["b"]["error"]
    server.answers = [say(WRITTEN)]
    assert "continue it with --resume" in told(run(source, out, server, "-c", SHORT))
    assert "its calls was" in told(run(source, out, server, "--resume"))
    again = run(source, out, server, "-c", SHORT, "--resume")
    assert again.exit_code == 1
    assert "3 texts: 2 met, 1 not met" in told(again)
    assert len(server.requests) == 4
    assert Counter(line["id"] for line in lines(out)) == {"a": 1, "b": 2, "c": 1}


def test_a_budget_is_for_all_texts_and_leaves_none_half_revised(
    tmp_path: Path, server: ScriptedServer
) -> None:
    source = texts(tmp_path / "in.jsonl", *({"id": name, "text": TEXT} for name in "abcdef"))
    out = tmp_path / "out.jsonl"
    result = run(source, out, server, "--max-calls", "2")
    assert result.exit_code == 4
    assert "the budget is spent: 2 of 2 calls" in told(result)
    assert "6 texts: 2 met, 4 left" in told(result)
    assert [line["text"] for line in lines(out)] == [WRITTEN] * 2
    assert run(source, out, server, "--resume").exit_code == 0
    assert len(server.requests) == 6


@pytest.fixture
def many_at_once(server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    """Eight texts at once, whose answers are kept."""
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "8")
    return server


def run_cached(source: Path, out: Path, server: ScriptedServer, *more: str) -> Result:
    asked = [word for word in words(source, out, server, *more) if word != "--no-cache"]
    return CliRunner().invoke(app, asked)


def test_no_calls_are_none_however_many_texts_are_begun(tmp_path: Path, many_at_once: ScriptedServer) -> None:
    server = many_at_once
    source = texts(tmp_path / "in.jsonl", *({"id": name, "text": f"{TEXT} {name}."} for name in "abcdefghij"))
    result = run_cached(source, tmp_path / "none.jsonl", server, "--max-calls", "0")
    assert (result.exit_code, len(server.requests)) == (4, 0)
    assert "the budget is spent: 0 of 0 calls" in told(result)
    out = tmp_path / "out.jsonl"
    assert run_cached(source, out, server, "--max-calls", "3").exit_code == 4
    assert (len(server.requests), len(lines(out))) == (3, 3)
    again = tmp_path / "again.jsonl"
    assert run_cached(source, again, server, "--max-calls", "0").exit_code == 4
    assert (len(server.requests), len(lines(again))) == (3, 3), "the cache costs nothing"


def test_a_text_that_the_budget_ends_half_way_is_not_taken_for_done(
    tmp_path: Path, many_at_once: ScriptedServer
) -> None:
    server = many_at_once
    source = texts(tmp_path / "in.jsonl", *({"id": name, "text": f"{TEXT} {name}."} for name in "abc"))
    out = tmp_path / "out.jsonl"
    words = ("--strategy", "iter", "-c", SHORT)
    first = run_cached(source, out, server, *words, "--max-calls", str(ROUNDS + 1))
    assert (first.exit_code, len(server.requests)) == (4, ROUNDS + 1)
    assert [line["usage"]["calls"] for line in lines(out)] == [ROUNDS]
    assert run_cached(source, out, server, *words, "--resume").exit_code == 0
    assert len(server.requests) == 3 * ROUNDS, "nothing was paid for twice"


def test_a_limit_on_cost_that_cannot_be_kept_is_refused(tmp_path: Path, server: ScriptedServer) -> None:
    source = texts(tmp_path / "in.jsonl", {"id": "a", "text": TEXT})
    result = run(source, tmp_path / "out.jsonl", server, "--max-cost", "1")
    assert (result.exit_code, server.requests) == (2, [])
    assert '[prices."tiny"]' in told(result)
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 2: not a JSON object"),
        ('["a"]', "line 2: not a JSON object"),
        ('{"text": "A text."}', 'line 2: it needs an "id"'),
        ('{"id": true, "text": "A text."}', 'line 2: it needs an "id"'),
        ('{"id": "b", "text": " ... "}', 'line 2: it needs a "text" with words'),
        ('{"id": "a", "text": "A text."}', "line 2: the id 'a' stands there twice"),
        ('{"id": "b", "text": "A text.", "instructions": "x"}', "did you mean 'instruction'?"),
        ('{"id": "b", "text": "A text.", "instruction": ["x"]}', '"instruction" should be a string'),
        ('{"id": "b", "text": "A text.", "instruction": "word_count_check(3)"}', 'put it into "calls"'),
        ('{"id": "b", "text": "A text.", "calls": "x"}', '"calls" should be a list of strings'),
        ('{"id": "b", "text": "A text.", "calls": ["word_count_check(3)"]}', "line 2: word_count_check"),
        ('{"id": "b", "text": "A text.", "format": "pdf"}', '"format" should be auto, text'),
    ],
)
def test_a_line_that_cannot_be_used_is_named_before_any_work(tmp_path: Path, line: str, message: str) -> None:
    source = texts(tmp_path / "in.jsonl", {"id": "a", "text": TEXT})
    with source.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    result = run(source, tmp_path / "out.jsonl")
    assert result.exit_code == 2
    assert message in told(result)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl"]


@pytest.mark.usefixtures("idle")
def test_strict_names_the_line_whose_instruction_is_not_understood(tmp_path: Path) -> None:
    rows = ({"id": "a", "text": TEXT}, {"id": "b", "text": TEXT, "instruction": "Add a joke."})
    source = texts(tmp_path / "in.jsonl", *rows)
    result = run(source, tmp_path / "out.jsonl", None, "-i", "under 9 words", "--strict")
    assert result.exit_code == 2
    assert "in.jsonl, 'b': not understood" in " ".join(result.stderr.split())
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.usefixtures("idle")
def test_no_file_of_yours_is_written_over(tmp_path: Path) -> None:
    source = texts(tmp_path / "in.jsonl", {"id": "a", "text": TEXT})
    (tmp_path / "link.jsonl").symlink_to(source)
    for own in (source, tmp_path / "link.jsonl"):
        result = run(source, own, None, "--resume")
        assert result.exit_code == 2
        assert "is the file of the texts" in told(result)
    notes = tmp_path / "notes.txt"
    notes.write_text("a line without an end", encoding="utf-8")
    for more in ((), ("--resume",)):
        result = run(source, notes, None, *more)
        assert result.exit_code == 2
        assert "no run wrote it" in told(result)
    assert notes.read_text(encoding="utf-8") == "a line without an end"


def test_what_was_put_in_place_of_results_is_not_cut(tmp_path: Path, server: ScriptedServer) -> None:
    source = texts(tmp_path / "in.jsonl", {"id": "a", "text": TEXT})
    out = tmp_path / "out.jsonl"
    assert run(source, out, server).exit_code == 0
    out.write_text("a line without an end", encoding="utf-8")
    for more in ((), ("--resume",)):
        result = run(source, out, server, *more)
        assert result.exit_code == 2
        assert "choose another --out" in told(result)
    assert out.read_text(encoding="utf-8") == "a line without an end"
    assert len(server.requests) == 1


def test_a_text_that_has_changed_since_is_named(tmp_path: Path, server: ScriptedServer) -> None:
    source = texts(tmp_path / "in.jsonl", {"id": "a", "text": TEXT}, {"id": "b", "text": TEXT})
    out = tmp_path / "out.jsonl"
    server.answers = [say(WRITTEN), fail(500)]
    assert run(source, out, server).exit_code == 4
    before = out.read_bytes()
    server.answers = [say(WRITTEN)]
    for change in ({"text": f"Yes. {TEXT}"}, {"calls": [LONG]}, {"instruction": "Make it a poem."}):
        texts(source, {"id": "a", "text": TEXT, **change}, {"id": "b", "text": TEXT})
        result = run(source, out, server, "--resume")
        assert result.exit_code == 2
        assert "line 1: 'a' has changed since it was revised: restore it" in told(result)
    assert out.read_bytes() == before
    assert len(server.requests) == 2
    changed = {"id": "b", "text": f"Yes. {TEXT}"}
    texts(source, changed, {"id": "a", "text": TEXT, "topic": "frost"})
    assert run(source, out, server, "--resume").exit_code == 0, "what failed may change, and what is not read"
    assert len(server.requests) == 3
    texts(source, changed, {"id": "a", "text": f"Yes. {TEXT}"})
    out.write_text("".join(f"{json.dumps(line)}\n" for line in lines(out) if line["id"] != "a"), "utf-8")
    assert run(source, out, server, "--resume").exit_code == 0, "its lines were deleted, as it was told"
    assert len(server.requests) == 4


def test_results_with_dots_in_their_names_are_runs_of_their_own(
    tmp_path: Path, server: ScriptedServer
) -> None:
    source = texts(tmp_path / "in.jsonl", {"id": "a", "text": TEXT})
    for name, more in (("out.v1", ()), ("out.v2", ("-c", SHORT))):
        assert run(source, tmp_path / name, server, *more).exit_code == 0
    assert {path.name for path in tmp_path.glob("*.json")} == {"out.v1.run.json", "out.v2.run.json"}
    assert run(source, tmp_path / "out.v1", server, "--resume").exit_code == 0


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("out", ["/", "..", ".", "", "folder", "pipe", "in.jsonl/out.jsonl"])
def test_what_cannot_hold_results_is_refused_and_nothing_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    here = tmp_path / "here"
    (here / "folder").mkdir(parents=True)
    os.mkfifo(here / "pipe")
    monkeypatch.chdir(here)
    texts(here / "in.jsonl", {"id": "a", "text": TEXT})
    result = CliRunner().invoke(app, ["revise", "--batch", "in.jsonl", "--out", out])
    assert result.exit_code == 2, result.output
    assert "is no file" in told(result) or "cannot be written" in told(result)
    assert sorted(path.name for path in here.iterdir()) == ["folder", "in.jsonl", "pipe"]
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--batch", "in.jsonl"], "many texts need both: --batch IN.jsonl --out OUT.jsonl"),
        (["--out", "out.jsonl"], "many texts need both"),
        (["one.txt", "--batch", "in.jsonl", "--out", "o.jsonl"], "FILE is for one text"),
        (["--batch", "in.jsonl", "--out", "o.jsonl", "--trace", "dir"], "--trace is for one text"),
        (["--batch", "no.jsonl", "--out", "o.jsonl"], "no.jsonl cannot be read: No such file"),
        (["--batch", "in.jsonl", "--out", "o.jsonl", "--workers", "2"], "--workers is for --engine ray"),
        (["--batch", "in.jsonl", "--out", "o.jsonl", "-c", "no_such_check()"], "no_such_check"),
        ([], "name a FILE to revise"),
        (["one.txt", "--engine", "ray"], "name a FILE to revise, or many texts"),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], message: str
) -> None:
    texts(tmp_path / "in.jsonl", {"id": "a", "text": TEXT})
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["revise", *args])
    assert result.exit_code == 2
    assert message in told(result)


def test_texts_are_read_one_by_one(tmp_path: Path) -> None:
    source = texts(tmp_path / "in.jsonl", {"id": "a", "text": TEXT}, {"id": "b"})
    jobs = Batch(source).jobs()
    assert next(jobs).key == "a"  # the second line would be an error


def test_a_batch_that_is_killed_or_interrupted_goes_on_where_it_was(
    tmp_path: Path, server: ScriptedServer
) -> None:
    source = texts(
        tmp_path / "in.jsonl", *({"id": str(number), "text": f"{number}. {TEXT}"} for number in range(10))
    )
    out = tmp_path / "out.jsonl"
    for way in (signal.SIGKILL, signal.SIGINT):
        before = len(lines(out))
        asked = len(server.requests)
        # Three are answered; whoever asks then waits for ever.
        server.answers = [*[say(WRITTEN)] * (asked + 3), hang]
        resume = ["--resume"] if before else []
        started = Started(
            *words(source, out, server), *resume, env={"REDRAFT_CONCURRENCY": "2"}, by_rule=True
        )
        started.wait_for(lambda: len(lines(out)) == before + 3 and len(server.requests) == asked + 5)  # noqa: B023
        started.send(way)
        status, _, said = started.ended()
        assert status == (130 if way == signal.SIGINT else -way), said
    assert "--resume" in said
    assert "4 left" in said
    server.answers = [say(WRITTEN)]
    assert run(source, out, server, "--resume").exit_code == 0
    assert Counter(line["id"] for line in lines(out)) == {str(number): 1 for number in range(10)}
    assert len(server.requests) == 10 + 2 * 2
