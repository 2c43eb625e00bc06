"""One system with one seed over a benchmark: its name, its run.json, what it takes, and what is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from redraft.bench.benchmark import Benchmark, DataSet, Plan, WritingBenchmark
from redraft.bench.systems.composition import COMPOSE
from redraft.bench.systems.prompted import Prompted
from redraft.bench.systems.registry import SystemSpec
from redraft.composition import ROLES
from redraft.errors import InputError
from redraft.judge import reliability_of, rubric_prompt_hash
from redraft.models import EMBEDDED
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

    setup: RunSetup
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
        return self.setup.quality and self.system.kind.edits

    @property
    def model(self) -> str:
        """The model that is asked."""
        return self.setup.settings.spec_for(self.system.main_role)

    @property
    def priced_model(self) -> str:
        """The name that its price is set for."""
        return self.model.partition("#")[2] or self.model.partition(":")[2]

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that writes."""
        return tuple(self.setup.settings.spec_for(role) for role in self.system.roles)

    def left_out(self, work: Plan) -> list[str]:
        """The data sets of the work that a system of whole pieces does not do."""
        done = {item.sample.dataset for item in self.work.items}
        names = dict.fromkeys(item.sample.dataset for item in work.items)
        return [name for name in names if self.system.name == COMPOSE and name not in done]

    @property
    def label(self) -> str:
        """What a report calls it."""
        label = _label(self.system, self.setup.settings)
        return f"{label}, seed {self.seed}" if self.setup.seeds > 1 else label

    @property
    def facts(self) -> Record:
        """What is run, for run.json."""
        settings, system = self.setup.settings, self.system
        asking = next((item.sample.asking for item in self.work.items if item.sample.asking), None)
        return {
            "benchmark": self.setup.bench.name,
            "system": system.text,
            **({"model": self.model} if self.asks or system.kind.may_ask else {}),
            **{role: settings.spec_for(role) for role in system.kind.also_recorded},
            **({"roles": dict(zip(ROLES, self.models, strict=True))} if system.name == COMPOSE else {}),
            **({"swap": self.setup.swap} if self.setup.swap else {}),
            **({"temperature": asking.temperature} if asking and system.name == "model" else {}),
            **({"parameters": found} if (found := system.parameters) else {}),
            "counting": settings.counting,
            "prompts": self.setup.prompts,
            "limit": self.setup.limit,
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


def folder_name(system: SystemSpec, seed: int, setup: RunSetup) -> str:
    """A name for the folder of a run, of its own for each system and seed."""
    label = _label(system, setup.settings)
    words = "".join(char if char.isalnum() or char in "-._=" else "_" for char in label)
    if len(words) > _LONGEST:
        words = f"{words[:_LONGEST]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"
    return f"{setup.bench.name}-{words}" + (f"-seed{seed}" if seed else "")


def _fingerprint(work: Plan) -> str:
    """A hash of what is run and scored, so that a resumed run is the same run."""
    digest = hashlib.sha256()
    for item in work.items:
        sample = item.sample
        parts = [item.key, item.facts, sample.plan, sample.format, dict(sample.others)]
        if sample.asking is not None:
            parts.append(asdict(sample.asking))
        digest.update(json.dumps(parts, sort_keys=True).encode())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class RunEstimate:
    """What is left of a run: items, and about so many calls, tokens and so much money for them."""

    left: int
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    """None where the model has no price."""


def estimate_run(run: SystemRun) -> RunEstimate:
    """What is left to run takes; four characters are taken for a token."""
    finished = run.folder.finished()
    left = [item for item in run.work.items if item.key not in finished]
    if not run.asks:
        return RunEstimate(len(left))
    calls = prompt = completion = 0
    for item in left:
        estimate = run.system.calls(item)
        calls += estimate.calls
        prompt += estimate.shown * len(Prompted.prompt(item)) // 4
        asking = item.sample.asking
        completion += estimate.written * (asking.max_tokens // 2 if asking else len(item.sample.input) // 4)
    price = run.setup.settings.prices.get(run.priced_model)
    cost = (prompt * price.prompt + completion * price.completion) / 1e6 if price else None
    return RunEstimate(len(left), calls, prompt, completion, cost)


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


def judge_facts(benchmark: WritingBenchmark, tasks: Iterable[str], judge: str, settings: Settings) -> Record:
    """Who judges the outputs of a run, for its run.json: the prompts, and how far it agrees with people."""
    rubrics = {task: benchmark.rubric(task) for task in tasks}
    known = {task: reliability_of(judge, rubric, settings) for task, rubric in rubrics.items()}
    return {
        "spec": judge,
        "prompts": {task: rubric_prompt_hash(rubric) for task, rubric in rubrics.items()},
        "agreement": {task: str(found) if found else "not measured" for task, found in known.items()},
    }
