"""The workers on a Ray cluster as a run sees them: who is there, who is free, who died."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

from redraft.errors import WorkersLost
from redraft.runs.jobs import Answer, failed

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

    async def do(self, given: Any) -> Answer:
        """Have a worker do the job; another, where that one dies."""
        for life in range(1, ATTEMPTS + 1):
            # Jobs that share a worker die together, and one of them is to blame: each is alone at last.
            alone = life == ATTEMPTS
            async with self._last_tries if alone else nullcontext():
                with suppress(_Lost):
                    return await self._try(given, alone)
            if not alone:  # where a whole machine has gone, its other workers are known to be dead by then
                await asyncio.sleep(life * _PAUSE)
        return Answer({}, error=f"its worker died {ATTEMPTS} times, and it was given up")

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
