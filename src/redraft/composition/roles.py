"""The roles of the work (who plans, chooses, writes, reviews and refines) and the models that play them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from redraft.composition.actions import Action, Choice, Limits
from redraft.composition.brief import Brief
from redraft.composition.model_roles import ModelReasoner, ModelRefiner, ModelReviewer, ModelWriter
from redraft.composition.small_reasoner import SmallReasoner
from redraft.composition.small_reviewer import SmallReviewer
from redraft.composition.small_writer import SmallRefiner, SmallWriter
from redraft.composition.state import Outline, Review, Section, State, Written
from redraft.composition.trajectory import Step
from redraft.errors import InputError
from redraft.models import EMBEDDED, Models
from redraft.revision import SMALL
from redraft.settings import Settings


class Reasoner(Protocol):
    """Plans the piece, and chooses each action."""

    async def outline(self, brief: Brief) -> Outline:
        """The sections of the piece; their shares of its length are given to them afterwards."""

    async def choose(
        self,
        brief: Brief,
        state: State,
        steps: Sequence[Step],
        allowed: Sequence[Action] | None,
        limits: Limits,
    ) -> Choice:
        """The next action: one of the allowed, or any at all where nothing is said of that."""


class Writer(Protocol):
    """Drafts a section."""

    async def draft(self, brief: Brief, state: State, section: Section) -> Written:
        """The text of a pending section."""


class Reviewer(Protocol):
    """Reviews a section."""

    async def review(self, brief: Brief, state: State, section: Section) -> Review:
        """A score from 1 to 10 and a critique of a section that is drafted."""


class Refiner(Protocol):
    """Refines a section by its critique."""

    async def refine(self, brief: Brief, state: State, section: Section) -> Written:
        """A better version of a section whose revision is needed."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Who does what."""

    reasoner: Reasoner
    writer: Writer
    reviewer: Reviewer
    refiner: Refiner


ROLES: Final = ("reasoner", "writer", "reviewer", "refiner")
_WHO: Final = {"draft": "writer", "review": "reviewer", "refine": "refiner"}


def cast(models: Models, seed: int) -> Roles:
    """The roles as the settings fill them."""
    reasoner, writer, reviewer, refiner = (models.for_role(role) for role in ROLES)
    embedder = models.embedder()
    return Roles(
        SmallReasoner(reasoner, embedder, seed) if reasoner.spec in SMALL else ModelReasoner(reasoner, seed),
        SmallWriter(writer, embedder, seed) if writer.spec in SMALL else ModelWriter(writer, seed),
        SmallReviewer(embedder) if reviewer.spec in SMALL else ModelReviewer(reviewer, seed),
        SmallRefiner(SmallWriter(refiner, embedder, seed), embedder)
        if refiner.spec in SMALL
        else ModelRefiner(refiner, seed),
    )


def player(action: Action) -> str:
    """The role that does an action."""
    return _WHO.get(action.name, "reasoner")


def check_language(brief: Brief, settings: Settings) -> None:
    """Raise where a piece in Chinese falls to a model that knows none."""
    if brief.language == "zh" and any(settings.spec_for(role) in EMBEDDED for role in ROLES):
        raise InputError("the embedded model knows no Chinese: name another with --model")
