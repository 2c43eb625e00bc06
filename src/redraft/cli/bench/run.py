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
    JUDGEMENTS,
    MEASURES,
    QUALITY,
    WHOLE,
    Benchmark,
    ContextualBenchmark,
    DataSet,
    DetailedBenchmark,
    Plan,
    RunSetup,
    SystemRun,
    SystemSpec,
    WritingBenchmark,
    changes,
    check_judge,
    check_languages,
    choose_datasets,
    editing_jobs,
    estimate_run,
    folder_name,
    judge_facts,
    measuring_jobs,
    open_benchmark,
    open_editing,
    plan,
    read_results,
    read_swaps,
    read_system,
    rich_table,
    score_run,
    summary_table,
    table_by_dataset,
    without_datasets,
    write_report,
)
from redraft.cli.console import Output, console, note, put
from redraft.cli.judge.run import run_inquiries
from redraft.cli.models import prepare
from redraft.cli.options import Counting, NoCache
from redraft.cli.runs import EngineOptions, shown
from redraft.errors import InputError, ModelError
from redraft.judge import JudgementLog
from redraft.models import EMBEDDED, Usage, check_prices, remaining_budget
from redraft.runs import Progress, Record, Results, RunDir, execute, open_model_worker, open_run
from redraft.settings import Settings, load_settings

UNLIKE = "unlike_published"
"""In run.json: the data sets whose published scores are not shown, for they are of other samples."""


TaskName = Annotated[
    str | None, typer.Option("--task", metavar="cloze|expand|edit|end2end|all", help="c3e: which task.")
]
Lang = Annotated[str | None, typer.Option("--lang", metavar="en|zh|all", help="c3e: which language.")]
JudgeSpec = Annotated[
    str | None, typer.Option("--judge", metavar="SPEC", help="c3e: the model that scores the outputs.")
]
AnyJudge = Annotated[
    bool, typer.Option("--any-judge", help="Let the embedded model judge too, whose marks say little.")
]
Swaps = Annotated[
    list[str] | None,
    typer.Option(
        "--swap",
        metavar="ROLE=SPEC",
        help="compose: run it again with another model as reasoner, outliner, writer, reviewer or refiner;"
        " may be repeated.",
    ),
]


