"""The process that works: it takes jobs from the queue, one after another, and keeps its models open.

What a job raises ends that job and not the worker. Beside its work, a thread holds the jobs by their leases
and hears whether they are to stop, so that neither waits for a model. A second, quick line of work is for
what a person waits for at the screen, such as alternatives for a sentence, while a long job goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import socket
import threading
import time
import uuid
from collections.abc import Callable
from multiprocessing.connection import Connection as Pipe
from typing import Any, Final

from redraft.errors import StoreFailed
from redraft.models import Models
from redraft.settings import Settings
from redraft.workspace.documents import delete_old_files
from redraft.workspace.jobs import (
    Job,
    NotHeld,
    State,
    claim_job,
    delete_old_jobs,
    end_job,
    is_asked_to_stop,
    put_event,
    release_jobs,
    renew_lease,
)
from redraft.workspace.problems import problem_of, where_raised
from redraft.workspace.store import Store, open_store
from redraft.workspace.work import WORK, Desk, Outcome

QUICK: Final = ("alternatives", "test")
IDLE_S: Final = 0.1
"""Between two looks at an empty queue."""
WATCH_S: Final = 0.25
"""Between two looks at whether a job is to stop."""
RENEW_S: Final = 5.0
AWAY_S: Final = 1.0
"""Between two tries to reach a database that is away."""

_log = logging.getLogger(__name__)


def worker_name() -> str:
    """Who works: this process on this machine."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


class Holding:
    """A job that is held: what it has spent, and whether it is to stop."""

    def __init__(self, models: Models, stop: Callable[[], object], lost: Callable[[], object]) -> None:
        self.models = models
        self.stop = stop
        """Called from another thread, where it is asked to stop."""
        self.lost = lost
        """Called from another thread, where it is held no more."""
        self._started = time.monotonic()

    @property
    def progress(self) -> dict[str, Any]:
        """What it took so far."""
        spent = self.models.ledger.total
        seconds = round(time.monotonic() - self._started, 1)
        return {"calls": spent.calls, "seconds": seconds, "cost": spent.cost, "tokens": spent.tokens}


