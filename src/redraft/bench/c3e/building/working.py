"""The work of a build that models do, in whatever process."""

from __future__ import annotations

from redraft.bench.c3e.building.asking import Step, Unusable
from redraft.bench.work import Answer, Worker
from redraft.models import Models
from redraft.settings import Settings


async def open_working(settings: Settings) -> Worker:
    """A worker that does any step."""
    return _Working(Models(settings))


class _Working:
    def __init__(self, models: Models) -> None:
        self._models = models

    async def do(self, given: Step) -> Answer:
        """What a step finds, or why its text is left out."""
        models = self._models.with_own_ledger()
        try:
            found = {"dropped": None, **await given.do(models)}
        except Unusable as unusable:
            found = {"dropped": str(unusable)}
        return Answer(found, models.ledger.total)

    async def aclose(self) -> None:
        """Close the models."""
        await self._models.aclose()
