"""Building the benchmark: texts selected, revised, drawn from, rendered and written.

DIR/constrev.jsonl    the records, sorted by their id
DIR/rejected.jsonl    every rendering that was not used, with the reason
DIR/card.md, .json    what the benchmark holds, and how it was made
DIR/run.json          when and with what it was made; all other files are the same for the same seed
DIR/work/             what the models answered, so that a build that was stopped goes on
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from redraft.bench.constrev.building.card import card, page
from redraft.bench.constrev.building.recipe import (
    ConsTRevRecipe,
    Selection,
    Source,
    check_enough,
    most_at_once,
    pool,
)
from redraft.bench.constrev.building.records import Draft, Goal, draw_goal, draw_records, unusable
from redraft.bench.constrev.building.rendering import TEMPLATES, Rejected, Rendered, render_with_model
from redraft.bench.constrev.reading import BUILT
from redraft.constraints import parse_call
from redraft.errors import ModelError
from redraft.models import Models, Usage
from redraft.revision import SMALL, ReviseOptions, Strategy, arevise, run_baseline
from redraft.runs import Answer, Build, Job, ModelsWorker, Record, Worker
from redraft.settings import Settings
from redraft.text import json_lines, write_text

_IMPROVE: Final = "Improve the fluency, grammar and coherence of the text."


async def revise_towards(
    text: str, name: str, calls: Sequence[str], models: Models, seed: int
) -> tuple[str, Usage]:
    """The text revised towards its goal by the reviser of the settings, and what that took."""
    reviser = models.for_role("reviser")
    goal = Goal(name, tuple(parse_call(call) for call in calls))
    if reviser.spec not in SMALL:
        wish = f"{_IMPROVE} {goal.words(seed)}".strip()
        answer = await run_baseline("direct", text, wish, reviser, seed=seed)
        return answer.text.strip(), answer.usage
    # Repair does what constraints call for and no more; a text that has none is searched for improvements.
    strategy: Strategy = "search" if goal.is_open else "repair"
    how = ReviseOptions(strategy=strategy, effort="low", best_effort=True, seed=seed)
    found = await arevise(text, "", goal.constraints, models=models, options=how, format="text")
    if (problem := found.failure or found.spent) is not None:
        raise problem
    return found.text.strip(), found.usage


@dataclass(frozen=True, slots=True)
class ReviseTask:
    """A text, and the goal to revise it towards."""

    text: str
    goal: str
    calls: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class RenderTask:
    """An instruction to put in better words, and what it must go on to say."""

    draft: str
    calls: tuple[str, ...]
    source: str
    judged: bool
    seed: int


async def open_revising(settings: Settings) -> Worker:
    """A worker that revises with the reviser of the settings."""
    return _Revising(Models(settings))


async def open_rendering(settings: Settings) -> Worker:
    """A worker that words instructions with the model of the settings, and their judge."""
    return _Rendering(Models(settings))


class _Revising(ModelsWorker):
    async def do(self, given: ReviseTask) -> Answer:
        """The revised text."""
        text, usage = await revise_towards(given.text, given.goal, given.calls, self._models, given.seed)
        return Answer({"text": text}, usage)


class _Rendering(ModelsWorker):
    async def do(self, given: RenderTask) -> Answer:
        """The instruction in the model's words; nothing where none of its answers says the same."""
        models = self._models.with_own_ledger()
        found = await render_with_model(
            Rendered(given.draft, TEMPLATES),
            [parse_call(call) for call in given.calls],
            given.source,
            models.for_role("model"),
            models.for_role("judge") if given.judged else None,
            given.seed,
        )
        said = None if found.by == TEMPLATES else found.instruction
        rejected = [asdict(one) for one in found.rejected]
        return Answer({"instruction": said, "by": found.by, "rejected": rejected}, models.ledger.total)


