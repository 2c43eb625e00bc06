"""Work for many cores: the same small function of many things, in processes where there are enough."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self, TypeVar

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
