"""`redraft bench`: run a system over a benchmark, report it, compare runs, draw their curve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from redraft.bench import (
    Benchmark,
    CurveRun,
    benchmarks,
    compare as compare_runs,
    comparison_terminal,
    curve_table,
    draw_curves,
    open_benchmark,
    rich_table,
    size_curves,
)
from redraft.cli.bench_build import build_constrev
from redraft.cli.bench_build_c3e import build_c3e
from redraft.cli.bench_describe import describe, overlap
from redraft.cli.bench_run import run, write
from redraft.cli.frame import command, console, note, put, put_json, result_console, shared
from redraft.cli.options import Json
from redraft.errors import InputError
from redraft.runs import RunDir
from redraft.text import write_text

app = typer.Typer(add_completion=False, no_args_is_help=True)

builds = typer.Typer(add_completion=False, no_args_is_help=True)
app.add_typer(builds, name="build", help="Make a benchmark out of texts.")

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
command(builds, "constrev")(build_constrev)
command(builds, "c3e")(build_c3e)
command(app, "describe")(describe)
command(app, "overlap")(overlap)


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
    result_console().print(comparison_terminal(found))


@command(app, "curve")
def curve(
    points: Annotated[
        list[str],
        typer.Argument(metavar="[NAME@]SIZE=DIR...", help="Runs, and the size of what each was trained on."),
    ],
    metric: Annotated[
        str | None, typer.Option(metavar="NAME", help="The score to draw; by default, the main one.")
    ] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[@SIZE]=DIR", help="A run to compare with; may be repeated."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Where to draw the figure.")] = None,
    json: Json = False,
) -> None:
    """Show how a score grows with the size of the training set: a curve for each name and data set."""
    places = [CurveRun.of(spec) for spec in points]
    baselines = [CurveRun.of(spec, baseline=True) for spec in baseline or ()]
    _benchmark_of([place.run for place in (*places, *baselines)])
    name, found = size_curves(places, baselines, metric)
    if out is not None:
        write_text(out, draw_curves(name, found).standalone())
        note(f"{out} is written")
    if json:
        put_json({"metric": name, "curves": [each.to_dict() for each in found]})
    else:
        result_console().print(rich_table(curve_table(name, found)))


def _benchmark_of(runs: Sequence[RunDir]) -> Benchmark:
    """The benchmark of which all of these are runs."""
    names = [folder.facts().get("benchmark") for folder in runs]
    for folder, name in zip(runs, names, strict=True):
        if not isinstance(name, str):
            raise InputError(f"{folder.path} is no run of a benchmark")
        if name != names[0]:
            raise InputError(f"{runs[0].path} is a run of {names[0]}, {folder.path} of {name}")
    return open_benchmark(str(names[0]))
