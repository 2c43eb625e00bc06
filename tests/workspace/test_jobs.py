"""The queue: who is served next, who holds a job, and what becomes of it when they die."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import InputError, NotFound, QueueFull, StoreFailed
from redraft.workspace import (
    Limits,
    Store,
    add_job,
    count_jobs,
    delete_job,
    events_after,
    get_job,
    jobs,
    list_jobs,
    stop_job,
)
from redraft.workspace.jobs import (
    NotHeld,
    claim_job,
    delete_old_jobs,
    end_job,
    holders,
    is_asked_to_stop,
    put_event,
    release_jobs,
    renew_lease,
)

KINDS = ("revise", "quality")


class Clock:
    """The time as a test has it."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        self.seconds += 0.001
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(jobs, "now", clock)
    return clock


def added(store: Store, text: str = "A.", **more: Any) -> str:
    return add_job(store, "revise", {"text": text}, **more).id


def told(store: Store, id: str) -> list[str]:
    events, _ = events_after(store, id)
    assert [one.number for one in events] == list(range(1, len(events) + 1))
    return [one.data["state"] if one.kind == "state" else one.kind for one in events]


def test_only_the_owner_may_read_the_database(tmp_path: Path) -> None:
    Store(tmp_path / "kept" / "workspace.sqlite3").close()
    assert (tmp_path / "kept").stat().st_mode & 0o077 == 0
    assert (tmp_path / "kept" / "workspace.sqlite3").stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("clock")
def test_a_job_from_its_beginning_to_its_end(store: Store) -> None:
    id = added(store, "Ä\0\U0001f600")
    assert (get_job(store, id).state, get_job(store, id).place) == ("queued", 1)
    job = claim_job(store, "w", KINDS)
    assert job is not None
    assert (job.id, job.state, job.request) == (id, "running", {"text": "Ä\0\U0001f600"})
    assert claim_job(store, "w", KINDS) is None
    assert holders(store) == ["w"]
    put_event(store, id, "w", "text", {"text": "B."})
    assert renew_lease(store, id, "w", {"calls": 3}) is False
    assert get_job(store, id).progress == {"calls": 3}
    end_job(store, id, "w", "done", result={"text": "C."})
    assert get_job(store, id).result == {"text": "C."}
    assert told(store, id) == ["queued", "running", "text", "result", "done"]
    assert holders(store) == []


@pytest.mark.usefixtures("clock")
def test_clients_take_turns(store: Store) -> None:
    first = [added(store, client="a") for _ in range(3)]
    second = added(store, client="b")
    served = []
    while (job := claim_job(store, "w", KINDS)) is not None:
        served.append(job.id)
    assert served == [first[0], second, *first[1:]]


def test_a_worker_takes_only_what_it_does(store: Store) -> None:
    added(store)
    assert claim_job(store, "w", ("quality",)) is None


@pytest.mark.usefixtures("clock")
def test_the_queue_is_limited(store: Store) -> None:
    limits = Limits(waiting=3, of_client=2)
    for client in ("a", "a", "b"):
        added(store, client=client, limits=limits)
    with pytest.raises(QueueFull) as full:
        added(store, client="c", limits=limits)
    assert full.value.wait > 0
    claim_job(store, "w", KINDS)
    claim_job(store, "w", KINDS)
    added(store, client="a", limits=limits)
    with pytest.raises(QueueFull, match="yours"):
        added(store, client="a", limits=limits)


def test_a_lease_that_ran_out_gives_the_job_to_another(store: Store, clock: Clock) -> None:
    id = added(store)
    for worker in ("first", "second", "third"):
        job = claim_job(store, worker, KINDS)
        assert job is not None
        assert job.id == id
        clock.seconds += jobs.LEASE_S + 1
    with pytest.raises(NotHeld):
        put_event(store, id, "first", "text", {})
    assert claim_job(store, "fourth", KINDS) is None
    job = get_job(store, id)
    assert job.state == "failed"
    assert "died 3 times" in job.problem["detail"]
    assert told(store, id)[-2:] == ["problem", "failed"]


def test_a_lease_that_is_renewed_does_not_run_out(store: Store, clock: Clock) -> None:
    id = added(store)
    claim_job(store, "w", KINDS)
    for _ in range(3):
        clock.seconds += jobs.LEASE_S - 1
        renew_lease(store, id, "w", {})
        assert claim_job(store, "other", KINDS) is None


