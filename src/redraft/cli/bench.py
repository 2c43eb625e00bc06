"""`redraft bench`: run a system over a benchmark, report it, compare two runs."""

from __future__ import annotations

import asyncio
import hashlib
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from redraft.bench import tables
from redraft.bench.compare import compare as compare_runs
from redraft.bench.editing import editing_jobs, open_editing
from redraft.bench.engines.local import LocalEngine
from redraft.bench.registry import benchmarks, open_benchmark
from redraft.bench.report import read_results, rich_table, write_report
from redraft.bench.report.comparison import comparison_terminal
from redraft.bench.rundir import RunDir
from redraft.bench.runner import Progress, begin, execute
from redraft.bench.sample import Benchmark, Plan, plan
from redraft.bench.scoring import score_run
from redraft.bench.systems import (
    ASK_MODEL,
    Prompted,
    check_system,
    parameters,
    samples_of,
    uses_model,
)
from redraft.cli.frame import Output, command, console, note, put, shared
from redraft.cli.models import prepare
from redraft.cli.options import NoCache
from redraft.cli.progress import shown
from redraft.errors import InputError, ModelError
from redraft.settings import Settings, load_settings

app = typer.Typer(add_completion=False, no_args_is_help=True)

UNLIKE = "unlike_published"
"""In run.json: the data sets whose published scores are not shown, for they are of other samples."""

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


@command(app, "run")
def run(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCH", help="The benchmark, as `bench list` names it.")
    ],
    data: Annotated[Path, typer.Option(metavar="PATH", help="Where its data sets are.")],
    system: Annotated[
        str,
        typer.Option(
            metavar="SYSTEM",
            help="copy, model, editor, editor:N, revise, revise:N, predictions:FILE, cmd:COMMAND,"
            " python:MODULE:NAME.",
        ),
    ],
    model: Annotated[
        str | None, typer.Option(metavar="SPEC", help="The model, for systems that use one.")
    ] = None,
    prompts: Annotated[str, typer.Option(metavar="all|N", help="How many instructions of each task.")] = "1",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Samples of each data set, drawn by the seed.")
    ] = None,
    seed: Annotated[int, typer.Option(help="For drawing samples, and for models that sample.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the run is kept.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    budget: Annotated[float | None, typer.Option(min=0, help="Stop when this much is spent.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what the run would take.")] = False,
    no_cache: NoCache = False,
) -> None:
    """Run a system over a benchmark, score it, leave a report; a stopped run goes on with --resume."""
    settings = load_settings({"model": model, "max_cost": budget, "cache": False if no_cache else None})
    bench = open_benchmark(benchmark)
    check_system(system)
    if prompts != "all" and not (prompts.isdecimal() and int(prompts) > 0):
        raise InputError(f'--prompts takes "all" or a number from 1, not {prompts!r}')
    work = plan(bench.load(data), prompts, limit, seed)
    folder = RunDir(out or Path("runs") / _folder_name(benchmark, system, settings.model))
    if dry_run:
        _estimate(work, folder, system, settings)
        return
    facts = {
        "benchmark": benchmark,
        "system": system,
        **({"model": settings.model} if uses_model(system) else {}),
        **({"parameters": found} if (found := parameters(system)) else {}),
        "counting": settings.counting,
        "prompts": prompts,
        "limit": limit,
        "seed": seed,
        "data": _fingerprint(work),
        "prices": {name: price.model_dump() for name, price in settings.prices.items()},
    }
    begin(folder, facts, resume)
    if unlike := [dataset.name for dataset in work.datasets if not dataset.comparable]:
        folder.write("run.json", {**folder.facts(), UNLIKE: unlike})
    if _asks_model(system):
        prepare(settings)
    label = f"{system} {settings.model}" if _asks_model(system) else system
    try:
        done = asyncio.run(_run(work, folder, system, settings, seed))
    except KeyboardInterrupt:
        note(f"go on with: {folder.resuming()}")
        raise
    except ModelError:
        if folder.finished():
            _score(folder, work, bench, label)
        raise
    _score(folder, work, bench, label)
    if done.failed:
        note(f"{done.failed} items failed; --resume tries them again", style="yellow")
        raise typer.Exit(4)


@command(app, "report")
def report(
    runs: Runs,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write; by default, the first run.")
    ] = None,
) -> None:
    """Write report.html, report.md, tables as CSV and the figures of one run or several."""
    folders = [RunDir(path) for path in runs]
    bench = open_benchmark(folders[0].facts()["benchmark"])
    put(f"{_report(folders, out or folders[0].path, bench)}\n")


