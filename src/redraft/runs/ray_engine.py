"""The workers on a Ray cluster as a run sees them: who is there, who is free, who died."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import socket
import sys
import threading
from bisect import bisect_left
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    redirect_stdout,
    suppress,
)
from dataclasses import dataclass
from typing import Any, TextIO, cast

from redraft import __version__
from redraft.errors import FATAL, InputError, MissingExtra, ModelError, RedraftError, WorkersLost
from redraft.models import announce_hosts
from redraft.runs.jobs import Answer, Crew, OpenWorker, TakesAll, Worker, failed
from redraft.settings import Settings

ATTEMPTS = 3
"""How many workers a job may end before it is given up, and how many may end before they are open."""
_PATIENCE = 20.0
"""Seconds without a worker until the user is told what is waited for."""
_PAUSE = 1.0
"""Seconds until a job whose worker died is given to another; more, where that one dies too."""
_GOODBYE = 10.0
"""Seconds that workers have to close what they hold."""


@dataclass(eq=False)
class _Member:
    """A worker of the crew, and what it is doing."""

    actor: Any
    busy: int = 0
    kept: bool = False
    """Whether it waits for one job that is to be alone with it."""


class _Lost(Exception):
    """The worker died before it answered."""


class RayCrew:
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

    async def do(self, work: Any) -> Answer:
        """Have a worker do the job; another, where that one dies."""
        for life in range(1, ATTEMPTS + 1):
            # Jobs that share a worker die together, and one of them is to blame: each is alone at last.
            alone = life == ATTEMPTS
            async with self._last_tries if alone else nullcontext():
                with suppress(_Lost):
                    return await self._try(work, alone)
            if not alone:  # where a whole machine has gone, its other workers are known to be dead by then
                await asyncio.sleep(life * _PAUSE)
        return Answer({}, error=f"its worker died {ATTEMPTS} times, and it was given up")

    async def _try(self, work: Any, alone: bool) -> Answer:
        errors = self._ray.exceptions
        member = await self._seat(alone)
        try:
            found = await member.actor.do.remote(work)
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
        """Hire a worker, and wake those who wait for one: nobody sees how this task ends."""
        try:
            await self._engage()
        except Exception as error:
            self._broken = WorkersLost(f"a worker cannot be started: {type(error).__name__}: {error}")
        async with self._room:
            self._room.notify_all()

    async def _engage(self) -> None:
        """Hire a worker, and let it be given jobs once it is open."""
        member = _Member(self._hire())
        self._hired.add(member)
        try:
            problem = await member.actor.open.remote()
        except self._ray.exceptions.RayError as error:
            self._stillborn += 1
            if self._stillborn < ATTEMPTS:
                self._replace(member)
                return
            problem = WorkersLost(f"workers die before they can work: {error}")
        if problem is None:
            self._stillborn = 0
            self._open.add(member)
        else:
            self._broken = problem

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


_USUAL = 2
"""Processors for a worker, where the user does not say how many workers there are."""
_STEPS = 10_000
"""Ray counts processors in ten-thousandths."""


def divide_processors(nodes: Sequence[float], workers: int | None) -> tuple[int, float]:
    """How many workers, and how many processors each may have so that all of them find room on the nodes."""
    nodes = [processors for processors in nodes if processors > 0]
    if not nodes:
        raise InputError(
            "the cluster has no processors: start a node with some, as in ray start --num-cpus 4"
        )
    wanted = workers or sum(max(1, int(processors // _USUAL)) for processors in nodes)
    sizes = sorted({processors / parts for processors in nodes for parts in range(1, wanted + 1)})
    too_large = bisect_left(sizes, True, key=lambda size: _room(nodes, size) < wanted)
    return wanted, max(1, math.floor(sizes[too_large - 1] * _STEPS)) / _STEPS


def _room(nodes: Sequence[float], size: float) -> int:
    return sum(int(processors / size + 1e-9) for processors in nodes)


def worker_settings(settings: Settings, workers: int, processors: float) -> Settings:
    """The settings of one of several workers: its part of the calls at once, and of the processors."""
    share = {
        "concurrency": max(1, settings.concurrency // workers),
        "threads": settings.threads or max(1, int(processors)),
    }
    return settings.model_copy(update=share)


_REACH = 20.0
"""Seconds until a machine that does not answer is given up."""
_STORE_BYTES = 100_000_000
"""Room for what is too large to be sent in a message: jobs and answers are small."""


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
        self._tell = tell or (lambda message: None)

    def held(self) -> AbstractContextManager[None]:
        """Stay connected; a cluster of this machine is started once."""
        return _connected(_imported(), self._address)

    @asynccontextmanager
    async def crew(self, opening: OpenWorker, settings: Settings) -> AsyncIterator[Crew]:
        """Open the workers, and close them at the end; at once where the run is interrupted."""
        ray = _imported()
        with _connected(ray, self._address):
            nodes = [node["Resources"].get("CPU", 0.0) for node in ray.nodes() if node["Alive"]]
            workers, processors = divide_processors(nodes, self._workers)
            own = worker_settings(settings, workers, processors)
            announce_hosts(settings)
            remote = ray.remote(num_cpus=processors, max_restarts=0, scheduling_strategy="SPREAD")(_RayWorker)
            remote = remote.options(max_concurrency=own.concurrency + 2)
            crew = RayCrew(
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
    quiet = {
        "log_to_driver": False,
        "logging_level": logging.ERROR,
        # Any other job's workers look for modules where the user stands before anywhere else.
        "job_config": ray.job_config.JobConfig(_client_job=True),
    }
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
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH).close()


@dataclass(frozen=True)
class _WithoutRay:
    """Standard output, which is for results, without what Ray says there of workers that died."""

    out: TextIO

    def write(self, text: str) -> int:
        is_ray = threading.current_thread().name.startswith("ray_")
        return len(text) if is_ray else self.out.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.out, name)


class _RayWorker:
    """A worker in a process of the cluster; what goes wrong travels as a value, for not every error can."""

    def __init__(self, opening: OpenWorker, settings: Settings, version: str) -> None:
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

    async def do(self, work: Any) -> Answer | Exception:
        """Do one job."""
        assert self._worker is not None  # nobody is given a job before it is open
        try:
            return await self._worker.do(work)
        except FATAL as error:
            return error
        except Exception as error:
            return failed(error)

    async def close(self) -> None:
        """Close the worker."""
        if self._worker is not None:
            await self._worker.aclose()
