"""What `redraft bench run` adds for benchmarks of writing: tasks and languages, judges, roles exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from redraft.bench import COMPOSE, JUDGEMENTS, WHOLE, Benchmark, DataSet, Plan, SystemSpec, WritingBenchmark
from redraft.cli.frame import note
from redraft.cli.judge_run import run_inquiries
from redraft.composition import ROLES
from redraft.errors import InputError
from redraft.judge import Journal, reliability_of, wording
from redraft.models import EMBEDDED, Usage
from redraft.runs import Record, RunDir
from redraft.settings import Settings

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
        help="compose: run it again with another model as reasoner, writer, reviewer or refiner; may be"
        " repeated.",
    ),
]


def chosen(
    bench: Benchmark, datasets: tuple[DataSet, ...], task: str | None, lang: str | None, judge: str | None
) -> tuple[DataSet, ...]:
    """The data sets that the options choose; InputError where a benchmark does not have such options."""
    if isinstance(bench, WritingBenchmark):
        return bench.choose(datasets, task or "all", lang or "all")
    for name, value in (("task", task), ("lang", lang), ("judge", judge)):
        if value is not None:
            raise InputError(f"--{name} is for benchmarks of writing, such as c3e, not for {bench.name}")
    return datasets


def check_judge(judge: str | None, any_judge: bool) -> None:
    """Raise where nobody should believe the judge."""
    if judge in EMBEDDED and not any_judge:
        raise InputError(
            "the embedded model is no judge: nobody knows how reliable its marks are; name a stronger model"
            " with --judge, or add --any-judge"
        )


def exchanged(
    swaps: Sequence[str], systems: Sequence[SystemSpec], settings: Settings
) -> list[tuple[str, str]]:
    """The roles that are exchanged, each with its model."""
    found = []
    for swap in dict.fromkeys(swaps):
        role, equals, spec = swap.partition("=")
        if role not in ROLES or not equals or not spec.strip():
            raise InputError(f"--swap takes ROLE=SPEC, the role one of {', '.join(ROLES)}, not {swap!r}")
        if settings.spec_for(role) == spec:
            raise InputError(f"--swap {swap} changes nothing: the {role} is {spec} already")
        found.append((role, spec))
    for system in systems if swaps else ():
        if system.name != COMPOSE:
            raise InputError(
                f"--swap is for {COMPOSE}, whose roles are played by models, not for {system.text}"
            )
    return found


def check_languages(bench: Benchmark, work: Plan, specs: Sequence[str]) -> None:
    """Raise where the embedded model is to write what it has no words for."""
    if not isinstance(bench, WritingBenchmark) or not any(spec in EMBEDDED for spec in specs):
        return
    wanted = {item.sample.dataset for item in work.items}
    if any(bench.language(each) != "en" for each in work.datasets if each.name in wanted):
        raise InputError(
            "the embedded model knows no Chinese: choose --lang en, or name another model with --model"
        )


def tell_left_out(system: SystemSpec, work: Plan, own: Plan) -> None:
    """Say what a system does not do of the work."""
    if system.name != COMPOSE:
        return
    done = {item.sample.dataset for item in own.items}
    left = dict.fromkeys(item.sample.dataset for item in work.items if item.sample.dataset not in done)
    if left:
        note(f"{system.text} leaves out {', '.join(left)}: it writes whole pieces, of {' and '.join(WHOLE)}")


def judge_run(bench: WritingBenchmark, folder: RunDir, judge: str, settings: Settings) -> tuple[int, Usage]:
    """Have the finished outputs judged, and say in run.json who did; what is judged already is not asked.

    How many could not be judged, and what was spent.
    """
    records = [record for record in folder.latest().values() if not record["error"]]
    tasks = dict.fromkeys(record["task"] for record in records)
    known = {task: reliability_of(judge, bench.rubric(task), settings) for task in tasks}
    facts: Record = {
        "spec": judge,
        "prompts": {task: wording(bench.rubric(task)) for task in tasks},
        "agreement": {task: str(found) if found else "not measured" for task, found in known.items()},
    }
    folder.write("run.json", {**folder.facts(), "judge": facts})
    found, spent = run_inquiries(
        settings,
        [judge],
        lambda models: bench.inquiries(records, models.open(judge, role="judge")),
        len(records),
        Journal(folder.path / JUDGEMENTS),
    )
    return sum(judgement.error is not None for judgement in found), spent
