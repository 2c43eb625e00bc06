"""What `redraft bench run` is to run: each system with a seed, its name, its cost, and its run.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from redraft.bench import (
    COMPOSE,
    JUDGEMENTS,
    WHOLE,
    Benchmark,
    DataSet,
    Plan,
    Prompted,
    SystemSpec,
    WritingBenchmark,
)
from redraft.cli.console import note, put
from redraft.cli.judge.run import run_inquiries
from redraft.composition import ROLES
from redraft.errors import InputError
from redraft.judge import JudgementLog, reliability_of, rubric_prompt_hash
from redraft.models import EMBEDDED, Usage
from redraft.runs import Engine, Record, RunDir
from redraft.settings import Settings

_LONGEST = 80
"""Characters of a system's name in the name of a folder."""


@dataclass(frozen=True)
class RunSetup:
    """What the runs of one command share."""

    bench: Benchmark
    settings: Settings
    prompts: str
    limit: int | None
    quality: bool
    engine: Engine
    seeds: int
    judge: str | None = None
    swap: str = ""
    """The role that is exchanged, and its model: `reasoner=SPEC`."""


@dataclass(frozen=True)
class SystemRun:
    """One system with one seed."""

    given: RunSetup
    work: Plan
    system: SystemSpec
    seed: int
    folder: RunDir

    @property
    def asks(self) -> bool:
        """Whether a model is asked."""
        return bool(self.system.roles)

    @property
    def measured(self) -> bool:
        """Whether the quality of its outputs is measured; a planner leaves every text as it is."""
        return self.given.quality and self.system.kind.edits

    @property
    def model(self) -> str:
        """The model that is asked."""
        return self.given.settings.spec_for(self.system.main_role)

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that writes."""
        return tuple(self.given.settings.spec_for(role) for role in self.system.roles)

    @property
    def label(self) -> str:
        """What a report calls it."""
        label = _label(self.system, self.given.settings)
        return f"{label}, seed {self.seed}" if self.given.seeds > 1 else label

    @property
    def facts(self) -> Record:
        """What is run, for run.json."""
        settings, system = self.given.settings, self.system
        asking = next((item.sample.asking for item in self.work.items if item.sample.asking), None)
        return {
            "benchmark": self.given.bench.name,
            "system": system.text,
            **({"model": self.model} if self.asks or system.kind.may_ask else {}),
            **{role: settings.spec_for(role) for role in system.kind.also_recorded},
            **({"roles": dict(zip(ROLES, self.models, strict=True))} if system.name == COMPOSE else {}),
            **({"swap": self.given.swap} if self.given.swap else {}),
            **({"temperature": asking.temperature} if asking and system.name == "model" else {}),
            **({"parameters": found} if (found := system.parameters) else {}),
            "counting": settings.counting,
            "prompts": self.given.prompts,
            "limit": self.given.limit,
            "seed": self.seed,
            "data": _fingerprint(self.work),
            "prices": {name: price.model_dump() for name, price in settings.prices.items()},
        }


def _label(system: SystemSpec, settings: Settings) -> str:
    if not system.roles:
        return system.text
    label = f"{system.text} {settings.spec_for(system.main_role)}"
    others = [role for role in ROLES if settings.spec_for(role) != settings.model]
    if system.name != COMPOSE or not others:
        return label
    return ", ".join((label, *(f"{role} {settings.spec_for(role)}" for role in others)))


def folder_name(system: SystemSpec, seed: int, given: RunSetup) -> str:
    """A name for the folder of a run, of its own for each system and seed."""
    label = _label(system, given.settings)
    words = "".join(char if char.isalnum() or char in "-._=" else "_" for char in label)
    if len(words) > _LONGEST:
        words = f"{words[:_LONGEST]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"
    return f"{given.bench.name}-{words}" + (f"-seed{seed}" if seed else "")


def _fingerprint(work: Plan) -> str:
    """A hash of what is run and scored, so that a resumed run is the same run."""
    digest = hashlib.sha256()
    for item in work.items:
        sample = item.sample
        told = [item.key, item.facts, sample.plan, sample.format, dict(sample.others)]
        if sample.asking is not None:
            told.append(asdict(sample.asking))
        digest.update(json.dumps(told, sort_keys=True).encode())
    return digest.hexdigest()[:16]


def show_estimate(one: SystemRun) -> None:
    """What is left to run, in calls, tokens and money; four characters are taken for a token."""
    settings = one.given.settings
    finished = one.folder.finished()
    todo = [item for item in one.work.items if item.key not in finished]
    put(f"{len(todo)} items to run, {len(one.work.items) - len(todo)} finished, in {one.folder.path}\n")
    if not one.asks:
        return
    calls = prompt = completion = 0
    for item in todo:
        estimate = one.system.calls(item)
        calls += estimate.calls
        prompt += estimate.shown * len(Prompted.prompt(item)) // 4
        asking = item.sample.asking
        completion += estimate.written * (asking.max_tokens // 2 if asking else len(item.sample.input) // 4)
    put(f"about {calls} calls of {one.model}, {prompt:,} + {completion:,} tokens\n")
    if one.given.judge is not None:
        put(f"and {len(one.work.items)} judgements of {one.given.judge}\n")
    name = one.model.partition("#")[2] or one.model.partition(":")[2]
    if price := settings.prices.get(name):
        cost = (prompt * price.prompt + completion * price.completion) / 1e6
        put(f"about {cost:.4f} at the prices set for {name}\n")


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


def choose_datasets(
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


def read_swaps(
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
        "prompts": {task: rubric_prompt_hash(bench.rubric(task)) for task in tasks},
        "agreement": {task: str(found) if found else "not measured" for task, found in known.items()},
    }
    folder.write("run.json", {**folder.facts(), "judge": facts})
    found, spent = run_inquiries(
        settings,
        [judge],
        lambda models: bench.inquiries(records, models.open(judge, role="judge")),
        len(records),
        JudgementLog(folder.path / JUDGEMENTS),
    )
    return sum(judgement.error is not None for judgement in found), spent
