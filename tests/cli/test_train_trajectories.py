from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.revision.asking import learnt
from redraft.train.planning.generation import generate_trajectories, read_texts
from redraft.train.planning.trajectory import read_trajectories, trajectory_conversations
from tests.models.scripted import ScriptedServer, say
from tests.train.clean import clean_text
from tests.train.teacher import Teacher


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    rows = [{"id": f"t{seed}", "text": clean_text(seed, 26)} for seed in range(6)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["train", "trajectories", *map(str, words)])


def said(result: Result) -> str:
    return " ".join((result.stdout + result.stderr).split())


def test_trajectories_are_written_and_read_again(texts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = run(texts, "--out", out, "--count", "5", "--seed", "3")
    assert done.exit_code == 0, said(done)
    assert done.stdout == f"{out}\n"
    assert "5 trajectories" in said(done)
    found = list(read_trajectories(out))
    assert found == list(generate_trajectories(list(read_texts([texts])), (0, 1, 2, 3), 5, 3))
    assert all(list(trajectory_conversations(one)) for one in found)


def test_levels_kept_for_measuring_need_a_word(texts: Path, tmp_path: Path) -> None:
    done = run(texts, "--out", tmp_path / "out.jsonl", "--levels", "0-4")
    assert done.exit_code == 2
    assert "give --unseen" in said(done)
    done = run(texts, "--out", tmp_path / "out.jsonl", "--levels", "4", "--unseen", "--count", "1")
    assert done.exit_code == 0, said(done)
    assert next(read_trajectories(tmp_path / "out.jsonl")).level == 4
    assert run(texts, "--out", texts).exit_code == 2


def test_texts_of_test_sets_and_excluded_ones_are_left_out(texts: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in texts.read_text(encoding="utf-8").splitlines()]
    tests, exclude = tmp_path / "test.jsonl", tmp_path / "used.txt"
    tests.write_text(json.dumps({"text": rows[0]["text"]}) + "\n", encoding="utf-8")
    exclude.write_text("t1\nt2\n", encoding="utf-8")
    out = tmp_path / "out.jsonl"
    done = run(texts, "--out", out, "--count", "12", "--tests", tests, "--exclude", exclude)
    assert done.exit_code == 0, said(done)
    assert "3 of 6 texts are left out" in said(done)
    assert {one.source for one in read_trajectories(out)} <= {"t3", "t4", "t5"}
    done = run(texts, "--out", out, "--tests", texts)
    assert done.exit_code == 2
    assert "no text is left" in said(done)


def test_texts_without_stated_terms_are_not_learnt_from(texts: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in texts.read_text(encoding="utf-8").splitlines()]
    rows[0]["licence"], rows[1]["licence"] = "Apache-2.0 repo; terms of the text not stated", "CC BY 4.0"
    marked, out = tmp_path / "marked.jsonl", tmp_path / "out.jsonl"
    marked.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = run(marked, "--out", out, "--count", "12")
    assert done.exit_code == 0, said(done)
    assert "1 of 6 texts are left out, as their terms are not stated" in said(done)
    learnt = {one.source for one in read_trajectories(out)}
    assert "t0" not in learnt
    assert "t1" in learnt


def test_papers_that_a_planner_is_measured_on_are_not_learnt_from(
    texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = json.loads(texts.read_text(encoding="utf-8").splitlines()[0])
    monkeypatch.setattr(learnt, "_openings", lambda: {learnt.opening_hash(first["text"])})
    out = tmp_path / "out.jsonl"
    done = run(texts, "--out", out, "--count", "12")
    assert done.exit_code == 0, said(done)
    assert "1 of 6 texts are left out, as they are papers of TETRA" in said(done)
    assert "t0" not in {one.source for one in read_trajectories(out)}


def test_a_model_plans_and_revises(texts: Path, tmp_path: Path) -> None:
    known = list(generate_trajectories(list(read_texts([texts])), (0, 1), 10, 0))
    out = tmp_path / "out.jsonl"

    def asked(wrong: str) -> tuple[Result, ScriptedServer]:
        teacher = Teacher(known, wrong)

        def answer(handler: Any, body: dict[str, Any]) -> None:
            say(teacher.answer([message["content"] for message in body["messages"]]))(handler, body)

        with ScriptedServer() as server:
            server.answers = [answer]
            options = ("--count", "2", "--levels", "0-1", "--model", f"{server.url}#tiny")
            return run(texts, "--out", out, *options), server

    done, _ = asked('sentence_count_check(99, "less than")')
    assert done.exit_code == 2
    assert "made no trajectory that can be used" in said(done)
    assert not out.exists()
    done, server = asked("")
    assert done.exit_code == 0, said(done)
    found = list(read_trajectories(out))
    assert 1 <= len(found) <= 2
    assert {one.instruction for one in found} <= {one.instruction for one in known}
    assert "THOUGHT: Wanted" in server.requests[0]["messages"][2]["content"]
