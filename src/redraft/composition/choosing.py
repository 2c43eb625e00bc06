"""The autonomous protocol: what the reasoner decides, and what is done where it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from redraft.composition.actions import PATIENCE, Limits, possible, refusal, room
from redraft.composition.brief import Brief
from redraft.composition.casting import cast, player
from redraft.composition.protocols import Way
from redraft.composition.state import State
from redraft.composition.trajectory import Step
from redraft.models import Models, Usage

NOTHING: Final[Usage] = Usage()
"""What it costs to ask nobody."""


class Chooser:
    """Has the next action of a piece chosen."""

    def __init__(self, brief: Brief, models: Models, way: Way, limits: Limits) -> None:
        self._brief = brief
        self._models = models
        self._way = way
        self._limits = limits

    async def chosen(self, fallback: Step, state: State, steps: Sequence[Step]) -> tuple[Step, Usage]:
        """The step that the reasoner chooses, and what choosing took.

        Where it chooses nothing that can be done, a failed step; after some of those the fallback.
        """
        settings, limits = self._models.settings, self._limits
        allowed = possible(state, limits, len(steps))
        if self._way.guarded and len(allowed) == 1:
            return replace(fallback, thought="Nothing else is possible now."), NOTHING
        if self._way.guarded and (stuck := _is_stuck(state, steps, limits)):
            return replace(fallback, note=f"{stuck}: the fixed order goes on"), NOTHING
        models = self._models.with_own_ledger()
        # A choice that failed is asked for anew with another seed: the same question has the same answer.
        seed = self._way.seed + sum(step.error != "" for step in steps)
        choice = await cast(models, seed).reasoner.choose(
            self._brief, state, steps, allowed if self._way.guarded else None, limits
        )
        problem: str | None = choice.problem
        by = "reasoner"
        if choice.action is not None:
            problem = refusal(choice.action, state, limits, len(steps))
            by = by if problem else player(choice.action)
        step = replace(fallback, action=choice.action, thought=choice.thought, by=settings.spec_for(by))
        if problem:
            step = replace(step, said=choice.said or str(choice.action), error=problem)
        return step, models.ledger.total


def _is_stuck(state: State, steps: Sequence[Step], limits: Limits) -> str:
    """Why a reasoner is not asked again: its choices cannot be done, or there is no step to lose."""
    last = steps[-PATIENCE:]
    if len(last) == PATIENCE and all(step.said for step in last):
        return f"{PATIENCE} choices in a row were none that can be done"
    if any(step.said for step in last) and room(state, limits, len(steps)) < 1:
        return "the last choice could not be done, and no step is left to lose"
    return ""
