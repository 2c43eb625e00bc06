"""Run a revision: from the task to the revised text."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from redraft.constraints import (
    Constraint,
    Exact,
    Instruction,
    PartEdit,
    SentenceEdit,
    house_constraints,
    infeasible,
    parse,
    parse_call,
)
from redraft.editor import ADAPTER, is_trained_editor
from redraft.errors import BudgetExceeded, InputError, ModelError
from redraft.models import (
    Embedder,
    Models,
    RememberingEmbedder,
    RememberingScorer,
    Scorer,
    Usage,
    is_pulled,
    run_until,
    trust_of,
)
from redraft.quality import (
    JUDGE,
    EmbeddedQuality,
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
from redraft.revision.abridging import spared_sentences
from redraft.revision.appraisal import Appraiser
from redraft.revision.asking.baselines import Baseline, run_baseline, usual_temperature
from redraft.revision.asking.passages import PassageEditor
from redraft.revision.asking.planner import ModelPlanner, is_trained_planner
from redraft.revision.asking.requests import prompt, sections
from redraft.revision.concerns import find_concerns, keep_unbroken, meant_by
from redraft.revision.details import Details
from redraft.revision.draft import Draft, Option, conform_draft
from redraft.revision.editing import ControlProposer, Polisher
from redraft.revision.evaluation import Evaluator
from redraft.revision.expansion import EditorSteps, ModelSteps
from redraft.revision.plans import EDITS, planned_calls, suggested_constraints
from redraft.revision.rearranging import Rearranged
from redraft.revision.records import Action, Candidate, Concern, Considered, Node, Reason, Settled
from redraft.revision.repair import Repair
from redraft.revision.replacing import Replaced
from redraft.revision.retelling import Retold
from redraft.revision.revision import EffortSettings, ReviseOptions, Revision, read_revision
from redraft.revision.search import Rank, Search, Steps, default_rank
from redraft.revision.sentence_edits import Edited, combine_sentences, doable_edits, split_sentence
from redraft.revision.settling import Settling
from redraft.revision.sifting import Sifter
from redraft.revision.task import Task, relax_constraints
from redraft.revision.trace import Trace
from redraft.revision.trips import changes_between, open_trips, whole_text
from redraft.revision.trusted import JUDGED, MINIMAL, LimitedModel, RequestLimit, TrustedSteps
from redraft.revision.tuning import READ_FOR_ALL
from redraft.revision.understanding import SMALL, understood_by
from redraft.revision.verdicts import Verdicts
from redraft.revision.wording import Worded, reword
from redraft.settings import Settings, load_settings
from redraft.text import Document, Format, guess_format, mask

LONGEST: Final = 200_000
"""Characters of a text, some 33,000 words: half an hour of a core for the embedded models."""


def revise(
    text: str,
    instruction: str = "",
    constraints: Iterable[Constraint | str] = (),
    *,
    settings: Settings | None = None,
    options: ReviseOptions | None = None,
    documents: Sequence[str] = (),
    format: Format | None = None,
) -> Revision:
    """Revise a text so that it obeys an instruction, further constraints and the settings' house style."""
    chosen = settings or load_settings()
    house = house_constraints(chosen.house, chosen.origin("house"))
    if chosen.server:
        asked = [*map(_as_constraint, constraints), *house]
        found = _revised_by_server(
            text, instruction, asked, chosen, options or ReviseOptions(), documents, format
        )
        # The server cannot tell our house style from the rest of the calls.
        return replace(found, in_vain=_is_in_vain(parse(instruction), asked, chosen))

    async def run() -> Revision:
        async with Models(chosen) as models:
            return await arevise(
                text,
                instruction,
                [*constraints, *house],
                models=models,
                options=options,
                documents=documents,
                format=format,
            )

    return asyncio.run(run())


def _revised_by_server(
    text: str,
    instruction: str,
    constraints: Sequence[Constraint],
    settings: Settings,
    options: ReviseOptions,
    documents: Sequence[str],
    format: Format | None,
) -> Revision:
    """The revision that `settings.server` makes."""
    from redraft.remote import model_of, run_on_server  # noqa: PLC0415  few ask a server

    usual = ReviseOptions()
    for name in ("switches", "plan", "rounds", "iterations", "prompts", "scored"):
        if getattr(options, name) != getattr(usual, name):
            raise InputError(f"a server cannot be told the option {name}; revise without the setting server")
    found, failure = run_on_server(
        settings,
        "/v1/revise",
        {
            "text": text,
            "instruction": instruction,
            "calls": [one.call for one in constraints],
            "strategy": options.strategy,
            "effort": options.effort,
            "best_effort": options.best_effort,
            "seed": options.seed,
            "max_seconds": options.max_seconds,
            "sound": settings.sound if options.sound is None else options.sound,
            "sources": list(documents),
            "counting": settings.counting,
            "format": format or (None if settings.format == "auto" else settings.format),
            "model": model_of(settings),
            "house": False,  # it is the server's, and ours is among the calls
        },
    )
    return read_revision(found, failure)


