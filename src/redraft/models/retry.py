"""Trying again: what may pass by itself is tried again, later each time, and not for ever."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from redraft.models.failures import AttemptError

T = TypeVar("T")

FIRST_WAIT = 0.5
LONGEST_OWN_WAIT = 30.0


async def retried(work: Callable[[], Awaitable[T]], *, retries: int, longest_wait: float) -> T:
    """The result of `work`, tried once and up to `retries` times more.

    The wait doubles each time, with jitter so that concurrent requests do not come back together; a server's
    own Retry-After is honoured, unless it is longer than `longest_wait`: then the failure is final.
    """
    attempt = 0
    while True:
        try:
            return await work()
        except AttemptError as failure:
            if not failure.error.retryable or attempt >= retries:
                raise
            if failure.wait is not None and failure.wait > longest_wait:
                raise
            own = min(LONGEST_OWN_WAIT, FIRST_WAIT * 2**attempt) * random.uniform(0.5, 1.0)
            await asyncio.sleep(own if failure.wait is None else failure.wait + random.uniform(0.0, 0.1))
            attempt += 1
