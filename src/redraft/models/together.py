"""Working at several things at once, and leaving nothing under way behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any


async def together(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do all of these at once; where one fails, or the whole is cancelled, the others have ended too."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
