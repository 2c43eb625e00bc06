"""`redraft bench`: run a system over a benchmark, report it, compare two runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from redraft.bench.compare import compare as compare_runs
from redraft.bench.registry import benchmarks, open_benchmark
from redraft.bench.report.comparison import comparison_terminal
from redraft.bench.rundir import RunDir
from redraft.bench.sample import Benchmark
from redraft.cli.bench_build import build
from redraft.cli.bench_run import run, write
from redraft.cli.frame import command, console, put, shared
from redraft.errors import InputError

app = typer.Typer(add_completion=False, no_args_is_help=True)

Runs = Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs.")]


@app.callback()
@shared
def bench_group() -> None:
    """Run a system over a benchmark, report it, compare two runs."""


@command(app, "list")
def list_benchmarks() -> None:
    """List the benchmarks."""
    for name in sorted(benchmarks()):
        put(f"{name}\n")


command(app, "run")(run)
command(app, "build")(build)


@command(app, "report")
def report(
    runs: Runs,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write; by default, the first run.")
    ] = None,
) -> None:
    """Write report.html, report.md, tables as CSV and the figures of one run or several."""
    folders = [RunDir(path) for path in runs]
    bench = _benchmark_of(folders)
    put(f"{write(folders, out or folders[0].path, bench)}\n")


@command(app, "compare")
def compare(
    first: Annotated[Path, typer.Argument(metavar="DIR", help="A run.")],
    second: Annotated[Path, typer.Argument(metavar="DIR", help="The run to hold against it.")],
) -> None:
    """Show paired differences with intervals and p-values, and the samples that changed most."""
    runs = RunDir(first), RunDir(second)
    bench = _benchmark_of(runs)
    with console().status("comparing"):
        found = compare_runs(*runs, benchmark=bench)
    Console(file=sys.stdout, highlight=False).print(comparison_terminal(found))


def _benchmark_of(runs: Sequence[RunDir]) -> Benchmark:
    """The benchmark of which all of these are runs."""
    names = [folder.facts().get("benchmark") for folder in runs]
    for folder, name in zip(runs, names, strict=True):
        if not isinstance(name, str):
            raise InputError(f"{folder.path} is no run of a benchmark")
        if name != names[0]:
            raise InputError(f"{runs[0].path} is a run of {names[0]}, {folder.path} of {name}")
    return open_benchmark(str(names[0]))
