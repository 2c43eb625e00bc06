"""TRIPS as published (§5.2, D.3, D.5): a tree of whole-text revisions, guided by the planner's own tools.

Nothing guards it: a revision is taken as the model wrote it, and neither gated nor repaired. What the
instruction really asks for is checked at the end, as everywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from redraft.constraints import Finding, parse_call
from redraft.models import Model, Models
from redraft.quality import Quality, QualityScorer, Scale, open_combined_quality
from redraft.revision.asking.answers import TOOLS
from redraft.revision.asking.baselines import run_baseline
from redraft.revision.asking.feedback import model_feedback
from redraft.revision.asking.planner import ModelPlanner, is_trained_planner
from redraft.revision.asking.requests import MeteredModel
from redraft.revision.asking.reviser import ModelReviser
from redraft.revision.records import Action, Change, Feedback, Improvement, Node, Reward
from redraft.revision.revision import ReviseOptions
from redraft.revision.search.evaluation import Evaluation, Switches, keywords, preservation, quality_words
from redraft.revision.search.search import Carried, Search
from redraft.revision.task import Task
from redraft.text import Document, Format, align

HALF: Final = 50.0
"""What quality and adherence each count for at the most, of 100."""
WEIGHTS: Final = (0.33, 0.33, 0.34)
"""Of perplexity, BARTScore and SOME within the quality; those of the authors' code."""
PAST_TOKENS: Final = 4000
"""Tokens that the way to a text may take in the planner's prompt."""
_EVALUATE, _KEYWORDS = (f"{name}()" for name in TOOLS)


def changes_between(before: str, after: str, format: Format, by: str) -> Iterable[Change]:
    """What a text that was written anew has made of each passage."""
    old, new = Document(before, format), Document(after, format)
    for link in align(old, new):
        if link.kind != "kept":
            left = " ".join(old.sentence(number).text for number in link.original)
            right = " ".join(new.sentence(number).text for number in link.revised)
            yield Change(left, right, by, link.kind)


