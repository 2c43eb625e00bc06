"""Building the records: texts marked, instructions and spans, drafts and critiques, better references.

DIR/english.jsonl, chinese.jsonl   the records, in the published form
DIR/dropped.jsonl                  every text and record that was left out, with the step and the reason
DIR/README.md, card.json           what was made, of what, and by whom
DIR/run.json                       when and with what it was made
DIR/work/STEP.jsonl                what the models said; append-only, so that a build that was stopped goes on
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from redraft.bench.c3e.building.asking import Genre, Mark, Sort, Step, Unusable
from redraft.bench.c3e.building.card import card, page
from redraft.bench.c3e.building.records import cloze_record, edit_record, whole_record
from redraft.bench.c3e.building.references import Compare, Criticise, Write
from redraft.bench.c3e.building.safety import CheckSafety
from redraft.bench.c3e.building.sources import Dropped, Source, Sources
from redraft.bench.c3e.building.steps import Cut, Instruct
from redraft.bench.c3e.reading import FILES, Language, read_entry
from redraft.models import Models, Usage, remaining_budget
from redraft.runs import Answer, Engine, Job, Progress, Record, Results, RunDir, Worker, begun, execute
from redraft.settings import Settings
from redraft.text import dumped, json_lines, sound, strings, write_text


async def open_working(settings: Settings) -> Worker:
    """A worker that does any step."""
    return _Working(Models(settings))


class _Working:
    def __init__(self, models: Models) -> None:
        self._models = models

    async def do(self, given: Step) -> Answer:
        """What a step finds, or why its text is left out."""
        models = self._models.apart()
        try:
            found = {"dropped": None, **await given.do(models)}
        except Unusable as unusable:
            found = {"dropped": str(unusable)}
        return Answer(found, models.ledger.total)

    async def aclose(self) -> None:
        """Close the models."""
        await self._models.aclose()


Chosen = tuple[Source, Language, Genre]
"""A text that is good enough, as records are made of it."""

Shown = Callable[[int], AbstractContextManager[Callable[[Progress], None]]]
"""Opens a display for so many jobs."""


@dataclass(frozen=True)
class C3ERecipe:
    """Who builds, and in which language."""

    lang: Language
    model: str
    judge: str
    writers: tuple[str, ...] = ()
    """Whose answers may take the place of a reference; the first one's fill in the drafts of Edit too."""

    def facts(self) -> Record:
        """As plain data, for run.json and the card."""
        return {"lang": self.lang, "model": self.model, "judge": self.judge, "writers": list(self.writers)}


