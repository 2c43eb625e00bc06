"""A benchmark as work: an item is a job, and a worker has the system under test edit it."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.bench.base import Means, System
from redraft.bench.benchmark import Item, Plan
from redraft.bench.systems import open_system
from redraft.models import Models
from redraft.quality import EmbeddedQuality, QualityScorer
from redraft.runs import Answer, Job, TakesAll, Worker
from redraft.settings import Settings
from redraft.simplification import Policy

_PATIENCE = 10
"""A command may load a model, or read every task, before it answers: so many timeouts are allowed it."""


def editing_jobs(plan: Plan) -> Iterator[Job]:
    """The items of a plan as jobs."""
    for item in plan.items:
        yield Job(item.key, item, item.facts)


async def open_editing(spec: str, seed: int, policy: Policy | None, settings: Settings) -> Worker:
    """A worker with the system that a spec names, by the policy that it names, and models of its own."""
    models = Models(settings)
    means = Means(
        model=lambda: models.for_role("model"),
        quality=lambda: _quality(models),
        scorer=models.scorer,
        models=lambda: models,
        seed=seed,
        silence=_PATIENCE * settings.timeout,
        policy=policy,
    )
    try:
        system = open_system(spec, means)
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

    async def do(self, given: Item) -> Answer:
        """The edited text, and what else the system records."""
        edited = await self._system.edit(given)
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
