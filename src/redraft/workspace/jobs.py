"""The queue of jobs: who may add one, who works on it, what it says on the way, and how it ends.

A worker claims a job and holds it by a lease that it renews. A job whose lease has run out goes back into the
queue, at most three times, so that nothing is lost with a worker that dies. Whoever writes for a job without
holding it is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from redraft.errors import InputError, NotFound, QueueFull
from redraft.workspace.store import (
    Connection,
    Row,
    Store,
    date,
    from_json,
    new_id,
    now,
    to_json,
    without_none,
)

Kind = Literal["revise", "simplify", "compose", "quality", "alternatives", "pull", "test"]
State = Literal["queued", "running", "done", "stopped", "failed"]
ENDED: Final = ("done", "stopped", "failed")
LEASE_S: Final = 30.0
TRIES: Final = 3
A_DAY_S: Final = 86_400.0
KEPT_DAYS: Final = 30.0
"""How long a job that has ended, and belongs to no document, is kept."""


class NotHeld(Exception):
    """A worker writes for a job that it does not hold any more: it was deleted, or given to another."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many jobs may wait, in all and of one client."""

    waiting: int = 32
    of_client: int = 8


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a job said."""

    number: int
    kind: str
    data: Any


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is now; `place` is that in the queue, from 1."""

    id: str
    kind: Kind
    state: State
    request: Any
    document: str | None
    progress: Mapping[str, Any]
    result: Any
    problem: Any
    created: float
    started: float | None
    ended: float | None
    tries: int
    place: int | None = None

    @property
    def has_ended(self) -> bool:
        """Whether nothing more comes of it."""
        return self.state in ENDED

    def to_dict(self, *, whole: bool = True) -> dict[str, Any]:
        """Ready for JSON; in a list, without its result."""
        told = {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "place": self.place,
            "document": self.document,
            "created": date(self.created),
            "started": date(self.started),
            "ended": date(self.ended),
            "progress": dict(self.progress),
            "result": self.result if whole else None,
            "problem": self.problem,
        }
        return without_none(told)


_NO_PROGRESS: Final = {"calls": 0, "seconds": 0.0, "cost": 0.0, "tokens": 0}


