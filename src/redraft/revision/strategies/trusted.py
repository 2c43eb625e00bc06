"""Revision with a model that is trusted.

Its text is taken as it wrote it, unless a fact speaks against a passage, or a constraint that no request can
mend. Where something has to be mended, the model is asked again for the sentences in question; rules that cut
and split come last.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from redraft.constraints import Interval
from redraft.errors import ContextOverflow
from redraft.models import Completion, Model, Request, is_pulled
from redraft.revision.asking.baselines import BaselineTask, amended, run_baseline, usual_temperature
from redraft.revision.asking.comparing import prefers_original
from redraft.revision.asking.feedback import model_feedback
from redraft.revision.asking.passages import PassageEditor
from redraft.revision.asking.planner import ModelPlanner
from redraft.revision.asking.requests import MeteredModel, sections
from redraft.revision.asking.reviser import ModelReviser
from redraft.revision.choosing.repair import Repair, Repaired
from redraft.revision.draft import WRITER, Draft, Option, Unit, places_within
from redraft.revision.editing.controls import bound_requests
from redraft.revision.editing.editor import ControlProposer
from redraft.revision.judging.facts import FactCheck
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Action, Candidate, Improvement, Node, Reason
from redraft.revision.search.evaluation import Switches
from redraft.revision.search.plans import rule_plan, units_of_sentences
from redraft.revision.search.search import Carried, Rank
from redraft.revision.strategies.model_steps import revised_sentences
from redraft.revision.task import Task
from redraft.revision.tuning import TRUSTED, TRUSTED_AGAIN
from redraft.text import Document

DIRECT: Final = Action("The request itself, for the whole text.", (), (), "direct")
MINIMAL: Final = Action("The writer's text, with what the constraints call for.", (), (), "direct")
JUDGED: Final = Action("The writer's passages where the judge prefers them.", (), (), "direct")
_ROUNDS: Final = 2
"""How often a model is asked to mend a text."""
_MOST_CUT: Final = 0.35
_MOST_ADDED: Final = 0.5
"""The share of its words that a sentence is asked to lose or to gain, at most."""
_REWRITTEN: Final = (Reason("rewrite"),)


@dataclass(slots=True)
class RequestLimit:
    """How many requests may still be made."""

    left: int

    def take(self, count: int = 1) -> bool:
        """Whether so many may be made; they are then counted as made."""
        if count > self.left:
            return False
        self.left -= count
        return True


class LimitedModel(MeteredModel):
    """A model whose every request is counted, those beyond what was taken beforehand too.

    A section that is too long is asked for in halves, and a plan that cannot be read once more. One that is
    not `counted` is our own, and is asked about as many passages as there are.
    """

    def __init__(self, model: Model, limit: RequestLimit, *, counted: bool = True) -> None:
        super().__init__(model)
        self._limit = limit
        self._counted = counted
        self._taken = 0

    def take(self, count: int) -> bool:
        """Whether so many requests may be made; they are then counted."""
        if not self._limit.take(count):
            return False
        self._taken += count
        return True

    def divide(self, count: int) -> None:
        """The request that was taken last is made in so many parts."""
        self._taken += max(count - 1, 0)

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        """What the model behind answers."""
        if self._taken:
            self._taken -= 1
        else:
            self._limit.left -= self._counted
        return await super().complete(request)


class TrustedSteps:
    """Plans and revises with a model that is trusted; the planner counts its own requests."""

    def __init__(
        self,
        task: Task,
        appraiser: Appraiser,
        repair: Repair,
        *,
        planner: ModelPlanner | None,
        reviser: Model,
        limit: RequestLimit,
        switches: Switches,
        comments: bool = False,
        user_plan: Action | None = None,
        passages: PassageEditor | None = None,
        seed: int = 0,
    ) -> None:
        self._task = task
        self._appraiser = appraiser
        self._repair = repair
        self._planner = planner
        self._model = reviser
        self._limit = limit
        self._switches = switches
        self._comments = comments
        self._user_plan = user_plan
        self._seed = seed
        self.facts = FactCheck(task)
        self._passages = passages
        self.flawed: set[str] = set()
        """Texts as the model wrote them in which a fact is changed."""
        self.others: set[str] = set()
        """Texts of the model that are no revisions: next to nothing of the original is in them."""
        self._sections = len(sections(Document(task.original, task.format)))

    @property
    def is_by_passages(self) -> bool:
        """Whether the model is asked passage by passage, by the controls that it was taught."""
        return self._passages is not None

    @property
    def refused(self) -> Mapping[str, str]:
        """What the model made of sentences that stayed, since it says something else."""
        return self._passages.refused if self._passages is not None else {}

    async def plans(self, path: Sequence[Node], draft: Draft, count: int) -> list[Action]:
        """At the root the request itself comes first; then what the planner says.

        A model that was taught to edit does what it can at the first request.
        """
        if self._passages is not None:
            return [DIRECT, *([self._user_plan] if self._user_plan else ())] if len(path) == 1 else []
        if len(path) > 1:
            return await self._planned(path, draft, count)
        if self._user_plan is not None:
            return [DIRECT, self._user_plan]
        return [DIRECT, *(await self._planned(path, draft, count - 1) if count > 1 else ())]

    async def _planned(self, path: Sequence[Node], draft: Draft, count: int) -> list[Action]:
        # A plan is of no use without a request to carry it out.
        if not self._switches.plan or self._limit.left < 2 * self._sections:
            return []
        if self._comments and self._limit.left >= 3 * self._sections:
            asked = LimitedModel(self._model, self._limit)
            said = await model_feedback(asked, draft.text, format=self._task.format)
            path[-1].feedback = (*path[-1].feedback, *said)
        if self._planner is None:
            await self._appraiser.know(unit.text for unit in draft.units)
            return [rule_plan(self._task, draft, self._appraiser, variant=0, share=1.0)]
        if self._limit.left < self._sections:
            return []
        plans = await self._planner.plan(
            self._task.request, draft.text, path, count=count, seed=self._seed + path[-1].id
        )
        return [plan for plan in plans if any(one.advice for one in plan.plan)]

    async def carry_out(self, draft: Draft, action: Action, *, seed: int) -> Carried[Draft]:
        """The draft as the model revised it, and as it stands after mending."""
        meter = LimitedModel(self._model, self._limit, counted=self._passages is None)
        if not meter.take(self._sections):
            return Carried((), meter.usage)
        if action is DIRECT:
            # The very request of the strategy `direct`: its answer is always among the texts to choose from.
            text = await self._direct(meter)
            written = self._revised(text)
        elif draft.text == self._task.original:
            written = self._revised(await self._rewritten(draft, action, meter, seed))
        else:
            options = await self._sentences(draft, action, meter, seed)
            written = draft.with_some(options)
        is_checked = action is DIRECT and self._passages is not None  # passage by passage
        refused = {} if is_checked else self.facts.objections(written)
        finished = await self._mended(written, refused, meter, seed)
        return Carried((written, finished), meter.usage)

    async def minimal(self, drafts: Iterable[Draft]) -> Draft:
        """The writer's text, with sentences of these drafts only where the constraints call for them."""
        own = Draft.of(self._task)
        places = {unit.source: place for place, unit in enumerate(own.units)}
        made = [
            (places[unit.source], unit)
            for draft in drafts
            for unit in draft.units
            if unit.source in places and unit.text and unit.by == self._model.spec
        ]
        offered = [
            Option(place, place + 1, Candidate(unit.text, unit.by, unit.why), TRUSTED_AGAIN, trusted=True)
            for place, unit in made
            if not self.facts.objections_to(unit.source, unit.text)
        ]
        found = await self._chosen(own, offered)
        return found.draft if found.findings.met else (await self._by_rules(own, offered)).draft

    def by_rules(self, node: Node) -> int:
        """The passages of a text that a rule has changed."""
        return sum(change.by not in (self._model.spec, "restored") for change in node.changes)

    def objections(self, draft: Draft) -> tuple[str, ...]:
        """The facts that a text changes, all together."""
        return tuple(one for against in self.facts.objections(draft).values() for one in against)

    def rank(self, node: Node) -> Rank:
        """What meets more constraints comes first, then what changes no fact and what the model wrote.

        A text that is no revision comes last, whatever it meets.
        """
        return (
            node.text not in self.others,
            sum(finding.met for finding in node.findings),
            node.text not in self.flawed,
            -node.findings.distance,
            any(change.by == self._model.spec for change in node.changes),
            -self.by_rules(node),
            round(node.reward.total, 9),
            -node.id,
        )

    async def prefers_original(self, text: str) -> bool:
        """Whether the model itself, asked in both orders, would rather hand in the original."""
        task = self._task
        try:
            return await prefers_original(
                self._model, task.original, text, instruction=task.request, seed=self._seed
            )
        except ContextOverflow:
            return False

    async def judged(self, draft: Draft, verdicts: Verdicts) -> Draft:
        """The draft with the writer's passages where a judge would have them, as the constraints allow."""
        worse = await self._worse(draft, verdicts)
        kept = self._with_facts(draft, worse)
        offered = [
            Option(place, place + 1, Candidate(unit.text, unit.by, unit.why), trusted=True)
            for place, unit in worse.items()
        ]
        return kept if self._repair.checked(kept).findings.met else (await self._chosen(kept, offered)).draft

    async def _worse(self, draft: Draft, verdicts: Verdicts) -> dict[int, Unit]:
        """The passages that are broken or say the contrary, or that there was no need to change."""
        changed = {
            place: unit
            for place, unit in enumerate(draft.units)
            if unit.free and unit.source and unit.text and unit.text.split() != unit.source.split()
        }
        pairs = [(unit.source, unit.text) for unit in changed.values()]
        worse = [one.broken or one.reversed for one in await verdicts.of(pairs)]
        if self._task.is_open:
            needless = await verdicts.are_needless(pairs)
            worse = [bad or idle for bad, idle in zip(worse, needless, strict=True)]
        return {place: changed[place] for place, bad in zip(changed, worse, strict=True) if bad}

    async def _direct(self, model: LimitedModel) -> str:
        task = self._task
        if self._passages is not None:
            return await self._passages.revised(model)
        found = await run_baseline(
            "direct",
            task.original,
            task.request,
            model,
            documents=task.documents,
            seed=self._seed,
            temperature=usual_temperature("direct", model.spec),
            format=task.format,
        )
        return found.text

    async def _rewritten(self, draft: Draft, action: Action, model: Model, seed: int) -> str:
        return await ModelReviser(model, format=self._task.format).rewrite(
            draft.text,
            action,
            instruction=self._task.request,
            documents=self._task.documents,
            seed=seed,
        )

    def _revised(self, text: str) -> Draft:
        return Draft.revised(self._task, text, self._model.spec, _REWRITTEN)

    async def _sentences(self, draft: Draft, action: Action, model: LimitedModel, seed: int) -> list[Option]:
        """The model's new sentences for those that a plan speaks of; none that a fact speaks against.

        One that was taught to edit is asked for what the bounds call for.
        """
        if self._passages is not None:
            return await self._controlled(draft, model, seed)
        each = is_pulled(model.spec)  # it would read the rules and the whole text for longer than it writes
        if each:
            model.divide(sum(bool(one.advice) for one in action.plan))
        made = await revised_sentences(self._task, draft, action, model, each=each, seed=seed)
        return [
            replace(option, value=TRUSTED_AGAIN, trusted=True)
            for option in made
            if not self.facts.objections_to(draft.units[option.start].source, option.candidate.text)
        ]

    async def _controlled(self, draft: Draft, model: Model, seed: int) -> list[Option]:
        """What a model that was taught to edit answers to the bounds, sentence by sentence."""
        requests = list(bound_requests(self._task, draft))
        made = await ControlProposer(self._task, model, samples=1).answer(draft, requests, seed=seed)
        return [
            replace(one, value=TRUSTED_AGAIN, trusted=True)
            for one in made
            if one.stop == one.start + 1
            and not self.facts.objections_to(draft.units[one.start].source, one.candidate.text)
        ]

    async def _mended(
        self, written: Draft, refused: dict[int, tuple[str, ...]], model: LimitedModel, seed: int
    ) -> Draft:
        """What was written with what a fact speaks against taken back, and the constraints met."""
        if self.facts.is_another_text(written):
            self.others.add(written.text)
            written, refused = Draft.of(self._task), {}
        if refused:
            self.flawed.add(written.text)
        draft = self._with_facts(written, refused)
        found = await self._chosen(draft, (), refused)
        offered: list[Option] = []
        for turn in range(_ROUNDS):
            notes = {} if found.findings.met else dict(_notes(self._task, draft))
            if not turn:
                notes |= {place: _again(refused[place]) for place in refused if draft.units[place].free}
            if (found.findings.met and not notes) or not model.take(self._sections):
                break
            if notes or self._passages is not None:
                plan = _plan(draft, notes, self._task)
                offered += await self._sentences(draft, plan, model, seed + turn + 1)
            else:
                again = self._revised(await self._amended(found, model, seed + turn + 1))
                if self.facts.is_another_text(again):
                    break
                refused, offered = self.facts.objections(again), []
                draft = self._with_facts(again, refused)
            chosen = await self._chosen(draft, offered, refused)
            if chosen.findings.distance <= found.findings.distance:
                found = chosen
        if found.findings.met:
            return found.draft
        by_rules = await self._by_rules(found.draft, ())
        return min(found, by_rules, key=lambda one: one.findings.distance).draft

    async def _amended(self, found: Repaired, model: Model, seed: int) -> str:
        task = self._task
        wrong = [finding.message for finding in found.findings if not finding.met]
        asked = BaselineTask(
            Document(found.draft.text, task.format), task.request, model, task.documents, seed
        )
        return await amended(asked, wrong)

    def _with_facts(self, draft: Draft, refused: Mapping[int, object]) -> Draft:
        """The draft with the writer's own passage where a fact or a sentence that must stay was changed."""
        units = [
            replace(unit, text=unit.source, by=WRITER, why=())
            if place in refused or any(not self._task.stands(one, unit.text) for one in unit.kept)
            else unit
            for place, unit in enumerate(draft.units)
        ]
        return replace(draft, units=tuple(units))

    async def _chosen(
        self, draft: Draft, offered: Sequence[Option], refused: Collection[int] = ()
    ) -> Repaired:
        """The best of what the model and the writer wrote, as far as that meets the constraints."""
        start = self._repair.checked(draft)
        new = [option for option in offered if option.candidate.text != draft.units[option.start].text]
        if start.findings.met and not new:
            return start
        return await self._repair.selected(draft, [*_own(draft, refused), *new])

    async def _by_rules(self, draft: Draft, offered: Sequence[Option]) -> Repaired:
        return await self._repair.repaired(draft, [*_own(draft), *offered])