class Worker:
    """Works until it is told to end."""

    def __init__(self, store: Store, settings: Settings, name: str | None = None) -> None:
        self.name = name or worker_name()
        self._store = store
        self._settings = settings.model_copy(update={"server": None})
        self._held: dict[str, Holding] = {}
        self._over = threading.Event()

    def end(self) -> None:
        """Have it end; from any thread. What it holds goes back into the queue."""
        self._over.set()

    async def run(self) -> None:
        """Work."""
        watch = threading.Thread(target=self._watch, daemon=True)
        watch.start()
        async with Models(self._settings) as models:
            main = tuple(kind for kind in WORK if kind != "pull")  # gigabytes that are fetched hold up nobody
            lines = [asyncio.create_task(self._line(models, kinds)) for kinds in (main, QUICK, ("pull",))]
            while not self._over.is_set() and not any(line.done() for line in lines):
                await asyncio.sleep(WATCH_S)
            for line in lines:
                line.cancel()
            ends = await asyncio.gather(*lines, return_exceptions=True)
        has_failed = not self._over.is_set()
        self._over.set()
        watch.join()
        with contextlib.suppress(StoreFailed):
            release_jobs(self._store, self.name, tried=has_failed)
        if has_failed:  # an error of ours, outside of any job: another worker takes our place
            raise next(end for end in ends if isinstance(end, Exception))

    async def _line(self, models: Models, kinds: tuple[str, ...]) -> None:
        """One job after another."""
        while True:
            try:
                job = claim_job(self._store, self.name, kinds)
            except StoreFailed as error:
                _log.warning("%s", error)
                await asyncio.sleep(AWAY_S)
                continue
            if job is None:
                await asyncio.sleep(IDLE_S)
            else:
                await self._do(job, models)

    async def _do(self, job: Job, models: Models) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        own = models.with_own_ledger()
        folder = self._settings.data_dir / "jobs" / job.id
        doing = asyncio.create_task(self._outcome(job, Desk(own, self._teller(job), stop, folder)))
        holding = Holding(
            own,
            lambda: loop.call_soon_threadsafe(stop.set),
            lambda: loop.call_soon_threadsafe(doing.cancel),
        )
        self._held[job.id] = holding
        state: State = "failed"
        outcome, problem = None, None
        try:
            outcome = await doing
            problem = None if outcome.failure is None else problem_of(outcome.failure)
            state = "stopped" if stop.is_set() else "failed" if problem else "done"
        except asyncio.CancelledError:
            if self._over.is_set():
                raise
            if not stop.is_set():
                return  # it is held no more
            state = "stopped"
        except NotHeld:
            return
        except BaseException as error:
            problem = problem_of(error)
            if problem["status"] == 500:
                _log.error("job %s failed: %s", job.id, where_raised(error))
        finally:
            self._held.pop(job.id, None)
        result = None if outcome is None else outcome.result
        await self._end(job, state, result, problem, holding.progress)
        shutil.rmtree(folder, ignore_errors=True)

    async def _outcome(self, job: Job, desk: Desk) -> Outcome:
        shape, work = WORK[job.kind]
        request = shape.model_validate(job.request)
        desk.models.settings = request.settings(desk.models.settings)
        late = asyncio.get_running_loop().call_later(request.max_seconds, desk.stop.set)
        try:
            return await work(request, desk)
        finally:
            late.cancel()

    def _teller(self, job: Job) -> Callable[[str, object], None]:
        def say(kind: str, data: object) -> None:
            try:
                put_event(self._store, job.id, self.name, kind, data)
            except StoreFailed as error:  # the work goes on, and its end is told when the database is back
                _log.warning("%s", error)

        return say

    async def _end(self, job: Job, state: State, result: Any, problem: Any, progress: Any) -> None:
        while True:
            try:
                end_job(
                    self._store, job.id, self.name, state,
                    result=result, problem=problem, progress=progress,
                )  # fmt: skip
                return
            except NotHeld:
                return
            except StoreFailed as error:
                _log.warning("%s", error)
                await asyncio.sleep(AWAY_S)

    def _watch(self) -> None:
        """Hold the jobs, and hear whether they are to stop; told in a thread, whatever the work is doing."""
        renewed = 0.0
        told: dict[str, int] = {}
        while not self._over.wait(WATCH_S):
            is_due = time.monotonic() - renewed > RENEW_S
            for id, holding in list(self._held.items()):
                try:
                    self._look_after(id, holding, is_due, told)
                except NotHeld:
                    holding.lost()
                except StoreFailed as error:
                    _log.warning("%s", error)
                except Exception as error:
                    _log.error("watching a job failed: %s", where_raised(error))
            renewed = time.monotonic() if is_due else renewed

    def _look_after(self, id: str, holding: Holding, is_due: bool, told: dict[str, int]) -> None:
        if is_due:
            stop = renew_lease(self._store, id, self.name, holding.progress)
        else:
            stop = is_asked_to_stop(self._store, id, self.name)
        if stop:
            holding.stop()
        progress = holding.progress
        if told.get(id, 0) != progress["calls"]:
            told[id] = progress["calls"]
            put_event(self._store, id, self.name, "usage", progress)


def work(settings: Settings, parent: Pipe) -> None:
    """The whole life of a worker's process; it ends with the server, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    logging.basicConfig(format="%(asctime)s worker: %(message)s")
    store = open_store(settings)
    worker = Worker(store, settings)
    parent.send(worker.name)

    def hear() -> None:
        try:
            parent.recv()
        except (EOFError, OSError):
            os._exit(1)  # the server was killed; what we hold is given to another
        worker.end()

    threading.Thread(target=hear, daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: worker.end())
    with contextlib.suppress(StoreFailed):
        delete_old_jobs(store)
        delete_old_files(store)
    asyncio.run(worker.run())
    store.close()
