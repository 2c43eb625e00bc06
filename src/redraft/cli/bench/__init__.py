"""`redraft bench`: run a system over a benchmark, report it, compare runs, describe and build benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from redraft.bench import (
    FILES,
    Benchmark,
    Column,
    CurveRun,
    Table,
    benchmarks,
    compare as compare_runs,
    comparison_terminal,
    contamination,
    curve_table,
    draw_curves,
    open_benchmark,
    rich_table,
    size_curves,
)
from redraft.cli.bench.build import build_c3e, build_constrev
from redraft.cli.bench.data import correlate, describe, export, fetch
from redraft.cli.bench.run import run, write
from redraft.cli.commands import command, shared
from redraft.cli.console import console, note, put, put_json, result_console
from redraft.cli.options import Json
from redraft.cli.runs import counted
from redraft.errors import InputError
from redraft.runs import RunDir
from redraft.text import parse_json_lines, read_text, write_text

_WORST = 10
"""How many of the records that overlap most are listed; --json has all."""


def overlap(
    data: Annotated[
        Path, typer.Option(metavar="PATH", help="The benchmark: JSONL, or a folder with C3EBench's files.")
    ],
    against: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Texts that may hold it: .txt, .md and .jsonl, however many."),
    ],
    n: Annotated[
        int, typer.Option("--n", min=1, help="The length of a run, in words (Chinese: characters).")
    ] = 13,
    json: Json = False,
) -> None:
    """Show how much of each record of a benchmark stands, word for word, in a folder of texts."""
    if not against.is_dir():
        raise InputError(f"{against} is no folder")
    files = [data / name for name in FILES if (data / name).is_file()] if data.is_dir() else [data]
    if not files:
        raise InputError(f"{data} has neither {' nor '.join(FILES)}")
    records = [
        (str(row.get("infer_id") or row.get("id") or f"{file.name}#{number}"), row)
        for file in files
        for number, row in parse_json_lines(read_text(file), str(file))
    ]
    with counted("reading") as progress:
        found = contamination(records, against, n, without=files, progress=progress)
    facts = found.to_dict()
    if json:
        put_json(facts)
        return
    worst = [one for one in found.records if one.share][:_WORST]
    summary = (
        f"{facts['touched']} of {facts['records']} records share a run of {n} words with {facts['files']} "
        f"files; {facts['too_short']} are too short to have one."
    )
    if not worst:
        put(f"{summary}\n")
        return
    table = Table(
        "overlap",
        f"Runs of {n} words that {against.name} holds",
        summary,
        (Column("Record"), Column("Share"), Column("Most of it in"), Column("Share there")),
        tuple((one.id, f"{one.share or 0:.1%}", one.file or "", f"{one.in_file:.1%}") for one in worst),
    )
    result_console().print(rich_table(table))


bench_app = typer.Typer(add_completion=False, no_args_is_help=True)

builds = typer.Typer(add_completion=False, no_args_is_help=True)
bench_app.add_typer(builds, name="build", help="Make a benchmark out of texts.")

Runs = Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs.")]


@bench_app.callback()
@shared
def bench_group() -> None:
    """Run a system over a benchmark, report it, compare two runs."""


@command(bench_app, "list")
def list_benchmarks() -> None:
    """List the benchmarks."""
    for name in sorted(benchmarks()):
        put(f"{name}\n")


command(bench_app, "run")(run)
command(builds, "constrev")(build_constrev)
command(builds, "c3e")(build_c3e)
command(bench_app, "describe")(describe)
command(bench_app, "fetch")(fetch)
command(bench_app, "export")(export)
command(bench_app, "correlate")(correlate)
command(bench_app, "overlap")(overlap)


@command(bench_app, "report")
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


@command(bench_app, "compare")
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


@command(bench_app, "curve")
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
