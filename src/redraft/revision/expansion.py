"""One expansion of the search: plans for a node, the edits they lead to, and the repair of the result.

`EditorSteps` works with the embedded editor, `ModelSteps` with a model that can be told what to do.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from typing import Final

from redraft.models import Model
from redraft.revision.appraisal import Appraiser
from redraft.revision.asking.feedback import model_feedback
from redraft.revision.asking.planner import ModelPlanner
from redraft.revision.asking.requests import MeteredModel
from redraft.revision.asking.reviser import ModelReviser
from redraft.revision.controls import ControlRequest, control_requests, shorter_value
from redraft.revision.correcting import written_out
from redraft.revision.draft import Draft, Option, Unit
from redraft.revision.editing import ControlProposer, EditorProposer
from redraft.revision.evaluation import Switches
from redraft.revision.plans import (
    apply_advice,
    leaves_over,
    merge_plans,
    plan_for_units,
    rule_plan,
    suggested_constraints,
    units_of_sentences,
)
from redraft.revision.records import Action, Candidate, Feedback, Improvement, Node, Reason
from redraft.revision.repair import Repair
from redraft.revision.rewriting.compressions import trims
from redraft.revision.rewriting.corrections import corrections
from redraft.revision.search import Carried
from redraft.revision.settling import Settling
from redraft.revision.sifting import Sifter, quoted_in_units
from redraft.revision.task import GOALS, Task
from redraft.revision.tuning import (
    CORRECTED,
    GOAL,
    MENDED,
    PROPOSED,
    SPELLING_LIKENESS,
    TRIMS_TRIED,
    WISHED_ANSWERS,
)
from redraft.revision.understanding import SMALL
from redraft.revision.verdicts import Verdicts
from redraft.text import Document, links, mask, spellings

_SHORT_WORD: Final = 4
_STEM: Final = 5


def _text(item: tuple[Candidate, float]) -> tuple[str, tuple[Reason, ...]]:
    return item[0].text, item[0].why


class Proposals:
    """What was proposed for a passage of the original, by anyone, at any time."""

    def __init__(self) -> None:
        self._candidates: dict[tuple[str, ...], dict[Candidate, float]] = {}

    def add(self, draft: Draft, options: Sequence[Option]) -> None:
        """Remember the options, each for the passages of the original that its units came from."""
        for option in options:
            own = self._candidates.setdefault(_sources(draft, option.start, option.stop), {})
            own[option.candidate] = option.value

    def take(self, other: Proposals) -> None:
        """Remember all that another has."""
        for source, candidates in other._candidates.items():
            self._candidates.setdefault(source, {}).update(candidates)

    def options(self, draft: Draft) -> list[Option]:
        """All that is known for the units of a draft, in an order that does not depend on who came first."""
        found: list[Option] = []
        sizes = sorted({len(sources) for sources in self._candidates})
        for start, stop in ((at, at + size) for at in range(len(draft.units)) for size in sizes):
            own = self._candidates.get(_sources(draft, start, stop), {})
            if stop <= len(draft.units) and all(unit.free for unit in draft.units[start:stop]):
                made = (Option(start, stop, one, value) for one, value in sorted(own.items(), key=_text))
                found += (option for option in made if option.candidate.text != draft.passage(start, stop))
        return found


def _sources(draft: Draft, start: int, stop: int) -> tuple[str, ...]:
    return tuple(unit.source for unit in draft.units[start:stop])


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


class Guard:
    """Keeps the words of a draft that are no slips, and those that somebody else is quoted with."""

    def __init__(self, task: Task, draft: Draft) -> None:
        self._guards_quotations = task.kind in ("correct", "improve")
        self._draft = draft

    @cached_property
    def _known(self) -> Counter[str]:
        """In how many units each word stands."""
        return Counter(word for unit in self._draft.units for word in set(spellings(unit.source.lower())))

    @cached_property
    def _quotes(self) -> dict[int, list[str]]:
        return quoted_in_units(self._draft)

    def sure(self, options: Sequence[Option], *, quoted: bool = False) -> list[Option]:
        """The options that take no word of the writer's for a slip: one that is used again is none.

        Nor do they change what somebody else is quoted with, where the words are to stay or it is `quoted`.
        """
        quotes = self._quotes if quoted or self._guards_quotations else {}
        draft, sure = self._draft, []
        for option in options:
            own = set(spellings(draft.passage(option.start, option.stop).lower()))
            now = set(spellings(option.candidate.text.lower()))
            stems = {word[:_STEM] for word in now}
            gone = [word for word in own - now if len(word) > _SHORT_WORD and word[:_STEM] not in stems]
            near = {word for word in gone if get_close_matches(word, now - own, 1, SPELLING_LIKENESS)}
            strange = set(gone) - near if option.candidate.by == "correction" else set()
            said = [words for place in range(option.start, option.stop) for words in quotes.get(place, ())]
            if any(words not in option.candidate.text for words in said):
                continue
            if not _addresses(option.candidate.text) <= _addresses(draft.passage(option.start, option.stop)):
                continue  # nobody corrects an address, or makes one up
            is_sifted = option.value in (CORRECTED, MENDED)
            if is_sifted or (not strange and all(self._known[word] < 2 for word in near)):
                sure.append(option)
        return sure


def _addresses(text: str) -> set[str]:
    return {found.value for found in links(text)}


def _unplanned(task: Task, draft: Draft) -> Action:
    """No plan: the editor is told the instruction itself, for every sentence."""
    edit = task.style or "Improve this text"
    plan = tuple(
        Improvement(place, unit.text, "", edit if unit.free else "")
        for place, unit in enumerate(draft.units, 1)
    )
    return Action("", (), plan)


class ModelSteps:
    """Plans and revises with models that can be told what to do; the rules stand in where one cannot.

    With `comments` the model is also asked what it finds wrong with a text, before it plans; `brief` says
    that the planner was trained to be one.
    """

    def __init__(
        self,
        task: Task,
        appraiser: Appraiser,
        repair: Repair,
        *,
        planner: Model,
        reviser: Model,
        switches: Switches,
        comments: bool = True,
        brief: bool = False,
        user_plan: Action | None = None,
        seed: int = 0,
    ) -> None:
        self._task = task
        self._appraiser = appraiser
        self._repair = repair
        self._comments = comments and switches.feedback
        self._planner = None
        if planner.spec not in SMALL:
            self._planner = ModelPlanner(planner, self._rules, format=task.format, brief=brief)
        self._model = reviser
        self._switches = switches
        self._user_plan = user_plan
        self._seed = seed
        self._known = Proposals()
        self._paths: dict[str, Sequence[Node]] = {}
        self._draft: Draft | None = None

    def _rules(self, text: str) -> Action:
        assert self._draft is not None
        return rule_plan(self._task, self._draft, self._appraiser, variant=0, share=1.0)

    async def plans(self, path: Sequence[Node], draft: Draft, count: int) -> list[Action]:
        """The model's plans, all from one request."""
        self._paths[draft.text] = path
        if self._user_plan is not None and len(path) == 1:
            return [self._user_plan]
        if not self._switches.plan:
            return [Action("", (), (), self._model.spec)]
        await self._appraiser.know(unit.text for unit in draft.units)
        if self._comments:
            path = [*path[:-1], await self._with_feedback(path[-1])]
            self._paths[draft.text] = path
        self._draft = draft
        if self._planner is None:
            return [self._rules(draft.text)]
        return await self._planner.plan(
            self._task.request, draft.text, path, count=count, seed=self._seed + path[-1].id
        )

    async def _with_feedback(self, node: Node) -> Node:
        """The node with what the model says of its text: asked for only where the search goes on."""
        said: tuple[Feedback, ...] = await model_feedback(self._model, node.text, format=self._task.format)
        node.feedback = (*node.feedback, *said)
        return node

    async def carry_out(self, draft: Draft, action: Action, *, seed: int) -> Carried[Draft]:
        """The draft as the model revised it, repaired."""
        before = self._known.options(draft)  # siblings at work at the same time see nothing of each other
        task, switches = self._task, self._switches
        meter = MeteredModel(self._model)
        options = await revised_sentences(
            task,
            draft,
            action,
            meter,
            history=self._paths.get(draft.text, ()) if switches.feedback else (),
            budgets=_budgets(task, Document(draft.text, task.format)) if switches.plan else {},
            seed=seed,
        )
        known = Proposals()
        known.add(draft, options)
        repaired = await self._repair.repaired(draft, [*before, *known.options(draft)])
        self._known.take(known)
        return Carried((repaired.draft,), meter.usage)


