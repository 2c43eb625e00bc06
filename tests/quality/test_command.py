"""`redraft quality` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["quality", *words], input=stdin)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    before.write_text("The shop did not open.\nShe had 12 rooms.\n", encoding="utf-8")
    after.write_text("The shop did open.\nShe have 12 rooms.\n", encoding="utf-8")
    return str(before), str(after)


def test_a_text_alone(files: tuple[str, str]) -> None:
    result = run(files[1])
    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == ["perplexity", "grammar", "line"]
    assert "line 2: … She [have] 12 rooms. …" in result.stdout
    assert "'has'" in result.stdout
    assert result.exit_code == 0


def test_a_text_and_its_original(files: tuple[str, str]) -> None:
    before, after = files
    found = json.loads(run(after, "--original", before, "--json").stdout)
    assert found["meaning"]["changes"] == ["negation lost: not"]
    assert found["entities"] == 1.0
    assert found["grammar"] > found["original"]["grammar"] == 0
    assert found["findings"][0]["suggestions"] == ["has"]
    assert "changed     negation lost: not" in run(after, "--original", before).stdout


def test_an_empty_text_has_no_perplexity() -> None:
    assert json.loads(run("-", "--json", stdin="").stdout)["perplexity"] is None


def test_one_standard_input_is_not_two_texts() -> None:
    result = run("-", "--original", "-", stdin="x")
    assert result.exit_code == 2
    assert "only one" in result.stderr
