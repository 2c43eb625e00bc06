"""Trying again: what may pass by itself is tried again, later each time, and not for ever."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from redraft.errors import BadAnswer, ModelError

T = TypeVar("T")

FIRST_WAIT = 0.5
LONGEST_OWN_WAIT = 30.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often something is tried again, and how many seconds a service may ask to be left alone before."""

    retries: int
    longest_wait: float


async def retried(work: Callable[[], Awaitable[T]], patience: Patience) -> T:
    """The result of `work`, tried once and up to `retries` times more.

    The wait doubles each time, with jitter so that concurrent requests do not come back together; a server's
    own Retry-After is honoured, unless that is too long: then the failure is final. An answer that cannot be
    read was paid for all the same, and the next one is mostly no better: that is tried once more at most.
    """
    attempt = 0
    while True:
        try:
            return await work()
        except ModelError as error:
            left = patience.retries - attempt
            if isinstance(error, BadAnswer):
                left = min(left, 1 - attempt)
            if not error.retryable or left <= 0:
                raise
            if error.wait is not None and error.wait > patience.longest_wait:
                raise
            own = min(LONGEST_OWN_WAIT, FIRST_WAIT * 2**attempt) * random.uniform(0.5, 1.0)
            await asyncio.sleep(own if error.wait is None else error.wait + random.uniform(0.0, 0.1))
            attempt += 1
