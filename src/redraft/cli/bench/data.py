"""`redraft bench describe`, `fetch`, `export` and `correlate`: data sets, and scores across runs."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from redraft.bench import (
    Drawing,
    Table,
    correlate as correlate_metrics,
    describe_datasets,
    domains_table,
    download,
    figures,
    lengths_table,
    levels_table,
    markdown,
    open_benchmark,
    origins_table,
    read_records,
    read_results,
    read_tetra,
    rich_table,
    sizes_table,
    statistics,
    tetra_table,
    write_datasets,
    write_inputs,
    write_predictions,
)
from redraft.cli.console import console, note, put, put_json, result_console
from redraft.cli.options import Json
from redraft.errors import FileError, InputError
from redraft.runs import RunDir
from redraft.text import write_text

_EDITEVAL = "editeval"
Bench = Annotated[str, typer.Argument(metavar="BENCH", help="The benchmark: editeval.")]
Data = Annotated[Path, typer.Option(metavar="PATH", help="Its file, or the folder of its files.")]


def describe(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCH", help="What to describe: c3e, constrev, editeval or tetra.")
    ],
    data: Data,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the tables, the numbers and the figures here.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what a benchmark holds: c3e by task, constrev by level, editeval with licences, tetra by edit."""
    if benchmark == "c3e":
        with console().status("counting"):
            found = statistics(read_records(data))
        if not found.records:
            raise InputError(f"{data} has no records")
        _show((lengths_table(found),), found.to_dict(), out, json, figures(found))
        return
    if benchmark in ("constrev", "tetra"):
        with console().status("counting"):
            table = (
                levels_table(open_benchmark(benchmark).load(data))
                if benchmark == "constrev"
                else _tetra(data)
            )
        heads = [column.title for column in table.columns]
        _show((table,), [dict(zip(heads, row, strict=True)) for row in table.rows], out, json)
        return
    _check(benchmark, "described", "c3e, constrev, editeval or tetra")
    with console().status("counting"):
        described = describe_datasets(open_benchmark(_EDITEVAL).load(data))
    _show((sizes_table(described), domains_table(described)), described, out, json)


def _tetra(data: Path) -> Table:
    papers = list(read_tetra(data))
    if not papers:
        raise InputError(f"{data} has no file of TETRA: they are original/*.xml")
    return tetra_table(papers)


def _show(
    tables: tuple[Table, ...], facts: object, out: Path | None, json: bool, drawings: tuple[Drawing, ...] = ()
) -> None:
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{out} cannot be made: {error}") from None
        for table in tables:
            write_text(out / f"{table.name}.md", markdown(table))
        write_text(out / "statistics.json", dumps(facts, ensure_ascii=False, indent=2) + "\n")
        for drawing in drawings:
            write_text(out / f"{drawing.name}.svg", drawing.standalone())
        note(f"{out} has the tables, the numbers and the figures")
    if json:
        put_json(facts)
        return
    for table in tables:
        result_console().print(rich_table(table))


def fetch(
    benchmark: Bench,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="PATH|URL", help="A folder, a file, or an address of your choice."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where NAME.jsonl is written, for `bench run --data`.")
    ] = None,
) -> None:
    """Say where a benchmark's data sets come from; with --from, read them and write them in our form.

    Nothing is downloaded but what --from names by an address.
    """
    _check(benchmark, "fetched")
    if source is None:
        result_console().print(rich_table(origins_table()))
        return
    if out is None:
        raise InputError("--from needs --out DIR too: where to write the data sets")
    path = Path(source).expanduser()
    if not path.exists() and "://" in source:
        with console().status(f"fetching {path.name}"):
            path = download(source, out / "raw")
    for file in write_datasets(open_benchmark(_EDITEVAL).load(path), out):
        put(f"{file}\n")


def export(
    benchmark: Bench,
    data: Data,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the files are written.")],
    run: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A run whose outputs to write; else the inputs.")
    ] = None,
) -> None:
    """Write a run's outputs, or the inputs, as the benchmark's own evaluator reads and writes them."""
    _check(benchmark, "exported")
    datasets = open_benchmark(_EDITEVAL).load(data)
    if run is None:
        files = write_inputs(datasets, out)
    else:
        folder = RunDir(run)
        if folder.facts().get("benchmark") != _EDITEVAL:
            raise InputError(f"{run} is no run of editeval")
        files, missing = write_predictions(datasets, folder, out)
        if missing:
            note(f"{missing} items have no output, and are left out", style="yellow")
    for file in files:
        put(f"{file}\n")


def correlate(
    runs: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs of editeval.")],
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A metric; may be repeated.", show_default="those of the paper"),
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="Take in the paper's own systems, where it has scores.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Leave nothing out; the paper leaves out PEER and updating.")
    ] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Where to draw the figure.")] = None,
    json: Json = False,
) -> None:
    """Show how far metrics agree over runs, as Figure 5 of the EditEval paper does."""
    folders = [RunDir(path) for path in runs]
    for folder in folders:
        if folder.facts().get("benchmark") != _EDITEVAL:
            raise InputError(f"{folder.path} is no run of editeval")
    others = open_benchmark(_EDITEVAL).published() if published else None
    results = read_results(folders)
    found = (
        correlate_metrics(results, metric or (), others, without_systems=(), without_tasks=())
        if everything
        else correlate_metrics(results, metric or (), others)
    )
    if out is not None:
        write_text(out, found.drawing().standalone())
        note(f"{out} is written")
    if json:
        put_json(found.to_dict())
    else:
        result_console().print(rich_table(found.table()))


def _check(benchmark: str, done: str, known: str = "editeval") -> None:
    if benchmark != _EDITEVAL:
        raise InputError(f"only {known} can be {done}, not {benchmark!r}")