@dataclass
class C3EBuild:
    """One build: what is built, of what, where, and where its models work."""

    recipe: C3ERecipe
    sources: Sources
    out: Path
    settings: Settings
    engine: Engine
    shown: Shown
    note: Callable[[str], None] = lambda message: None
    """Says which step begins, and with how many texts or records."""
    _dropped: list[Dropped] = field(default_factory=list)
    _failed: list[Dropped] = field(default_factory=list)
    _spent: Usage = field(default_factory=Usage)
    _files: dict[str, Results] = field(default_factory=dict)

    async def run(self, resume: bool) -> dict[str, Any]:
        """Build, or go on building; what the card says."""
        folder = RunDir(self.out)
        folder.results = self._results("genres")
        facts = {"builds": "c3e", **self.recipe.facts(), "texts": self.sources.fingerprint}
        self._dropped = list(self.sources.dropped)
        with begun(folder, facts, resume), self.engine.held():
            texts, marks = await self._chosen()
            records = await self._records(texts)
            for record in records.values():
                record["meta"] |= {"marks": marks[record["meta"]["source"]]["marks"], **self.recipe.facts()}
            references = await self._optimised(records)
            safe = await self._safe(records)
            return self._write(safe, marks, references)

    async def _chosen(self) -> tuple[dict[str, Chosen], dict[str, Record]]:
        """The texts that are good enough, and the marks of all, by source."""
        lang = self.recipe.lang
        named = {source.name: source for source in self.sources.usable}
        sorting = {name: Sort(source.text, lang) for name, source in named.items()}
        genres = {name: Genre(said["genre"]) for name, said in (await self._do("genres", sorting)).items()}
        marking = {name: Mark(named[name].text, genre) for name, genre in genres.items()}
        good = await self._do("marks", marking)
        marks = {
            name: {"genre": genres[name].named(lang), **found}
            for name, found in self._results("marks").latest().items()
            if name in genres and not found["error"]
        }
        return {name: (named[name], lang, genres[name]) for name in good}, marks

    async def _records(self, texts: Mapping[str, Chosen]) -> dict[str, Record]:
        """The records of the four tasks, by their ids."""
        made: list[Record] = []
        for task in ("end2end", "expand"):
            steps = {name: Instruct(source.text, lang, task) for name, (source, lang, _) in texts.items()}
            instructions = await self._do(task, steps)
            made += (whole_record(*texts[name], task, said) for name, said in instructions.items())
        cutting = {name: Cut(source.text, lang) for name, (source, lang, _) in texts.items()}
        clozes = {
            name: cloze_record(*texts[name], cut) for name, cut in (await self._do("spans", cutting)).items()
        }
        made += clozes.values()
        drafter = (*self.recipe.writers, self.recipe.model)[0]
        drafts = await self._answers(list(clozes.values()), drafter)
        drafted = {name: cloze for name, cloze in clozes.items() if cloze["infer_id"] in drafts}
        criticising = {
            name: Criticise(drafts[cloze["infer_id"]], cloze["reference"], self.recipe.lang)
            for name, cloze in drafted.items()
        }
        for name, said in (await self._do("critiques", criticising)).items():
            draft = drafts[drafted[name]["infer_id"]]
            given = {"content": draft, "critique": said["critique"]}
            made.append(edit_record(*texts[name], drafted[name]["reference"], given, drafter))
        return {record["infer_id"]: record for record in made}

    async def _answers(self, records: Sequence[Record], writer: str) -> dict[str, str]:
        """What a writer made of records, by their ids."""
        steps = {record["infer_id"]: Write(record, writer) for record in records}
        found = await self._do("answers", steps, dict.fromkeys(steps, writer))
        return {name: one["answer"] for name, one in found.items()}

    async def _optimised(self, records: dict[str, Record]) -> dict[str, Any]:
        """Put better answers in the place of references, writer after writer; how many were compared.

        An Edit record whose draft is better than its reference leads nowhere, and is left out.
        """
        compared: set[str] = set()
        won: set[str] = set()
        for record in records.values():
            record["meta"]["reference_by"] = "source"
        for writer in self.recipe.writers:
            answers = await self._answers(list(records.values()), writer)
            steps = {name: Compare(records[name], text) for name, text in answers.items()}
            # Another reference is another question.
            marks = {name: _digest(records[name]["reference"], text) for name, text in answers.items()}
            for name, found in (await self._do("comparisons", steps, marks)).items():
                compared.add(name)
                if found["wins"]:
                    records[name]["reference"] = answers[name]
                    records[name]["meta"]["reference_by"] = writer
                    won.add(answers[name])
        for name, record in list(records.items()):
            if record["task_type"] == "edit" and record["input"]["content"] in won and _is_own(record):
                del records[name]
                self._dropped.append(Dropped(name, "comparisons", "the draft is better than the reference"))
        replaced = sum(not _is_own(record) for record in records.values())
        return {"compared": len(compared), "replaced": replaced}

    async def _safe(self, records: Mapping[str, Record]) -> list[Record]:
        """The records that may be published."""
        texts = {
            name: "\n\n".join((record["instruction"], *strings(record["input"]), record["reference"]))
            for name, record in records.items()
        }
        steps = {name: CheckSafety(text, self.recipe.lang) for name, text in texts.items()}
        marks = {name: _digest(text) for name, text in texts.items()}
        return [records[name] for name in await self._do("safety", steps, marks)]

    async def _do(
        self, name: str, steps: Mapping[str, Step], marks: Mapping[str, str] | None = None
    ) -> dict[str, Record]:
        """What steps found, but for those that failed and those that leave their text out.

        Where a step may be done again with other texts, its mark tells them apart.
        """
        self.note(f"{name}: {len(steps)}")
        results = self._results(name)
        keys = {of: f"{of}/{marks[of]}" if marks else of for of in steps}
        jobs = (Job(keys[of], step, {}) for of, step in steps.items())
        with self.shown(len(steps)) as progress:
            done = await execute(
                jobs,
                open_working,
                remaining_budget(self.settings, self._spent),
                results,
                self.engine,
                planned=len(steps),
                progress=progress,
            )
        self._spent += done.usage
        latest = results.latest()
        found: dict[str, Record] = {}
        for of, key in keys.items():
            told = latest[key]["error"] or latest[key]["dropped"]
            if told is None:
                found[of] = latest[key]
            else:
                (self._failed if latest[key]["error"] else self._dropped).append(Dropped(of, name, told))
        return found

    def _results(self, name: str) -> Results:
        return self._files.setdefault(name, Results(self.out / "work" / f"{name}.jsonl"))

    def _write(
        self, records: list[Record], marks: Mapping[str, Record], references: Record
    ) -> dict[str, Any]:
        for record in records:
            read_entry(record)  # what we write, we can read
        found = card(
            self.recipe.facts(), self.sources, records, self._dropped, self._failed, marks, references
        )
        file = FILES[0] if self.recipe.lang == "en" else FILES[1]
        write_text(self.out / "dropped.jsonl", json_lines([asdict(one) for one in self._dropped]))
        write_text(self.out / "card.json", dumped(found, indent=2) + "\n")
        write_text(self.out / "README.md", sound(page(found)))
        write_text(self.out / file, json_lines(records))
        return found


def _is_own(record: Record) -> bool:
    """Whether its reference is still the source's."""
    return bool(record["meta"]["reference_by"] == "source")


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