def add_job(
    store: Store,
    kind: Kind,
    request: Mapping[str, Any],
    *,
    client: str = "local",
    document: str | None = None,
    key: str | None = None,
    limits: Limits | None = None,
) -> Job:
    """Put a job into the queue; the same key and request within a day give the job that is there.

    QueueFull where too many wait; InputError where the key was used for another request.
    """
    limits = limits or Limits()
    body = to_json(request)
    with store.transaction() as sql:
        if key is not None:
            key = hashlib.sha256(f"{client}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()
            found = _of_key(sql, key, kind, body)
            if found is not None:
                return _job(sql, found)
        if document is not None and sql.one("SELECT id FROM documents WHERE id = ?", document) is None:
            raise NotFound(f"there is no document {document!r}")
        waiting = sql.count("SELECT COUNT(*) FROM jobs WHERE state = 'queued'")
        own = sql.count("SELECT COUNT(*) FROM jobs WHERE state = 'queued' AND client = ?", client)
        if waiting >= limits.waiting or own >= limits.of_client:
            whose = f"{own} of yours" if own >= limits.of_client else f"{waiting}"
            raise QueueFull(f"{whose} wait already; try again when some of them are done", wait=10)
        id = new_id()
        sql.all(
            "INSERT INTO jobs (id, kind, state, client, document, request, progress, events, tries, stop,"
            " idempotency, created) VALUES (?, ?, 'queued', ?, ?, ?, ?, 0, 0, 0, ?, ?)",
            id, kind, client, document, body, to_json(_NO_PROGRESS), key, now(),
        )  # fmt: skip
        if document is not None:
            sql.all("UPDATE documents SET job = ? WHERE id = ?", id, document)
        job = _found(sql, id)
        _tell(sql, id, "state", without_none({"state": "queued", "place": job.place}))
        return job


def _of_key(sql: Connection, key: str, kind: Kind, body: str) -> Row | None:
    row = sql.one("SELECT * FROM jobs WHERE idempotency = ?", key)
    if row is None:
        return None
    if row["created"] < now() - A_DAY_S:
        sql.all("UPDATE jobs SET idempotency = NULL WHERE id = ?", row["id"])
        return None
    if (row["kind"], row["request"]) != (kind, body):
        raise InputError("this Idempotency-Key was used for another request: choose a new one")
    return row


def get_job(store: Store, id: str) -> Job:
    """A job; NotFound where there is none."""
    with store.reading() as sql:
        return _found(sql, id)


def list_jobs(store: Store, limit: int = 50, after: str | None = None) -> list[Job]:
    """Jobs, the newest first, from the one after that with the id `after`."""
    with store.reading() as sql:
        return [_job(sql, row) for row in sql.page("jobs", "created", limit, after)]


def count_jobs(store: Store) -> dict[str, int]:
    """How many jobs are in each state."""
    with store.reading() as sql:
        rows = sql.all("SELECT state, COUNT(*) AS jobs FROM jobs GROUP BY state")
        return {row["state"]: int(row["jobs"]) for row in rows}


def events_after(store: Store, id: str, number: int = 0) -> tuple[list[Event], bool]:
    """What a job said after that event, and whether it has ended; NotFound where it is gone."""
    with store.reading() as sql:
        job = sql.one("SELECT state FROM jobs WHERE id = ?", id)
        if job is None:
            raise NotFound(f"there is no job {id!r}")
        rows = sql.all("SELECT * FROM events WHERE job = ? AND number > ? ORDER BY number", id, number)
        events = [Event(int(row["number"]), row["kind"], from_json(row["data"])) for row in rows]
        return events, job["state"] in ENDED


def stop_job(store: Store, id: str) -> Job:
    """Ask a job to end; one that waits ends at once, one that runs keeps the best that it has so far."""
    with store.transaction() as sql:
        job = _found(sql, id)
        if job.state == "queued":
            sql.all("UPDATE jobs SET state = 'stopped', stop = 1, ended = ? WHERE id = ?", now(), id)
            _tell(sql, id, "state", {"state": "stopped"})
        elif not job.has_ended:
            sql.all("UPDATE jobs SET stop = 1 WHERE id = ?", id)
        return _found(sql, id)


def delete_job(store: Store, id: str) -> None:
    """Delete a job and all that it said; one that runs is given up."""
    with store.transaction() as sql:
        _found(sql, id)
        sql.all("DELETE FROM events WHERE job = ?", id)
        sql.all("DELETE FROM jobs WHERE id = ?", id)
        sql.all("UPDATE documents SET job = NULL WHERE job = ?", id)


def claim_job(store: Store, worker: str, kinds: Sequence[str]) -> Job | None:
    """The next job for a worker, which holds it from now; None where none waits.

    The client that was served longest ago comes first, so that nobody's jobs hold up all others'.
    """
    marks = ", ".join("?" * len(kinds))
    with store.reading() as sql:  # most looks find nothing, and need not lock anybody out
        waiting = "state = 'queued' OR (state = 'running' AND lease < ?)"
        if sql.one(f"SELECT id FROM jobs WHERE {waiting} LIMIT 1", now()) is None:
            return None
    with store.transaction() as sql:
        _take_back(sql, worker)
        row = sql.one(
            "UPDATE jobs SET state = 'running', worker = ?, lease = ?, started = ?, progress = ?,"
            " tries = tries + 1 WHERE state = 'queued' AND id ="
            f" (SELECT id FROM jobs AS job WHERE state = 'queued' AND kind IN ({marks}) ORDER BY"
            " (SELECT COALESCE(MAX(started), 0) FROM jobs AS other WHERE other.client = job.client),"
            " created, id LIMIT 1) RETURNING *",
            worker, now() + LEASE_S, now(), to_json(_NO_PROGRESS), *kinds,
        )  # fmt: skip
        if row is None:
            return None
        _tell(sql, row["id"], "state", {"state": "running"})
        return _job(sql, row)


def _take_back(sql: Connection, worker: str) -> None:
    """Jobs whose lease has run out go back into the queue, or fail where that happened too often.

    Those of the worker that looks are left: it lives, and renews them.
    """
    over = "SELECT * FROM jobs WHERE state = 'running' AND lease < ? AND worker <> ?"
    for row in sql.all(over, now(), worker):
        _requeue(sql, row)


def _requeue(sql: Connection, row: Row) -> None:
    # Whoever holds the row by now was faster: another that took it back, or the worker that ended the job.
    same = "id = ? AND state = 'running' AND worker = ? AND lease = ?"
    taken = sql.one(
        f"UPDATE jobs SET tries = ? WHERE {same} RETURNING id",
        row["tries"], row["id"], row["worker"], row["lease"],
    )  # fmt: skip
    if taken is None:
        return
    if row["tries"] < TRIES:
        sql.all("UPDATE jobs SET state = 'queued', worker = NULL WHERE id = ?", row["id"])
        _tell(sql, row["id"], "state", {"state": "queued"})
        return
    problem = {
        "type": "about:blank",
        "title": "The job failed",
        "status": 500,
        "detail": f"whoever worked on it died {TRIES} times; it is not tried again",
    }
    _end(sql, row["id"], "failed", None, problem)


def release_jobs(store: Store, worker: str, *, tried: bool = True) -> None:
    """Put what a worker holds back into the queue: it has died, or goes (then it counts as no try)."""
    with store.transaction() as sql:
        for row in sql.all("SELECT * FROM jobs WHERE state = 'running' AND worker = ?", worker):
            _requeue(sql, row if tried else {**row, "tries": row["tries"] - 1})


def holders(store: Store) -> list[str]:
    """The workers that hold jobs now."""
    with store.reading() as sql:
        rows = sql.all("SELECT DISTINCT worker FROM jobs WHERE state = 'running'")
        return [row["worker"] for row in rows]


def renew_lease(store: Store, id: str, worker: str, progress: Mapping[str, Any]) -> bool:
    """Hold a job for longer, and say how far it is; whether it was asked to stop."""
    with store.transaction() as sql:
        row = sql.one(
            "UPDATE jobs SET lease = ?, progress = ? WHERE id = ? AND worker = ? AND state = 'running'"
            " RETURNING stop",
            now() + LEASE_S, to_json(progress), id, worker,
        )  # fmt: skip
    return bool(_held(row)["stop"])


def is_asked_to_stop(store: Store, id: str, worker: str) -> bool:
    """Whether a job that a worker holds was asked to stop."""
    with store.reading() as sql:
        row = sql.one(
            "SELECT stop FROM jobs WHERE id = ? AND worker = ? AND state = 'running'", id, worker
        )  # fmt: skip
    return bool(_held(row)["stop"])


def _hold(sql: Connection, id: str, worker: str) -> None:
    """Lock the row of a job that a worker holds; NotHeld where it holds it no more."""
    own = "id = ? AND worker = ? AND state = 'running'"
    _held(sql.one(f"UPDATE jobs SET worker = worker WHERE {own} RETURNING id", id, worker))


def put_event(store: Store, id: str, worker: str, kind: str, data: object) -> None:
    """Say something for a job that a worker holds."""
    with store.transaction() as sql:
        _hold(sql, id, worker)
        _tell(sql, id, kind, data)


def end_job(
    store: Store,
    id: str,
    worker: str,
    state: State,
    *,
    result: object = None,
    problem: object = None,
    progress: Mapping[str, Any] | None = None,
) -> None:
    """The end of a job that a worker holds."""
    with store.transaction() as sql:
        _hold(sql, id, worker)
        if progress is not None:
            sql.all("UPDATE jobs SET progress = ? WHERE id = ?", to_json(progress), id)
        _end(sql, id, state, result, problem)


def delete_old_jobs(store: Store) -> None:
    """Delete the jobs of no document that ended long ago."""
    old = "state IN ('done', 'stopped', 'failed') AND document IS NULL AND ended < ?"
    before = now() - KEPT_DAYS * A_DAY_S
    with store.transaction() as sql:
        sql.all(f"DELETE FROM events WHERE job IN (SELECT id FROM jobs WHERE {old})", before)
        sql.all(f"DELETE FROM jobs WHERE {old}", before)


def _end(sql: Connection, id: str, state: State, result: object, problem: object) -> None:
    sql.all(
        "UPDATE jobs SET state = ?, result = ?, problem = ?, worker = NULL, ended = ? WHERE id = ?",
        state,
        None if result is None else to_json(result),
        None if problem is None else to_json(problem),
        now(),
        id,
    )
    if result is not None:
        _tell(sql, id, "result", result)
    if problem is not None:
        _tell(sql, id, "problem", problem)
    _tell(sql, id, "state", {"state": state})


def _tell(sql: Connection, id: str, kind: str, data: object) -> None:
    # The row of the job is changed first: of two who write at once, the second waits for its number.
    row = sql.one("UPDATE jobs SET events = events + 1 WHERE id = ? RETURNING events", id)
    if row is not None:
        sql.all("INSERT INTO events VALUES (?, ?, ?, ?)", id, row["events"], kind, to_json(data))


def _held(row: Row | None) -> Row:
    if row is None:
        raise NotHeld
    return row


def _found(sql: Connection, id: str) -> Job:
    row = sql.one("SELECT * FROM jobs WHERE id = ?", id)
    if row is None:
        raise NotFound(f"there is no job {id!r}")
    return _job(sql, row)


def _job(sql: Connection, row: Row) -> Job:
    place = None
    if row["state"] == "queued":
        before = "SELECT COUNT(*) FROM jobs WHERE state = 'queued' AND (created, id) < (?, ?)"
        place = 1 + sql.count(before, row["created"], row["id"])
    return Job(
        row["id"],
        row["kind"],
        row["state"],
        from_json(row["request"]),
        row["document"],
        from_json(row["progress"]),
        from_json(row["result"]),
        from_json(row["problem"]),
        row["created"],
        row["started"],
        row["ended"],
        int(row["tries"]),
        place,
    )
