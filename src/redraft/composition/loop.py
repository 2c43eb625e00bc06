"""The agent loop: choose an action, do it, keep it, until the piece is finished or the steps are spent."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from redraft.composition.actions import PATIENCE, Action, Limits, is_given_up, loop_ended
from redraft.composition.brief import Brief, read_brief
from redraft.composition.composition import Composition
from redraft.composition.paper import PaperPrompts, use_tool
from redraft.composition.protocols import (
    NOTHING,
    Chooser,
    ComposeOptions,
    Protocol,
    limits_for,
    next_batch,
    next_in_order,
)
from redraft.composition.rendering import make_safe, render
from redraft.composition.roles import ROLES, assign_roles, check_language, role_of
from redraft.composition.state import Outline, State, share_length
from redraft.composition.trajectory import Effect, Journal, JournalHeader, Step, apply_step, read_header
from redraft.constraints import (
    Conflict,
    Constraint,
    Findings,
    check,
    infeasible,
    parse_call,
    read_conflicts,
    read_findings,
)
from redraft.errors import BadAnswer, BudgetExceeded, ContextOverflow, FileError, InputError, ModelError
from redraft.models import Models, Usage, check_prices, run_until
from redraft.revision import LONGEST, ReviseOptions, arevise
from redraft.settings import Settings, load_settings

Approve = Callable[[Outline], Awaitable[Outline | None]]
"""A person's say on the outline: the outline as it is to be, or None to wait."""
StepListener = Callable[[Step, State], None]


