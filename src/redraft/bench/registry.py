"""The benchmarks that are installed; another package adds one in the group `redraft.benchmarks`."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points

from redraft.bench.c3e import C3E
from redraft.bench.constrev import ConsTRev
from redraft.bench.editeval import EditEval
from redraft.bench.sample import Benchmark
from redraft.errors import InputError

GROUP = "redraft.benchmarks"


def benchmarks() -> dict[str, Callable[[], Benchmark]]:
    """How to make each benchmark, by name; another package may add one, never replace one of ours."""
    ours: dict[str, Callable[[], Benchmark]] = {each.name: each for each in (EditEval, ConsTRev, C3E)}
    return {entry.name: lambda entry=entry: entry.load()() for entry in entry_points(group=GROUP)} | ours


def open_benchmark(name: str) -> Benchmark:
    """The benchmark of a name."""
    found = benchmarks()
    if name not in found:
        raise InputError(f"there is no benchmark {name!r}; there are: {', '.join(sorted(found))}")
    return found[name]()
