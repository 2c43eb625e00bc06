"""The work of a build that models do, in whatever process: revising a text, wording an instruction."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from redraft.bench.constrev.building.rendering import TEMPLATES, Rendered, from_model
from redraft.bench.constrev.building.revising import revised
from redraft.bench.work import Answer, Worker
from redraft.constraints import parse_call
from redraft.models import Models
from redraft.settings import Settings


@dataclass(frozen=True, slots=True)
class Revise:
    """A text, and the goal to revise it towards."""

    text: str
    goal: str
    calls: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Word:
    """An instruction to put in better words, and what it must go on to say."""

    draft: str
    calls: tuple[str, ...]
    source: str
    judged: bool
    seed: int


async def open_revising(settings: Settings) -> Worker:
    """A worker that revises with the reviser of the settings."""
    return _Revising(Models(settings))


async def open_rendering(settings: Settings) -> Worker:
    """A worker that words instructions with the model of the settings, and their judge."""
    return _Rendering(Models(settings))


class _Working:
    def __init__(self, models: Models) -> None:
        self._models = models

    async def aclose(self) -> None:
        """Close the models."""
        await self._models.aclose()


class _Revising(_Working):
    async def do(self, given: Revise) -> Answer:
        """The revised text."""
        text, usage = await revised(given.text, given.goal, given.calls, self._models, given.seed)
        return Answer({"text": text}, usage)


class _Rendering(_Working):
    async def do(self, given: Word) -> Answer:
        """The instruction in the model's words; nothing where none of its answers says the same."""
        models = self._models.with_own_ledger()
        found = await from_model(
            Rendered(given.draft, TEMPLATES),
            [parse_call(call) for call in given.calls],
            given.source,
            models.for_role("model"),
            models.for_role("judge") if given.judged else None,
            given.seed,
        )
        said = None if found.by == TEMPLATES else found.instruction
        rejected = [asdict(one) for one in found.rejected]
        return Answer({"instruction": said, "by": found.by, "rejected": rejected}, models.ledger.total)
