"""The roles of the work (who chooses, plans, writes, reviews and refines) and the models that play them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from redraft.composition.actions import Action, Choice, Limits
from redraft.composition.brief import Brief
from redraft.composition.model_roles import (
    ModelOutliner,
    ModelReasoner,
    ModelRefiner,
    ModelReviewer,
    ModelWriter,
)
from redraft.composition.paragraphs import WRITER
from redraft.composition.small_reasoner import SmallOutliner, SmallReasoner
from redraft.composition.small_reviewer import SmallReviewer
from redraft.composition.small_writer import SmallRefiner, SmallWriter
from redraft.composition.state import Outline, Review, Section, SectionText, State
from redraft.composition.trajectory import Step
from redraft.errors import InputError
from redraft.models import EMBEDDED, Models, known_adapters
from redraft.revision import SMALL
from redraft.settings import Settings


class Outliner(Protocol):
    """Plans the piece."""

    async def outline(self, brief: Brief) -> Outline:
        """The sections of the piece; their shares of its length are given to them afterwards."""


class Reasoner(Protocol):
    """Chooses each action."""

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

    async def draft(self, brief: Brief, state: State, section: Section) -> SectionText:
        """The text of a pending section."""


class Reviewer(Protocol):
    """Reviews a section."""

    async def review(self, brief: Brief, state: State, section: Section) -> Review:
        """A score from 1 to 10 and a critique of a section that is drafted."""


class Refiner(Protocol):
    """Refines a section by its critique."""

    async def refine(self, brief: Brief, state: State, section: Section) -> SectionText:
        """A better version of a section whose revision is needed."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Who does what."""

    outliner: Outliner
    reasoner: Reasoner
    writer: Writer
    reviewer: Reviewer
    refiner: Refiner


ROLES: Final = ("reasoner", "outliner", "writer", "reviewer", "refiner")
_WHO: Final = {"outline": "outliner", "draft": "writer", "review": "reviewer", "refine": "refiner"}


def assign_roles(models: Models, seed: int) -> Roles:
    """The roles as the settings fill them."""
    reasoner, outliner, writer, reviewer, refiner = (models.for_role(role) for role in ROLES)
    embedder = models.embedder()
    adapter = WRITER if WRITER in known_adapters(models.settings.weights()) else None
    return Roles(
        SmallOutliner(embedder) if outliner.spec in SMALL else ModelOutliner(outliner, seed),
        SmallReasoner(reasoner, seed) if reasoner.spec in SMALL else ModelReasoner(reasoner, seed),
        SmallWriter(writer, embedder, seed, adapter) if writer.spec in SMALL else ModelWriter(writer, seed),
        SmallReviewer(embedder) if reviewer.spec in SMALL else ModelReviewer(reviewer, seed),
        SmallRefiner(SmallWriter(refiner, embedder, seed, adapter), embedder)
        if refiner.spec in SMALL
        else ModelRefiner(refiner, seed),
    )


def role_of(action: Action) -> str:
    """The role that does an action."""
    return _WHO.get(action.name, "reasoner")


def check_language(brief: Brief, settings: Settings) -> None:
    """Raise where a piece in Chinese falls to a model that knows none."""
    if brief.language == "zh" and any(settings.spec_for(role) in EMBEDDED for role in ROLES):
        raise InputError("the embedded model knows no Chinese: name another with --model")
