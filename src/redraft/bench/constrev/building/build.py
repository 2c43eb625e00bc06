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
from typing import Any

from redraft.bench.constrev.building.card import card, page
from redraft.bench.constrev.building.goals import draw_goal
from redraft.bench.constrev.building.recipe import Recipe, most_at_once
from redraft.bench.constrev.building.records import Draft, draw_records, unusable
from redraft.bench.constrev.building.rendering import TEMPLATES, Rejected, Rendered
from redraft.bench.constrev.building.selecting import Selection, check_enough, pool
from redraft.bench.constrev.building.sources import Source
from redraft.bench.constrev.building.working import Revise, Word, open_rendering, open_revising
from redraft.bench.constrev.reading import BUILT
from redraft.bench.results import Results
from redraft.bench.rundir import RunDir
from redraft.bench.runner import Progress, begun, execute
from redraft.bench.work import Engine, Job, Opening
from redraft.errors import ModelError
from redraft.models import Usage, remaining_budget
from redraft.revision import SMALL
from redraft.settings import Settings
from redraft.text import dumped, json_lines, sound, write_text

Shown = Callable[[int], AbstractContextManager[Callable[[Progress], None]]]
"""Opens a display for so many jobs."""


@dataclass(frozen=True)
class Build:
    """One build: what is built, of what, where, and where its models work."""

    recipe: Recipe
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


def _rendering(draft: Draft, recipe: Recipe) -> Job:
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
