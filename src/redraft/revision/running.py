"""One revision under way: what is done first, the search or whatever else is asked for, and its result."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Final

from redraft.constraints import infeasible
from redraft.errors import InputError, ModelError
from redraft.models import Embedder, Models, RememberingEmbedder, RememberingScorer, Scorer, Usage, is_pulled
from redraft.quality import (
    JUDGE,
    Judge,
    QualityScorer,
    SentenceQuality,
    StrictJudge,
    TrainedJudge,
    judged_claim_changes,
    open_quality,
    perplexities_of,
    scorers_named,
)
from redraft.revision.asking.baselines import Baseline, run_baseline, usual_temperature
from redraft.revision.asking.requests import prompt, sections
from redraft.revision.choosing.repair import Repair
from redraft.revision.draft import Draft, Option
from redraft.revision.first.conventions import settled_by_conventions
from redraft.revision.first.corrected import Corrected, corrected, correction_of, is_corrected_first
from redraft.revision.first.other_forms import Retold
from redraft.revision.first.rearranging import rearranged
from redraft.revision.first.replacing import Replaced
from redraft.revision.first.sentence_edits import edit_sentences
from redraft.revision.first.wording import Worded, reword
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Action, Concern, Considered, Node, Settled
from redraft.revision.revision import ReviseOptions, Revision
from redraft.revision.search.evaluation import Evaluator
from redraft.revision.search.plans import planned_calls
from redraft.revision.search.search import Rank, Search, default_rank
from redraft.revision.showing.concerns import (
    find_concerns,
    keep_unbroken,
    meant_by,
    refused_answers,
    without_needless,
)
from redraft.revision.showing.details import Details
from redraft.revision.showing.settling import Settling
from redraft.revision.showing.trace import Trace
from redraft.revision.strategies.editor_steps import EditorSteps
from redraft.revision.strategies.ending import search_result, unrevised, until_stopped
from redraft.revision.strategies.one_sentence import EDIT_ONE_SENTENCE, is_one_sentence, polished
from redraft.revision.strategies.opening import open_steps
from redraft.revision.strategies.trips import changes_between, open_trips, whole_text
from redraft.revision.strategies.trusted import JUDGED, MINIMAL, RequestLimit, TrustedSteps
from redraft.revision.task import Task, relax_constraints
from redraft.revision.tuning import READ_FOR_ALL
from redraft.revision.wishes.understanding import SMALL
from redraft.text import Document

_JUDGED_TOGETHER: Final = 8
"""Sentences that are judged before those are told of that have nothing to mend."""
_READ_AS_A_WHOLE: Final = 500
"""Characters of a text up to which its perplexity is told of the whole: of a few sentences, each by itself,
it says little, and to read many once more takes as long as all else."""
_NOTHING_TO_MEND: Final = "nothing to mend: every sentence reads well, and no error is found"
_ENGLISH_ONLY: Final = "the rules that cut, divide and join sentences are for English, and were not used"


def open_judge(models: Models) -> Judge:
    """Who says whether a sentence is good English, and means what its source does."""
    return StrictJudge(TrainedJudge(models.yes_or_no(JUDGE)))


class Run:
    """One revision under way."""

    def __init__(
        self,
        task: Task,
        models: Models,
        options: ReviseOptions,
        reached: Callable[[Node], None] | None,
        stop: asyncio.Event | None,
        trace: Trace | None,
        settled: Callable[[Settled], None] | None = None,
    ) -> None:
        self._given = self._task = task
        self._considered: Mapping[str, Mapping[str, Considered]] = {}
        self._settling = Settling(task, settled)
        self._models = models.with_own_ledger()
        self._options = options
        self._on_node = reached
        self._stop = stop or asyncio.Event()
        self._trace = trace
        self._nodes: list[Node] = []
        self._may_break_met = False
        self._draft: Draft | None = None
        self._started = time.monotonic()

    @cached_property
    def _scorer(self) -> Scorer:
        return RememberingScorer(self._models.scorer())

    @cached_property
    def _embedder(self) -> Embedder:
        return RememberingEmbedder(self._models.embedder())

    @cached_property
    def _quality(self) -> QualityScorer:
        """What the texts of a search are compared by."""
        if self._models.settings.quality != "embedded":
            return open_quality(self._models, format=self._task.format)
        return self._by_sentence

    @cached_property
    def _by_sentence(self) -> SentenceQuality:
        return SentenceQuality(
            self._scorer,
            self._embedder,
            format=self._task.format,
            likelihood=self._options.effort != "low",
            most=self._most_read,
        )

    @property
    def _most_read(self) -> int | None:
        """How many of the sentences are read that stay as they are; all where any may be the worst."""
        return READ_FOR_ALL if self._task.is_by_need else None

    @cached_property
    def _verdicts(self) -> Verdicts:
        return Verdicts(open_judge(self._models), self._task.original, self._task.format)

    async def revision(self) -> Revision:
        """Revise."""
        task, options = self._task, self._options
        conflict = infeasible(
            task.constraints, original=task.original, counting=task.counting, format=task.format
        )
        conflicts = (conflict,) if conflict else ()
        is_refused = conflict is not None and not options.best_effort
        if not is_refused and not any(character.isalnum() for character in task.original):
            raise InputError("there is nothing to revise: the text has no words")
        if self._trace is not None:
            self._trace.task(
                instruction=task.instruction,
                text=task.original,
                calls=[constraint.call for constraint in task.constraints],
                counting=task.counting,
                format=task.format,
                strategy=options.strategy,
                effort=options.effort,
                seed=options.seed,
                planner=self._models.settings.spec_for("planner"),
                reviser=self._models.settings.spec_for("reviser"),
                switches=options.switches.off,
                scored_by=scorers_named(self._models.settings),
                prompts=prompt.hash,
            )
        if is_refused:
            return self._ended(
                Revision(
                    task.original,
                    task.check(task.original),
                    conflicts,
                    stopped="the constraints conflict",
                    refused=True,
                )
            )
        if conflict:
            self._task, self._may_break_met = relax_constraints(task), True
        arranged = rearranged(self._task, options)
        if arranged is not None:
            self._task = arranged.task
        found = arranged.revision() if arranged is not None and arranged.is_all else None
        mended = await self._corrected() if found is None else None
        if mended is not None:
            self._task = mended.task
        edited = None
        if found is None:
            edited = await edit_sentences(self._task, options, self._models, lambda: self._verdicts)
        if edited is not None:
            self._task = edited.task
        if found is None:
            found = edited.revision() if edited is not None and edited.is_all else await self._revised()
        found = found if edited is None else edited.told(found)
        found = found if mended is None else mended.told(found)
        found = found if arranged is None else arranged.told(found)
        is_other = mended is not None or (edited is not None and edited.spared)
        if is_other and found.before is not None:
            found = await self._compared(found)
        self._settling.finish(found.changes)
        findings = task.check(found.text) if arranged is None else arranged.check(found.text)
        return self._ended(replace(found, infeasible=conflicts, findings=findings))

    async def _corrected(self) -> Corrected | None:
        """The task after its errors were mended, where they would be in the way of what is wished."""
        task, options = self._task, self._options
        if not await is_corrected_first(task, options, self._models):
            return None
        left = options.max_seconds
        if left is not None:  # half of it is for the wish
            left = max(left - (time.monotonic() - self._started), 0.0) / 2
        asked = replace(options, effort="low", sound=False, max_seconds=left)
        inner = Run(correction_of(task), self._models, asked, None, self._stop, None)
        return corrected(task, await inner.revision())

    async def _compared(self, found: Revision) -> Revision:
        """The same, measured beside the text as it was given, in which sentences were others, or more."""
        given = self._given.original
        before, after = await self._quality.score([given, found.text], [given, given])
        return replace(found, before=before, after=after)

    async def _revised(self) -> Revision:
        """The revision of the text in which named sentences are edited already."""
        options = self._options
        replaced = Replaced(self._task) if options.strategy in ("search", "repair") else None
        if replaced is not None and replaced.text != self._task.original:
            if replaced.is_all and options.plan is None:
                return replaced.revision()
            self._task = replaced.task
        retold = Retold(self._task) if replaced is not None and options.plan is None else None
        if retold is not None and retold.text != self._task.original:
            if retold.is_all:
                found = retold.revision()
                return found if replaced is None else replaced.told(found)
            self._task = retold.task
        if options.strategy == "trips":
            found = await self._as_published()
        elif settled := settled_by_conventions(self._task, options):
            return settled if retold is None else retold.told(settled)
        else:
            worded = await self._worded() if replaced is not None else None
            if worded is not None and worded.is_all:
                found = worded.revision()
                return found if replaced is None else replaced.told(found)
            self._task = worded.task if worded else self._task
            found = await (self._asked() if replaced is None else self._searched())
            found = worded.told(found) if worded else found
        if not (found.interrupted or found.failure):
            found = await self._judged(found)
        found = found if retold is None else retold.told(found)
        return found if replaced is None else replaced.told(found)

    async def _worded(self) -> Worded | None:
        """The task after listed phrases were put right; a model that reads the instruction does it itself."""
        spec = self._models.for_role("reviser").spec
        if self._options.plan is not None or spec not in SMALL:
            return None
        return await reword(self._task, self._verdicts)

    async def _by_rules(self) -> Mapping[str, str]:
        """What lists and rules of wording make of the sentences that they have something to say of."""
        worded = await reword(self._task, self._verdicts)
        return worded.sentences if worded else {}

    async def _judged(self, found: Revision) -> Revision:
        """The same with what a reader should know of it; with `sound`, without its broken sentences."""
        task, options = self._task, self._options
        sound = self._models.settings.sound if options.sound is None else options.sound
        if found.text == task.original or not (options.scored or sound):
            return found
        draft = self._draft or Draft.revised(task, found.text, options.strategy, ())
        kept: tuple[Concern, ...] = ()
        if sound:
            draft, kept = await keep_unbroken(task, draft, self._verdicts)
        concerns = await self._concerns(draft)
        if options.strategy == "search" and found.trust != "high" and task.kind != "correct":
            safer, refused = without_needless(task, draft, concerns)
            if refused:
                draft, concerns = safer, await self._concerns(safer)
                concerns = (*concerns, *refused_answers(Document(draft.text, task.format), refused))
        if draft.text != found.text:
            found = replace(found, text=draft.text, changes=draft.changes)
            if found.after is not None:
                (after,) = await self._quality.score([draft.text], [task.original])
                found = replace(found, after=after)
        is_met = task.check(draft.text).met
        return replace(found, concerns=(*found.concerns, *(() if is_met else kept), *concerns))

    async def _concerns(self, draft: Draft) -> tuple[Concern, ...]:
        """What a reader of a draft should know."""
        task = self._task
        claims = await judged_claim_changes(meant_by(task, draft), draft.text, self._verdicts)
        return await find_concerns(task, draft, self._verdicts, claims)

    def _ended(self, revision: Revision) -> Revision:
        usage = replace(self._models.ledger.total, seconds=time.monotonic() - self._started)
        revision = replace(
            revision, usage=usage, scored_by=scorers_named(self._models.settings), prompts=prompt.hash
        )
        revision = self._detailed(revision)
        if self._trace is not None:
            best = next((node.id for node in self._nodes if node.text == revision.text), None)
            self._trace.result(
                best=best,
                text=revision.text,
                findings=revision.findings,
                infeasible=revision.infeasible,
                before=revision.before,
                after=revision.after,
                nodes=self._nodes,
                stopped=revision.stopped,
                usage=usage,
                changes=revision.changes,
                concerns=revision.concerns,
            )
            revision = replace(revision, unkept=self._trace.failure)
        return revision

    def _detailed(self, revision: Revision) -> Revision:
        """The same with what there is to know of each passage, and the nodes that led to it."""
        given = self._given
        details = Details(given.before, given.read(revision.text), self._considered, self._nodes)
        chosen = next((node.id for node in self._nodes if node.text == revision.text), None)
        return replace(
            revision,
            details=details.of_changes(revision.changes, revision.concerns),
            stayed=details.of_others(revision.changes),
            tree=tuple({**node.summary(), "best": node.id == chosen} for node in self._nodes),
        )

    def _reached(self, node: Node) -> None:
        self._nodes.append(node)
        if self._trace is not None:
            self._trace.node(node)
        if self._on_node is not None:
            self._on_node(node)

    async def _searched(self) -> Revision:
        task, options = self._task, self._options
        effort = options.effort_settings
        appraiser = Appraiser(self._scorer, self._embedder, task.format, task.tense)
        evaluator = Evaluator(task, self._quality, options.switches)
        repair = Repair(task, appraiser, self._verdicts, may_break_met=self._may_break_met)
        self._considered = repair.considered
        limit = RequestLimit(effort.requests * len(sections(Document(task.original, task.format))))
        steps = open_steps(
            task,
            options,
            self._models,
            appraiser=appraiser,
            repair=repair,
            limit=limit,
            scorer=self._scorer,
            verdicts=self._verdicts,
            settling=self._settling,
            rules=self._by_rules,
        )
        trusted = steps if isinstance(steps, TrustedSteps) else None

        def reached(node: Node) -> None:
            self._reached(node)
            self._settling.tell_changes(search.draft(search.best))

        search = Search(
            steps,
            evaluator,
            effort.limits,
            reached,
            seed=options.seed,
            rank=trusted.rank if trusted else partial(rank_unbroken, repair),
        )

        async def work() -> None:
            draft = Draft.of(task)
            self._settling.keep(draft)
            is_good = await self._has_nothing_to_mend(draft)
            await appraiser.open([unit.source for unit in draft.units], self._most_read)
            root = await search.start(draft)
            if is_good:
                search.stopped = _NOTHING_TO_MEND
                return
            if is_one_sentence(task, options, self._models, draft):
                edited = await polished(
                    task,
                    options,
                    self._models,
                    draft,
                    scorer=self._scorer,
                    embedder=self._embedder,
                    verdicts=self._verdicts,
                )
                await search.add(root, EDIT_ONE_SENTENCE, edited)
                search.stopped = "one sentence: the best of several edits"
                return
            if not root.findings.met:
                # Whatever stops the search later, there is a text that obeys.
                offered: list[Option] = []
                if isinstance(steps, EditorSteps) and options.strategy == "search":
                    with contextlib.suppress(ModelError):  # which comes up again, where the search asks
                        offered = await steps.controlled(draft)
                await search.add(root, REPAIR_ONLY, (await repair.repaired(draft, offered)).draft)
            search.stopped = "all that the constraints call for is done"
            if options.strategy == "search":
                await search.run()
                if trusted is not None:
                    await self._think_twice(search, trusted)

        ended = await until_stopped(work(), self._stop, options.max_seconds, self._started)
        if not search.nodes:
            return unrevised(task, ended)
        # What was asked for is done in one sentence, or not at all: no reward knows better.
        last = search.nodes[-1]
        best = last if last.action is EDIT_ONE_SENTENCE else search.best
        self._draft = search.draft(best)
        found = search_result(task, search, best, ended)
        if search.stopped == _NOTHING_TO_MEND:  # the rules read the instruction, and that is all the plan
            found = replace(found, calls=planned_calls(task))
        if not (task.is_english or found.findings.met or ended.why):
            found = replace(found, stopped=_ENGLISH_ONLY)
        if options.scored and not (ended.interrupted or ended.failure):
            found = await self._told(found)
        if trusted is None:
            return found
        draft = search.draft(best)
        return replace(
            found,
            trust="high",
            by_rules=trusted.by_rules(best),
            support=trusted.facts.support(draft),
            concerns=refused_answers(Document(found.text, task.format), trusted.refused),
            objections=trusted.objections(draft),
        )

    async def _told(self, found: Revision) -> Revision:
        """The same with a perplexity for people: shorter sentences alone make a text no worse to read."""
        embedded = self._models.settings.quality == "embedded"
        if found.before is None or found.after is None or not embedded:
            return found
        original = self._task.original
        if len(original) <= _READ_AS_A_WHOLE:
            before, after = await perplexities_of([original, found.text], self._scorer)
        else:
            before, after = await self._by_sentence.perplexity_within(found.text, original)
        return replace(
            found,
            before=replace(found.before, perplexity=before),
            after=replace(found.after, perplexity=after),
        )

    async def _as_published(self) -> Revision:
        """TRIPS: the search of the paper, with nothing to guard it."""
        task = self._task
        search = open_trips(task, self._models, self._options, self._reached)

        async def work() -> None:
            await search.start(whole_text(task))
            await search.run()

        ended = await until_stopped(work(), self._stop, self._options.max_seconds, self._started)
        if not search.nodes:
            return unrevised(task, ended)
        return search_result(task, search, search.best, ended)

    async def _think_twice(self, search: Search[Draft], steps: TrustedSteps) -> None:
        """Take back what was better as it was.

        A model is asked in both orders whether it would rather hand in the original. One in this process
        would read for longer than it wrote, to say little: our judge is asked for it, passage by passage.
        """
        root, best = search.nodes[0], search.best
        if best is root:
            return
        if steps.is_by_passages and not self._task.is_open:
            return  # each passage was asked for what is wished, and held against the facts
        if is_pulled(self._models.for_role("reviser").spec):
            why = "our judge would have some passages as they were"
            other = await search.add(best, JUDGED, await steps.judged(search.draft(best), self._verdicts))
        elif await steps.prefers_original(best.text):
            why = "the model itself, asked twice, prefers the original"
            drafts = [search.draft(node) for node in search.nodes[1:]]
            other = await search.add(root, MINIMAL, await steps.minimal(drafts))
        else:
            return
        if other is not best and other.findings.distance <= best.findings.distance:
            search.keep(other)
            search.stopped = why

    async def _has_nothing_to_mend(self, draft: Draft) -> bool:
        """Whether nothing is asked for but a better text, and a model of ours has a good one before it."""
        task, options = self._task, self._options
        if not task.is_open or options.plan or task.documents or not task.check(draft.text).met:
            return False
        spec = self._models.for_role("reviser").spec
        if options.strategy != "search" or not (spec in SMALL or is_pulled(spec)):
            return False
        sound: list[bool] = []
        for first in range(0, len(draft.units), _JUDGED_TOGETHER):
            some = draft.units[first : first + _JUDGED_TOGETHER]
            sound += await self._verdicts.are_sound([unit.text for unit in some])
            for place, unit in enumerate(some, first):
                if sound[place]:
                    self._settling.tell(draft, place, unit.text)
        return all(sound)

    async def _asked(self) -> Revision:
        """A baseline: the model's own answer, checked and not repaired."""
        task, options = self._task, self._options
        assert options.strategy not in ("search", "repair", "trips")
        strategy = options.strategy
        answers: list[Baseline] = []
        reviser = self._models.for_role("reviser")

        async def work() -> None:
            answer = await run_baseline(
                strategy,
                task.original,
                task.request,
                reviser,
                documents=task.documents,
                seed=options.seed,
                rounds=options.rounds,
                temperature=usual_temperature(strategy, reviser.spec),
                format=task.format,
                user_plan=options.plan,
            )
            answers.append(answer)

        ended = await until_stopped(work(), self._stop, options.max_seconds, self._started)
        if not answers:
            return unrevised(task, ended)
        (found,) = answers
        changes = tuple(changes_between(task.original, found.text, task.format, options.strategy))
        revision = Revision(
            found.text,
            task.check(found.text),
            changes=changes,
            stopped="the model answered",
            rounds=found.rounds,
        )
        return await self._scored(revision, found.usage) if options.scored else revision

    async def _scored(self, revision: Revision, usage: Usage) -> Revision:
        """The same with the quality before and after, and with what a trace shows of it."""
        task, options = self._task, self._options
        evaluator = Evaluator(task, open_quality(self._models, format=task.format), options.switches)
        before, after = await evaluator.judged(task.original), await evaluator.judged(revision.text)
        root = Node(0, None, None, task.original, (), before.findings, before.quality, before.reward)
        answer = Action("", (), (), self._models.settings.spec_for("reviser"))
        self._reached(root)
        if revision.text != task.original:
            self._reached(
                Node(
                    1,
                    root,
                    answer,
                    revision.text,
                    (),
                    after.findings,
                    after.quality,
                    after.reward,
                    revision.changes,
                    usage,
                )
            )
        return replace(revision, before=before.quality, after=after.quality, nodes=len(self._nodes))


def rank_unbroken(repair: Repair, node: Node) -> Rank:
    """What obeys comes first, then what obeys without broken sentences, then the larger reward."""
    obeys, *rest = default_rank(node)
    return (obeys, -repair.flaws(node.text), *rest)


REPAIR_ONLY: Final = Action("Only what the constraints call for.", (), ())
