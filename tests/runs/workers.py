"""Workers that do as a test tells them, in whatever process they are opened."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import MissingExtra, WeightsMissing
from redraft.models import Usage
from redraft.runs.jobs import Answer, Worker
from redraft.settings import Settings


@dataclass(frozen=True)
class Act:
    """A job: wait, then answer, fail or die."""

    number: int
    seconds: float = 0.0
    does: str = "answer"
    until: Path | None = None
    """A file: the job says beside it who holds it, and waits until the file is there."""


class Actor:
    """Says who it is; each answer is one call of a model."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def do(self, work: Act) -> Answer:
        await asyncio.sleep(work.seconds)
        if work.until is not None:
            (work.until.parent / f"{os.getpid()}.holds").touch()
            while not work.until.exists():
                await asyncio.sleep(0.02)
        if work.does == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if work.does == "fail":
            raise ValueError(f"number {work.number} is bad")
        if work.does == "be large":
            return Answer({"number": work.number, "text": "x" * 1_000_000})
        if work.does == "be unsendable":
            return Answer({"lock": threading.Lock()})
        key = self._settings.api_key
        fields = {
            "number": work.number,
            "process": os.getpid(),
            "key_length": len(key.get_secret_value()) if key else 0,
            "share": [self._settings.concurrency, self._settings.threads],
        }
        return Answer(fields, Usage(calls=1, prompt_tokens=10, completion_tokens=5))

    async def aclose(self) -> None:
        return


class Collector(Actor):
    """Wants to know how many there are."""

    def expect(self, count: int) -> None:
        return


async def open_actor(settings: Settings) -> Worker:
    return Actor(settings)


async def open_collector(settings: Settings) -> Worker:
    return Collector(settings)


async def open_without_weights(settings: Settings) -> Worker:
    raise WeightsMissing("the weights are not here", hint="fetch them")


async def open_without_extra(settings: Settings) -> Worker:
    raise MissingExtra("this worker", "something")


async def open_and_die(settings: Settings) -> Worker:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


async def open_by_mistake(settings: Settings) -> Worker:
    raise KeyError("x")
