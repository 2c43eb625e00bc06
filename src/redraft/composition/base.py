"""The roles of the work: who plans, chooses, writes, reviews and refines. Each may be another model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from redraft.composition.actions import Action, Limits
from redraft.composition.brief import Brief
from redraft.composition.state import Outline, Review, Section, State, Written
from redraft.composition.trajectory import Step


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reasoner chose; `action` is None where its answer could not be read, and `problem` says why."""

    action: Action | None
    thought: str = ""
    said: str = ""
    problem: str = ""


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
