"""How many threads to compute with."""

from __future__ import annotations

import os
import time
from pathlib import Path

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
