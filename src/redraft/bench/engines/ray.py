"""Work on a Ray cluster: workers in processes of their own, on any machine; they may die, the run goes on.

The process that started the run alone hands out jobs and keeps their results. A worker that dies is replaced,
and what it had not finished is given to another; nothing that it answered late is taken twice. A job that
ends its worker again and again is a failure of that job, and not of the run.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from typing import Any, TextIO, cast

from redraft import __version__
from redraft.bench.engines.shares import settings_of_one, share_out
from redraft.bench.work import FATAL, Answer, Crew, Opening, TakesAll, Worker, failed
from redraft.errors import InputError, MissingExtra, ModelError, RedraftError, WorkersLost
from redraft.settings import Settings

LIVES = 3
"""How many workers a job may end before it is given up, and how many may end before they are open."""

_STORE_BYTES = 100_000_000
"""Room for what is too large to be sent in a message: jobs and answers are small."""
_PATIENCE = 20.0
"""Seconds without a worker until the user is told what is waited for."""
_PAUSE = 1.0
"""Seconds until a job whose worker died is given to another; more, where that one dies too."""
_GOODBYE = 10.0
"""Seconds that workers have to close what they hold."""


class RayEngine:
    """Workers on the cluster at an address, or without one on a cluster of this machine for the run alone."""

    def __init__(
        self,
        address: str | None = None,
        workers: int | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        if address is not None and address.startswith("ray://"):
            raise InputError(
                f"{address} is for Ray's client: run the command on a machine of the cluster, "
                "with --address auto or HOST:PORT"
            )
        self._address = address
        self._workers = workers
        self._tell = tell or (lambda said: None)

    @asynccontextmanager
    async def crew(self, opening: Opening, settings: Settings) -> AsyncIterator[Crew]:
        """Open the workers, and close them at the end; at once where the run is interrupted."""
        ray = _imported()
        with _connected(ray, self._address):
            nodes = [node["Resources"].get("CPU", 0.0) for node in ray.nodes() if node["Alive"]]
            workers, processors = share_out(nodes, self._workers)
            own = settings_of_one(settings, workers, processors)
            remote = ray.remote(num_cpus=processors, max_restarts=0, scheduling_strategy="SPREAD")(_Hand)
            remote = remote.options(max_concurrency=own.concurrency + 2)
            crew = _Crew(
                ray, lambda: remote.remote(opening, own, __version__), workers, own.concurrency, self._tell
            )
            try:
                await crew.start()
                yield crew
                await crew.say_goodbye()
            finally:
                await crew.stop()


def _imported() -> Any:
    # Ray asks its maker about usage and warns about accelerators unless told not to, before it is imported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("--engine ray", "ray") from None
    return ray


@contextmanager
def _connected(ray: Any, address: str | None) -> Iterator[None]:
    """A connection to the cluster; one that is there already is used, and left."""
    if ray.is_initialized():
        yield
        return
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    # A cluster of this machine is for this run alone: it listens to nobody outside.
    alone = {
        "include_dashboard": False,
        "object_store_memory": _STORE_BYTES,
        "_node_ip_address": "127.0.0.1",
    }
    try:
        if address is None:
            ray.init("local", **quiet, **alone)
        else:
            _reach(address)
            ray.init(address, **quiet)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        where = f"the Ray cluster at {address}" if address else "a Ray cluster on this machine"
        raise ModelError(
            f"{where} cannot be used: {error}",
            hint="ray status says how it is; one that wants a token is reached with RAY_AUTH_MODE=token",
        ) from None
    with redirect_stdout(cast("TextIO", _WithoutRay(sys.stdout))):
        try:
            yield
        finally:
            ray.shutdown()


def _reach(address: str) -> None:
    """Raise OSError where nobody listens: Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()


@dataclass(frozen=True)
class _WithoutRay:
    """Standard output, which is for results, without what Ray says there of workers that died."""

    out: TextIO

    def write(self, text: str) -> int:
        is_ray = threading.current_thread().name.startswith("ray_")
        return len(text) if is_ray else self.out.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.out, name)


class _Hand:
    """A worker in a process of the cluster; what goes wrong travels as a value, for not every error can."""

    def __init__(self, opening: Opening, settings: Settings, version: str) -> None:
        self._opening = opening
        self._settings = settings
        self._version = version
        self._worker: Worker | None = None

    async def open(self) -> Exception | None:
        """Open the worker; the error where it cannot be."""
        if self._version != __version__:
            return InputError(
                f"a machine of the cluster has redraft {__version__}, and this one has {self._version}: "
                "install the same on all"
            )
        try:
            worker = await self._opening(self._settings)
        except RedraftError as error:
            return error if isinstance(error, ModelError) else InputError(str(error))
        except Exception as error:
            return WorkersLost(f"a worker cannot be opened: {type(error).__name__}: {error}")
        if isinstance(worker, TakesAll):
            await worker.aclose()
            return InputError("a command is handed all of the items at once: run it with --engine local")
        self._worker = worker
        return None

    async def do(self, given: Any) -> Answer | Exception:
        """Do one job."""
        assert self._worker is not None  # nobody is given a job before it is open
        try:
            return await self._worker.do(given)
        except FATAL as error:
            return error
        except Exception as error:
            return failed(error)

    async def close(self) -> None:
        """Close the worker."""
        if self._worker is not None:
            await self._worker.aclose()


