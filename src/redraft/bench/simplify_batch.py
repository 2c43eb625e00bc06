"""Simplifying many texts: the worker for a batch of them."""

from __future__ import annotations

from redraft.bench.batch import Text
from redraft.bench.work import Answer, Worker
from redraft.models import Models
from redraft.settings import Settings
from redraft.simplify.policy import Policy
from redraft.simplify.simplifying import asimplify


async def open_simplifier(policy: Policy, settings: Settings) -> Worker:
    """A worker that simplifies texts by a policy, with models of its own; it knows no budget either."""
    return Simplifier(Models(settings.without_budget()), policy)


class Simplifier:
    """Simplifies texts."""

    def __init__(self, models: Models, policy: Policy) -> None:
        self._models = models
        self._policy = policy

    async def do(self, given: Text) -> Answer:
        """The simplification."""
        found = await asimplify(
            given.text,
            self._policy,
            models=self._models,
            instruction=given.instruction,
            constraints=given.calls,
            format=given.format,
        )
        return Answer({**found.to_dict(), "status": found.status}, found.usage)

    async def aclose(self) -> None:
        """Close the models."""
        await self._models.aclose()
