"""`redraft judge` as a user types it, with judges on a service."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.judge.run import judge_settings
from tests.judge.scripted import all_aspects, always_a, fewer_errors, marks, revision, shown
from tests.models.scripted import Answer, ScriptedServer, fail, hang, say
from tests.process import Started


def by(rule: Callable[[dict[str, str]], str], wait: float = 0.0) -> Answer:
    """A service that answers by a rule on what it was shown."""

    def answer(handler: Any, body: dict[str, Any]) -> None:
        say(rule(shown(body["messages"][1]["content"])), wait=wait)(handler, body)

    return answer


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


def texts(path: str, *outputs: str) -> str:
    lines = [{"id": str(n), "source": f"Source {n}.", "output": text} for n, text in enumerate(outputs, 1)]
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def judge(*words: str, server: ScriptedServer | None = None) -> Result:
    spec = ["--judge", f"{server.url}#tiny"] if server else []
    return CliRunner().invoke(app, ["judge", *words, *spec])


def test_texts_are_scored_and_every_judgement_kept(server: ScriptedServer) -> None:
    server.answers = [by(lambda seen: revision(fluency=5 if "good" in seen["text"] else 2))]
    result = judge("score", texts("in.jsonl", "good", "bad", "good"), "--out", "out.jsonl", server=server)
    assert result.exit_code == 0, result.output
    assert re.search(r"^fluency +4\.00 +\[2\.00, 5\.00\] +1–5 +high +3$", result.stdout, re.M), result.stdout
    assert "judgements are in out.jsonl" in result.stderr
    lines = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sorted(line["id"] for line in lines) == ["1", "2", "3"]
    for line in lines:
        assert line["judge"] == f"{server.url}#tiny"
        assert json.loads(line["raw"][-1])["fluency"] == line["marks"]["fluency"]
        assert re.fullmatch(r"[0-9a-f]{16}", line["prompt_hash"])
        assert line["usage"]["calls"] == 1
    assert len({line["prompt_hash"] for line in lines}) == 1
    assert len({line["request_hash"] for line in lines}) == 3
    assert server.requests[0]["response_format"]["type"] == "json_schema"


def test_a_second_run_asks_only_what_is_missing(server: ScriptedServer) -> None:
    server.answers = [by(lambda seen: "no" if "odd" in seen["text"] else revision())]
    words = ["score", texts("in.jsonl", "a", "odd", "c"), "--no-cache"]
    first = judge(*words, server=server)
    assert first.exit_code == 4
    assert "1 of 3 judgements failed, such as that of 2: no valid answer in 3 tries" in first.stderr
    assert len(server.requests) == 2 + 3
    server.answers = [by(lambda seen: revision())]
    second = judge(*words, "--json", server=server)
    assert second.exit_code == 0
    found = json.loads(second.stdout)
    assert len(server.requests) == 6, "only the one that failed"
    assert (found["items"], found["judgements"], found["failed"], found["usage"]["calls"]) == (3, 3, 0, 1)
    assert re.fullmatch(r"judged/in-revision-[0-9a-f]{8}\.jsonl", found["out"])
    assert found["usage"]["cost"] == 0
    assert found["aspects"]["coherence"]["mean"] == 4
    assert judge(*words, server=server).exit_code == 0
    assert len(server.requests) == 6


def test_a_judge_that_minds_the_place_is_exposed(server: ScriptedServer) -> None:
    server.answers = [by(always_a)]
    a, b = texts("a.jsonl", "one", "two", "same"), texts("b.jsonl", "eins", "zwei", "same")
    result = judge("compare", a, b, server=server)
    assert result.exit_code == 0, result.output
    assert len(server.requests) == 4, "two pairs in both orders; nothing to ask of equal texts"
    assert "3 pairs, 1 with the same text twice, both orders" in result.stdout
    assert re.search(r"^fluency +0 +3 +0 +0 % \[0, 56\] +1\.000$", result.stdout, re.M), result.stdout
    assert re.search(r"^fluency +1 +0 % \[0, 66\] +100 % \[51, 100\] +0\.125$", result.stdout, re.M), (
        result.stdout
    )
    found = json.loads(judge("compare", a, b, "--json", server=server).stdout)
    assert len(server.requests) == 4
    aspect = found["aspects"]["coherence"]
    assert (aspect["wins"]["count"], aspect["ties"]["count"], aspect["losses"]["count"]) == (0, 3, 0)
    assert aspect["trust"]["consistent"]["value"] == 0
    assert aspect["trust"]["said_a"]["value"] == 1


def test_a_fair_judge_finds_the_better_system_and_orders_can_be_drawn(server: ScriptedServer) -> None:
    server.answers = [by(fewer_errors)]
    a = texts("a.jsonl", *["clean"] * 9, "error")
    b = texts("b.jsonl", *["error error"] * 10)
    found = json.loads(judge("compare", a, b, "--json", server=server).stdout)
    aspect = found["aspects"]["grammaticality"]
    assert (aspect["wins"]["count"], aspect["losses"]["count"]) == (10, 0)
    assert aspect["p"] < 0.01
    assert (aspect["trust"]["consistent"]["value"], aspect["trust"]["said_a"]["value"]) == (1, 0.5)
    server.requests.clear()
    once = json.loads(judge("compare", a, b, "--order", "random", "--json", "--no-cache", "--out", "o.jsonl",
                            server=server).stdout)  # fmt: skip
    assert len(server.requests) == 10
    assert once["aspects"]["fluency"]["wins"]["count"] == 10
    assert once["aspects"]["fluency"]["trust"]["consistent"] is None
    server.requests.clear()
    apart = judge("compare", a, b, "--apart", "--limit", "2", "--no-cache", "--out", "p.jsonl", server=server)
    assert re.findall(r"^(\w+) +2 +0 +0 ", apart.stdout, re.M) == ["fluency", "grammaticality", "coherence"]
    asked = [re.findall(r"^## (\w+)", body["messages"][0]["content"], re.M) for body in server.requests]
    assert sorted(asked) == [["coherence"]] * 4 + [["fluency"]] * 4 + [["grammaticality"]] * 4


def test_words_of_ones_own_are_told_and_recorded(server: ScriptedServer, tmp_path: Path) -> None:
    server.answers = [by(lambda seen: marks(reason="so", fluency=4, coherence=3, consistency=5))]
    file = texts("in.jsonl", "One.", "Two.")
    ours = json.loads(judge("score", file, "--json", server=server).stdout)
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "revision.md").write_text("You mark {texts}.\n", encoding="utf-8")
    found = judge("score", file, "--rubrics", "words", "--json", server=server)
    assert found.exit_code == 0, found.output
    assert server.requests[-1]["messages"][0]["content"] == "You mark {texts}."
    assert json.loads(found.stdout)["prompt_hashes"] != ours["prompt_hashes"]
    assert json.loads(found.stdout)["judgements"] == 2


def test_a_jury_is_several_judges(server: ScriptedServer) -> None:
    def mind(handler: Any, body: dict[str, Any]) -> None:
        rule = always_a if body["model"] == "biased" else fewer_errors
        by(rule)(handler, body)

    server.answers = [mind]
    a, b = texts("a.jsonl", "clean", "clean"), texts("b.jsonl", "error", "error")
    specs = [f"{server.url}#{name}" for name in ("one", "two", "biased")]
    jury = [word for spec in specs for word in ("--judge", spec)]
    result = judge("compare", a, b, *jury)
    assert result.exit_code == 0, result.output
    assert re.search(r"^fluency +2 +0 +0 +100 %", result.stdout, re.M), result.stdout
    assert re.search(r"^fluency +3 +0 % \[0, 66\] +100 %", result.stdout, re.M), "the third is exposed"
    assert "fluency: the judges are of one mind on 0 % [0, 66] of the pairs" in result.stdout

    server.answers = [by(lambda seen: revision(fluency=3))]
    scored = judge("score", a, *jury, "--repeat", "2", "--json", "--temperature", "1")
    found = json.loads(scored.stdout)
    assert found["judgements"] == 2 * 3 * 2
    assert found["aspects"]["fluency"]["judges"] == dict.fromkeys(specs, 3)
    assert found["aspects"]["fluency"]["spread"] == 0
    assert found["aspects"]["fluency"]["steady"] == 1
    shown_ = judge("score", a, *jury, "--repeat", "2", "--temperature", "1")
    assert "judge 3" in shown_.stdout
    assert "repeats alike" in shown_.stdout


def test_judging_is_concurrent_within_the_limit(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "4")
    server.answers = [by(lambda seen: revision(), wait=0.05)]
    result = judge("score", texts("in.jsonl", *"abcdefghijklmnop"), "--repeat", "2", server=server)
    assert result.exit_code == 0
    assert server.most_at_once == 4
    assert "at temperature 0 a judge mostly repeats itself" in result.stderr


def test_the_folder_of_a_run_and_a_rubric_of_ones_own(server: ScriptedServer) -> None:
    run = Path("run")
    run.mkdir()
    sample = {"key": "k/1/0", "id": "1", "input": "S.", "instruction": "Fix it.", "references": ["R."]}
    done, failed = (
        {**sample, "output": "T.", "error": None},
        {**sample, "key": "k/2/0", "output": None, "error": "x"},
    )
    (run / "samples.jsonl").write_text(f"{json.dumps(done)}\n{json.dumps(failed)}\n", encoding="utf-8")
    Path("mine.toml").write_text(
        'name = "mine"\ninstructions = "Mark it."\nshows = ["source", "instruction"]\nreason = false\n'
        '[[aspects]]\nname = "taste"\nquestion = "Is it tasty?"\nlabels = ["no", "yes"]\n',
        encoding="utf-8",
    )
    server.answers = [say('{"taste": "yes"}')]
    result = judge("score", "run", "--rubric", "mine.toml", server=server)
    assert result.exit_code == 0, result.output
    assert "run: 1 without a text, since the system had failed, left out" in result.stderr
    assert re.search(r"^taste +1\.00 +0–1 +high +1$", result.stdout, re.M), result.stdout
    assert shown(server.requests[0]["messages"][1]["content"]) == {
        "source": "S.",
        "instruction": "Fix it.",
        "text": "T.",
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["score", "nowhere.jsonl"], "there is no such file"),
        (["score", "in.jsonl", "--rubric", "revisoin"], "there is no rubric 'revisoin'"),
        (["score", "in.jsonl", "--rubric", "pairwise"], "has no scale"),
        (["score", "bare.jsonl"], "1 has no source, which the rubric revision needs"),
        (["compare", "-", "-"], "only one of the two"),
        (["compare", "in.jsonl", "bare.jsonl"], "another source"),
        (["agree", "in.csv", "--judged", "nowhere.jsonl"], "there is no such file"),
        (["agree", "in.csv"], "agreement takes two raters"),
        (["score", "in.jsonl", "--out", "in.jsonl"], "is no judgement"),
        (["score", "in.jsonl", "--out", "in.csv"], "is no judgement"),
        (["score", "in.jsonl", "--out", "notes.txt"], "has no judgements: choose another --out"),
        (["score", "in.jsonl", "--out", "."], "cannot be written"),
        (["agree", "empty.csv"], "empty.csv is empty"),
        (["agree", "two.csv", "--scale", "none,minor,none"], "the scale names 'none' twice"),
    ],
)
def test_bad_input_is_named_before_anything_is_asked(
    server: ScriptedServer, words: list[str], message: str
) -> None:
    texts("in.jsonl", "a")
    Path("bare.jsonl").write_text('{"id": "1", "output": "a"}\n', encoding="utf-8")
    Path("in.csv").write_text("id,ann\n1,2\n", encoding="utf-8")
    Path("two.csv").write_text("ann,ben\nnone,minor\n", encoding="utf-8")
    Path("empty.csv").touch()
    Path("notes.txt").write_text("my notes", encoding="utf-8")
    result = judge(*words, server=None if words[0] == "agree" else server)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert server.requests == []
    assert Path("notes.txt").read_text(encoding="utf-8") == "my notes"


def test_every_system_has_a_journal_of_its_own(server: ScriptedServer) -> None:
    server.answers = [by(lambda seen: revision())]
    outs = []
    for folder in ("a/outputs", "b/outputs", "run.v1", "run.v2"):
        Path(folder).mkdir(parents=True)
        texts(f"{folder}/samples.jsonl", "a text")
        outs.append(json.loads(judge("score", folder, "--json", server=server).stdout)["out"])
    assert len(set(outs)) == 4
    assert [Path(out).name.partition("-")[0] for out in outs] == ["outputs", "outputs", "run.v1", "run.v2"]
    again = json.loads(judge("score", "a/../b/outputs/", "--json", server=server).stdout)
    assert (again["out"], again["usage"]["calls"]) == (outs[1], 0)


def test_a_service_that_refuses_ends_the_work(server: ScriptedServer) -> None:
    server.answers = [fail(401)]
    result = judge("score", texts("in.jsonl", "a", "b"), server=server)
    assert result.exit_code == 4
    assert "refused the key" in result.stderr


def test_the_embedded_model_is_no_judge(capsys: pytest.CaptureFixture[str]) -> None:
    assert judge_settings(None, None, False)[1] == ["embedded"]
    assert "the embedded model is no judge" in capsys.readouterr().err
    judge_settings(["openai:gpt-4o"], None, False)
    assert capsys.readouterr().err == ""


def test_agreement_is_printed_and_written_as_json(server: ScriptedServer) -> None:
    Path("r.csv").write_text("id,ann,ben\n1,1,1\n2,2,2\n3,3,3\n4,1,2\n", encoding="utf-8")
    result = judge("agree", "r.csv")
    assert result.exit_code == 0, result.output
    assert "ann and ben, 4 items" in result.stdout
    assert re.search(r"^  κ +0\.64 +\[", result.stdout, re.M), result.stdout
    assert re.search(r"^  Kendall τ-b +0\.80 +\[", result.stdout, re.M), result.stdout
    (found,) = json.loads(judge("agree", "r.csv", "--json").stdout)
    assert found["pairs"][0]["raters"] == ["ann", "ben"]
    assert found["pairs"][0]["exact"]["value"] == 0.75
    Path("c.csv").write_text("a,b\nminor,minor\nnone,minor\n", encoding="utf-8")
    named = judge("agree", "c.csv", "--scale", "none,minor,moderate")
    assert re.search(r"^  Pearson r +–$", named.stdout, re.M), named.stdout

    server.answers = [by(lambda seen: revision(fluency=len(seen["text"])))]
    judge("score", texts("in.jsonl", "a", "ab", "abc"), "--out", "out.jsonl", server=server)
    Path("people.csv").write_text("id,fluency\n1,1\n2,2\n3,4\n", encoding="utf-8")
    held = json.loads(judge("agree", "people.csv", "--judged", "out.jsonl", "--json").stdout)
    assert held[0]["aspect"] == "fluency"
    assert held[0]["pairs"][0]["raters"] == ["people", f"{server.url}#tiny"]
    assert held[0]["pairs"][0]["spearman"]["value"] == pytest.approx(1)


def test_an_interrupt_keeps_what_is_finished(server: ScriptedServer, tmp_path: Path) -> None:
    tie = by(lambda seen: all_aspects("tie"))
    server.answers = [*[tie] * 8, hang]
    a, b = texts("a.jsonl", *"abcdefgh" * 5), texts("b.jsonl", *"hgfedcba" * 5)
    words = ["judge", "compare", a, b, "--judge", f"{server.url}#tiny", "--out", "out.jsonl", "--no-cache"]
    out = tmp_path / "out.jsonl"
    started = Started(*words)
    started.wait_for(lambda: out.exists() and out.read_bytes().count(b"\n") >= 8)
    started.send(signal.SIGINT)
    status, stdout, stderr = started.ended()
    assert status == 130, stderr
    assert stdout == ""
    assert "the same command goes on there" in stderr
    kept = out.read_bytes().count(b"\n")
    assert 8 <= kept < 80
    server.requests.clear()
    server.answers = [tie]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert len(server.requests) == 80 - kept
