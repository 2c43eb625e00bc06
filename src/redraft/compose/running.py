"""The agent loop: choose an action, do it, keep it, until the piece is finished or the steps are spent."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.compose.actions import (
    PATIENCE,
    STALLED,
    Action,
    Limits,
    is_given_up,
    possible,
    refusal,
    room,
)
from redraft.compose.base import Choice, Roles
from redraft.compose.brief import Brief
from redraft.compose.casting import ROLES, cast
from redraft.compose.composition import Composition
from redraft.compose.journal import Journal
from redraft.compose.lengths import share
from redraft.compose.protocols import PROTOCOLS, Protocol, at_once, in_order, limits_of
from redraft.compose.rendering import render
from redraft.compose.state import Outline, State
from redraft.compose.trajectory import Effect, Step, after
from redraft.constraints import Conflict, Constraint, Findings, check_constraints, infeasible
from redraft.errors import BadAnswer, BudgetExceeded, ContextOverflow, InputError, ModelError
from redraft.models import Models, Usage
from redraft.revise.revising import arevise
from redraft.revise.revision import How

Approve = Callable[[Outline], Awaitable[Outline | None]]
"""A person's say on the outline: the outline as it is to be, or None to wait."""
Heard = Callable[[Step, State], None]
NOTHING: Final = Usage()
_WHO: Final = {"draft": "writer", "review": "reviewer", "refine": "refiner"}


@dataclass(frozen=True, slots=True)
class Way:
    """How a piece is written."""

    protocol: Protocol = "fixed"
    limits: Limits = field(default_factory=Limits)
    guarded: bool = True
    """Whether a reasoner is only offered what is possible, and loops are ended; without, as in the paper."""
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


