"""Protocols: who decides what is done next. A reasoner decides freely, or the order is laid down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

from redraft.composition.actions import PATIENCE, Action, Choice, Limits, Name, possible, refusal, room
from redraft.composition.brief import Brief
from redraft.composition.paper import PaperPrompts, Policy, tool_problem
from redraft.composition.roles import assign_roles, role_of
from redraft.composition.state import State
from redraft.composition.trajectory import Step
from redraft.errors import ContextOverflow, InputError
from redraft.models import Models, Usage

Protocol = Literal["autonomous", "fixed", "no_review", "no_refine", "batch", "paper"]
PROTOCOLS: Final[tuple[Protocol, ...]] = get_args(Protocol)
_AT_ONCE: Final[tuple[Name, ...]] = ("outline", "draft", "review", "refine", "finish")


@dataclass(frozen=True, slots=True)
class ComposeOptions:
    """How a piece is written."""

    protocol: Protocol = "fixed"
    limits: Limits = field(default_factory=Limits)
    guarded: bool = True
    """Whether a reasoner is only offered what is possible, and told on where it is stuck."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise InputError(f"unknown protocol {self.protocol!r}; use {', '.join(PROTOCOLS)}")
        limits = self.limits
        if not 1 <= limits.tau <= 10 or limits.max_steps < 3 or limits.revisions < 0:
            raise InputError(
                "tau is from 1 to 10, there are at least 3 steps, and revisions are 0 or more;"
                f" these are {limits.tau:g}, {limits.max_steps} and {limits.revisions}"
            )


def limits_for(protocol: Protocol, limits: Limits) -> Limits:
    """The limits as a protocol narrows them."""
    if protocol == "paper":
        return replace(limits, best=False)
    if protocol == "no_review":
        return replace(limits, reviews=False, revisions=0)
    return replace(limits, revisions=0) if protocol == "no_refine" else limits


def next_in_order(state: State, limits: Limits, used: int) -> Action | None:
    """The next action of the fixed order: each section is drafted, reviewed and refined before the next."""
    allowed = possible(state, limits, used)
    by_section = sorted(allowed, key=lambda action: (action.name == "finish", action.section or 0))
    return by_section[0] if by_section else None


def next_batch(state: State, limits: Limits, used: int) -> tuple[Action, ...]:
    """The next actions of the batch order: all drafts together, all reviews, all refinements, and again."""
    allowed = possible(state, limits, used)
    for name in _AT_ONCE:
        if same := tuple(action for action in allowed if action.name == name):
            steps = limits.max_steps - used if name == "draft" else max(room(state, limits, used), 1)
            return same[:steps]
    return ()


NOTHING: Final[Usage] = Usage()
"""What it costs to ask nobody."""


class Chooser:
    """Has the next action of a piece chosen."""

    def __init__(self, brief: Brief, models: Models, options: ComposeOptions, limits: Limits) -> None:
        self._brief = brief
        self._models = models
        self._options = options
        self._limits = limits

    async def choose(self, fallback: Step, state: State, steps: Sequence[Step]) -> tuple[Step, Usage]:
        """The step that the reasoner chooses, and what choosing took.

        Where it chooses nothing that can be done, a failed step; after some of those the fallback.
        """
        limits = self._limits
        allowed = possible(state, limits, len(steps))
        if self._options.guarded and len(allowed) == 1:
            return replace(fallback, thought="Nothing else is possible now."), NOTHING
        if self._options.guarded and (stuck := _is_stuck(state, steps, limits)):
            return replace(fallback, note=f"{stuck}: the fixed order goes on"), NOTHING
        models = self._models.with_own_ledger()
        # A choice that failed is asked for anew with another seed: the same question has the same answer.
        seed = self._options.seed + sum(step.error != "" for step in steps)
        choice = await assign_roles(models, seed).reasoner.choose(
            self._brief, state, steps, allowed if self._options.guarded else None, limits
        )
        problem = choice.problem
        if choice.action is not None:
            problem = refusal(choice.action, state, limits, len(steps)) or ""
        return self._chosen(fallback, choice, problem), models.ledger.total

    async def choose_as_published(
        self, begun: Step, state: State, prompts: PaperPrompts
    ) -> tuple[Step, Usage]:
        """The step that the policy of the paper chooses; whatever cannot be done is a failed step."""
        models = self._models.with_own_ledger()
        policy = Policy(models.for_role("reasoner"), prompts, self._options.seed + begun.number)
        try:
            choice = await policy.choose(self._brief, state, self._limits)
        except ContextOverflow as error:
            choice = Choice(None, problem=str(error))
        return self._chosen(begun, choice, choice.problem or tool_problem(choice, state)), models.ledger.total

    def _chosen(self, begun: Step, choice: Choice, problem: str) -> Step:
        by = "reasoner" if problem or choice.action is None else role_of(choice.action)
        step = replace(
            begun,
            action=choice.action,
            thought=choice.thought,
            params=choice.params,
            by=self._models.settings.spec_for(by),
        )
        return replace(step, said=choice.said or str(choice.action), error=problem) if problem else step


def _is_stuck(state: State, steps: Sequence[Step], limits: Limits) -> str:
    """Why a reasoner is not asked again: its choices cannot be done, or there is no step to lose."""
    last = steps[-PATIENCE:]
    if len(last) == PATIENCE and all(step.said for step in last):
        return f"{PATIENCE} choices in a row were none that can be done"
    if any(step.said for step in last) and room(state, limits, len(steps)) < 1:
        return "the last choice could not be done, and no step is left to lose"
    return ""
