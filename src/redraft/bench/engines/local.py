"""Work in this process: one worker, several jobs at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from redraft.bench.work import Answer, Crew, Opening, TakesAll, Worker
from redraft.settings import Settings


class LocalEngine:
    """One worker in this process, given as many jobs at once as the setting `concurrency` says."""

    def held(self) -> AbstractContextManager[None]:
        """Nothing is slow to start."""
        return nullcontext()

    @asynccontextmanager
    async def crew(self, opening: Opening, settings: Settings) -> AsyncIterator[Crew]:
        """Open the worker, and close it at the end."""
        worker = await opening(settings)
        try:
            kind = _All if isinstance(worker, TakesAll) else _Single
            yield kind(worker, settings.concurrency)
        finally:
            await worker.aclose()


@dataclass(frozen=True)
class _Single:
    worker: Worker
    slots: int

    async def do(self, given: Any) -> Answer:
        return await self.worker.do(given)


class _All(_Single):
    def expect(self, count: int) -> None:
        assert isinstance(self.worker, TakesAll)  # it is chosen for such a worker
        self.worker.expect(count)
