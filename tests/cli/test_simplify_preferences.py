"""`build-preferences` and `compare-judges` as a user types them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from redraft.bench.preferences import build as working
from redraft.cli.commands import command
from redraft.cli.write import policies as simplify_preferences
from redraft.errors import InputError
from tests.bench.preferences.builder import NoLinks, open_shortest
from tests.bench.preferences.test_build import lines, simplifying, sources, systems
from tests.models.scripted import ScriptedServer, fail

app = typer.Typer()
command(app, "build-preferences")(simplify_preferences.build_preferences)
command(app, "compare-judges")(simplify_preferences.compare_judges)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    monkeypatch.setattr(working, "open_judge", open_shortest)
    monkeypatch.setattr(working, "Aligner", NoLinks)
    monkeypatch.setattr(simplify_preferences, "check_judge", lambda spec: None)
    monkeypatch.setattr(simplify_preferences, "prepare", lambda *_, **__: None)
    with ScriptedServer() as scripted:
        scripted.answers = [simplifying]
        yield scripted


def words(path: Path, out: Path, server: ScriptedServer, *more: str) -> list[str]:
    pool = [word for spec in systems(server) for word in ("--system", spec)]
    files = ["--policy", "lexical", "--sources", str(path), "--out", str(out)]
    return ["build-preferences", *files, *pool, "--no-cache", *more]


def run(args: list[str]) -> Result:
    return CliRunner().invoke(app, args)


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


def test_a_build_says_what_it_made_and_prints_the_file_alone(tmp_path: Path, server: ScriptedServer) -> None:
    out = tmp_path / "out"
    result = run(words(sources(tmp_path, 20), out, server, "--sizes", "5,500", "--limit", "16"))
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{out / 'train.jsonl'}\n"
    pairs = len(lines(out / "train.jsonl"))
    assert f"{pairs} pairs to train on, {16 - pairs} for development" in told(result)
    assert f"train-500.jsonl is not written: there are {pairs} pairs" in told(result)
    assert len(lines(out / "train-5.jsonl")) == 5
    card = json.loads((out / "card.json").read_text(encoding="utf-8"))
    assert card["recipe"]["policy"] == "lexical"


def test_what_failed_is_told(tmp_path: Path, server: ScriptedServer) -> None:
    server.answers = [fail(503), simplifying]
    path, out = sources(tmp_path, 5), tmp_path / "out"
    assert "1 sources failed; --resume tries them again" in told(run(words(path, out, server)))
    assert run(words(path, out, server, "--resume")).exit_code == 0
    assert len(lines(out / "candidates.jsonl")) == 6


def test_judges_are_compared(tmp_path: Path, server: ScriptedServer) -> None:
    path, out = sources(tmp_path, 8), tmp_path / "out"
    assert run(words(path, out, server)).exit_code == 0
    assert run(words(path, out, server, "--judge", "longest", "--resume")).exit_code == 0
    result = run(["compare-judges", str(out)])
    assert "longest against shortest: 8 sources" in result.stdout
    assert "lexical: differing 100.0 %, opposite 100.0 %" in result.stdout
    assert f"{systems(server)[0]} 100.0 / 0.0" in result.stdout
    found = json.loads(run(["compare-judges", str(out), "--json"]).stdout)
    assert found["pairs"][0]["judges"] == ["longest", "shortest"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--sizes", "1k"], "whole numbers"),
        (["--sizes", "-5"], "whole numbers"),
        (["--policy", "nonsense"], "there is no policy"),
        (["--system", "engine@1"], "no temperature"),
        (["--workers", "2"], "--engine ray"),
        (["--parser", " "], "a parser has no name"),
    ],
)
def test_bad_options_are_refused_before_any_work(
    tmp_path: Path, server: ScriptedServer, more: list[str], said: str
) -> None:
    result = run(words(sources(tmp_path, 5), tmp_path / "out", server, *more))
    assert isinstance(result.exception, InputError)
    assert said in str(result.exception)
    assert not (tmp_path / "out").exists()
    assert not server.requests


def test_a_folder_without_verdicts_is_told(tmp_path: Path) -> None:
    result: Any = run(["compare-judges", str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert "has no verdicts" in str(result.exception)


@pytest.mark.parametrize("option", ["--kept-words", "--doubted"])
def test_points_off_are_of_agreement_alone(tmp_path: Path, server: ScriptedServer, option: str) -> None:
    result = run(words(sources(tmp_path, 6), tmp_path / "out", server, option, "30"))
    assert isinstance(result.exception, InputError)
    assert f"{option} is for --judge agreement, not for rubric" in str(result.exception)