@dataclass(eq=False)
class _Member:
    """A worker of the crew, and what it is doing."""

    actor: Any
    busy: int = 0
    kept: bool = False
    """Whether it waits for one job that is to be alone with it."""


class _Lost(Exception):
    """The worker died before it answered."""


class _Crew:
    """The workers as the run sees them; each takes as many jobs at once as its share."""

    def __init__(
        self, ray: Any, hire: Callable[[], Any], workers: int, share: int, tell: Callable[[str], None]
    ) -> None:
        self.slots = workers * share
        self._ray = ray
        self._hire = hire
        self._workers = workers
        self._share = share
        self._tell = tell
        self._hired: set[_Member] = set()
        self._open: set[_Member] = set()
        self._room = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stillborn = 0
        self._broken: Exception | None = None
        self._last_tries = asyncio.Lock()

    async def start(self) -> None:
        """Hire everyone, and wait for the first."""
        for _ in range(self._workers):
            self._spawn(self._add())
        while not self._open and not self._broken:
            try:
                async with asyncio.timeout(_PATIENCE), self._room:
                    await self._room.wait()
            except TimeoutError:
                self._tell("waiting for the cluster to start a worker; ray status says what it is busy with")
        if self._broken is not None:
            raise self._broken

    async def do(self, given: Any) -> Answer:
        """Have a worker do the job; another, where that one dies."""
        for life in range(1, LIVES + 1):
            # Jobs that share a worker die together, and one of them is to blame: each is alone at last.
            alone = life == LIVES
            async with self._last_tries if alone else nullcontext():
                with suppress(_Lost):
                    return await self._try(given, alone)
            if not alone:  # where a whole machine has gone, its other workers are known to be dead by then
                await asyncio.sleep(life * _PAUSE)
        return Answer({}, error=f"its worker died {LIVES} times, and it was given up")

    async def _try(self, given: Any, alone: bool) -> Answer:
        errors = self._ray.exceptions
        member = await self._seat(alone)
        try:
            found = await member.actor.do.remote(given)
        except errors.RayTaskError as error:  # it could not be sent or brought back; the worker is well
            found = failed(error.cause if isinstance(error.cause, Exception) else error)
        except errors.RayError:
            self._replace(member)
            raise _Lost from None
        async with self._room:
            member.busy -= 1
            member.kept = member.kept and not alone
            self._room.notify_all()
        if isinstance(found, Exception):
            raise found
        assert isinstance(found, Answer)
        return found

    async def _seat(self, alone: bool) -> _Member:
        """The member with the most room; with none of the others' jobs, where the job is to be alone."""
        member: _Member | None = None
        async with self._room:
            while self._broken is None:
                if not alone or member not in self._open:
                    those = (each for each in self._open if not each.kept)
                    member = min(those, key=lambda each: each.busy, default=None)
                if member is not None:
                    member.kept = alone
                    if member.busy < (1 if alone else self._share):
                        member.busy += 1
                        return member
                await self._room.wait()
        raise WorkersLost(str(self._broken))

    def _replace(self, member: _Member) -> None:
        if member in self._hired:
            self._tell("a worker died; what it had not finished is done by another")
            self._dismiss(member)
            self._spawn(self._add())

    def _dismiss(self, member: _Member) -> None:
        self._hired.discard(member)
        self._open.discard(member)
        with suppress(Exception):  # it may be dead already, or the cluster gone
            self._ray.kill(member.actor)

    async def _add(self) -> None:
        """Hire a worker, and let it be given jobs once it is open."""
        member = _Member(self._hire())
        self._hired.add(member)
        try:
            problem = await member.actor.open.remote()
        except self._ray.exceptions.RayError as error:
            self._stillborn += 1
            if self._stillborn < LIVES:
                self._replace(member)
                return
            problem = WorkersLost(f"workers die before they can work: {error}")
        if problem is None:
            self._stillborn = 0
            self._open.add(member)
        else:
            self._broken = problem
        async with self._room:
            self._room.notify_all()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def say_goodbye(self) -> None:
        """Let the workers that are open close what they hold."""
        closing = [member.actor.close.remote() for member in self._open]
        if closing:
            await asyncio.wait([asyncio.ensure_future(_quietly(one)) for one in closing], timeout=_GOODBYE)

    async def stop(self) -> None:
        """End every worker."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for member in tuple(self._hired):
            self._dismiss(member)


async def _quietly(answer: Any) -> None:
    with suppress(Exception):
        await answer
