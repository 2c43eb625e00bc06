"""Runs on Ray as a user starts them, whose own process is killed or interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from redraft.cli import app
from tests.bench.data import write_data
from tests.models.scripted import ScriptedServer, say
from tests.runs.conftest import TwoMachines
from tests.runs.running import each_once, records

SLOTS = 4


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    monkeypatch.setenv("REDRAFT_CONCURRENCY", str(SLOTS))


def words(data: Path, out: Path, server: ScriptedServer, *more: str) -> list[str]:
    named = ["--data", str(data), "--out", str(out), "--system", "model", "--model", f"{server.url}#tiny"]
    return ["bench", "run", "editeval", *named, *more]


def scores(out: Path) -> Any:
    return json.loads((out / "scores.json").read_text(encoding="utf-8"))


def until(happens: Callable[[], bool], seconds: float = 240.0) -> None:
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.2)


def of_family(mark: str) -> list[str]:
    """The processes that have the mark in their environment: who was started, and by them, and so on."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:80])
        except OSError:
            continue
    return found


def test_two_machines_and_four_workers_score_as_one_process_does(
    two_machines: TwoMachines, tmp_path: Path, server: ScriptedServer
) -> None:
    data = write_data(tmp_path / "data", repeats=5)
    server.answers = [say("She goes to school every day.")]
    local, cluster = tmp_path / "local", tmp_path / "cluster"
    on_ray = ("--engine", "ray", "--workers", "4", "--address", two_machines.address)
    for out, more in ((local, ()), (cluster, on_ray)):
        done = CliRunner().invoke(app, words(data, out, server, *more, "--no-cache"))
        assert done.exit_code == 0, done.output
    assert scores(cluster) == scores(local)
    assert each_once(cluster / "samples.jsonl") == each_once(local / "samples.jsonl")
    refused = CliRunner().invoke(app, words(data, tmp_path / "x", server, "--workers", "2"))
    assert refused.exit_code == 2
    assert "--workers is for --engine ray" in refused.stderr


def test_a_run_whose_own_process_is_killed_or_interrupted_goes_on_and_leaves_nobody_behind(
    tmp_path: Path, server: ScriptedServer
) -> None:
    data = write_data(tmp_path / "data", repeats=10)
    answer = say("She goes to school every day.")
    out, mark = tmp_path / "run", uuid.uuid4().hex
    samples = out / "samples.jsonl"
    command = [
        sys.executable,
        "-m",
        "redraft",
        *words(data, out, server, "--engine", "ray", "--workers", "2"),
    ]
    environment = {**os.environ, "REDRAFT_TEST_MARK": mark}
    for way, said in ((signal.SIGKILL, ""), (signal.SIGINT, f"--out {out} --resume")):
        before = len(records(samples))
        gone = threading.Event()
        server.answers = [*[answer] * (len(server.requests) + 8), lambda *_, gone=gone: gone.wait()]
        more = ["--resume"] if before else []
        process = subprocess.Popen(
            [*command, *more], env=environment, start_new_session=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        until(lambda before=before: len(records(samples)) > before + 5)  # type: ignore[misc]
        # A terminal sends Ctrl-C to all that belong to the command.
        os.killpg(process.pid, way) if way == signal.SIGINT else process.kill()
        printed, told = process.communicate(timeout=240)
        gone.set()
        assert process.returncode == (130 if way == signal.SIGINT else -way), told
        assert printed == ""
        assert said in told
        until(lambda: not of_family(mark))  # the last of Ray's may take a minute to notice
    kept = each_once(samples)
    assert len(kept) < 70

    server.answers = [answer]
    done = CliRunner().invoke(app, words(data, out, server, "--resume"))
    assert done.exit_code == 0, done.output
    assert len(each_once(samples)) == 70
    asked = Counter(body["messages"][-1]["content"] for body in server.requests)
    assert sum(asked.values()) - len(asked) <= 2 * SLOTS  # only what was in the air is asked again