@command(app, "compare")
def compare(
    first: Annotated[Path, typer.Argument(metavar="DIR", help="A run.")],
    second: Annotated[Path, typer.Argument(metavar="DIR", help="The run to hold against it.")],
) -> None:
    """Show paired differences with intervals and p-values, and the samples that changed most."""
    runs = RunDir(first), RunDir(second)
    bench = open_benchmark(runs[0].facts()["benchmark"])
    with console().status("comparing"):
        found = compare_runs(*runs, benchmark=bench)
    Console(file=sys.stdout, highlight=False).print(comparison_terminal(found))


async def _run(work: Plan, folder: RunDir, spec: str, settings: Settings, seed: int) -> Progress:
    with shown(len(work.items)) as progress:
        return await execute(
            editing_jobs(work),
            partial(open_editing, spec, seed),
            settings,
            folder.results,
            LocalEngine(),
            planned=len(work.items),
            progress=progress,
        )


def _score(folder: RunDir, work: Plan, bench: Benchmark, label: str) -> None:
    with console().status("scoring"):
        score_run(folder, work, bench, label)
    put(f"{_report([folder], folder.path, bench)}\n")


def _estimate(work: Plan, folder: RunDir, spec: str, settings: Settings) -> None:
    """What is left to run, in calls, tokens and money; four characters are taken for a token."""
    finished = folder.finished()
    todo = [item for item in work.items if item.key not in finished]
    put(f"{len(todo)} items to run, {len(work.items) - len(todo)} finished, in {folder.path}\n")
    if not _asks_model(spec):
        return
    # The samples of an item are one call beside the greedy one, and share its prompt.
    samples = samples_of(spec)
    calls = len(todo) * min(samples, 2)
    prompt = sum(len(Prompted.prompt(item.task)) for item in todo) // 4 * min(samples, 2)
    completion = sum(len(item.sample.input) for item in todo) // 4 * samples
    put(f"{calls} calls of {settings.model}, about {prompt:,} + {completion:,} tokens\n")
    name = settings.model.partition("#")[2] or settings.model.partition(":")[2]
    if price := settings.prices.get(name):
        cost = (prompt * price.prompt + completion * price.completion) / 1e6
        put(f"about {cost:.4f} at the prices set for {name}\n")


def _report(folders: list[RunDir], out: Path, bench: Benchmark) -> Path:
    unlike = {name for folder in folders for name in folder.facts().get(UNLIKE, ())}
    published, highest, lowest = (
        tables.without(scores, unlike)
        for scores in (bench.published(), bench.published("max"), bench.published("min"))
    )
    with console().status("writing the report"):
        page = write_report(folders, out, published, highest, lowest)
        results = read_results(folders)
    if not any(dataset.scored for result in results for dataset in result.datasets):
        note("nothing was scored: no item was finished", style="yellow")
    elif not Output.quiet:
        screen = console()
        screen.print(rich_table(tables.by_dataset(results, published)))
        screen.print(rich_table(tables.summary(results, published, highest, lowest)))
    return page


def _asks_model(spec: str) -> bool:
    return spec.partition(":")[0] in ASK_MODEL


def _folder_name(benchmark: str, system: str, model: str) -> str:
    words = f"{benchmark}-{system}-{model}" if _asks_model(system) else f"{benchmark}-{system}"
    return "".join(char if char.isalnum() or char in "-._" else "_" for char in words)[:100]


def _fingerprint(work: Plan) -> str:
    """A hash of what is run, so that a resumed run is the same run."""
    digest = hashlib.sha256()
    for item in work.items:
        digest.update(
            f"{item.key}\0{item.instruction}\0{item.sample.input}\0".encode("utf-8", "surrogatepass")
        )
    return digest.hexdigest()[:16]
