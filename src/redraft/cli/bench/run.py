"""`redraft bench run`: one system or several over a benchmark, scored and reported."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from redraft.bench import (
    COMPOSE,
    MEASURES,
    QUALITY,
    Benchmark,
    ContextualBenchmark,
    DataSet,
    DetailedBenchmark,
    Plan,
    SystemSpec,
    WritingBenchmark,
    changes,
    editing_jobs,
    measuring_jobs,
    open_benchmark,
    open_editing,
    plan,
    read_results,
    read_system,
    rich_table,
    score_run,
    summary_table,
    table_by_dataset,
    without_datasets,
    write_report,
)
from redraft.cli.bench.plan import (
    AnyJudge,
    JudgeSpec,
    Lang,
    RunSetup,
    Swaps,
    SystemRun,
    TaskName,
    check_judge,
    check_languages,
    choose_datasets,
    folder_name,
    judge_run,
    read_swaps,
    show_estimate,
    tell_left_out,
)
from redraft.cli.console import Output, console, note, put
from redraft.cli.models import prepare
from redraft.cli.options import Counting, NoCache
from redraft.cli.runs import EngineOptions, shown
from redraft.errors import InputError, ModelError
from redraft.models import EMBEDDED, Usage, check_prices, remaining_budget
from redraft.runs import Progress, Record, Results, RunDir, execute, open_run, open_step_worker
from redraft.settings import load_settings

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
            " planner[:rules|model|both], simplify:POLICY[@EFFORT], vanilla:POLICY, trained:POLICY,"
            " compose[:PROTOCOL][,free], published:NAME, predictions:FILE, cmd:COMMAND, python:MODULE:NAME;"
            " may be repeated.",
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
        bool | None,
        typer.Option(
            help="Measure the quality of outputs: by default of constrev, on request of the simplifications"
            " in editeval."
        ),
    ] = None,
    task: TaskName = None,
    lang: Lang = None,
    judge: JudgeSpec = None,
    any_judge: AnyJudge = False,
    swap: Swaps = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the run is kept.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    budget: Annotated[float | None, typer.Option(min=0, help="Stop a run when this much is spent.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what the run would take.")] = False,
    no_cache: NoCache = False,
    *,
    engine: EngineOptions,
) -> None:
    """Run a system over a benchmark, score it, leave a report; a stopped run goes on with --resume."""
    flags = {
        "model": model,
        "max_cost": budget,
        "cache": False if no_cache else None,
        "counting": counting,
    }
    settings = load_settings(flags)
    bench = open_benchmark(benchmark)
    if isinstance(bench, DetailedBenchmark) and settings.origin("counting") == "default":
        flags["counting"] = bench.counting
        settings = load_settings(flags)
    systems = [read_system(spec) for spec in dict.fromkeys(system)]
    if prompts != "all" and not (prompts.isdecimal() and int(prompts) > 0):
        raise InputError(f'--prompts takes "all" or a number from 1, not {prompts!r}')
    check_judge(judge, any_judge)
    swaps = read_swaps(swap or (), systems, settings)
    work = plan(choose_datasets(bench, bench.load(data), task, lang, judge), prompts, limit, seed)
    given = RunSetup(
        bench,
        settings,
        prompts,
        limit,
        (isinstance(bench, DetailedBenchmark) if quality is None else quality)
        and any(map(_is_measured, work.datasets)),
        engine.open_engine(),
        seeds,
        judge,
    )
    every = [(each, seed + number, given) for each in systems for number in range(seeds)]
    for role, other in swaps:
        again = replace(given, settings=load_settings({**flags, role: other}), swap=f"{role}={other}")
        every += [(each, own, again) for each, own, base in every if base is given]
    folder = out or Path("runs") / (benchmark if len(every) > 1 else folder_name(*every[0]))
    runs = _place_runs(every, work, folder)
    for one in runs:
        check_languages(bench, one.work, one.models)
        check_prices(one.given.settings, [*one.models, *([judge] if judge else [])])
    if dry_run:
        for one in runs:
            show_estimate(one)
    elif failed := _run_all(runs, work, folder, resume):
        note(f"{failed} items failed; --resume tries them again", style="yellow")
        raise typer.Exit(4)


def _place_runs(
    every: Sequence[tuple[SystemSpec, int, RunSetup]], work: Plan, folder: Path
) -> list[SystemRun]:
    """Each system and seed as a run: in the folder itself, or in one of its own where there are several."""
    if len(every) == 1:
        ((system, seed, given),) = every
        return [SystemRun(given, system.covered(work), system, seed, RunDir(folder))]
    if RunDir(folder).exists():
        raise InputError(f"{folder} holds the run of one system: choose another --out for several")
    return [
        SystemRun(
            given, system.covered(work), system, seed, RunDir(folder / folder_name(system, seed, given))
        )
        for system, seed, given in every
    ]


def _run_all(runs: Sequence[SystemRun], work: Plan, folder: Path, resume: bool) -> int:
    """Run one after another within one budget, and report those that are scored; how many items failed."""
    failed, spent = 0, Usage()
    ours: list[RunDir] = []
    shared = runs[0].given
    try:
        with shared.engine.held():
            for one in runs:
                if len(runs) > 1:
                    note(f"{one.label}:")
                tell_left_out(one.system, work, one.work)
                left = replace(one.given, settings=remaining_budget(one.given.settings, spent))
                with open_run(one.folder, one.facts, resume):
                    ours.append(one.folder)
                    done = _finish(replace(one, given=left))
                failed += done.failed
                spent += done.usage
    except KeyboardInterrupt:
        note(f"go on with: {RunDir(folder).resuming()}")
        raise
    finally:
        if scored := [each for each in ours if each.is_scored()]:
            put(f"{write(scored, folder, shared.bench)}\n")
    return failed


def _finish(one: SystemRun) -> Progress:
    """Run what is left, measure it, score it."""
    given, folder = one.given, one.folder
    known: Record = {"quality": given.settings.quality} if one.measured else {}
    if unlike := [dataset.name for dataset in one.work.datasets if not dataset.comparable]:
        known[UNLIKE] = unlike
    if known:
        folder.write("run.json", {**folder.facts(), **known})
    if one.asks:
        system = one.system
        composed_here = system.name == COMPOSE and any(spec in EMBEDDED for spec in one.models)
        for role in system.roles:
            prepare(given.settings, role, scoring=one.measured or system.kind.scores or composed_here)
    try:
        done = asyncio.run(_work(one))
        if given.judge is not None and isinstance(given.bench, WritingBenchmark):
            left = remaining_budget(given.settings, done.usage)
            failed, spent = judge_run(given.bench, folder, given.judge, left)
            done = replace(done, failed=done.failed + failed, usage=done.usage + spent)
    except ModelError:
        if folder.finished():
            _score(one)
        raise
    return replace(done, failed=done.failed + _score(one))


async def _work(one: SystemRun) -> Progress:
    given = one.given
    with shown(len(one.work.items)) as progress:
        return await execute(
            editing_jobs(one.work),
            partial(open_editing, one.system.name, one.system.options, one.seed),
            given.settings,
            one.folder.results,
            given.engine,
            planned=len(one.work.items),
            progress=progress,
        )


def _score(one: SystemRun) -> int:
    """Measure and score what is finished; how many outputs could not be measured."""
    failed = 0
    if one.measured:
        prepare(one.given.settings, scoring=True)
        failed = asyncio.run(_measure(one))
    with console().status("scoring"):
        score_run(one.folder, one.work, one.given.bench, one.label)
    return failed


async def _measure(one: SystemRun) -> int:
    settings = one.given.settings
    wanted = {dataset.name for dataset in one.work.datasets if _is_measured(dataset)}
    formats = {
        item.sample.dataset: item.sample.format for item in one.work.items if item.sample.dataset in wanted
    }
    jobs = list(measuring_jobs(one.folder.latest().values(), formats, settings.quality))
    results = Results(one.folder.path / MEASURES)
    left = {job.key for job in jobs} - results.finished()
    if not left:
        return 0
    note(f"measuring {len(left)} outputs")
    with shown(len(jobs)) as progress:
        done = await execute(
            jobs, open_step_worker, settings, results, one.given.engine, planned=len(jobs), progress=progress
        )
    return done.failed


def _is_measured(dataset: DataSet) -> bool:
    """Whether models measure the quality of its outputs."""
    return not set(QUALITY).isdisjoint(dataset.metrics)


def write(folders: Sequence[RunDir], out: Path, bench: Benchmark) -> Path:
    """Write the report of runs, show its main tables; where the page is."""
    unlike = {name for folder in folders for name in folder.facts().get(UNLIKE, ())}
    published, highest, lowest = (
        without_datasets(scores, unlike)
        for scores in (bench.published(), bench.published("max"), bench.published("min"))
    )
    detailed = bench if isinstance(bench, DetailedBenchmark) else None
    with console().status("writing the report"):
        results = read_results(folders)
        alike = [
            replace(result, datasets=tuple(each for each in result.datasets if each.name not in unlike))
            for result in results
        ]
        context = bench.context(alike) if isinstance(bench, ContextualBenchmark) else ()
        page = write_report(folders, out, published, highest, lowest, detailed=detailed, context=context)
    if not any(dataset.scored for result in results for dataset in result.datasets):
        note("nothing was scored: no item was finished", style="yellow")
    elif not Output.quiet:
        shown_tables = (
            [table for table in detailed.tables(folders, results) if table.is_main]
            if detailed
            else (
                table_by_dataset(results, published),
                summary_table(results, published, highest, lowest),
                *changes(results),
            )
        )
        for table in shown_tables:
            console().print(rich_table(table, intervals=detailed is None and not table.is_main))
    return page
