"""Checking and feasibility from 1 KB to 10 MB, with peak memory, and parsing in calls a second.

    python benchmarks/constraints.py

The last column of each size compares with the size before: 10 means linear.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from functools import partial

from redraft.constraints import check, infeasible, parse, parse_call

PARAGRAPH = (
    "Dr. Lee moved the office to Lagos in 2019, e.g. to be near the port. “Nobody was left alone,” she said. "
    "Sales rose by 12.5 % in the first year, and the team grew from 14 to 31 people. Did it pay? It did, and "
    "the second year was better still, although two of the larger customers left (Okafor et al., 2021).\n\n"
)
CALLS = [
    'word_count_check(300, "less than")',
    'sentence_count_check(3, "more than")',
    'sentence_length_check(25, "less than")',
    'sentence_modification_check([2, 4], "unchange")',
    'keyword_keep_removal_check("Lagos", "keep")',
    'keyword_keep_removal_check("synergy", "remove")',
    'keyword_frequency_check("the", 2, "more than")',
]
INSTRUCTION = (
    "Please cut this below 300 words, keep the second and fourth sentences unchanged, make every sentence "
    "shorter than 25 words, keep the word 'Lagos' and never say 'synergy'."
)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds and peak megabytes of one call, measured apart: tracing memory slows the work down."""
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return seconds, peak


def rate(work: Callable[[], object], seconds: float = 1.0) -> float:
    """Calls a second."""
    end, calls = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        work()
        calls += 1
    return calls / seconds


def main() -> None:
    """Print both tables."""
    for name, work in {
        "parse_call": lambda: parse_call(CALLS[0]),
        "parse": lambda: parse(INSTRUCTION),
        "check, 330 words": lambda: check(PARAGRAPH * 5, CALLS, original=PARAGRAPH * 5),
        "infeasible, 330 words": lambda: infeasible(CALLS, original=PARAGRAPH * 5),
    }.items():
        print(f"{name:24} {rate(work):10,.0f} calls/s")
    print(f"\n{'what':22} {'size':>8} {'seconds':>9} {'MB/s':>7} {'peak MB':>8} {'growth':>7}")
    for counting in ("default", "constrev"):
        before = 0.0
        for size in (10**3, 10**4, 10**5, 10**6, 10**7):
            text = PARAGRAPH * (size // len(PARAGRAPH) + 1)
            seconds, peak = timed(partial(check, text, CALLS, original=text, counting=counting))
            growth = f"{seconds / before:6.1f}x" if before else ""
            speed = 2 * size / 1e6 / seconds  # two texts are read
            print(f"{f'check, {counting}':22} {size:8,} {seconds:9.4f} {speed:7.2f} {peak:8.1f} {growth:>7}")
            before = seconds


if __name__ == "__main__":
    main()
