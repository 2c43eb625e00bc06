"""A name and a password in an address: sent to the service, and found nowhere afterwards."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from redraft.cli import app
from redraft.settings import load_settings
from redraft.simplification.pool import PoolSystem
from tests.bench.data import write_data
from tests.composition.strong import Strong
from tests.judge.scripted import revision
from tests.models.scripted import ScriptedServer, fail, say

LOGIN = "ada:w0nder1and"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_WEIGHTS_DIR", str(load_settings().weights()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


def address(server: ScriptedServer) -> str:
    return f"{server.url.replace('://', f'://{LOGIN}@')}#tiny"


def run(server: ScriptedServer, *words: str, status: int = 0) -> None:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == status, result.output
    assert "w0nder1and" not in result.output
    assert set(server.keys) <= {"Basic " + base64.b64encode(LOGIN.encode()).decode()}
    for path in Path().rglob("*"):
        assert "w0nder1and" not in path.name
        assert not path.is_file() or b"w0nder1and" not in path.read_bytes(), path


def test_in_a_run_and_its_report(server: ScriptedServer, tmp_path: Path) -> None:
    data = str(write_data(tmp_path / "data"))
    given = ("run", "editeval", "--data", data, "--system", "model", "--model", address(server))
    run(server, "bench", *given, "--limit", "1")
    (facts,) = Path("runs").rglob("run.json")
    assert json.loads(facts.read_text(encoding="utf-8"))["model"] == f"{server.url}#tiny"
    assert server.keys


def test_in_a_piece_and_its_trace() -> None:
    with Strong() as strong:
        strong.dies_at = 7
        roles = ("--model", address(strong), "--writer", address(strong))
        run(strong, "compose", "--topic", "Why cities flood", "--trace", "piece", *roles, status=4)
        strong.dies_at = None
        run(strong, "compose", "--resume", "piece", *roles)


def test_in_judgements(server: ScriptedServer) -> None:
    server.answers = [say(revision(fluency=5))]
    Path("texts.jsonl").write_text('{"id": "1", "source": "He go.", "output": "He goes."}\n')
    run(server, "judge", "score", "texts.jsonl", "--judge", address(server), "--json")


def test_in_errors_and_in_what_is_set(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    run(server, "models", "test", address(server))
    run(server, "doctor")
    server.answers = [fail(500, "ask again, w0nder1and")]
    run(server, "models", "test", address(server), "--no-cache", status=4)
    monkeypatch.setenv("OPENAI_BASE_URL", address(server).partition("#")[0])
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    run(server, "models", "test", "openai:tiny", "--no-cache", status=4)
    run(server, "models", "list")
    monkeypatch.setenv("REDRAFT_MODEL", address(server))
    run(server, "doctor")


def test_in_the_systems_of_a_pool() -> None:
    assert PoolSystem.of(f"https://{LOGIN}@h/v1#m@0.5#zero") == PoolSystem.of("https://h/v1#m@0.5#zero")
