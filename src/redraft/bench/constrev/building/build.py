"""Building the benchmark: texts selected, revised, drawn from, rendered and written.

DIR/constrev.jsonl    the records, sorted by their id
DIR/rejected.jsonl    every rendering that was not used, with the reason
DIR/card.md, .json    what the benchmark holds, and how it was made
DIR/run.json          when and with what it was made; all other files are the same for the same seed
DIR/work/             what the models answered, so that a build that was stopped goes on
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any, Final

from redraft import __version__
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
from redraft.constraints import CONVENTIONS, GROUPS, KINDS, check, parse_call, read
from redraft.errors import ModelError
from redraft.judge import short_hash
from redraft.models import Models
from redraft.revision import SMALL, ReviseOptions, Strategy, arevise, run_baseline
from redraft.runs import Answer, Build, Job, Record, open_model_worker
from redraft.text import json_lines, write_text

_IMPROVE: Final = "Improve the fluency, grammar and coherence of the text."


@dataclass(frozen=True, slots=True)
class ReviseText:
    """Revise a text towards a goal, with the reviser of the settings."""

    text: str
    goal: str
    calls: tuple[str, ...]
    seed: int

    async def do(self, models: Models) -> Answer:
        """The revised text, and what that took."""
        reviser = models.for_role("reviser")
        goal = Goal(self.goal, tuple(parse_call(call) for call in self.calls))
        if reviser.spec not in SMALL:
            wish = f"{_IMPROVE} {goal.words(self.seed)}".strip()
            answer = await run_baseline("direct", self.text, wish, reviser, seed=self.seed)
            return Answer({"text": answer.text.strip()}, answer.usage)
        # Repair does what constraints call for and no more; a text that has none is searched for
        # improvements.
        strategy: Strategy = "search" if goal.is_open else "repair"
        options = ReviseOptions(strategy=strategy, effort="low", best_effort=True, seed=self.seed)
        found = await arevise(self.text, "", goal.constraints, models=models, options=options, format="text")
        if (problem := found.failure or found.spent) is not None:
            raise problem
        return Answer({"text": found.text.strip()}, found.usage)


@dataclass(frozen=True, slots=True)
class RenderInstruction:
    """Put an instruction in better words; it must go on to say what its calls say."""

    draft: str
    calls: tuple[str, ...]
    source: str
    judged: bool
    seed: int

    async def do(self, models: Models) -> Answer:
        """The instruction in the model's words; nothing where none of its answers says the same."""
        found = await render_with_model(
            Rendered(self.draft, TEMPLATES),
            [parse_call(call) for call in self.calls],
            self.source,
            models.for_role("model"),
            models.for_role("judge") if self.judged else None,
            self.seed,
        )
        instruction = None if found.by == TEMPLATES else found.instruction
        rejected = [asdict(one) for one in found.rejected]
        return Answer({"instruction": instruction, "by": found.by, "rejected": rejected}, models.ledger.total)


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
        self.write_card(found, __package__)
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
                yield Job(source.id, ReviseText(source.text, goal.name, calls, seed), facts)

        results = self.results("work/revisions")
        await self.do(jobs(), len(texts), open_model_worker, settings, results)
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
        done = await self.do(jobs, len(jobs), open_model_worker, settings, results)
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
    task = RenderInstruction(
        draft.rendered.instruction, calls, draft.source.text, recipe.judge is not None, recipe.seed
    )
    return Job(f"{draft.slot.id}/{short_hash(task.draft, *calls)[:12]}", task, {"instruction": None})


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


_TRAINED: Final = (
    "The editor that ships with redraft learnt from OneStopEnglish and from errors made in open texts (its "
    "model card names them); a text that it may have seen is left out only if `--exclude` names it."
)


def card(
    recipe: ConsTRevRecipe,
    selection: Selection,
    records: Sequence[Record],
    rejected: Sequence[Record],
    used: Mapping[str, int],
    unused: Mapping[str, int],
    command: str,
) -> Record:
    """The card as plain data."""
    return {
        "benchmark": "constrev",
        "records": len(records),
        "recipe": recipe.facts(),
        "command": command,
        "versions": {"redraft": __version__},
        "sources": {
            "usable": len(selection.texts),
            "left_out": selection.left_out,
            "excluding": list(selection.excluding),
            "training": _TRAINED,
        },
        "revisions_not_used": dict(sorted(unused.items())),
        "texts": {"different": len(used), "by_times_used": _counted(used.values())},
        "levels": {name: _level(found) for name, found in _by_level(records).items()},
        "kinds": _kinds(records),
        "domains": _counted(record["domain"] for record in records),
        "licences": _counted(record["source"]["licence"] for record in records),
        "renderers": _counted(record["renderer"] for record in records),
        "rejections": _rejections(records, rejected),
    }


def _counted(values: Any) -> dict[str, int]:
    return {str(name): count for name, count in sorted(Counter(values).items())}


def _by_level(records: Sequence[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record["id"].rpartition("-")[0], []).append(record)
    return found


def _level(records: Sequence[Record]) -> Record:
    kinds = Counter(kind for record in records for kind in record["kinds"])
    readings = [[read(record["text"], counting) for counting in CONVENTIONS] for record in records]
    return {
        "texts": len(records),
        "sentences": {
            name: sum(len(reading[place].sentences) for reading in readings)
            for place, name in enumerate(CONVENTIONS)
        },
        "tokens": {
            name: sum(reading[place].words for reading in readings) for place, name in enumerate(CONVENTIONS)
        },
        "kinds": {name: kinds[name] for name in KINDS if kinds[name]},
        "groups": {
            group: count
            for group in GROUPS
            if (count := sum(kinds[kind.name] for kind in KINDS.values() if kind.group == group))
        },
        "domains": _counted(record["domain"] for record in records),
    }


def calls_by_kind(record: Record) -> Iterator[tuple[str, list[str]]]:
    """The calls of a record, kind by kind; a range is two of them."""
    left = iter(record["calls"])
    for kind in record["kinds"]:
        yield kind, list(islice(left, 2 if kind == "words_between" else 1))


def _kinds(records: Sequence[Record]) -> Record:
    """How often each kind occurs, and how often the source already obeys."""
    counts: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for record in records:
        for kind, calls in calls_by_kind(record):
            counts[kind] += 1
            for counting in CONVENTIONS:
                text = record["text"]
                met[kind, counting] += check(text, calls, original=text, counting=counting).met
    return {
        name: {
            "count": counts[name],
            "group": kind.group,
            "met_by_source": {
                counting: round(met[name, counting] / counts[name], 3) if counts[name] else None
                for counting in CONVENTIONS
            },
        }
        for name, kind in KINDS.items()
    }


def _rejections(records: Sequence[Record], rejected: Sequence[Record]) -> Record:
    """Of each renderer: how many renderings were made, how many were rejected, and why."""
    kept = Counter(record["renderer"] for record in records)
    kept[TEMPLATES] = len(records)  # every record has a rendering of ours, the draft of a model's
    found: Record = {}
    for by in sorted({*kept, *(one["by"] for one in rejected)}):
        reasons = Counter(one["reason"].split(" ")[0] for one in rejected if one["by"] == by)
        made = kept[by] + reasons.total()
        found[by] = {
            "made": made,
            "rejected": reasons.total(),
            "rate": round(reasons.total() / made, 4) if made else 0.0,
            "reasons": dict(sorted(reasons.items())),
        }
    return found
