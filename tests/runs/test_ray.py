"""The engine on real Ray clusters, with workers and machines that die."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from redraft import __version__
from redraft.errors import BudgetExceeded, InputError, ModelError, WeightsMissing, WorkersLost
from redraft.runs.jobs import Job, LocalEngine, OpenWorker
from redraft.runs.ray_engine import ATTEMPTS, RayEngine, _RayWorker
from redraft.runs.runner import Progress
from redraft.settings import Settings
from tests.runs.conftest import TwoMachines
from tests.runs.running import each_once, endless, jobs, processes, records, run
from tests.runs.workers import (
    Act,
    open_actor,
    open_and_die,
    open_by_mistake,
    open_collector,
    open_without_extra,
    open_without_weights,
)


@pytest.fixture
def engine(two_machines: TwoMachines) -> Iterator[RayEngine]:
    """Four workers on two machines, two jobs each."""
    yield RayEngine(two_machines.address, workers=4)
    two_machines.restore()


def test_every_job_is_done_once_by_several_processes_that_share_what_there_is(
    engine: RayEngine, two_machines: TwoMachines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"
    (tmp_path / "redraft.py").write_text("raise SystemExit('a worker ran what lies where the user stands')\n")
    monkeypatch.chdir(tmp_path)
    secret = "sk-never-to-be-seen-0123456789"
    settings = Settings(concurrency=8, api_key=SecretStr(secret))
    taken = most = 0

    def lazily() -> Iterator[Job]:
        nonlocal taken
        for job in endless(seconds=0.1):
            if len(processes(out)) == 4:
                return
            taken += 1
            yield job

    def count(state: Progress) -> None:
        nonlocal most
        most = max(most, taken - state.done)

    done = run(lazily(), out, engine, settings=settings, progress=count)
    assert (done.done, done.failed, done.usage.calls) == (taken, 0, taken)
    assert most <= 8  # no more jobs are taken than there is room for
    assert len(each_once(out)) == taken
    found = records(out)
    assert {tuple(record["share"]) for record in found} == {(2, 1)}
    assert {record["key_length"] for record in found} == {len(secret)}
    logs = two_machines.logs
    assert any(logs.rglob("*.log"))
    for file in logs.rglob("*"):
        assert not file.is_file() or secret.encode() not in file.read_bytes()


def test_a_killed_worker_costs_nothing_but_its_unfinished_jobs(engine: RayEngine, tmp_path: Path) -> None:
    out, free = tmp_path / "out.jsonl", tmp_path / "free"
    killed: set[int] = set()

    def kill() -> None:
        """One after another that holds a job, but not so many that a job is given up."""
        while len(killed) < ATTEMPTS - 1:
            holding = {int(file.stem) for file in tmp_path.glob("*.holds")} - killed
            for victim in sorted(holding)[:1]:
                os.kill(victim, signal.SIGKILL)
                killed.add(victim)
            time.sleep(0.02)
        free.touch()

    killing = threading.Thread(target=kill, daemon=True)
    killing.start()
    done = run(jobs(20, until=free), out, engine)
    killing.join()
    assert (done.done, done.failed) == (20, 0)
    assert len(each_once(out)) == 20
    assert len(killed) == ATTEMPTS - 1
    assert processes(out).isdisjoint(killed)  # others took their places


def test_a_machine_that_goes_costs_nothing_but_its_unfinished_jobs(
    engine: RayEngine, two_machines: TwoMachines, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    pulling = threading.Thread(target=two_machines.remove_second)

    def lazily() -> Iterator[Job]:
        """Until all four were seen at work, and then two."""
        for job in endless(seconds=0.1):
            if pulling.ident is None:
                if len(processes(out)) == 4:
                    pulling.start()
            elif not pulling.is_alive() and len(processes(out, last=20)) == 2:
                return
            yield job

    done = run(lazily(), out, engine)
    pulling.join()
    assert done.failed == 0
    assert done.done == len(each_once(out))


def test_a_job_that_ends_every_worker_is_given_up_and_the_others_are_done(
    engine: RayEngine, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    todo = [*jobs(20, seconds=0.05), Job("poison", Act(20, does="die"), {"number": None})]
    todo.insert(5, Job("venom", Act(21, does="die"), {"number": None}))
    done = run(todo, out, engine)
    assert (done.done, done.failed) == (20, 2)
    assert len(each_once(out)) == 22
    errors = {record["key"]: record["error"] for record in records(out) if record["error"]}
    assert errors == dict.fromkeys(
        ("venom", "poison"), f"its worker died {ATTEMPTS} times, and it was given up"
    )
    again = run(todo[:5], out, LocalEngine())
    assert again.done == 5
    assert len(each_once(out)) == 22  # what is finished is not done again


def test_what_goes_wrong_with_a_job_is_recorded_and_stops_nothing(engine: RayEngine, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    ways = ("fail", "be large", "be unsendable", "answer")
    todo = [Job(way, Act(number, does=way), {}) for number, way in enumerate(ways)]
    run(todo, out, engine)
    found = {record["key"]: record for record in records(out)}
    assert found["fail"]["error"] == "ValueError: number 0 is bad"
    assert len(found["be large"]["text"]) == 1_000_000
    assert "TypeError" in found["be unsendable"]["error"]
    assert found["answer"]["error"] is None


def test_the_budget_is_kept_over_all_workers(engine: RayEngine, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(BudgetExceeded, match="20 of 20 calls"):
        run(jobs(100, seconds=0.02), out, engine, settings=Settings(max_calls=20))
    assert len(each_once(out)) == 20
    assert run(jobs(100), out, LocalEngine()).done == 100  # the rest may be done elsewhere
    assert len(each_once(out)) == 100


@pytest.mark.parametrize(
    ("opening", "error", "said"),
    [
        (open_without_weights, WeightsMissing, "the weights are not here"),
        (open_and_die, WorkersLost, "die before they can work"),
    ],
)
def test_workers_that_cannot_be_opened_end_the_run(
    engine: RayEngine, tmp_path: Path, opening: OpenWorker, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        run(jobs(5), tmp_path / "out.jsonl", engine, opening=opening)
    assert not records(tmp_path / "out.jsonl")


@pytest.mark.parametrize(
    ("opening", "version", "error", "said"),
    [
        (open_actor, "0.0.1", InputError, "this one has 0.0.1"),
        (open_collector, __version__, InputError, "--engine local"),
        (open_without_extra, __version__, InputError, "pip install"),
        (open_by_mistake, __version__, WorkersLost, "cannot be opened: KeyError: 'x'"),
    ],
)
def test_what_keeps_a_worker_from_opening_can_travel(
    opening: OpenWorker, version: str, error: type[Exception], said: str
) -> None:
    found = pickle.loads(pickle.dumps(asyncio.run(_RayWorker(opening, Settings(), version).open())))
    assert type(found) is error
    assert said in str(found)


def test_a_cluster_that_is_not_there_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--address auto"):
        RayEngine("ray://127.0.0.1:10001")
    with pytest.raises(ModelError, match=r"the Ray cluster at 127\.0\.0\.1:1 cannot be used"):
        run(jobs(1), tmp_path / "out.jsonl", RayEngine("127.0.0.1:1"))
