"""`redraft judge meta` as a user types it, with judges on a service."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from tests.judge.scripted import marks, shown
from tests.models.scripted import ScriptedServer, fail, say


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        scripted.answers = [answer]
        yield scripted


def answer(handler: Any, body: dict[str, Any]) -> None:
    """`fair` marks as people did; `blind` only where it sees a reference, and else all alike."""
    seen = shown(body["messages"][1]["content"])
    score = int(re.findall(r"\d+", seen["text"])[0])
    if body["model"] == "blind" and "reference" not in seen:
        score = 5
    say(marks(reason="so", score=score))(handler, body)


def people() -> str:
    """Two tasks with two instructions each, three texts for an instruction: twelve pairs."""
    lines = [
        {"task": task, "source": f"S{group} ____", "instruction": f"Do {task} {group}.", "reference": f"R{group}.",
         "output": f"text worth {score}", "human": score / 2}
        for task in ("end2end", "cloze")
        for group in "ab"
        for score in (3, 6, 9)
    ]  # fmt: skip
    Path("people.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return "people.jsonl"


def meta(server: ScriptedServer, *words: str, judges: tuple[str, ...] = ("fair",)) -> Result:
    specs = [word for name in judges for word in ("--judge", f"{server.url}#{name}")]
    return CliRunner().invoke(app, ["judge", "meta", "--human", people(), *specs, *words])


def test_judges_are_held_against_people_with_each_part_taken_away(server: ScriptedServer) -> None:
    result = meta(server, "--ablations", "all", judges=("fair", "blind"))
    assert result.exit_code == 0, result.output
    assert len(server.requests) == 2 * 4 * 12, "each text once a judge and setting, not once a pair"
    assert "12 pairs of texts for one instruction that people order\n" in result.stdout
    for setting, judge, share in [
        ("full rubric", "1", "100.0 % [100, 100]"),
        ("full rubric", "2", "100.0 % [100, 100]"),
        ("− reference", "1", "100.0 % [100, 100]"),
        ("− reference", "2", "50.0 % [50, 50]"),
        ("− reference", "jury", "100.0 % [100, 100]"),
        ("− traits", "jury", "100.0 % [100, 100]"),
    ]:
        pattern = rf"^{setting} +{judge} +{re.escape(share)} +{re.escape(share)}$"
        assert re.search(pattern, result.stdout, re.M), (pattern, result.stdout)
    assert re.search(r"^full rubric +published +92\.0 % +88\.0 %$", result.stdout, re.M)
    assert re.search(r"^− reference +published +56\.0 % +72\.0 %$", result.stdout, re.M)
    assert re.search(r"^− reference +2 +cloze +6 +2 +6 +0 % +– +– +0$", result.stdout, re.M), result.stdout
    assert "reliability.json" in result.stderr


def test_what_was_found_is_told_beside_scores_while_the_wording_is_the_same(server: ScriptedServer) -> None:
    Path("in.jsonl").write_text(
        '{"id": "1", "instruction": "Do c.", "reference": "Rc.", "output": "text 7"}\n', encoding="utf-8"
    )
    spec = f"{server.url}#fair"

    def score(*words: str) -> str:
        return CliRunner().invoke(app, ["judge", "score", "in.jsonl", "--judge", spec, *words]).stdout

    unknown = f"judge 1  {spec}: reliability not measured: redraft judge meta\n"
    assert unknown in score("--rubric", "end2end")
    assert meta(server).exit_code == 0
    told = f"judge 1  {spec}: agreed with people on 100 % [100, 100] of 6 pairs (end2end)\n"
    assert told in score("--rubric", "end2end")
    found = json.loads(score("--rubric", "end2end", "--json"))["reliability"][spec]
    assert (found["consistency"], found["pairs"], found["groups"], found["rubric"]) == (1, 6, 2, "end2end")
    assert json.loads(score("--rubric", "expand", "--json"))["reliability"] == {spec: None}
    (rubric,) = Path(__file__).parents[2].glob("src/redraft/judge/rubrics/end2end.toml")
    Path("mine.toml").write_text(
        rubric.read_text(encoding="utf-8").replace("sound professional work", "work"), encoding="utf-8"
    )
    assert unknown in score("--rubric", "mine.toml"), "the same name, in other words"
    server.answers = [say('{"reason": "so", "score": "tie"}')]
    words = ["judge", "compare", "in.jsonl", "in.jsonl", "--rubric", "end2end", "--judge", spec]
    assert f"{told[:-1]}, by marks\n" in CliRunner().invoke(app, words).stdout


def test_a_second_run_pays_only_for_what_is_missing(server: ScriptedServer) -> None:
    def once(handler: Any, body: dict[str, Any]) -> None:
        seen = shown(body["messages"][1]["content"])["text"]
        (say("no marks") if seen == "text worth 9" else answer)(handler, body)

    server.answers = [once]
    first = meta(server, "--no-cache", "--json")
    assert first.exit_code == 4, first.output
    assert "4 of 12 judgements failed" in first.stderr
    assert [each["unanswered"] for each in json.loads(first.stdout)["consistency"]] == [4, 4]
    server.requests.clear()
    server.answers = [answer]
    second = meta(server, "--no-cache", "--json")
    assert second.exit_code == 0, second.output
    assert len(server.requests) == 4
    found = json.loads(second.stdout)
    assert [(each["pairs"], each["value"]) for each in found["consistency"]] == [(6, 1), (6, 1)]
    assert re.fullmatch(r"judged/people-meta-[0-9a-f]{8}\.jsonl", found["out"])
    assert meta(server, "--no-cache", "--ablations", "traits").exit_code == 0
    assert len(server.requests) == 4 + 12, "the full rubric was known"


def test_a_limit_draws_pairs_and_a_rubric_may_be_the_same_for_all(server: ScriptedServer) -> None:
    found = json.loads(meta(server, "--limit", "2", "--json").stdout)
    assert (found["pairs"], found["of"]) == (4, 12)
    assert len(server.requests) == found["judgements"] == 8, "a pair of each of the four instructions"
    assert [each["groups"] for each in found["consistency"]] == [2, 2]
    one = json.loads(meta(server, "--rubric", "expand", "--json").stdout)
    assert [(each["task"], each["pairs"]) for each in one["consistency"]] == [("expand", 12)]
    assert one["published"]["full"]["expand"] == 88


def test_several_people_are_averaged_and_their_agreement_told(server: ScriptedServer) -> None:
    file = people()
    lines = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines):
        line |= {"human_1": 1 + number % 3, "human_2": 1 + number % 3 + 2 * (number == 0)}
        del line["human"]
    Path("two.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = ["judge", "meta", "--human", "two.jsonl", "--judge", f"{server.url}#fair"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "11 pairs of texts for one instruction that people order; 1 left out" in result.stdout
    assert "human_1 and human_2, 12 items\n" in result.stdout
    assert re.search(r"^  κ +0\.88 ", result.stdout, re.M), result.stdout
    found = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert found["people"]["pairs"][0]["exact"]["value"] == pytest.approx(11 / 12)
    assert found["undecided"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--ablations", "traits,steps"],
            "--ablations takes all, none, or some of rubric, traits, reference",
        ),
        (["--rubric", "pairwise"], "has no scale"),
        (["--rubric", "revision", "--ablations", "traits"], "the rubric revision has no traits to take away"),
        (["--column", "nobody"], "has no ratings in the column 'nobody'"),
        (["--human", "bare.jsonl"], "has no reference, which the rubric end2end needs"),
        (["--human", "alike.jsonl"], "no two texts for one instruction that people scored differently"),
    ],
)
def test_bad_input_is_named_before_anything_is_asked(
    server: ScriptedServer, words: list[str], message: str
) -> None:
    bare = [{"task": "end2end", "instruction": "Do.", "human": n, "output": f"text {n}"} for n in (1, 2)]
    Path("bare.jsonl").write_text("".join(json.dumps(line) + "\n" for line in bare), encoding="utf-8")
    Path("alike.jsonl").write_text(json.dumps(bare[0]) + "\n", encoding="utf-8")
    result = meta(server, *words)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert server.requests == []
    assert not Path("judged").exists()


def test_a_service_that_refuses_ends_the_work_and_nothing_is_kept(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.answers = [fail(401)]
    assert meta(server).exit_code == 4
    assert json.loads((tmp_path / "cache" / "reliability.json").read_text(encoding="utf-8")) == []


def test_a_file_that_cannot_be_written_is_told_before_anything_is_asked(
    server: ScriptedServer, tmp_path: Path
) -> None:
    (tmp_path / "cache" / "reliability.json").mkdir(parents=True)
    result = meta(server)
    assert result.exit_code == 2, result.output
    assert "reliability.json is a folder" in " ".join(result.stderr.split())
    assert server.requests == []
