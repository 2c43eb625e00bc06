"""Long work for a client: it hears of the progress, and may cancel it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from itertools import count
from typing import Any, TypeVar

import anyio
from mcp.server.mcpserver import Context

Result = TypeVar("Result")


@contextlib.asynccontextmanager
async def telling(ctx: Context[Any, Any]) -> AsyncIterator[Callable[[str], None]]:
    """A function that tells the client of each thing that is done; they arrive in order."""
    said: asyncio.Queue[str | None] = asyncio.Queue()

    async def tell() -> None:
        for number in count(1):
            message = await said.get()
            if message is None:
                return
            await ctx.report_progress(number, message=message)

    telling = asyncio.create_task(tell())
    try:
        yield said.put_nowait
    except BaseException:  # nobody listens any more
        telling.cancel()
        raise
    said.put_nowait(None)
    await telling


async def work_until_cancelled(
    work: Callable[[asyncio.Event], Coroutine[Any, Any, Result]],
) -> Result:
    """The work's result; where the client cancels it, its event is set, and it ends before anything else."""
    stop = asyncio.Event()
    working = asyncio.create_task(work(stop))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        stop.set()
        with anyio.CancelScope(shield=True):
            await asyncio.wait([working])
        raise