async def arevise(
    text: str,
    instruction: str = "",
    constraints: Iterable[Constraint | str] = (),
    *,
    models: Models,
    options: ReviseOptions | None = None,
    documents: Sequence[str] = (),
    format: Format | None = None,
    reached: Callable[[Node], None] | None = None,
    settled: Callable[[Settled], None] | None = None,
    stop: asyncio.Event | None = None,
    trace: Path | None = None,
) -> Revision:
    """The same with models that are open; `reached` hears of every node, `stop` ends the search early.

    `settled` hears what becomes of the sentences: of those that must stay at once, of those with nothing to
    mend when they are judged, of others when the editor has answered or a better text is found, and in the
    end of all for good. Until then what it hears is the best so far. At low effort that is mostly what comes
    out; a search may change it again. The result is the same whether anybody listens or not.
    """
    if len(text) > LONGEST:
        raise InputError(
            f"the text has {len(text):,} characters, and at most {LONGEST:,} can be revised at once; "
            "revise it in parts, such as chapter by chapter"
        )
    settings = models.settings
    read, asked = parse(instruction), [*map(_as_constraint, constraints)]
    marked = format or (guess_format(text) if settings.format == "auto" else settings.format)
    task = Task.of(
        text,
        read if instruction.strip() else None,
        asked,
        counting=settings.counting,
        format=marked,
        documents=documents,
    )
    options = options or ReviseOptions()
    with (
        prompt.replaced_from(options.prompts),
        contextlib.nullcontext() if trace is None else Trace(trace) as kept,
    ):
        found = await Run(task, models, options, reached, stop, kept, settled).revision()
    return replace(found, in_vain=_is_in_vain(read, asked, settings))


def _as_constraint(asked: Constraint | str) -> Constraint:
    return parse_call(asked) if isinstance(asked, str) else asked


def _is_in_vain(instruction: Instruction, constraints: Iterable[Constraint], settings: Settings) -> bool:
    """Whether an instruction is not understood, and nothing but the house style is asked for beside it."""
    house = house_constraints(settings.house, settings.origin("house"))
    if any(one not in house for one in constraints):
        return False
    return understood_by(settings, instruction).is_in_vain


_JUDGED_TOGETHER: Final = 8
"""Sentences that are judged before those are told of that have nothing to mend."""

_READ_AS_A_WHOLE: Final = 500
"""Characters of a text up to which its perplexity is told of the whole: of a few sentences, each by itself,
it says little, and to read many once more takes as long as all else."""

_NOTHING_TO_MEND: Final = "nothing to mend: every sentence reads well, and no error is found"

_SETTLED: Final = "each word and comma is as the conventions want it: no model was asked"

_ENGLISH_ONLY: Final = "the rules that cut, divide and join sentences are for English, and were not used"