def _own(draft: Draft, refused: Collection[int] = ()) -> Iterator[Option]:
    """Each unit as it is, and as the writer had it; what stands for a refused passage is a stopgap."""
    for place, unit in enumerate(draft.units):
        value = 0.0 if place in refused else TRUSTED
        yield Option(place, place + 1, Candidate(unit.text, WRITER), value, trusted=True)
        if unit.text != unit.source:
            back = Candidate(unit.source, "restored" if unit.source else "drop", (Reason("restore"),))
            yield Option(place, place + 1, back, trusted=True)


def _plan(draft: Draft, notes: Mapping[int, str], task: Task) -> Action:
    """A plan for the sentences of some units."""
    document = Document(draft.text, task.format)
    places = units_of_sentences(draft, document)
    plan = (
        Improvement(one.number, one.text, notes.get(places.get(one.number, -1), ""))
        for one in document.sentences
    )
    return Action("What is still wrong.", (), tuple(plan), "checks")


def _again(objections: Sequence[str]) -> str:
    return f"keep the facts of this sentence; your last wording failed ({'; '.join(objections)})"


def _notes(task: Task, draft: Draft) -> Iterator[tuple[int, str]]:
    """What to ask of single units, so that the constraints are met."""
    wanted: dict[int, list[str]] = {}
    free = [place for place, unit in enumerate(draft.units) if unit.free and unit.text]
    for place in free:
        wanted.setdefault(place, []).extend(_faults(task, draft, place))
    reading, allowed = task.read(draft.text), task.bounds("words")
    for keyword, interval in task.frequencies.items():
        for place in _keyword_places(task, draft, free, keyword, interval):
            more = len(reading.occurrences(keyword)) < interval.low
            wanted[place].append(f"use “{keyword}”" if more else f"do without “{keyword}”")
    if allowed.distance(reading.words):
        for place, words in _word_budgets(draft, free, reading.words, allowed):
            wanted[place].append(words)
    for part in task.part_lengths:
        measured = part.measure(reading.document)
        if part.unit == "words" and part.allowed.distance(measured):
            places = places_within(draft, part, task.format)
            own = [place for place in free if place in places]
            for place, words in _word_budgets(draft, own, measured, part.allowed):
                wanted[place].append(words)
    yield from ((place, "; ".join(words)) for place, words in wanted.items() if words)


