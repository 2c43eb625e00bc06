"""Working at several things at once, and leaving nothing under way behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

Result = TypeVar("Result")


async def together(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do all of these at once; where one fails, or the whole is cancelled, the others have ended too."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(
    work: Coroutine[Any, Any, Result], stop: asyncio.Event, seconds: float | None = None
) -> asyncio.Task[Result]:
    """The work when it is done, or cancelled since it was told to stop or its time was up: await it again."""
    working = asyncio.create_task(work)
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopping}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        if not working.done():
            working.cancel()
    return working