class Composer:
    """One piece under way."""

    def __init__(
        self,
        brief: Brief,
        constraints: Sequence[Constraint],
        models: Models,
        options: ComposeOptions,
        on_step: StepListener,
        approve: Approve | None,
        prompts: PaperPrompts | None,
    ) -> None:
        self.options = options
        self.specs = {role: models.settings.spec_for(role) for role in ROLES}
        self._brief = brief
        self._constraints = constraints
        self._models = models
        self._limits = limits_for(options.protocol, options.limits)
        self._prompts = prompts  # where there are any, the work goes as in the paper
        self._chooser = Chooser(brief, models, options, self._limits)
        self._on_step = on_step
        self._approve = approve
        self._journal: Journal | None = None
        self._state = State()
        self._steps: list[Step] = []
        self._before = Usage()
        self._waiting = False
        self._write_error: FileError | None = None

    def resume(self, journal: Journal) -> None:
        """Keep every step here, and go on after those that are there."""
        self._journal = journal
        for step in journal.steps():
            try:
                self._apply(step)
            except (KeyError, IndexError, TypeError):
                raise InputError(
                    f"{journal.path}: step {step.number} does not follow from those before it: delete its"
                    " line, and those after it"
                ) from None
        spent = sum((step.usage for step in self._steps), Usage())
        self._before = replace(spent, seconds=sum(step.seconds for step in self._steps))

    async def composition(self, stop: asyncio.Event) -> Composition:
        """Write the piece, then see that its constraints hold."""
        started = time.monotonic()
        settings = self._models.settings
        conflict = infeasible(self._constraints, counting=settings.counting) if self._constraints else None
        if conflict is not None:
            return self._result("the constraints conflict", started, conflict=conflict)
        working = await run_until(self._written(started), stop)
        try:
            return await working
        except asyncio.CancelledError:
            return self._result("interrupted", started, interrupted=True)
        except BudgetExceeded as error:
            return self._result("the budget is spent", started, failure=error)
        except ModelError as error:
            return self._result(f"the model failed: {error}", started, failure=error)

    async def _written(self, started: float) -> Composition:
        return await self._meet_constraints(await self._work(), started)

    async def _work(self) -> str:
        """Take turns until the piece is finished, or cannot be; why it ended."""
        while not self._state.finished:
            if await self._is_waiting():
                return "the outline waits for approval"
            if len(self._steps) >= self._limits.max_steps:
                return f"{self._limits.max_steps} steps are spent"
            if self._prompts is None:
                self._check_given_up()
            await self._turn()
        return "finished"

    def _check_given_up(self) -> None:
        """Raise where what no piece can do without has failed too often."""
        for action in (Action("outline"), *(Action("draft", each.id) for each in self._state.sections)):
            if is_given_up(action, self._state):
                last = next(step for step in reversed(self._steps) if step.error and step.action == action)
                raise BadAnswer(f"{action} failed {PATIENCE} times: {last.error}")

    async def _is_waiting(self) -> bool:
        """Ask a person about the outline, once, before anything is drafted."""
        if self._approve is None or not self._state.sections or self._state.manuscript:
            return False
        approved = await self._approve(Outline(self._state.title, self._state.sections))
        self._waiting = approved is None
        if approved is not None:
            self._approve = None
            await self._replace_outline(share_length(approved, self._brief.length))
        return self._waiting

    async def _replace_outline(self, outline: Outline) -> None:
        place = next(number for number, step in enumerate(self._steps) if isinstance(step.effect, Outline))
        old = self._steps[place]
        if (outline.title, outline.sections) == (self._state.title, self._state.sections):
            return
        edited = replace(old, effect=outline, note="a person edited the outline")
        await self._record(edited)
        self._steps[place] = edited
        self._state = self._state.outlined(outline)

    async def _turn(self) -> None:
        """One decision, and what it leads to: one step, or several at the same time."""
        used, turn = len(self._steps), self._steps[-1].turn + 1 if self._steps else 1
        limits, protocol = self._limits, self.options.protocol
        if self._prompts is not None:
            begun = Step(used + 1, turn, None)
            step, spent = await self._chooser.choose_as_published(begun, self._state, self._prompts)
            await self._done([step], spent)
            return
        if protocol == "batch":
            actions = next_batch(self._state, limits, used)
            steps = [self._begun(turn, number, action) for number, action in enumerate(actions, used + 1)]
            await self._done(steps)
            return
        action = next_in_order(self._state, limits, used)
        assert action is not None  # something is always possible before the end
        step, spent = self._begun(turn, used + 1, action), NOTHING
        if protocol == "autonomous":
            step, spent = await self._chooser.choose(step, self._state, self._steps)
        await self._done([step], spent)

    def _begun(self, turn: int, number: int, action: Action) -> Step:
        return Step(number, turn, action, by=self.specs[role_of(action)])

    async def _done(self, steps: Sequence[Step], spent: Usage = NOTHING) -> None:
        """Do these at the same time; those that were done are kept, also where another fails or all stop."""
        tasks = [asyncio.ensure_future(self._do(step, spent)) for step in steps]
        try:
            await asyncio.wait(tasks)
        finally:
            for task in tasks:
                task.cancel()
            found = await asyncio.gather(*tasks, return_exceptions=True)
            await self._keep([each for each in found if isinstance(each, Step)])
        if failures := [each for each in found if isinstance(each, BaseException)]:
            raise failures[0]

    async def _keep(self, done: Sequence[Step]) -> None:
        # Numbers have no gaps, whatever was not done.
        for number, step in enumerate(done, len(self._steps) + 1):
            numbered = replace(step, number=number)
            await self._record(numbered)
            self._apply(numbered)
            self._on_step(numbered, self._state)

    async def _record(self, step: Step) -> None:
        """Keep a step; where that cannot be done, the work goes on without, and says so at its end."""
        if self._journal is None or self._write_error is not None:
            return
        try:
            await self._journal.append(step.to_dict())
        except FileError as error:
            self._write_error = error

    def _apply(self, step: Step) -> None:
        self._steps.append(step)
        self._state = apply_step(self._state, step, self._limits)

    async def _do(self, step: Step, spent: Usage) -> Step:
        """Do one action. What the model gets wrong is the step's failure; a dead service is not."""
        started = time.monotonic()
        models = self._models.with_own_ledger()
        effect: Effect | None = None
        error, note = step.error, step.note
        if not error and step.action is not None:
            try:
                effect = await self._effect(step, step.action, models)
            except (BadAnswer, ContextOverflow) as problem:
                error = str(problem)
            if self._prompts is None:
                note = note or self._note(step.action, effect)
        return replace(
            step,
            effect=effect,
            error=error,
            note=note,
            usage=spent + models.ledger.total,
            seconds=time.monotonic() - started,
        )

    async def _effect(self, step: Step, action: Action, models: Models) -> Effect | None:
        brief, state, seed = self._brief, self._state, self.options.seed
        if self._prompts is not None:
            model = models.for_role(role_of(action))
            return await use_tool(
                action, step.params, model, self._prompts, brief.language, seed + step.number
            )
        roles = assign_roles(models, seed + state.failures.get(str(action), 0))
        if action.name == "outline":
            return share_length(await roles.outliner.outline(brief), brief.length)
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
        state = apply_step(self._state, Step(0, 0, action, effect=effect), self._limits)
        return loop_ended(action.section, state, self._limits)

    async def _meet_constraints(self, stopped: str, started: float) -> Composition:
        """The piece, revised where constraints call for that."""
        found = self._result(stopped, started)
        is_there = found.text.strip() and len(found.text) <= LONGEST
        if self._waiting or not self._constraints or found.findings.met or not is_there:
            return found
        known = self._journal.revised() if self._journal is not None else None
        if known is not None:
            return replace(found, text=make_safe(known), findings=self._checked(make_safe(known)))
        revision = await arevise(
            found.text,
            "",
            self._constraints,
            models=self._models,
            options=ReviseOptions(strategy="repair", effort="low", scored=False, seed=self.options.seed),
            format="markdown",
        )
        text = make_safe(revision.text)
        findings = self._checked(text)
        if self._journal is not None and self._write_error is None and findings.met:
            try:
                self._journal.keep_revised(text)
            except FileError as error:
                self._write_error = error
        return replace(
            self._result(stopped, started, conflict=next(iter(revision.infeasible), None)),
            text=text,
            findings=findings,
            failure=revision.failure,
        )

    def _result(
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
            self._write_error,
            self.options.protocol,
            "" if self._prompts is None else self._prompts.hash_of(self._brief.language),
        )

    def _checked(self, text: str) -> Findings:
        counting = self._models.settings.counting
        return check(text, self._constraints, counting=counting, format="markdown")


