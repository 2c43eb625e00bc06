"""`redraft bench run`: one system or several over a benchmark, scored and reported."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from redraft.bench import tables
from redraft.bench.editing import editing_jobs, open_editing
from redraft.bench.measures import MEASURES, measuring, open_measurer
from redraft.bench.registry import open_benchmark
from redraft.bench.report import read_results, rich_table, write_report
from redraft.bench.results import Record, Results
from redraft.bench.rundir import RunDir
from redraft.bench.runner import begin, execute
from redraft.bench.sample import Benchmark, Detailed, Plan, plan
from redraft.bench.scoring import score_run
from redraft.bench.systems import (
    ASK_MODEL,
    Prompted,
    answers_of,
    check_system,
    covered,
    parameters,
    uses_model,
)
from redraft.bench.work import Engine
from redraft.cli.engine_options import Address, EngineChoice, EngineName, Workers, open_engine
from redraft.cli.frame import Output, console, note, put
from redraft.cli.models import prepare
from redraft.cli.options import Counting, NoCache
from redraft.cli.progress import shown
from redraft.errors import InputError, ModelError
from redraft.settings import Settings, load_settings

UNLIKE = "unlike_published"
"""In run.json: the data sets whose published scores are not shown, for they are of other samples."""


def run(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCH", help="The benchmark, as `bench list` names it.")
    ],
    data: Annotated[Path, typer.Option(metavar="PATH", help="Where its data sets are.")],
    system: Annotated[
        list[str],
        typer.Option(
            metavar="SYSTEM",
            help="copy, model, editor[:N], revise[:N], search, repair, direct, cot, plan, iter, sentence,"
            " published:NAME, predictions:FILE, cmd:COMMAND, python:MODULE:NAME; may be repeated.",
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
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Runs of each system, a seed each.")] = 1,
    counting: Counting = None,
    quality: Annotated[
        bool, typer.Option(help="Measure the quality of the outputs, where the benchmark asks for it.")
    ] = True,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the run is kept.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    budget: Annotated[float | None, typer.Option(min=0, help="Stop a run when this much is spent.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what the run would take.")] = False,
    no_cache: NoCache = False,
    engine: EngineName = EngineChoice.local,
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Run a system over a benchmark, score it, leave a report; a stopped run goes on with --resume."""
    flags = {"model": model, "max_cost": budget, "cache": False if no_cache else None}
    settings = load_settings({**flags, "counting": counting and counting.value})
    bench = open_benchmark(benchmark)
    if isinstance(bench, Detailed) and settings.origin("counting") == "default":
        settings = load_settings({**flags, "counting": bench.counting})
    for spec in system:
        check_system(spec)
    if prompts != "all" and not (prompts.isdecimal() and int(prompts) > 0):
        raise InputError(f'--prompts takes "all" or a number from 1, not {prompts!r}')
    work = plan(bench.load(data), prompts, limit, seed)
    given = Given(
        bench,
        settings,
        prompts,
        limit,
        isinstance(bench, Detailed) and quality,
        open_engine(engine, workers, address),
    )
    every = [(spec, seed + number) for spec in dict.fromkeys(system) for number in range(seeds)]
    several = len(every) > 1
    together = out or Path("runs") / (benchmark if several else _name(*every[0], given))
    runs = [
        One(
            given,
            covered(spec, work),
            spec,
            own,
            RunDir(together / _name(spec, own, given) if several else together),
        )
        for spec, own in every
    ]
    if dry_run:
        for one in runs:
            _estimate(one)
        return
    failed = 0
    try:
        for one in runs:
            if several:
                note(f"{one.label}, seed {one.seed}:")
            failed += _finish(one, resume)
    except KeyboardInterrupt:
        note(f"go on with: {RunDir(together).resuming()}")
        raise
    finally:
        if scored := [one.folder for one in runs if one.folder.is_scored()]:
            put(f"{write(scored, together, bench)}\n")
    if failed:
        note(f"{failed} items failed; --resume tries them again", style="yellow")
        raise typer.Exit(4)


@dataclass(frozen=True)
class Given:
    """What the runs of one command share."""

    bench: Benchmark
    settings: Settings
    prompts: str
    limit: int | None
    quality: bool
    engine: Engine


@dataclass(frozen=True)
class One:
    """One system with one seed."""

    given: Given
    work: Plan
    spec: str
    seed: int
    folder: RunDir

    @property
    def asks(self) -> bool:
        """Whether the model of the run is asked."""
        return self.spec.partition(":")[0] in ASK_MODEL

    @property
    def label(self) -> str:
        """What a report calls it."""
        return _label(self.spec, self.given.settings)

    @property
    def facts(self) -> Record:
        """What is run, for run.json."""
        settings = self.given.settings
        return {
            "benchmark": self.given.bench.name,
            "system": self.spec,
            **({"model": settings.model} if uses_model(self.spec) else {}),
            **({"parameters": found} if (found := parameters(self.spec)) else {}),
            "counting": settings.counting,
            "prompts": self.given.prompts,
            "limit": self.given.limit,
            "seed": self.seed,
            "data": _fingerprint(self.work),
            "prices": {name: price.model_dump() for name, price in settings.prices.items()},
        }