def _faults(task: Task, draft: Draft, place: int) -> Iterator[str]:
    unit = draft.units[place]
    reading = task.read(unit.text)
    if any(count > task.lengths.high for count in reading.sentence_words):
        yield f"write it in sentences of at most {task.lengths.high:g} words each"
    if any(0 < count < task.lengths.low for count in reading.sentence_words):
        yield f"make it a sentence of at least {task.lengths.low:g} words"
    yield from (f"do not use “{keyword}”" for keyword in task.banned if reading.uses(keyword))
    yield from (f"do not use “{found}”" for found in task.forbidden(unit.text))
    if any(task.stands(sentence, unit.text) for sentence in unit.altered):
        yield "say it in other words"
    if place == 0 and "start" in task.required_ends and not task.starts(unit.text):
        yield f"begin with “{task.required_ends['start']}”"
    if place == len(draft.units) - 1 and "end" in task.required_ends and not task.closes(unit.text):
        yield f"end with “{task.required_ends['end']}”"


def _keyword_places(
    task: Task, draft: Draft, free: Sequence[int], keyword: str, allowed: Interval
) -> list[int]:
    """The units that have a keyword too often, or that have room for one more."""
    counts = {place: len(task.read(draft.units[place].text).occurrences(keyword)) for place in free}
    total = len(task.read(draft.text).occurrences(keyword))
    if total > allowed.high:
        return [place for place in free if counts[place]][: int(total - allowed.high)]
    if total < allowed.low:
        lacking = [place for place in free if not counts[place]]
        lacking.sort(key=lambda place: -len(draft.units[place].text))
        return lacking[: int(allowed.low - total)]
    return []


def _word_budgets(
    draft: Draft, free: Sequence[int], words: int, allowed: Interval
) -> Iterator[tuple[int, str]]:
    """How many words the longest sentences are to lose, or to gain."""
    shorter = words > allowed.high
    left = math.ceil(words - allowed.high if shorter else allowed.low - words)
    sizes = sorted(((len(draft.units[place].text.split()), place) for place in free), reverse=True)
    for size, place in sizes:
        share = min(math.ceil((_MOST_CUT if shorter else _MOST_ADDED) * size), left)
        wish = "shorten it to at most" if shorter else "extend it to at least"
        yield place, f"{wish} {max(size - share, 3) if shorter else size + share} words, it has {size}"
        left -= share
        if left <= 0:
            return