class Run:
    """One piece under way."""

    def __init__(
        self,
        brief: Brief,
        constraints: Sequence[Constraint],
        models: Models,
        way: Way,
        heard: Heard,
        approve: Approve | None,
    ) -> None:
        self.way = way
        self.specs = {role: models.settings.spec_for(role) for role in ROLES}
        self._brief = brief
        self._constraints = constraints
        self._models = models
        self._limits = limits_of(way.protocol, way.limits)
        self._heard = heard
        self._approve = approve
        self._journal: Journal | None = None
        self._state = State()
        self._steps: list[Step] = []
        self._before = Usage()
        self._waiting = False

    def resume(self, journal: Journal) -> None:
        """Keep every step here, and go on after those that are there."""
        self._journal = journal
        for step in journal.steps():
            self._take(step)
        spent = sum((step.usage for step in self._steps), Usage())
        self._before = replace(spent, seconds=sum(step.seconds for step in self._steps))

    async def composition(self, stop: asyncio.Event) -> Composition:
        """Write the piece, then see that its constraints hold."""
        started = time.monotonic()
        settings = self._models.settings
        conflict = infeasible(self._constraints, counting=settings.counting) if self._constraints else None
        if conflict is not None:
            return self._ended("the constraints conflict", started, conflict=conflict)
        working = asyncio.ensure_future(self._work())
        stopping = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            if not working.done():
                working.cancel()
        try:
            return await self._obeying(await working, started)
        except asyncio.CancelledError:
            return self._ended("interrupted", started, interrupted=True)
        except BudgetExceeded as error:
            return self._ended("the budget is spent", started, failure=error)
        except ModelError as error:
            return self._ended(f"the model failed: {error}", started, failure=error)

    async def _work(self) -> str:
        """Take turns until the piece is finished, or cannot be; why it ended."""
        while not self._state.finished:
            if await self._is_waiting():
                return "the outline waits for approval"
            if len(self._steps) >= self._limits.max_steps:
                return f"{self._limits.max_steps} steps are spent"
            given_up = [
                action
                for action in (
                    Action("outline"),
                    *(Action("draft", each.id) for each in self._state.sections),
                )
                if is_given_up(action, self._state)
            ]
            if given_up:
                raise BadAnswer(f"{given_up[0]} failed {PATIENCE} times: {self._steps[-1].error}")
            await self._turn()
        return "finished"

    async def _is_waiting(self) -> bool:
        """Ask a person about the outline, once, before anything is drafted."""
        if self._approve is None or not self._state.sections or self._state.manuscript:
            return False
        approved = await self._approve(Outline(self._state.title, self._state.sections))
        self._waiting = approved is None
        if approved is not None:
            self._approve = None
            await self._outline_anew(share(approved, self._brief.length))
        return self._waiting

    async def _outline_anew(self, outline: Outline) -> None:
        place = next(number for number, step in enumerate(self._steps) if isinstance(step.effect, Outline))
        old = self._steps[place]
        if outline == old.effect:
            return
        edited = replace(old, effect=outline, note="a person edited the outline")
        if self._journal is not None:
            await self._journal.append(edited.to_dict())
        self._steps[place] = edited
        self._state = self._state.outlined(outline)

    async def _turn(self) -> None:
        """One decision, and what it leads to: one step, or several at the same time."""
        used, turn = len(self._steps), self._steps[-1].turn + 1 if self._steps else 1
        limits, protocol = self._limits, self.way.protocol
        if protocol == "batch":
            actions = at_once(self._state, limits, used)
            steps = [self._begun(turn, number, action) for number, action in enumerate(actions, used + 1)]
            await self._done(steps)
            return
        action = in_order(self._state, limits, used)
        assert action is not None  # something is always possible before the end
        if protocol != "autonomous":
            await self._done([self._begun(turn, used + 1, action)])
            return
        step, usage = await self._chosen(turn, action)
        await self._done([step], usage)

    def _begun(self, turn: int, number: int, action: Action) -> Step:
        return Step(number, turn, action, by=self.specs[_WHO.get(action.name, "reasoner")])

    async def _chosen(self, turn: int, fallback: Action) -> tuple[Step, Usage]:
        """What the reasoner chooses; where it cannot, a failed step, and after some of those the fallback."""
        used = len(self._steps)
        allowed = possible(self._state, self._limits, used)
        begun = self._begun(turn, used + 1, fallback)
        if self.way.guarded and len(allowed) == 1:
            return replace(begun, thought="Nothing else is possible now."), NOTHING
        if self.way.guarded and (stuck := self._is_stuck()):
            return replace(begun, note=f"{stuck}: the fixed order goes on"), NOTHING
        models = self._models.apart()
        # A choice that failed is asked for anew with another seed: the same question has the same answer.
        seed = self.way.seed + sum(step.error != "" for step in self._steps)
        reasoner = cast(models, seed).reasoner
        choice = await reasoner.choose(
            self._brief, self._state, self._steps, allowed if self.way.guarded else None, self._limits
        )
        step = replace(begun, action=choice.action, thought=choice.thought, by=self.specs["reasoner"])
        problem = self._problem(choice)
        if problem:
            step = replace(step, said=choice.said or str(choice.action), error=problem)
        elif choice.action is not None:
            step = replace(step, by=self._begun(turn, used + 1, choice.action).by)
        return step, models.ledger.total

    def _problem(self, choice: Choice) -> str:
        if choice.action is None:
            return choice.problem
        return refusal(choice.action, self._state, self._limits, len(self._steps)) or ""

    def _is_stuck(self) -> str:
        """Why a reasoner is not asked again: its choices cannot be done, or there is no step to lose."""
        last = self._steps[-PATIENCE:]
        if len(last) == PATIENCE and all(step.said for step in last):
            return f"{PATIENCE} choices in a row were none that can be done"
        if any(step.said for step in last) and room(self._state, self._limits, len(self._steps)) < 1:
            return "the last choice could not be done, and no step is left to lose"
        return ""

    async def _done(self, steps: Sequence[Step], spent: Usage = NOTHING) -> None:
        """Do these at the same time; those that were done are kept, also where another fails for good."""
        found = await asyncio.gather(*(self._do(step, spent) for step in steps), return_exceptions=True)
        failures = [each for each in found if isinstance(each, BaseException)]
        done = [each for each in found if isinstance(each, Step)]
        # Numbers have no gaps, whatever was not done.
        for number, step in enumerate(done, len(self._steps) + 1):
            numbered = replace(step, number=number)
            if self._journal is not None:
                await self._journal.append(numbered.to_dict())
            self._take(numbered)
            self._heard(numbered, self._state)
        if failures:
            raise failures[0]

    def _take(self, step: Step) -> None:
        self._steps.append(step)
        self._state = after(self._state, step, self._limits.tau)

    async def _do(self, step: Step, spent: Usage) -> Step:
        """Do one action. What the model gets wrong is the step's failure; a dead service is not."""
        started = time.monotonic()
        models = self._models.apart()
        effect: Effect | None = None
        error, note = step.error, step.note
        if not error and step.action is not None:
            tries = self._state.failures.get(str(step.action), 0)
            roles = cast(models, self.way.seed + tries)
            try:
                effect = await self._effect(step.action, roles)
            except (BadAnswer, ContextOverflow) as problem:
                error = str(problem)
            note = note or self._note(step.action, effect)
        return replace(
            step,
            effect=effect,
            error=error,
            note=note,
            usage=spent + models.ledger.total,
            seconds=time.monotonic() - started,
        )

    async def _effect(self, action: Action, roles: Roles) -> Effect | None:
        brief, state = self._brief, self._state
        if action.name == "outline":
            return share(await roles.reasoner.outline(brief), brief.length)
        if action.section is None:
            return None
        section = state.section(action.section)
        if action.name == "draft":
            return await roles.writer.draft(brief, state, section)
        if action.name == "review":
            return await roles.reviewer.review(brief, state, section)
        return await roles.refiner.refine(brief, state, section)

    def _note(self, action: Action, effect: Effect | None) -> str:
        """What is told of a step beside what it did: that a loop ends here."""
        if isinstance(effect, Outline):
            return effect.note
        if action.name != "review" or effect is None or action.section is None:
            return ""
        state = after(self._state, Step(0, 0, action, effect=effect), self._limits.tau)
        passage = state.manuscript[action.section]
        if state.section(action.section).status == "completed" or not passage.revisions:
            return ""
        if passage.stalled >= STALLED:
            return f"refining section {action.section} gains nothing: its best version is kept"
        if passage.revisions >= self._limits.revisions:
            return f"section {action.section} was refined {passage.revisions} times: its best version is kept"
        return ""

    async def _obeying(self, stopped: str, started: float) -> Composition:
        """The piece, revised where constraints call for that."""
        found = self._ended(stopped, started)
        if self._waiting or not self._constraints or found.findings.met or not found.text.strip():
            return found
        revision = await arevise(
            found.text,
            "",
            self._constraints,
            models=self._models,
            how=How(strategy="repair", effort="low", scored=False, seed=self.way.seed),
            format="markdown",
        )
        return replace(
            self._ended(stopped, started, conflict=next(iter(revision.infeasible), None)),
            text=revision.text,
            findings=revision.findings,
            failure=revision.failure,
        )

    def _ended(
        self,
        stopped: str,
        started: float,
        *,
        conflict: Conflict | None = None,
        failure: ModelError | None = None,
        interrupted: bool = False,
    ) -> Composition:
        state = self._state
        written = [
            (section.title, state.manuscript[section.id].final)
            for section in state.sections
            if section.id in state.manuscript
        ]
        text = render(state.title, written, self._brief.genre, "markdown", self._brief.language)
        spent = self._before + self._models.ledger.total
        return Composition(
            self._brief,
            self._limits,
            state,
            tuple(self._steps),
            text if written else "",
            self._checked(text),
            () if conflict is None else (conflict,),
            replace(spent, seconds=self._before.seconds + time.monotonic() - started),
            stopped,
            failure,
            interrupted,
            self._waiting,
        )

    def _checked(self, text: str) -> Findings:
        counting = self._models.settings.counting
        return check_constraints(text, self._constraints, counting=counting, format="markdown")
