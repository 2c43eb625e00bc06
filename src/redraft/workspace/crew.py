"""The workers of a server: started, started again when one dies, and told to end."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import socket
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from typing import Any, Final

from redraft.errors import StoreFailed
from redraft.settings import Settings
from redraft.workspace.jobs import holders, release_jobs
from redraft.workspace.store import Store
from redraft.workspace.worker import work

_PAUSE_S: Final = 1.0
"""Before a worker that died at once is started again."""
_GOODBYE_S: Final = 10.0

_log = logging.getLogger(__name__)


@dataclass
class _Started:
    process: BaseProcess
    pipe: Pipe
    name: str | None = None


class Crew:
    """So many workers, until it is closed."""

    def __init__(self, store: Store, settings: Settings, number: int = 1) -> None:
        self._store = store
        self._settings = settings
        self._number = number
        self._started: list[_Started] = []
        self._over = threading.Event()
        self._watch = threading.Thread(target=self._keep, daemon=True)

    def start(self) -> None:
        """Start them; jobs of workers that this machine had before, and that are gone, are free again."""
        for name in holders(self._store):
            host, _, rest = name.rpartition(":")[0].rpartition(":")
            if host == socket.gethostname() and not _is_alive(int(rest)):
                release_jobs(self._store, name)
        self._started = [self._one() for _ in range(self._number)]
        self._watch.start()

    @property
    def pids(self) -> list[int]:
        """The processes that work now."""
        return [one.process.pid for one in self._started if one.process.is_alive() and one.process.pid]

    def close(self) -> None:
        """Tell them to end, and wait for it; what they were doing goes back into the queue."""
        self._over.set()
        if self._watch.is_alive():
            self._watch.join()
        for one in self._started:
            with contextlib.suppress(OSError):
                one.pipe.send("end")
        until = time.monotonic() + _GOODBYE_S
        for one in self._started:
            one.process.join(max(until - time.monotonic(), 0))
            if one.process.is_alive():
                one.process.kill()
                one.process.join()
            self._release(one)
            one.pipe.close()

    def _one(self) -> _Started:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(self._settings, theirs), name="redraft worker")
        process.start()
        theirs.close()
        return _Started(process, ours)

    def _keep(self) -> None:
        """Start again whoever dies, and free what it held at once."""
        while not self._over.wait(0.1):
            for place, one in enumerate(self._started):
                if one.name is None and _has_word(one.pipe):
                    one.name = _word(one.pipe)
                if one.process.is_alive():
                    continue
                _log.warning("a worker ended (%s); another takes its place", one.process.exitcode)
                self._release(one)
                one.pipe.close()
                if self._over.wait(_PAUSE_S):
                    return
                self._started[place] = self._one()

    def _release(self, one: _Started) -> None:
        name = one.name or (_word(one.pipe) if _has_word(one.pipe) else None)
        if name is not None:
            with contextlib.suppress(StoreFailed):  # then its lease runs out
                release_jobs(self._store, name)


def _has_word(pipe: Pipe) -> bool:
    with contextlib.suppress(OSError):
        return pipe.poll()
    return False


def _word(pipe: Pipe) -> Any:
    with contextlib.suppress(EOFError, OSError):
        return pipe.recv()
    return None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
