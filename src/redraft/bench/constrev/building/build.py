"""Building the benchmark: texts selected, revised, drawn from, rendered and written.

DIR/constrev.jsonl    the records, sorted by their id
DIR/rejected.jsonl    every rendering that was not used, with the reason
DIR/card.md, .json    what the benchmark holds, and how it was made
DIR/run.json          when and with what it was made; all other files are the same for the same seed
DIR/work/             what the models answered, so that a build that was stopped goes on
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from redraft.bench.constrev.building.card import card, page
from redraft.bench.constrev.building.recipe import ConsTRevRecipe, most_at_once
from redraft.bench.constrev.building.records import Draft, Goal, draw_goal, draw_records, unusable
from redraft.bench.constrev.building.rendering import TEMPLATES, Rejected, Rendered, from_model
from redraft.bench.constrev.building.selection import Selection, Source, check_enough, pool
from redraft.bench.constrev.reading import BUILT
from redraft.constraints import parse_call
from redraft.errors import ModelError
from redraft.models import Models, Usage, remaining_budget
from redraft.revision import SMALL, How, Strategy, arevise, run_baseline
from redraft.runs import Answer, Engine, Job, Opening, Progress, Results, RunDir, Worker, begun, execute
from redraft.settings import Settings
from redraft.text import dumped, json_lines, sound, write_text

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
    how = How(strategy=strategy, effort="low", best_effort=True, seed=seed)
    found = await arevise(text, "", goal.constraints, models=models, how=how, format="text")
    if (problem := found.failure or found.spent) is not None:
        raise problem
    return found.text.strip(), found.usage


@dataclass(frozen=True, slots=True)
class Revise:
    """A text, and the goal to revise it towards."""

    text: str
    goal: str
    calls: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Word:
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


class _Working:
    def __init__(self, models: Models) -> None:
        self._models = models

    async def aclose(self) -> None:
        """Close the models."""
        await self._models.aclose()


class _Revising(_Working):
    async def do(self, given: Revise) -> Answer:
        """The revised text."""
        text, usage = await revise_towards(given.text, given.goal, given.calls, self._models, given.seed)
        return Answer({"text": text}, usage)


class _Rendering(_Working):
    async def do(self, given: Word) -> Answer:
        """The instruction in the model's words; nothing where none of its answers says the same."""
        models = self._models.apart()
        found = await from_model(
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


Shown = Callable[[int], AbstractContextManager[Callable[[Progress], None]]]
"""Opens a display for so many jobs."""


@dataclass(frozen=True)
class ConsTRevBuild:
    """One build: what is built, of what, where, and where its models work."""

    recipe: ConsTRevRecipe
    selection: Selection
    out: Path
    settings: Settings
    engine: Engine
    shown: Shown
    texts: int | None = None
    """At most so many texts are revised."""
    command: str = ""

    async def run(self, resume: bool) -> dict[str, Any]:
        """Build, or go on building; what the card says."""
        slots = list(self.recipe.slots())
        chosen = pool(self.selection, len(slots), self.recipe.seed)[: self.texts]
        check_enough(chosen, most_at_once(slots))
        folder = RunDir(self.out)
        folder.results = self._results("revisions")
        facts = {"builds": "constrev", **self.recipe.facts(), "texts": _fingerprint(chosen)}
        with begun(folder, facts, resume):
            return await self._built(chosen, folder.results)

    async def _built(self, chosen: Sequence[Source], results: Results) -> dict[str, Any]:
        revisions, unused, spent = await self._revised(chosen, results)
        drafts, used = draw_records(self.recipe, chosen, revisions)
        rendered = await self._rendered(drafts, spent)
        records = sorted(
            (draft.record(self.recipe, rendered[draft.slot.id]) for draft in drafts),
            key=lambda record: record["id"],
        )
        rejected = [
            {"id": name, **asdict(one)} for name, final in sorted(rendered.items()) for one in final.rejected
        ]
        found = card(self.recipe, self.selection, records, rejected, used, unused, self.command)
        write_text(self.out / "rejected.jsonl", json_lines(rejected))
        write_text(self.out / "card.json", dumped(found, indent=2) + "\n")
        write_text(self.out / "card.md", sound(page(found)))
        write_text(self.out / BUILT, json_lines(records))
        return found

    def _results(self, name: str) -> Results:
        return Results(self.out / "work" / f"{name}.jsonl")

    async def _revised(
        self, texts: Sequence[Source], results: Results
    ) -> tuple[dict[str, str], dict[str, int], Usage]:
        """The revisions that can be witnesses, how many cannot, by the reason, and what all took."""
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
                yield Job(source.id, Revise(source.text, goal.name, calls, seed), facts)

        done = await self._do(jobs(), open_revising, settings, results, len(texts))
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
        return revisions, unused, done.usage

    async def _rendered(self, drafts: Sequence[Draft], spent: Usage) -> dict[str, Rendered]:
        """The last wording of every record, with what is left of the budget."""
        if self.recipe.renderer == TEMPLATES:
            return {draft.slot.id: draft.rendered for draft in drafts}
        settings = remaining_budget(self.settings, spent).model_copy(
            update={"model": self.recipe.renderer, "judge": self.recipe.judge}
        )
        results = self._results("renderings")
        jobs = [_rendering(draft, self.recipe) for draft in drafts]
        done = await self._do(iter(jobs), open_rendering, settings, results, len(jobs))
        if done.failed:
            raise ModelError(
                f"{done.failed} instructions could not be rendered", hint="--resume tries them again"
            )
        latest = results.latest()
        return {
            draft.slot.id: _read(latest[job.key], draft.rendered)
            for draft, job in zip(drafts, jobs, strict=True)
        }

    async def _do(
        self, jobs: Iterator[Job], opening: Opening, settings: Settings, results: Results, planned: int
    ) -> Progress:
        with self.shown(planned) as progress:
            return await execute(
                jobs, opening, settings, results, self.engine, planned=planned, progress=progress
            )


def _rendering(draft: Draft, recipe: ConsTRevRecipe) -> Job:
    """The rendering of a draft as a job; another draft for the same record is another job."""
    calls = tuple(constraint.call for constraint in draft.drawn.constraints)
    given = Word(draft.rendered.instruction, calls, draft.source.text, recipe.judge is not None, recipe.seed)
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