def test_a_worker_does_not_take_its_own_job_from_itself(store: Store, clock: Clock) -> None:
    id = added(store)
    claim_job(store, "w", KINDS)
    clock.seconds += jobs.LEASE_S + 1  # the machine slept
    assert claim_job(store, "w", KINDS) is None
    renew_lease(store, id, "w", {})
    assert get_job(store, id).state == "running"


@pytest.mark.usefixtures("clock")
def test_what_a_worker_held_is_free_again_when_it_dies_or_goes(store: Store) -> None:
    id = added(store)
    for _ in range(5):
        claim_job(store, "w", KINDS)
        release_jobs(store, "w", tried=False)
    claim_job(store, "w", KINDS)
    release_jobs(store, "w")
    assert get_job(store, id).tries == 1
    assert get_job(store, id).state == "queued"


@pytest.mark.usefixtures("clock")
def test_a_second_try_begins_to_count_again(store: Store) -> None:
    id = added(store)
    claim_job(store, "w", KINDS)
    renew_lease(store, id, "w", {"calls": 3})
    release_jobs(store, "w")
    claim_job(store, "w", KINDS)
    assert get_job(store, id).progress["calls"] == 0


@pytest.mark.usefixtures("clock")
def test_stopping(store: Store) -> None:
    running, waiting = added(store), added(store)
    claim_job(store, "w", KINDS)
    assert not is_asked_to_stop(store, running, "w")
    assert stop_job(store, running).state == "running"
    assert is_asked_to_stop(store, running, "w")
    assert stop_job(store, waiting).state == "stopped"
    end_job(store, running, "w", "stopped", result={})
    assert stop_job(store, running).state == "stopped"
    with pytest.raises(NotFound):
        stop_job(store, "none")


def test_a_job_that_is_deleted_is_given_up(store: Store) -> None:
    id = added(store)
    claim_job(store, "w", KINDS)
    delete_job(store, id)
    with pytest.raises(NotHeld):
        is_asked_to_stop(store, id, "w")
    with pytest.raises(NotHeld):
        end_job(store, id, "w", "done", result={})
    with pytest.raises(NotFound):
        get_job(store, id)


def test_a_key_holds_for_a_day(store: Store, clock: Clock) -> None:
    id = added(store, key="k")
    assert added(store, key="k") == id
    assert added(store, key="k", client="other") != id
    with pytest.raises(InputError, match="another request"):
        added(store, "B.", key="k")
    clock.seconds += jobs.A_DAY_S + 1
    assert added(store, "B.", key="k") != id


def test_lists_have_pages(store: Store, clock: Clock) -> None:
    made = [added(store) for _ in range(5)][::-1]
    clock.seconds += 1
    first = [job.id for job in list_jobs(store, 3)]
    assert first + [job.id for job in list_jobs(store, 3, first[-1])] == made


def test_old_jobs_go(store: Store, clock: Clock) -> None:
    id = added(store)
    claim_job(store, "w", KINDS)
    end_job(store, id, "w", "done", result={})
    delete_old_jobs(store)
    assert get_job(store, id).state == "done"
    clock.seconds += jobs.KEPT_DAYS * jobs.A_DAY_S + 1
    delete_old_jobs(store)
    with pytest.raises(NotFound):
        get_job(store, id)


def test_a_job_is_given_to_one_worker_only(store: Store) -> None:
    made = {added(store, limits=Limits(100, 100)) for _ in range(20)}

    def work(name: str) -> list[str]:
        served: list[str] = []
        while len(served) < 20:
            try:
                job = claim_job(store, name, KINDS)
            except StoreFailed:  # two who take the same rows in another order: it is tried again
                continue
            if job is not None:
                end_job(store, job.id, name, "done", result={})
                served.append(job.id)
            elif count_jobs(store).keys() == {"done"}:
                break
        return served

    with ThreadPoolExecutor(4) as pool:
        served = [id for each in pool.map(work, "abcd") for id in each]
    assert len(served) == 20
    assert set(served) == made
    for id in made:
        assert told(store, id) == ["queued", "running", "result", "done"]