@dataclass
class ConsTRevBuild(Build[ConsTRevRecipe, Selection]):
    """The benchmark, built in one folder."""

    texts: int | None = None
    """At most so many texts are revised."""
    command: str = ""

    async def run(self, resume: bool) -> Record:
        """Build, or go on building; what the card says."""
        slots = list(self.recipe.slots())
        chosen = pool(self.sources, len(slots), self.recipe.seed)[: self.texts]
        check_enough(chosen, most_at_once(slots))
        facts = {"builds": "constrev", **self.recipe.facts(), "texts": _fingerprint(chosen)}
        with self.open_folder(facts, "work/revisions", resume):
            return await self._built(chosen)

    async def _built(self, chosen: Sequence[Source]) -> Record:
        revisions, unused = await self._revised(chosen)
        drafts, used = draw_records(self.recipe, chosen, revisions)
        rendered = await self._rendered(drafts)
        records = sorted(
            (draft.record(self.recipe, rendered[draft.slot.id]) for draft in drafts),
            key=lambda record: record["id"],
        )
        rejected = [
            {"id": name, **asdict(one)} for name, final in sorted(rendered.items()) for one in final.rejected
        ]
        found = card(self.recipe, self.sources, records, rejected, used, unused, self.command)
        write_text(self.out / "rejected.jsonl", json_lines(rejected))
        self.write_card(found, page(found))
        write_text(self.out / BUILT, json_lines(records))
        return found

    async def _revised(self, texts: Sequence[Source]) -> tuple[dict[str, str], dict[str, int]]:
        """The revisions that can be witnesses, and how many cannot, by the reason."""
        seed = self.recipe.seed
        settings = self.settings.model_copy(
            # One text at a time: what the embedded models work on together may change their last digits.
            update={"reviser": self.recipe.reviser, "counting": self.recipe.counting}
            | ({"concurrency": 1} if self.recipe.reviser in SMALL else {})
        )

        def jobs() -> Iterator[Job]:
            for source in texts:
                goal = draw_goal(source.id, source.text, seed)
                calls = tuple(constraint.call for constraint in goal.constraints)
                facts = {"goal": goal.name, "calls": list(calls), "text": None}
                yield Job(source.id, ReviseTask(source.text, goal.name, calls, seed), facts)

        results = self.results("work/revisions")
        await self.do(jobs(), len(texts), open_revising, settings, results)
        latest = results.latest()
        revisions: dict[str, str] = {}
        unused: dict[str, int] = {}
        for source in texts:
            record = latest[source.id]
            reason = "failed" if record["error"] else unusable(source.text, record["text"])
            if reason is None:
                revisions[source.id] = record["text"]
            else:
                unused[reason] = unused.get(reason, 0) + 1
        return revisions, unused

    async def _rendered(self, drafts: Sequence[Draft]) -> dict[str, Rendered]:
        """The last wording of every record."""
        if self.recipe.renderer == TEMPLATES:
            return {draft.slot.id: draft.rendered for draft in drafts}
        settings = self.settings.model_copy(
            update={"model": self.recipe.renderer, "judge": self.recipe.judge}
        )
        results = self.results("work/renderings")
        jobs = [_rendering(draft, self.recipe) for draft in drafts]
        done = await self.do(jobs, len(jobs), open_rendering, settings, results)
        if done.failed:
            raise ModelError(
                f"{done.failed} instructions could not be rendered", hint="--resume tries them again"
            )
        latest = results.latest()
        return {
            draft.slot.id: _read(latest[job.key], draft.rendered)
            for draft, job in zip(drafts, jobs, strict=True)
        }


def _rendering(draft: Draft, recipe: ConsTRevRecipe) -> Job:
    """The rendering of a draft as a job; another draft for the same record is another job."""
    calls = tuple(constraint.call for constraint in draft.drawn.constraints)
    given = RenderTask(
        draft.rendered.instruction, calls, draft.source.text, recipe.judge is not None, recipe.seed
    )
    digest = hashlib.sha256("\0".join([given.draft, *calls]).encode()).hexdigest()[:12]
    return Job(f"{draft.slot.id}/{digest}", given, {"instruction": None})


def _read(record: dict[str, Any], draft: Rendered) -> Rendered:
    rejected = (*draft.rejected, *(Rejected(**one) for one in record["rejected"]))
    if record["instruction"] is None:
        return replace(draft, rejected=rejected)
    return Rendered(record["instruction"], record["by"], rejected)


def _fingerprint(texts: Sequence[Source]) -> str:
    digest = hashlib.sha256()
    for source in texts:
        digest.update(f"{source.id}\0{source.text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