def run(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCH", help="The benchmark, as `bench list` names it.")
    ],
    data: Annotated[Path, typer.Option(metavar="PATH", help="Where its data sets are.")],
    system: Annotated[
        list[str],
        typer.Option(
            metavar="SYSTEM",
            help="copy, model[:FORM], editor[:N], revise[:N], search, trips, repair, direct, cot, plan, iter,"
            " sentence, planner[:rules|model|both], simplify:POLICY[@EFFORT], vanilla:POLICY, trained:POLICY,"
            " compose[:PROTOCOL][,free][,tau=N][,steps=N][,prompts=DIR], published:NAME, predictions:FILE,"
            " cmd:COMMAND, python:MODULE:NAME;"
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
    setup = RunSetup(
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
    every = [(each, seed + number, setup) for each in systems for number in range(seeds)]
    for role, other in swaps:
        # Whoever takes the writer's place does not plan the piece as well.
        alone = {**flags, "outliner": settings.spec_for("outliner"), role: other}
        again = replace(setup, settings=load_settings(alone), swap=f"{role}={other}")
        every += [(each, own, again) for each, own, base in every if base is setup]
    folder = out or Path("runs") / (benchmark if len(every) > 1 else folder_name(*every[0]))
    runs = _place_runs(every, work, folder)
    for one in runs:
        check_languages(bench, one.work, one.models)
        check_prices(one.setup.settings, [*one.models, *([judge] if judge else [])])
    if dry_run:
        for one in runs:
            _show_estimate(one)
    elif failed := _run_all(runs, work, folder, resume):
        note(f"{failed} items failed; --resume tries them again", style="yellow")
        raise typer.Exit(4)


def _place_runs(
    every: Sequence[tuple[SystemSpec, int, RunSetup]], work: Plan, folder: Path
) -> list[SystemRun]:
    """Each system and seed as a run: in the folder itself, or in one of its own where there are several."""
    if len(every) == 1:
        ((system, seed, setup),) = every
        return [SystemRun(setup, _work_of(system, work, setup), system, seed, RunDir(folder))]
    if RunDir(folder).exists():
        raise InputError(f"{folder} holds the run of one system: choose another --out for several")
    return [
        SystemRun(
            setup,
            _work_of(system, work, setup),
            system,
            seed,
            RunDir(folder / folder_name(system, seed, setup)),
        )
        for system, seed, setup in every
    ]


def _work_of(system: SystemSpec, work: Plan, setup: RunSetup) -> Plan:
    """What of the work a system can do, and has not learnt from."""
    covered = system.covered(work)
    found = system.unlearnt(covered, setup.settings)
    if left_out := len(covered.items) - len(found.items):
        note(f"{system.text}: {left_out} items are left out, whose texts its planner has learnt from")
    return found


def _run_all(runs: Sequence[SystemRun], work: Plan, folder: Path, resume: bool) -> int:
    """Run one after another within one budget, and report those that are scored; how many items failed."""
    failed, spent = 0, Usage()
    ours: list[RunDir] = []
    shared = runs[0].setup
    try:
        with shared.engine.held():
            for one in runs:
                if len(runs) > 1:
                    note(f"{one.label}:")
                if left_out := one.left_out(work):
                    whole = f"it writes whole pieces, of {' and '.join(WHOLE)}"
                    note(f"{one.system.text} leaves out {', '.join(left_out)}: {whole}")
                left = replace(one.setup, settings=remaining_budget(one.setup.settings, spent))
                with open_run(one.folder, one.facts, resume):
                    ours.append(one.folder)
                    done = _finish(replace(one, setup=left))
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
    setup, folder = one.setup, one.folder
    known: Record = {"planned": len(one.work.items)}
    if one.measured:
        known["quality"] = setup.settings.quality
    if unlike := [dataset.name for dataset in one.work.datasets if not dataset.comparable]:
        known[UNLIKE] = unlike
    folder.write("run.json", {**folder.facts(), **known})
    if one.asks:
        system = one.system
        composed_here = system.name == COMPOSE and any(spec in EMBEDDED for spec in one.models)
        for role in system.roles:
            prepare(setup.settings, role, scoring=one.measured or system.kind.scores or composed_here)
    try:
        done = asyncio.run(_work(one))
        if setup.judge is not None and isinstance(setup.bench, WritingBenchmark):
            left = remaining_budget(setup.settings, done.usage)
            failed, spent = _judge_run(setup.bench, folder, setup.judge, left)
            done = replace(done, failed=done.failed + failed, usage=done.usage + spent)
    except ModelError:
        if folder.finished():
            _score(one)
        raise
    return replace(done, failed=done.failed + _score(one))


def _show_estimate(one: SystemRun) -> None:
    found = estimate_run(one)
    finished = len(one.work.items) - found.left
    put(f"{found.left} items to run, {finished} finished, in {one.folder.path}\n")
    if not one.asks:
        return
    tokens = f"{found.prompt_tokens:,} + {found.completion_tokens:,}"
    put(f"about {found.calls} calls of {one.model}, {tokens} tokens\n")
    if one.setup.judge is not None:
        put(f"and {len(one.work.items)} judgements of {one.setup.judge}\n")
    if found.cost is not None:
        put(f"about {found.cost:.4f} at the prices set for {one.priced_model}\n")


def _judge_run(bench: WritingBenchmark, folder: RunDir, judge: str, settings: Settings) -> tuple[int, Usage]:
    """Have the finished outputs judged, and say in run.json who did; what is judged already is not asked.

    How many could not be judged, and what was spent.
    """
    records = [record for record in folder.latest().values() if not record["error"]]
    tasks = dict.fromkeys(record["task"] for record in records)
    folder.write("run.json", {**folder.facts(), "judge": judge_facts(bench, tasks, judge, settings)})
    found, spent = run_inquiries(
        settings,
        [judge],
        lambda models: bench.inquiries(records, models.open(judge, role="judge")),
        len(records),
        JudgementLog(folder.path / JUDGEMENTS),
    )
    return sum(judgement.error is not None for judgement in found), spent


async def _work(one: SystemRun) -> Progress:
    setup = one.setup
    with shown(len(one.work.items)) as progress:
        return await execute(
            editing_jobs(one.work),
            partial(open_editing, one.system.name, one.system.options, one.seed),
            setup.settings,
            one.folder.results,
            setup.engine,
            planned=len(one.work.items),
            progress=progress,
        )


def _score(one: SystemRun) -> int:
    """Measure and score what is finished; how many outputs could not be measured."""
    failed = 0
    if one.measured:
        prepare(one.setup.settings, scoring=True)
        failed = asyncio.run(_measure(one))
    with console().status("scoring"):
        score_run(one.folder, one.work, one.setup.bench, one.label)
    return failed


async def _measure(one: SystemRun) -> int:
    settings = one.setup.settings
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
            jobs, open_model_worker, settings, results, one.setup.engine, planned=len(jobs), progress=progress
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