def compose(
    topic: str,
    style: str = "",
    constraints: Iterable[Constraint | str] = (),
    *,
    settings: Settings | None = None,
    protocol: Protocol = "fixed",
    limits: Limits | None = None,
    guarded: bool = True,
    seed: int = 0,
    folder: Path | None = None,
    prompts: PaperPrompts | None = None,
) -> Composition:
    """Write a piece on a topic, by a style guide; `folder` keeps the work, and resumes it."""
    chosen = settings or load_settings()
    options = ComposeOptions(protocol, limits or Limits(), guarded, seed)
    if chosen.server:
        calls = [parse_call(one) if isinstance(one, str) else one for one in constraints]
        return _composed_by_server(read_brief(topic, style), calls, chosen, options)

    async def run() -> Composition:
        async with Models(chosen) as models:
            return await acompose(
                read_brief(topic, style),
                constraints,
                models=models,
                options=options,
                folder=folder,
                prompts=prompts,
            )

    return asyncio.run(run())


def _composed_by_server(
    brief: Brief, calls: Iterable[Constraint], settings: Settings, options: ComposeOptions
) -> Composition:
    """The piece that `settings.server` writes; it keeps the work itself."""
    from redraft.remote import model_of, run_on_server  # noqa: PLC0415  few ask a server

    limits = options.limits
    found, failure = run_on_server(
        settings,
        "/v1/compose",
        {
            "topic": brief.topic,
            "style": brief.style,
            "calls": [call.call for call in calls],
            "protocol": options.protocol,
            "tau": limits.tau,
            "max_steps": limits.max_steps,
            "seed": options.seed,
            "model": model_of(settings),
        },
    )
    narrowed = limits_for(options.protocol, limits)
    steps = tuple(map(Step.from_dict, found["trajectory"]))
    state = State()
    for step in steps:
        state = apply_step(state, step, narrowed)
    return Composition(
        brief,
        narrowed,
        state,
        steps,
        found["text"],
        read_findings(found),
        read_conflicts(found["infeasible"]),
        Usage(**found["usage"]),
        found["stopped"],
        failure,
        protocol=found["protocol"],
        prompts=found.get("prompts", ""),
    )


async def acompose(
    brief: Brief,
    constraints: Iterable[Constraint | str] = (),
    *,
    models: Models,
    options: ComposeOptions | None = None,
    folder: Path | None = None,
    on_step: StepListener = lambda _step, _state: None,
    stop: asyncio.Event | None = None,
    approve: Approve | None = None,
    prompts: PaperPrompts | None = None,
) -> Composition:
    """The same with models that are open; `on_step` hears of every step, `stop` ends the work early.

    `prompts` takes the place of ours where the protocol is the paper's.
    """
    calls = [parse_call(one) if isinstance(one, str) else one for one in constraints]
    for call in calls:
        if call.needs_original:
            raise InputError(f"{call.call} compares with an original, and a new piece has none")
    check_language(brief, models.settings)
    settings, options = models.settings, options or ComposeOptions()
    used = _prompts_for(options, prompts, brief)
    run = Composer(brief, calls, models.with_own_ledger(), options, on_step, approve, used)
    check_prices(settings, run.specs.values())
    # Constraints are seen to by those who revise.
    others = {role: settings.spec_for(role) for role in ("planner", "reviser") if calls}
    kept = JournalHeader(
        brief,
        tuple(call.call for call in calls),
        asdict(run.options),
        {**run.specs, **others},
        settings.counting,
        "" if used is None else used.hash_of(brief.language),
    )
    with contextlib.nullcontext() if folder is None else Journal(folder, kept) as journal:
        if journal is not None:
            journal.begin()
            run.resume(journal)
        return await run.composition(stop or asyncio.Event())


def _prompts_for(options: ComposeOptions, prompts: PaperPrompts | None, brief: Brief) -> PaperPrompts | None:
    """The prompts of the paper's protocol, which alone has any that can be replaced."""
    if options.protocol != "paper":
        if prompts is not None:
            raise InputError(f"prompts are replaced in the protocol paper, not in {options.protocol}")
        return None
    used = prompts or PaperPrompts.read()
    used.check(brief.language)
    return used


def read_journal(folder: Path) -> tuple[JournalHeader, ComposeOptions]:
    """What a folder was begun with, and its options."""
    kept = read_header(folder)
    try:
        options = ComposeOptions(**{**kept.options, "limits": Limits(**kept.options["limits"])})
    except (KeyError, TypeError):
        raise InputError(f"{folder} was begun by another version: begin the piece anew") from None
    return kept, options