def open_judge(models: Models) -> Judge:
    """Who says whether a sentence is good English, and means what its source does."""
    return StrictJudge(TrainedJudge(models.yes_or_no(JUDGE)))


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why work ended before it was done; nothing where it was."""

    why: str = ""
    failure: ModelError | None = None
    interrupted: bool = False
    spent: BudgetExceeded | None = None


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

    @property
    def _sifter(self) -> Sifter:
        return Sifter(self._scorer, self._models.answer_scorer(ADAPTER), self._verdicts)

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
        arranged = self._arranged()
        if arranged is not None:
            self._task = arranged.task
        found = arranged.revision() if arranged is not None and arranged.is_all else None
        edited = await self._edited() if found is None else None
        if edited is not None:
            self._task = edited.task
        if found is None:
            found = edited.revision() if edited is not None and edited.is_all else await self._revised()
        found = found if edited is None else edited.told(found)
        found = found if arranged is None else arranged.told(found)
        if edited is not None and edited.spared and found.before is not None:
            found = await self._compared(found)
        self._settling.finish(found.changes)
        findings = task.check(found.text) if arranged is None else arranged.check(found.text)
        return self._ended(replace(found, infeasible=conflicts, findings=findings))

    async def _compared(self, found: Revision) -> Revision:
        """The same, measured beside the text as it was given, from which sentences are gone."""
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
        elif settled := self._settled():
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

    def _arranged(self) -> Rearranged | None:
        """The task after its parts were arranged; None where nothing is asked of them."""
        by_rules = self._options.strategy in ("search", "repair") and self._options.plan is None
        asked = any(isinstance(one, PartEdit) for one in self._task.constraints)
        return Rearranged(self._task) if by_rules and asked else None

    async def _edited(self) -> Edited | None:
        """The task after named sentences were edited, and spared ones left out; None where there are none."""
        task, options = self._task, self._options
        by_rules = options.strategy in ("search", "repair") and options.plan is None
        edits = doable_edits(task) if by_rules else []
        small = by_rules and self._models.for_role("reviser").spec in SMALL
        spared = spared_sentences(task) if small and not edits else ()
        if not (edits or spared):
            return None
        editor = None
        if options.strategy == "search":
            samples = options.effort_settings.samples
            editor = ControlProposer(task, self._models.for_role("reviser"), samples=samples)
        made: dict[SentenceEdit, list[Candidate | None]] = {}
        for edit in edits:
            named = [task.before.sentences[place] for place in edit.places(task.before)]
            texts = [task.original[one.start : one.end] for one in named]
            asked = {"seed": options.seed}
            if edit.edit == "combine":
                made[edit] = [await combine_sentences(task, texts, editor, self._verdicts, **asked)]
            elif edit.edit == "split":
                made[edit] = [
                    await split_sentence(task, text, editor, self._verdicts, **asked) for text in texts
                ]
        return Edited(task, made, spared)

    def _settled(self) -> Revision | None:
        """The revision where only conventions are asked for: what they want is exact, and needs no model."""
        task, options = self._task, self._options
        if options.strategy not in ("search", "repair") or options.plan or task.style.strip():
            return None
        if not task.constraints or not all(isinstance(one, Exact) for one in task.constraints):
            return None
        draft = conform_draft(task, Draft.of(task))
        findings = task.check(draft.text)
        if not findings.met:
            return None
        return Revision(
            draft.text, findings, changes=draft.changes, stopped=_SETTLED, calls=planned_calls(task)
        )

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
        if kept:
            found = replace(found, text=draft.text, changes=draft.changes)
            if found.after is not None:
                (after,) = await self._quality.score([draft.text], [task.original])
                found = replace(found, after=after)
        claims = await judged_claim_changes(meant_by(task, draft), draft.text, self._verdicts)
        concerns = await find_concerns(task, draft, self._verdicts, claims)
        is_met = task.check(draft.text).met
        return replace(found, concerns=concerns if is_met else (*kept, *concerns))

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
        steps = self._steps(appraiser, repair, effort, limit)
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
            if self._is_one_sentence(draft):
                await search.add(root, EDIT_ONE_SENTENCE, await self._polished(draft))
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

        ended = await self._until_stopped(work())
        if not search.nodes:
            return self._unrevised(ended)
        # What was asked for is done in one sentence, or not at all: no reward knows better.
        last = search.nodes[-1]
        best = last if last.action is EDIT_ONE_SENTENCE else search.best
        self._draft = search.draft(best)
        found = _result(task, search, best, ended)
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

        ended = await self._until_stopped(work())
        if not search.nodes:
            return self._unrevised(ended)
        return _result(task, search, search.best, ended)

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

    def _is_one_sentence(self, draft: Draft) -> bool:
        """Whether all there is to do is to edit one sentence, with time to choose among several edits."""
        options, reviser = self._options, self._models.for_role("reviser")
        free = not self._task.constraints and options.plan is None and options.strategy == "search"
        return free and len(draft.units) == 1 and options.effort != "low" and reviser.spec in SMALL

    async def _polished(self, draft: Draft) -> Draft:
        task, models = self._task, self._models
        quality = EmbeddedQuality(self._scorer, self._embedder, format=task.format)
        polisher = Polisher(models.for_role("reviser"), self._scorer, quality, seed=self._options.seed)
        hidden = mask(draft.units[0].text, task.format)
        asked = task.instruction or EDITS["improve"][0]
        found = await polisher.polish(hidden.text, asked, task.documents)
        text = hidden.tried(found.text)
        if text is None:
            return draft
        (verdict,) = await self._verdicts.of([(draft.units[0].source, text)])
        if verdict.broken or verdict.reversed:
            return draft
        return draft.chosen([Option(0, 1, Candidate(text, "editor", (Reason("request", detail=asked),)))])

    def _steps(
        self, appraiser: Appraiser, repair: Repair, effort: EffortSettings, limit: RequestLimit
    ) -> Steps[Draft]:
        task, options, models = self._task, self._options, self._models
        reviser, planner = models.for_role("reviser"), models.for_role("planner")
        spec = models.settings.spec_for("planner")
        brief = is_trained_planner(spec, models.settings.weights())
        edits = reviser.spec in SMALL or is_trained_editor(reviser.spec, models.settings.weights())
        if trust_of(reviser.spec, models.settings.trust) == "high":
            counted = LimitedModel(planner, limit)
            asked = ModelPlanner(counted, _no_plan, format=task.format, brief=brief)
            return TrustedSteps(
                task,
                appraiser,
                repair,
                planner=None if spec in SMALL else asked,
                reviser=reviser,
                limit=limit,
                switches=options.switches,
                comments=options.effort == "high" and options.switches.feedback,
                user_plan=options.plan,
                passages=self._passages if edits else None,
                seed=options.seed,
            )
        if edits:
            # A model that is named for it is asked; the embedded one where there is time for it, and more to
            # do than to keep bounds: what these call for the rules know, and no other sentence is touched.
            named = spec not in SMALL and spec != reviser.spec
            plans = named or (brief and effort.limits.iterations > 1 and not task.is_bounds_alone)
            return EditorSteps(
                task,
                appraiser,
                repair,
                reviser,
                share=effort.share,
                samples=effort.samples,
                switches=options.switches,
                settling=self._settling,
                verdicts=self._verdicts,
                sifter=self._sifter if reviser.spec == "embedded" else None,
                planner=ModelPlanner(planner, _no_plan, format=task.format, brief=brief) if plans else None,
                user_plan=options.plan,
                seed=options.seed,
            )
        return ModelSteps(
            task,
            appraiser,
            repair,
            planner=planner,
            reviser=reviser,
            switches=options.switches,
            comments=effort.limits.iterations > 1,
            brief=brief,
            user_plan=options.plan,
            seed=options.seed,
        )

    @property
    def _passages(self) -> PassageEditor:
        """A model that was taught to edit, asked passage by passage."""
        told = self._settling.tell_changes
        return PassageEditor(self._task, self._verdicts.sameness, told=told, seed=self._options.seed)

    async def _until_stopped(self, work: Coroutine[Any, Any, None]) -> Stopped:
        """Work until done, told to stop, out of time or out of budget; what was reached stays."""
        left = None
        if self._options.max_seconds is not None:
            left = max(self._options.max_seconds - (time.monotonic() - self._started), 0.0)
        working = await run_until(work, self._stop, left)
        interrupted = self._stop.is_set() and not working.done()
        try:
            await working
        except asyncio.CancelledError:
            return Stopped("interrupted" if interrupted else "the time is spent", interrupted=interrupted)
        except BudgetExceeded as error:
            return Stopped("the budget is spent", spent=error)
        except ModelError as error:
            return Stopped(f"the model failed: {error}", error)
        return Stopped()

    def _unrevised(self, ended: Stopped) -> Revision:
        """The original, where there was no time for anything else."""
        if ended.failure is not None:
            raise ended.failure
        task = self._task
        return Revision(
            task.original,
            task.check(task.original),
            stopped=ended.why,
            interrupted=ended.interrupted,
            spent=ended.spent,
        )

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

        ended = await self._until_stopped(work())
        if not answers:
            return self._unrevised(ended)
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


def _result(task: Task, search: Search[Any], best: Node, ended: Stopped) -> Revision:
    """What a search came to, with the scores that it went by."""
    return Revision(
        best.text,
        best.findings,
        before=search.nodes[0].quality,
        after=best.quality,
        changes=best.changes,
        stopped=ended.why or search.stopped,
        nodes=len(search.nodes),
        failure=ended.failure,
        interrupted=ended.interrupted,
        spent=ended.spent,
        calls=search.calls,
        rounds=tuple(node.text for node in search.rounds),
        perhaps=tuple(constraint.call for constraint in suggested_constraints(task, search.calls)),
    )


def rank_unbroken(repair: Repair, node: Node) -> Rank:
    """What obeys comes first, then what obeys without broken sentences, then the larger reward."""
    obeys, *rest = default_rank(node)
    return (obeys, -repair.flaws(node.text), *rest)


def _no_plan(text: str) -> Action:
    """A planner of which nothing can be used says nothing: the rules have planned already."""
    return Action("", (), ())


EDIT_ONE_SENTENCE: Final = Action("One sentence and no constraints: edit it.", ("text_eval()",), ())
REPAIR_ONLY: Final = Action("Only what the constraints call for.", (), ())
