from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.train.rows import read_rows
from redraft.train.teaching.requests import read_requests

TEXT = (
    "The bridge, which was built in 1931 by a firm from Leeds, was closed last week because two of its cables had "
    "rusted, although no one had complained.\n\nThe museum opens at nine in the morning. It is closed on Mondays."
)


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    texts, out = tmp_path / "texts.txt", tmp_path / "requests.jsonl"
    texts.write_text(TEXT, encoding="utf-8")
    done = run("requests", texts, "--out", out, "--controls", "merge,split")
    assert done.exit_code == 0, said(done)
    return out


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["train", *map(str, words)])


def said(result: Result) -> str:
    return " ".join((result.stdout + result.stderr).split())


def answer(requests: Path, answers: dict[str, str]) -> Path:
    path = requests.with_name("answers.jsonl")
    rows = [
        {"id": request.id, "answer": answers[request.task], "finish": "stop"}
        for request in read_requests(requests)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_what_a_teacher_answers_well_is_kept(requests: Path, tmp_path: Path) -> None:
    assert {request.task for request in read_requests(requests)} == {"merge", "split"}
    merged = "The museum, which is closed on Mondays, opens at nine in the morning."
    answers = answer(requests, {"merge": merged, "split": "I cannot help with that."})
    done = run("keep", requests, answers, "--out", tmp_path / "kept.jsonl")
    assert done.exit_code == 0, said(done)
    (row,) = read_rows(tmp_path / "kept.jsonl")
    assert (row.task, row.target, row.source) == ("merge", merged, "teacher")
    assert "1 of 1 (100%)" in said(done)
    assert "refused: 1 unusable" in said(done)


def test_what_is_wrong_is_said(requests: Path, tmp_path: Path) -> None:
    out = tmp_path / "kept.jsonl"
    bad = answer(requests, {"merge": "No.", "split": "No."})
    assert "of 2 answers none can be kept" in said(run("keep", requests, bad, "--out", out))
    bad.write_text('{"id": "merge-7", "answer": "Yes."}\n', encoding="utf-8")
    assert "answers.jsonl, line 1: there is no request 'merge-7'" in said(
        run("keep", requests, bad, "--out", out)
    )
    assert "there is no control 'sing'" in said(run("requests", bad, "--out", out, "--controls", "sing"))
    assert run("keep", requests, bad, "--out", requests).exit_code == 2
    assert not out.exists()


def test_texts_of_a_test_set_are_not_asked_about(requests: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    test = tmp_path / "test.txt"
    test.write_text(TEXT.replace("\n\n", "\n"), encoding="utf-8")
    done = run("requests", texts, "--out", tmp_path / "none.jsonl", "--tests", test)
    assert done.exit_code == 2
    assert "nothing was written" in said(done)