def _label(spec: str, settings: Settings) -> str:
    return f"{spec} {settings.model}" if spec.partition(":")[0] in ASK_MODEL else spec


def _name(spec: str, seed: int, given: Given) -> str:
    """A name for the folder of a run."""
    words = f"{given.bench.name}-{_label(spec, given.settings)}" + (f"-seed{seed}" if seed else "")
    return "".join(char if char.isalnum() or char in "-._=" else "_" for char in words)[:100]


def _finish(one: One, resume: bool) -> int:
    """Run what is left, measure it, score it; how many items failed."""
    given, folder = one.given, one.folder
    begin(folder, one.facts, resume)
    known: Record = {"quality": given.settings.quality} if given.quality else {}
    if unlike := [dataset.name for dataset in one.work.datasets if not dataset.comparable]:
        known[UNLIKE] = unlike
    if known:
        folder.write("run.json", {**folder.facts(), **known})
    if one.asks:
        prepare(given.settings, scoring=given.quality)
    try:
        failed = asyncio.run(_work(one))
    except ModelError:
        if folder.finished():
            _score(one)
        raise
    _score(one)
    return failed


async def _work(one: One) -> int:
    given = one.given
    with shown(len(one.work.items)) as progress:
        done = await execute(
            editing_jobs(one.work),
            partial(open_editing, one.spec, one.seed),
            given.settings,
            one.folder.results,
            given.engine,
            planned=len(one.work.items),
            progress=progress,
        )
    return done.failed


def _score(one: One) -> None:
    if one.given.quality:
        prepare(one.given.settings, scoring=True)
        asyncio.run(_measure(one))
    with console().status("scoring"):
        score_run(one.folder, one.work, one.given.bench, one.label)


async def _measure(one: One) -> None:
    settings = one.given.settings
    formats = {item.sample.dataset: item.sample.format for item in one.work.items}
    jobs = list(measuring(one.folder.latest().values(), formats, settings.quality))
    results = Results(one.folder.path / MEASURES)
    left = {job.key for job in jobs} - results.finished()
    if not left:
        return
    note(f"measuring {len(left)} outputs")
    with shown(len(jobs)) as progress:
        await execute(
            jobs, open_measurer, settings, results, one.given.engine, planned=len(jobs), progress=progress
        )


def write(folders: Sequence[RunDir], out: Path, bench: Benchmark) -> Path:
    """Write the report of runs, show its main tables; where the page is."""
    unlike = {name for folder in folders for name in folder.facts().get(UNLIKE, ())}
    published, highest, lowest = (
        tables.without(scores, unlike)
        for scores in (bench.published(), bench.published("max"), bench.published("min"))
    )
    detailed = bench if isinstance(bench, Detailed) else None
    with console().status("writing the report"):
        page = write_report(folders, out, published, highest, lowest, detailed=detailed)
        results = read_results(folders)
    if not any(dataset.scored for result in results for dataset in result.datasets):
        note("nothing was scored: no item was finished", style="yellow")
    elif not Output.quiet:
        shown_tables = (
            [table for table in detailed.tables(folders, results) if table.is_main]
            if detailed
            else (tables.by_dataset(results, published), tables.summary(results, published, highest, lowest))
        )
        for table in shown_tables:
            console().print(rich_table(table))
    return page


def _estimate(one: One) -> None:
    """What is left to run, in calls, tokens and money; four characters are taken for a token."""
    spec, settings = one.spec, one.given.settings
    finished = one.folder.finished()
    todo = [item for item in one.work.items if item.key not in finished]
    put(f"{len(todo)} items to run, {len(one.work.items) - len(todo)} finished, in {one.folder.path}\n")
    if not one.asks:
        return
    calls = prompt = completion = 0
    for item in todo:
        asked, told, answered = answers_of(spec, item)
        calls += asked
        prompt += told * len(Prompted.prompt(item.task)) // 4
        completion += answered * len(item.sample.input) // 4
    put(f"about {calls} calls of {settings.model}, {prompt:,} + {completion:,} tokens\n")
    name = settings.model.partition("#")[2] or settings.model.partition(":")[2]
    if price := settings.prices.get(name):
        cost = (prompt * price.prompt + completion * price.completion) / 1e6
        put(f"about {cost:.4f} at the prices set for {name}\n")


def _fingerprint(work: Plan) -> str:
    """A hash of what is run, so that a resumed run is the same run."""
    digest = hashlib.sha256()
    for item in work.items:
        digest.update(
            f"{item.key}\0{item.instruction}\0{item.sample.input}\0".encode("utf-8", "surrogatepass")
        )
    return digest.hexdigest()[:16]
