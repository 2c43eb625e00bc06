"""What engines in this process share: one engine for each configuration, threads, and a bounded context."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from redraft.errors import ContextOverflow

SAMPLE_SECONDS = 0.1


def thread_count(wanted: int) -> int:
    """`wanted`, or for 0 as many as there are idle cores now, and at least one.

    The number changes how long an answer takes, and never the answer: no sum is shared out among threads.

    llama.cpp's threads wait for one another several times a layer: with one thread more than there are free
    cores, generation was seen to fall from 70 tokens a second to 2, where one thread less costs half.
    """
    if wanted:
        return wanted
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, round(cores * _idle_share())))


def _idle_share() -> float:
    """The share of processor time that nobody used during a short moment; 1 where it cannot be known."""
    before = _processor_times()
    if before is None:
        return 1.0
    time.sleep(SAMPLE_SECONDS)
    after = _processor_times()
    if after is None or after[1] <= before[1]:
        return 1.0
    return (after[0] - before[0]) / (after[1] - before[1])


def _processor_times() -> tuple[int, int] | None:
    """Idle and total ticks since boot, as Linux counts them."""
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
        ticks = [int(field) for field in first.split()[1:9]]
    except (OSError, ValueError, IndexError):
        return None
    return ticks[3] + ticks[4], sum(ticks)


def check_context(prompt: int, max_tokens: int, context: int, spec: str) -> None:
    """Raise where a request does not fit the context of a model in this process."""
    if prompt + max_tokens > context:
        raise ContextOverflow(
            f"the request has {prompt} tokens and asks for up to {max_tokens} more, "
            f"but {spec} has a context of {context}",
            provider=spec.partition(":")[0],
            hint="shorten the text, ask for fewer tokens, or raise the setting context",
        )


class Closes(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Stop what is running and free what is held."""


C = TypeVar("C", bound=Hashable)
E = TypeVar("E", bound=Closes)


class Shared(Generic[C, E]):
    """The engines by configuration.

    They are closed before the interpreter goes: one that still computes then ends the process with a fault.
    """

    def __init__(self, load: Callable[[C], E]) -> None:
        self._load = load
        self._engines: dict[C, E] = {}
        self._opening = threading.Lock()
        atexit.register(self.close)

    def get(self, config: C) -> E:
        """The engine for a configuration."""
        with self._opening:
            if config not in self._engines:
                self._engines[config] = self._load(config)
            return self._engines[config]

    def close(self) -> None:
        """Free every engine."""
        with self._opening:
            for engine in self._engines.values():
                engine.close()
            self._engines.clear()
