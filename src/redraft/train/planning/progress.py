"""Work on many cores, and the phases of a long run: how far each is, and how long it took."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from redraft.errors import FileError
from redraft.models import thread_count

FEWEST: Final = 256
"""With fewer small things, all is done before the processes have started."""
_CHUNK: Final = 16

T = TypeVar("T")
R = TypeVar("R")


class Workers:
    """Processes that are started when they are first needed."""

    def __init__(self, threads: int = 0) -> None:
        self._count = thread_count(threads)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    async def map(self, function: Callable[[T], R], items: Sequence[T], fewest: int = FEWEST) -> list[R]:
        """What the function gives for each; it and the items must be such that a process can be sent them."""
        if len(items) < fewest or self._count == 1:
            return await asyncio.to_thread(lambda: [function(item) for item in items])
        size = max(1, min(_CHUNK, len(items) // (4 * self._count)))

        def mapped() -> list[R]:
            with _safe_path():
                if self._pool is None:
                    # A process that has used a GPU must not be forked.
                    self._pool = ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"))
                results = self._pool.map(function, items, chunksize=size)
            return list(results)

        return await asyncio.to_thread(mapped)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Processes are started as `python -c`, which would take its first modules from where the user stands."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTHONSAFEPATH"]
        if before is not None:
            os.environ["PYTHONSAFEPATH"] = before


Notify = Callable[[str], None]
"""Is reported in words how a run goes."""

FILE: Final = "phases.jsonl"
_EVERY_S: Final = 10.0


@dataclass(slots=True)
class Phase:
    """One phase, while it runs."""

    name: str
    total: int
    say: Notify
    done: int = 0
    tokens: int = 0
    started: float = field(default_factory=time.monotonic)
    reported: float = field(default_factory=time.monotonic)

    def add(self, done: int, tokens: int = 0) -> None:
        """So many are done, and took so many tokens."""
        self.done += done
        self.tokens += tokens
        if time.monotonic() - self.reported > _EVERY_S:
            self.reported = time.monotonic()
            self.say(f"{self.name}: {self.done:,} of {self.total:,}{self.speed}")

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.started

    @property
    def speed(self) -> str:
        """Tokens a second, in words; nothing where none were counted."""
        return f", {self.tokens / max(self.seconds, 1e-9):,.0f} tokens/s" if self.tokens else ""


class Phases:
    """The phases of a run; with a folder, they are written down in it."""

    def __init__(self, out: Path | None, say: Notify) -> None:
        self._path = None if out is None else out / FILE
        self._say = say

    @contextmanager
    def phase(self, name: str, total: int) -> Iterator[Phase]:
        """A phase of so many parts; it is written down when it has ended well."""
        phase = Phase(name, total, self._say)
        yield phase
        seconds = round(phase.seconds, 2)
        self._say(f"{name}: {total:,} in {seconds:.1f} s{phase.speed}")
        if self._path is None:
            return
        line = {"phase": name, "items": total, "seconds": seconds, "tokens": phase.tokens}
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise FileError(f"{self._path} cannot be written: {error.strerror}") from None