@dataclass(frozen=True)
class WholeText:
    """A text as a model wrote it."""

    text: str
    original: str
    format: Format
    by: str

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The passages that are no longer as the writer had them."""
        return tuple(changes_between(self.original, self.text, self.format, self.by))


class PlannersTools:
    """Judges a text by the calls of its plan; the findings, for the record, are of the true constraints.

    A call that cannot be read, or that does not fit the text, counts as not met. `detect_keyword()` counts by
    the share of keywords that are still there.
    """

    def __init__(
        self, task: Task, scorer: QualityScorer, reviser: Model, switches: Switches, *, seed: int = 0
    ) -> None:
        self._task = task
        self._scorer = scorer
        self._reviser = reviser
        self._switches = switches
        self._seed = seed
        self._qualities: dict[str, Quality] = {}

    async def judged(self, text: str, action: Action | None) -> Evaluation:
        """R_g and R_c, each of 50; the original, which no plan led to, has no R_c."""
        task, switches = self._task, self._switches
        source, quality = await self._quality(task.original), await self._quality(text)
        scaled = Scale(source, is_bounded=False).of(quality)
        parts = (scaled.fluency, scaled.coherence, scaled.grammar)
        good = HALF * sum(weight * part for weight, part in zip(WEIGHTS, parts, strict=True))
        preserved = None
        obeyed = 0.0
        if action is not None:
            met = [float(one.met) for one in self._checked(text, action)] + [0.0] * len(action.unread)
            if _KEYWORDS in action.calls and switches.preservation:
                preserved = preservation(task, text, quality)
                met.append(preserved)
            obeyed = HALF * (sum(met) / len(met) if met else 1.0)
        reward = Reward(good if switches.quality else 0.0, obeyed if switches.constraints else 0.0, preserved)
        return Evaluation(task.check(text), quality, reward)

    async def feedback(self, text: str, action: Action | None) -> tuple[Feedback, ...]:
        """What the reviser finds wrong with a text, and what the checks say; of the original, nothing."""
        if action is None or not self._switches.feedback:
            return ()
        quality = await self._quality(text)
        said = await model_feedback(self._reviser, text, format=self._task.format, seed=self._seed)
        found = [Feedback(_EVALUATE, None, quality_words(quality, text)), *said]
        if _KEYWORDS in action.calls:
            names = await asyncio.to_thread(keywords, self._task, self._task.original)
            found.append(Feedback(_KEYWORDS, None, ", ".join(names[:40]) or "none"))
        found += (
            Feedback(one.constraint.call, int(not one.met), one.message)
            for one in self._checked(text, action)
        )
        found += (Feedback("a call that cannot be made", 1, one) for one in action.unread)
        return tuple(found)

    async def _quality(self, text: str) -> Quality:
        if text not in self._qualities:
            (self._qualities[text],) = await self._scorer.score([text], [self._task.original])
        return self._qualities[text]

    def _checked(self, text: str, action: Action) -> list[Finding]:
        task = self._task
        calls = [call for call in action.calls if call not in (_EVALUATE, _KEYWORDS)]
        return [parse_call(call).check(task.before, task.read(text)) for call in calls]


class WholeTextSteps:
    """Expands a node: plans by the planner, and for each the text as the reviser writes it, y = π(a, y).

    Without a plan, the reviser is told the instruction alone, and revises its own revisions.
    """

    def __init__(
        self,
        task: Task,
        planner: ModelPlanner,
        reviser: Model,
        *,
        switches: Switches,
        user_plan: Action | None = None,
        seed: int = 0,
    ) -> None:
        self._task = task
        self._planner = planner
        self._reviser = reviser
        self._switches = switches
        self._user_plan = user_plan
        self._seed = seed

    async def plans(self, path: Sequence[Node], draft: WholeText, count: int) -> list[Action]:
        """The planner's plans, less those that cannot be read."""
        if not self._switches.plan:
            return [Action("", (), (), self._reviser.spec)] * count
        if self._user_plan is not None and len(path) == 1:
            return [self._user_plan]
        seed = self._seed + path[-1].id
        found = await self._planner.plan(self._task.request, draft.text, path, count=count, seed=seed)
        return [action for action in found if action.plan]

    async def carry_out(self, draft: WholeText, action: Action, *, seed: int) -> Carried[WholeText]:
        """The text that the reviser writes; where its answer was cut off, the text as it was."""
        task = self._task
        meter = MeteredModel(self._reviser)
        if self._switches.plan:
            text = await ModelReviser(meter, format=task.format).rewrite(
                draft.text, self._with_keywords(action), form="apply", documents=task.documents, seed=seed
            )
        else:
            answer = await run_baseline(
                "direct",
                draft.text,
                task.request,
                meter,
                documents=task.documents,
                seed=seed,
                format=task.format,
            )
            text = answer.text
        return Carried((replace(draft, text=text, by=self._reviser.spec),), meter.usage)

    def _with_keywords(self, action: Action) -> Action:
        """The plan with the keywords of each sentence, where the planner asked for them."""
        if _KEYWORDS not in action.calls:
            return action
        return replace(action, plan=tuple(map(self._keeping, action.plan)))

    def _keeping(self, one: Improvement) -> Improvement:
        names = keywords(self._task, one.text) if one.advice else []
        return replace(one, advice=f"{one.advice} (keep: {', '.join(names)})") if names else one


def open_trips(
    task: Task, models: Models, options: ReviseOptions, reached: Callable[[Node], None]
) -> Search[WholeText]:
    """The search of the paper, for one task."""
    reviser, spec = models.for_role("reviser"), models.settings.spec_for("planner")
    planner = ModelPlanner(
        models.for_role("planner"),
        lambda text: Action("", (), ()),
        format=task.format,
        brief=is_trained_planner(spec, models.settings.weights()),
        past_tokens=PAST_TOKENS,
        most_sentences=len(task.before.sentences),
    )
    scorer = open_combined_quality(models, format=task.format)
    return Search(
        WholeTextSteps(
            task,
            planner,
            reviser,
            switches=options.switches,
            user_plan=options.plan,
            seed=options.seed,
        ),
        PlannersTools(task, scorer, reviser, options.switches, seed=options.seed),
        options.effort_settings.limits,
        reached,
        seed=options.seed,
    )


def whole_text(task: Task) -> WholeText:
    """The original, before any model has written."""
    return WholeText(task.original, task.original, task.format, "")
