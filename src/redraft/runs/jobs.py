"""What a run is made of: jobs, the workers that do them, and the engine that holds the workers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from redraft.models import Models, Usage
from redraft.runs.results import Record
from redraft.settings import Settings

NO_USAGE = Usage()


@dataclass(frozen=True)
class Job:
    """One piece of work; the unit that is recorded, and resumed at."""

    key: str
    work: Any
    """What the worker gets; it may travel to another process, so it can be pickled."""
    facts: Record
    """What stands in the record whatever comes of it; no worker sees it."""


@dataclass(frozen=True)
class Answer:
    """What came of a job, and what it took; with an error, it failed, and is tried again by the next run."""

    fields: Record
    """What stands in the record; it outranks the facts of the job."""
    usage: Usage = NO_USAGE
    error: str | None = None


class Worker(Protocol):
    """Does jobs, several at once; it remembers nothing of one that matters to another."""

    async def do(self, work: Any) -> Answer:
        """Do one job."""

    async def aclose(self) -> None:
        """Release what the worker holds."""


class ModelsWorker:
    """What workers with models of their own have in common: the models are closed with the worker."""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def aclose(self) -> None:
        """Close the models."""
        await self._models.aclose()


class ModelJob(Protocol):
    """A job that knows itself how it is done with models; `ModelJobWorker` does it. It can be pickled."""

    async def do(self, models: Models) -> Answer:
        """Do it; the models have a ledger of their own."""


class ModelJobWorker(ModelsWorker):
    """Does steps, whatever they are."""

    async def do(self, work: ModelJob) -> Answer:
        """Do one of them."""
        return await work.do(self._models.with_own_ledger())


async def open_model_worker(settings: Settings) -> Worker:
    """A worker that does steps, with models of its own."""
    return ModelJobWorker(Models(settings))


@runtime_checkable
class TakesAll(Protocol):
    """A worker that may want every job before it answers the first: it is given all of them at once."""

    def expect(self, count: int) -> None:
        """As many jobs will be given."""


OpenWorker = Callable[[Settings], Awaitable[Worker]]
"""Opens a worker in the process that calls it: a function of a module, or a partial of one; it is pickled."""


class Crew(Protocol):
    """Workers that are open: they do a job like one worker, as many at once as there are slots."""

    @property
    def slots(self) -> int:
        """How many jobs it takes at once."""

    async def do(self, work: Any) -> Answer:
        """Have one of the workers do the job."""


class Engine(Protocol):
    """Where workers live."""

    def held(self) -> AbstractContextManager[None]:
        """Keep what is slow to start for all the crews that are opened meanwhile."""

    def crew(self, opening: OpenWorker, settings: Settings) -> AbstractAsyncContextManager[Crew]:
        """Open workers, and close them at the end."""


def failed(error: Exception) -> Answer:
    """The answer where a job went wrong."""
    return Answer({}, error=f"{type(error).__name__}: {error}")


class LocalEngine:
    """One worker in this process, given as many jobs at once as the setting `concurrency` says."""

    def held(self) -> AbstractContextManager[None]:
        """Nothing is slow to start."""
        return nullcontext()

    @asynccontextmanager
    async def crew(self, opening: OpenWorker, settings: Settings) -> AsyncIterator[Crew]:
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

    async def do(self, work: Any) -> Answer:
        return await self.worker.do(work)


class _All(_Single):
    def expect(self, count: int) -> None:
        assert isinstance(self.worker, TakesAll)  # it is chosen for such a worker
        self.worker.expect(count)
