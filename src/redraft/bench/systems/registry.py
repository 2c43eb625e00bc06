"""The kinds of system that there are, and the specs that name a system.

A spec is the name of a kind and, after a colon, its options: `copy`, `model`, `editor`, `editor:N`, `revise`,
`revise:N`, a strategy of revision (`search`, `direct`, …), `planner:WAY`, `simplify:POLICY`,
`vanilla:POLICY`, `trained:POLICY`, `compose:PROTOCOL`, `published:NAME`, `predictions:FILE`, `cmd:COMMAND`,
`python:MODULE:FUNCTION`.

Another package registers a kind in the entry-point group `redraft.systems`: a `SystemKind`, or a function of
what stands after the colon and of `SystemResources` that gives the system.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from typing import Any

from redraft.bench.benchmark import Item, Plan
from redraft.bench.systems import composition, outputs, prompted, revision, simplification
from redraft.bench.systems.kind import CallEstimate, System, SystemKind, SystemResources
from redraft.errors import InputError
from redraft.models import Models
from redraft.quality import EmbeddedQuality, QualityScorer
from redraft.revision import is_trained_planner, planner_has_learnt
from redraft.runs import Answer, Job, TakesAll, Worker
from redraft.settings import Settings

GROUP = "redraft.systems"
OURS: Mapping[str, SystemKind[Any]] = {
    kind.name: kind
    for module in (outputs, prompted, revision, simplification, composition)
    for kind in module.KINDS
}


@dataclass(frozen=True)
class SystemSpec:
    """A spec that has been read: the kind that it names, and its options."""

    text: str
    kind: SystemKind[Any]
    options: Any

    @property
    def name(self) -> str:
        """The name of its kind."""
        return self.kind.name

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles whose models it asks."""
        return self.kind.roles(self.options)

    @property
    def main_role(self) -> str:
        """The role whose model stands for the system in a report."""
        return self.roles[0] if len(self.roles) == 1 else "model"

    @property
    def parameters(self) -> dict[str, Any]:
        """What decides its outputs beside the spec and the seed, to be recorded with a run."""
        return self.kind.parameters(self.options)

    def calls(self, item: Item) -> CallEstimate:
        """What an item takes."""
        return self.kind.calls(self.options, item)

    def covered(self, plan: Plan) -> Plan:
        """The part of a plan that it can do; InputError where it can do nothing of it."""
        covers = self.kind.covers
        if covers is None:
            return plan
        items = tuple(item for item in plan.items if covers(self.options, item))
        if not items:
            raise InputError(f"the data has no {self.kind.lacking(self.options, plan)}")
        return replace(plan, items=items)

    def unlearnt(self, plan: Plan, settings: Settings) -> Plan:
        """A plan without the texts that its planner has learnt from; InputError where nothing is left."""
        role = self.kind.planner(self.options)
        if role is None or not is_trained_planner(settings.spec_for(role), settings.weights()):
            return plan
        items = tuple(item for item in plan.items if not planner_has_learnt(item.sample.input))
        if not items:
            raise InputError(f"the planner of {self.text} has learnt from every text of the data")
        return replace(plan, items=items)

    def open(self, resources: SystemResources) -> System:
        """The system."""
        return self.kind.open(self.options, resources)


def read_system(spec: str) -> SystemSpec:
    """Read a spec, and open nothing; InputError unless it names a kind, with options that this takes."""
    name, colon, argument = spec.partition(":")
    kind = find_kind(name)
    return SystemSpec(spec, kind, kind.parse(argument if colon else None))


def find_kind(name: str) -> SystemKind[Any]:
    """The kind of a name: one of ours, or one that another package registers."""
    if name in OURS:
        return OURS[name]
    others = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in others:
        known = sorted({*OURS, *others})
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
        raise InputError(f"unknown system {name!r}; {hint}")
    found: Any = others[name].load()
    if isinstance(found, SystemKind):
        return found
    return SystemKind(name, _as_given, found, may_ask=True)


def _as_given(argument: str | None) -> str:
    return argument or ""


_PATIENCE = 10
"""A command may load a model, or read every task, before it answers: so many timeouts are allowed it."""


def editing_jobs(plan: Plan) -> Iterator[Job]:
    """The items of a plan as jobs."""
    for item in plan.items:
        yield Job(item.key, item, item.facts)


async def open_editing(name: str, options: Any, seed: int, settings: Settings) -> Worker:
    """A worker with a system, by the name of its kind and its options, and with models of its own."""
    models = Models(settings)
    resources = SystemResources(
        model=lambda: models.for_role("model"),
        quality=lambda: _quality(models),
        scorer=models.scorer,
        models=lambda: models,
        seed=seed,
        silence=_PATIENCE * settings.timeout,
    )
    try:
        system = find_kind(name).open(options, resources)
    except BaseException:
        await models.aclose()
        raise
    return EditingAll(system, models) if isinstance(system, TakesAll) else Editing(system, models)


def _quality(models: Models) -> QualityScorer:
    return EmbeddedQuality(models.scorer(), models.embedder())


class Editing:
    """Has a system edit items."""

    def __init__(self, system: System, models: Models) -> None:
        self._system = system
        self._models = models

    async def do(self, item: Item) -> Answer:
        """The edited text, and what else the system records."""
        edited = await self._system.edit(item)
        return Answer({"output": edited.text, **edited.more}, edited.usage)

    async def aclose(self) -> None:
        """Close the system and the models."""
        try:
            await self._system.aclose()
        finally:
            await self._models.aclose()


class EditingAll(Editing):
    """The same with a system that may want all the items before it answers the first."""

    def expect(self, count: int) -> None:
        """As many items will be given."""
        assert isinstance(self._system, TakesAll)  # it is made for such a system
        self._system.expect(count)
