"""One run of `redraft bench run`: a system with a seed, what it is called, and what run.json says of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from redraft.bench import COMPOSE, Benchmark, Plan, Prompted, SystemSpec
from redraft.cli.frame import put
from redraft.composition import ROLES
from redraft.runs import Engine, Record, RunDir
from redraft.settings import Settings

_LONGEST = 80
"""Characters of a system's name in the name of a folder."""


@dataclass(frozen=True)
class Given:
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
class One:
    """One system with one seed."""

    given: Given
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


def folder_name(system: SystemSpec, seed: int, given: Given) -> str:
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


def show_estimate(one: One) -> None:
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