async def revised_sentences(
    task: Task,
    draft: Draft,
    action: Action,
    model: Model,
    *,
    history: Sequence[Node] = (),
    budgets: Mapping[int, str] | None = None,
    each: bool = False,
    seed: int = 0,
) -> list[Option]:
    """The sentences that a model writes by a plan, as options for the units that they stand in.

    It is asked for all that change in one request, or for `each` that has advice in one of its own.
    """
    document = Document(draft.text, task.format)
    places = units_of_sentences(draft, document)
    found = await ModelReviser(model, format=task.format).revise(
        draft.text,
        action,
        instruction=task.request,
        protected={number for number, place in places.items() if not draft.units[place].free},
        history=history,
        budgets=budgets,
        documents=task.documents,
        seed=seed,
        each=each,
    )
    return _options(task, draft, document, places, found, model.spec)


def _options(
    task: Task, draft: Draft, document: Document, places: Mapping[int, int], found: Mapping[int, str], by: str
) -> list[Option]:
    """New texts of sentences as options for their units, mark-up intact."""
    new: dict[int, str] = {}
    for number, text in found.items():
        if number in places:
            place = places[number]
            old = new.get(place, draft.units[place].text)
            new[place] = old.replace(document.sentence(number).text, text, 1)
    options: list[Option] = []
    value = GOAL if task.kind in GOALS else PROPOSED
    for place, text in new.items():
        old = draft.units[place].text
        pieces = Counter(mask(old, task.format).pieces)
        if text != old and (not text or Counter(mask(text, task.format).pieces) == pieces):
            options.append(Option(place, place + 1, Candidate(text, by, (Reason("plan"),)), value))
    return options


_MARK_NOTES: Final = {"full form": "use contractions"}


def _budgets(task: Task, document: Document) -> dict[int, str]:
    """What the constraints leave to each sentence, in words."""
    notes: list[str] = []
    if task.lengths.high < float("inf"):
        notes.append(f"at most {task.lengths.high:g} words")
    if task.lengths.low > 0:
        notes.append(f"at least {task.lengths.low:g} words")
    notes += [f"do not use “{keyword}”" for keyword in task.banned]
    notes += [_MARK_NOTES.get(mark, f"no {mark}") for mark in task.banned_marks]
    total, allowed = task.before.words, task.bounds("words")
    found: dict[int, str] = {}
    for sentence in document.sentences:
        own = list(notes)
        if total > allowed.high:
            share = len(sentence.text.split()) * allowed.high / total
            own.append(f"about {max(share, 3):.0f} words")
        if own:
            found[sentence.number] = "; ".join(own)
    return found
