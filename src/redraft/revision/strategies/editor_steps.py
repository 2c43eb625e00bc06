"""One expansion of the search with the embedded editor: plans, the edits they lead to, and repair."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import replace

from redraft.models import Model
from redraft.revision.asking.planner import ModelPlanner
from redraft.revision.asking.requests import MeteredModel
from redraft.revision.choosing.repair import Repair
from redraft.revision.corrections.accepting import Sifter
from redraft.revision.corrections.suggestions import corrections
from redraft.revision.draft import Draft, Option, Unit
from redraft.revision.editing.answers import shorter_value
from redraft.revision.editing.controls import ControlRequest, control_requests
from redraft.revision.editing.correcting import written_out
from redraft.revision.editing.editor import ControlProposer, EditorProposer
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Action, Candidate, Improvement, Node, Reason
from redraft.revision.rewriting.cuts.compressions import trims
from redraft.revision.search.evaluation import Switches
from redraft.revision.search.plans import (
    apply_advice,
    leaves_over,
    merge_plans,
    plan_for_units,
    rule_plan,
    suggested_constraints,
)
from redraft.revision.search.search import Carried
from redraft.revision.showing.settling import Settling
from redraft.revision.strategies.guard import Guard
from redraft.revision.strategies.proposals import Proposals
from redraft.revision.task import GOALS, Task
from redraft.revision.tuning import CORRECTED, GOAL, PROPOSED, TRIMS_TRIED, WISHED_ANSWERS
from redraft.text import Document, mask


class EditorSteps:
    """Plans by rules, with a planner where there is one; revises with the embedded editor and with tools."""

    def __init__(
        self,
        task: Task,
        appraiser: Appraiser,
        repair: Repair,
        model: Model,
        *,
        share: float,
        samples: int,
        switches: Switches,
        verdicts: Verdicts | None = None,
        settling: Settling | None = None,
        sifter: Sifter | None = None,
        planner: ModelPlanner | None = None,
        user_plan: Action | None = None,
        seed: int = 0,
    ) -> None:
        self._task = task
        self._appraiser = appraiser
        self._repair = repair
        self._verdicts = verdicts
        self._settling = settling or Settling(task, None)
        self._sifter = sifter
        self._planner = planner
        self._seed = seed
        self._model = model
        self._samples = samples
        self._share = share
        self._switches = switches
        self._user_plan = user_plan
        self._known = Proposals()
        self._controlled: dict[str, list[Option]] = {}
        self._asking = asyncio.Lock()

    async def plans(self, path: Sequence[Node], draft: Draft, count: int) -> list[Action]:
        """The rules' plans, each of which asks the editor for something else, with the planner's advice."""
        if self._user_plan is not None and len(path) == 1:
            return [plan_for_units(self._user_plan, draft, Document(draft.text, self._task.format))]
        if not self._switches.plan:
            return [_unplanned(self._task, draft)]
        if not self._task.is_by_need:
            await self._appraiser.know(unit.text for unit in draft.units)
        depth, sound = len(path) - 1, await self._sound_places(draft)
        plans = [
            rule_plan(
                self._task,
                draft,
                self._appraiser,
                variant=variant,
                share=self._share,
                depth=depth,
                sound=sound,
            )
            for variant in range(count)
        ]
        # The embedded planner is slow, what it proposes stays known, and a later text is mostly the same.
        if self._planner is None or (self._planner.brief and len(path) > 1):
            return plans
        return await self._advised(self._planner, path, draft, plans)

    async def _sound_places(self, draft: Draft) -> list[int]:
        """The places of sentences with nothing to mend, where nothing else is asked for."""
        task = self._task
        if self._verdicts is None or self._share >= 1:  # all are asked about then
            return []
        if not task.is_open or not task.check(draft.text).met:
            return []
        sound = await self._verdicts.are_sound([unit.text for unit in draft.units])
        return [place for place, is_sound in enumerate(sound) if is_sound]

    async def _advised(
        self, planner: ModelPlanner, path: Sequence[Node], draft: Draft, plans: Sequence[Action]
    ) -> list[Action]:
        """The rules' plans with what the planner says: it leads in the first, and adds to the others."""
        task = self._task
        (said,) = await planner.plan(
            task.request, draft.text, path, temperature=0.0, seed=self._seed + path[-1].id
        )
        document = Document(draft.text, task.format)
        calls = said.calls
        if leaves_over(task):
            calls = await planner.read_again(task.request, draft.text, calls)
        also = tuple(constraint.call for constraint in suggested_constraints(task, calls))
        return [
            replace(merge_plans(plan, said, draft, document, leading=not number), calls=(*plan.calls, *also))
            for number, plan in enumerate(plans)
        ]

    async def carry_out(self, draft: Draft, action: Action, *, seed: int) -> Carried[Draft]:
        """The draft with the best of what the editor and the grammar checker propose."""
        before = self._known.options(draft)  # siblings at work at the same time see nothing of each other
        known = Proposals()
        meter = MeteredModel(self._model)
        value = GOAL if self._task.kind in GOALS else PROPOSED
        samples = WISHED_ANSWERS if value == GOAL else self._samples
        sifter = None
        if self._task.kind == "correct":
            samples = 1  # the next likely ones correct what is right
            sifter = self._sifter
            value = CORRECTED if sifter else value
        proposer = EditorProposer(self._task, meter, samples=samples, value=value, sifter=sifter)
        asked = [
            (one.sentence - 1, proposer.propose(draft, replace(action, plan=(one,)), seed=seed))
            for one in action.plan
            if one.edit and not self._task.is_reworded(draft.units[one.sentence - 1].text)
        ]
        planned, controlled = await asyncio.gather(self._answers(draft, asked), self.controlled(draft, meter))
        known.add(draft, planned)
        known.add(draft, controlled)
        known.add(draft, await asyncio.to_thread(self._tooled, draft, action))
        repaired = await self._repair.repaired(draft, [*before, *known.options(draft)])
        self._known.take(known)
        return Carried((repaired.draft,), meter.usage)

    async def controlled(self, draft: Draft, model: Model | None = None) -> list[Option]:
        """What the editor answers to the bounds and the wishes of the task; it is asked once about a draft.

        A person's plan says what is to be done besides the bounds.
        """
        async with self._asking:
            if draft.text not in self._controlled:
                requests = control_requests(self._task, draft, wishes=self._user_plan is None)
                self._controlled[draft.text] = await self._offered(draft, requests, model or self._model)
            return self._controlled[draft.text]

    async def _offered(self, draft: Draft, requests: Sequence[ControlRequest], model: Model) -> list[Option]:
        """What the editor answers to requests.

        Where each sentence obeys by itself and one answer may do, other splits are asked for of those
        sentences alone for which nothing good is found without: several answers take five times as long.
        """
        waits = self._samples == 1 and self._verdicts is not None and self._task.is_by_sentence
        splits = [one for one in requests if one.splits] if waits else []
        offered = await self._answered(draft, requests, model, several=False if splits else None)
        if splits:
            poor = await self._repair.poor_places(draft, offered)
            left = [one for one in splits if one.start in poor]
            offered += await self._answered(draft, left, model, several=True)
        return offered

    async def _answered(
        self, draft: Draft, requests: Sequence[ControlRequest], model: Model, *, several: bool | None
    ) -> list[Option]:
        """The answers to requests, those about one place after another."""
        proposer = ControlProposer(
            self._task,
            model,
            samples=self._samples,
            verdicts=self._verdicts,
            closely=True,
            several=several,
        )
        by_place: dict[int, list[ControlRequest]] = {}
        for request in requests:
            by_place.setdefault(request.start, []).append(request)
        asked = [(place, proposer.answer(draft, own, seed=self._seed)) for place, own in by_place.items()]
        return await self._answers(draft, asked, quoted=True)

    async def _answers(
        self, draft: Draft, asked: Sequence[tuple[int, Awaitable[list[Option]]]], *, quoted: bool = False
    ) -> list[Option]:
        """What the editor answers about units, all asked at once, as far as it can be relied on.

        Whoever listens hears of each answer what it means for its unit.
        """
        guard, settling = Guard(self._task, draft), self._settling
        improving = settling.is_heard and self._task.check(draft.text).met
        known: dict[int, list[Option]] = {}

        async def answered(place: int, answer: Awaitable[list[Option]]) -> list[Option]:
            found = guard.sure(await answer, quoted=quoted)
            if settling.is_heard:
                own = known.setdefault(place, [])
                own += found
                best = await self._repair.preferred(draft, own, improving=improving)
                settling.tell(draft, place, best[place].text if place in best else draft.units[place].text)
            return found

        answers = await asyncio.gather(*(answered(place, answer) for place, answer in asked))
        return [option for options in answers for option in options]

    def _tooled(self, draft: Draft, action: Action) -> list[Option]:
        """Corrections of every unit, and of those that the plan speaks of the cuts that nobody misses."""
        asked = {one.sentence - 1 for one in action.plan if one.edit}
        advice = {} if action.by == "rules" else {one.sentence - 1: one.advice for one in action.plan}
        by = "person" if action.by == "person" else "planner"
        is_wished = "concise" in self._task.wishes
        found: list[Option] = []
        if is_wished:
            found += self._trimmed(draft)
        for place, unit in self._plain(draft):
            sifted = place in asked and self._task.kind == "correct" and self._sifter is not None
            made = [] if sifted or self._task.is_bounds_alone else corrections(unit.text)
            if place in asked and not is_wished and self._task.kind != "correct":
                made += trims(unit.text)[:TRIMS_TRIED]
            if (written := written_out(unit.text)) != unit.text:
                made.append(Candidate(written, "correction", (Reason("ligatures"),)))
            made += apply_advice(unit.text, advice.get(place, ""), by)
            found += [Option(place, place + 1, one, PROPOSED) for one in made]
        return Guard(self._task, draft).sure(found)

    def _trimmed(self, draft: Draft) -> Iterator[Option]:
        """Every unit without what nobody misses, as who wishes for a shorter text wants it; mark-up stays."""
        for place, unit in enumerate(draft.units):
            if not unit.free or not unit.text:
                continue
            hidden = mask(unit.text, self._task.format)
            for one in trims(hidden.text)[:TRIMS_TRIED]:
                if (text := hidden.tried(one.text)) is not None:
                    shorter = Candidate(text, one.by, one.why)
                    yield Option(place, place + 1, shorter, shorter_value(unit.text, text))

    def _plain(self, draft: Draft) -> Iterator[tuple[int, Unit]]:
        """The units that may be rewritten and have no mark-up in them, with their places."""
        for place, unit in enumerate(draft.units):
            if unit.free and unit.text and not mask(unit.text, self._task.format).pieces:
                yield place, unit


def _unplanned(task: Task, draft: Draft) -> Action:
    """No plan: the editor is told the instruction itself, for every sentence."""
    edit = task.style or "Improve this text"
    plan = tuple(
        Improvement(place, unit.text, "", edit if unit.free else "")
        for place, unit in enumerate(draft.units, 1)
    )
    return Action("", (), plan)
