"""Work on a Ray cluster: workers in processes of their own, on any machine; they may die, the run goes on.

The process that started the run alone hands out jobs and keeps their results. A worker that dies is replaced,
and what it had not finished is given to another; nothing that it answered late is taken twice. A job that
ends its worker again and again is a failure of that job, and not of the run.
"""

from __future__ import annotations

import logging
import math
import os
import socket
import sys
import threading
from bisect import bisect_left
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any, TextIO, cast

from redraft import __version__
from redraft.errors import FATAL, InputError, MissingExtra, ModelError, RedraftError, WorkersLost
from redraft.models import announce_hosts
from redraft.runs.jobs import Answer, Crew, OpenWorker, TakesAll, Worker, failed
from redraft.runs.ray_crew import RayCrew
from redraft.settings import Settings

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
        self._tell = tell or (lambda said: None)

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
