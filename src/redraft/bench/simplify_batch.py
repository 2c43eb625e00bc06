"""Simplifying many texts: the worker for a batch of them."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.bench.batch import Text
from redraft.bench.work import Answer, Worker
from redraft.models import Models
from redraft.revise.revision import Effort
from redraft.settings import Settings
from redraft.simplify.policy import Policy
from redraft.simplify.simplifying import asimplify


@dataclass(frozen=True)
class Way:
    """How every text is simplified."""

    policy: Policy
    effort: Effort = "medium"
    best_effort: bool = False
    seed: int = 0


async def open_simplifier(way: Way, settings: Settings) -> Worker:
    """A worker that simplifies texts in one way, with models of its own.

    It knows no budget: a text would end half-way where it is spent. The run keeps it, and starts no other.
    """
    return Simplifier(Models(settings.without_budget()), way)


class Simplifier:
    """Simplifies texts."""

    def __init__(self, models: Models, way: Way) -> None:
        self._models = models
        self._way = way

    async def do(self, given: Text) -> Answer:
        """The simplification; where the model failed for some sentence, an error with the rest."""
        way = self._way
        found = await asimplify(
            given.text,
            way.policy,
            models=self._models,
            instruction=given.instruction,
            constraints=given.calls,
            effort=way.effort,
            format=given.format,
            best_effort=way.best_effort,
            seed=way.seed,
        )
        error = None if found.failure is None else f"{type(found.failure).__name__}: {found.failure}"
        return Answer({**found.to_dict(), "status": found.status}, found.usage, error)

    async def aclose(self) -> None:
        """Close the models."""
        await self._models.aclose()
