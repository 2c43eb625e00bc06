"""One expansion of the search with a model that can be told what to do: plans, sentences, and repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from redraft.models import Model
from redraft.revision.asking.feedback import model_feedback
from redraft.revision.asking.planner import ModelPlanner
from redraft.revision.asking.requests import MeteredModel
from redraft.revision.asking.reviser import ModelReviser
from redraft.revision.choosing.repair import Repair
from redraft.revision.draft import Draft, Option
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.records import Action, Candidate, Feedback, Node, Reason
from redraft.revision.search.evaluation import Switches
from redraft.revision.search.plans import rule_plan, units_of_sentences
from redraft.revision.search.search import Carried
from redraft.revision.strategies.proposals import Proposals
from redraft.revision.task import GOALS, Task
from redraft.revision.tuning import GOAL, PROPOSED
from redraft.revision.wishes.understanding import SMALL
from redraft.text import Document, mask


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
