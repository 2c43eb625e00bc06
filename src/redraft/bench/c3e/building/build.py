"""Building the records: texts marked, instructions and spans, drafts and critiques, better references.

DIR/english.jsonl, chinese.jsonl   the records, in the published form
DIR/dropped.jsonl                  every text and record that was left out, with the step and the reason
DIR/README.md, card.json           what was made, of what, and by whom
DIR/run.json                       when and with what it was made
DIR/work/STEP.jsonl                what the models said; append-only, so that a build that was stopped goes on
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from redraft import __version__
from redraft.bench.c3e.building.asking import FindGenre, Genre, RateText, TextStep, Unusable
from redraft.bench.c3e.building.records import (
    ChooseSpan,
    CompareAnswers,
    WriteAnswer,
    WriteCritique,
    WriteInstruction,
    cloze_record,
    edit_record,
    whole_record,
)
from redraft.bench.c3e.building.sources import CheckSafety, Dropped, Source, Sources
from redraft.bench.c3e.reading import FILES, Language, read_entry
from redraft.judge import short_hash
from redraft.models import Models
from redraft.runs import Answer, Build, Job, Record, open_model_worker
from redraft.text import json_lines, json_strings, write_text


@dataclass(frozen=True, slots=True)
class Attempt:
    """A step whose text may be left out."""

    step: TextStep

    async def do(self, models: Models) -> Answer:
        """What the step finds, or why its text is left out."""
        try:
            found = {"dropped": None, **await self.step.do(models)}
        except Unusable as unusable:
            found = {"dropped": str(unusable)}
        return Answer(found, models.ledger.total)


Chosen = tuple[Source, Language, Genre]
"""A text that is good enough, as records are made of it."""


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
class C3EBuild(Build[C3ERecipe, Sources]):
    """The records, built in one folder."""

    note: Callable[[str], None] = lambda message: None
    """Says which step begins, and with how many texts or records."""
    _dropped: list[Dropped] = field(default_factory=list)
    _failed: list[Dropped] = field(default_factory=list)

    async def run(self, resume: bool) -> Record:
        """Build, or go on building; what the card says."""
        facts = {"builds": "c3e", **self.recipe.facts(), "texts": self.sources.fingerprint}
        self._dropped = list(self.sources.dropped)
        with self.open_folder(facts, "work/genres", resume):
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
        sorting = {name: FindGenre(source.text, lang) for name, source in named.items()}
        genres = {
            name: Genre(answer["genre"]) for name, answer in (await self._step("genres", sorting)).items()
        }
        marking = {name: RateText(named[name].text, genre) for name, genre in genres.items()}
        good = await self._step("marks", marking)
        marks = {
            name: {"genre": genres[name].named(lang), **found}
            for name, found in self.results("work/marks").latest().items()
            if name in genres and not found["error"]
        }
        return {name: (named[name], lang, genres[name]) for name in good}, marks

    async def _records(self, texts: Mapping[str, Chosen]) -> dict[str, Record]:
        """The records of the four tasks, by their ids."""
        made: list[Record] = []
        for task in ("end2end", "expand"):
            steps = {
                name: WriteInstruction(source.text, lang, task) for name, (source, lang, _) in texts.items()
            }
            instructions = await self._step(task, steps)
            made += (whole_record(*texts[name], task, answer) for name, answer in instructions.items())
        cutting = {name: ChooseSpan(source.text, lang) for name, (source, lang, _) in texts.items()}
        clozes = {
            name: cloze_record(*texts[name], cut)
            for name, cut in (await self._step("spans", cutting)).items()
        }
        made += clozes.values()
        drafter = (*self.recipe.writers, self.recipe.model)[0]
        drafts = await self._answers(list(clozes.values()), drafter)
        drafted = {name: cloze for name, cloze in clozes.items() if cloze["infer_id"] in drafts}
        criticising = {
            name: WriteCritique(drafts[cloze["infer_id"]], cloze["reference"], self.recipe.lang)
            for name, cloze in drafted.items()
        }
        for name, answer in (await self._step("critiques", criticising)).items():
            draft = drafts[drafted[name]["infer_id"]]
            given = {"content": draft, "critique": answer["critique"]}
            made.append(edit_record(*texts[name], drafted[name]["reference"], given, drafter))
        return {record["infer_id"]: record for record in made}

    async def _answers(self, records: Sequence[Record], writer: str) -> dict[str, str]:
        """What a writer made of records, by their ids."""
        steps = {record["infer_id"]: WriteAnswer(record, writer) for record in records}
        found = await self._step("answers", steps, dict.fromkeys(steps, writer))
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
            steps = {name: CompareAnswers(records[name], text) for name, text in answers.items()}
            # Another reference is another question.
            marks = {
                name: short_hash(records[name]["reference"], text)[:12] for name, text in answers.items()
            }
            for name, found in (await self._step("comparisons", steps, marks)).items():
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
            name: "\n\n".join((record["instruction"], *json_strings(record["input"]), record["reference"]))
            for name, record in records.items()
        }
        steps = {name: CheckSafety(text, self.recipe.lang) for name, text in texts.items()}
        marks = {name: short_hash(text)[:12] for name, text in texts.items()}
        return [records[name] for name in await self._step("safety", steps, marks)]

    async def _step(
        self, name: str, steps: Mapping[str, TextStep], marks: Mapping[str, str] | None = None
    ) -> dict[str, Record]:
        """What steps found, but for those that failed and those that leave their text out.

        Where a step may be done again with other texts, its mark tells them apart.
        """
        self.note(f"{name}: {len(steps)}")
        results = self.results(f"work/{name}")
        keys = {of: f"{of}/{marks[of]}" if marks else of for of in steps}
        jobs = (Job(keys[of], Attempt(step), {}) for of, step in steps.items())
        await self.do(jobs, len(steps), open_model_worker, self.settings, results)
        latest = results.latest()
        found: dict[str, Record] = {}
        for of, key in keys.items():
            reason = latest[key]["error"] or latest[key]["dropped"]
            if reason is None:
                found[of] = latest[key]
            else:
                (self._failed if latest[key]["error"] else self._dropped).append(Dropped(of, name, reason))
        return found

    def _write(self, records: list[Record], marks: Mapping[str, Record], references: Record) -> Record:
        for record in records:
            read_entry(record)  # what we write, we can read
        found = card(
            self.recipe.facts(), self.sources, records, self._dropped, self._failed, marks, references
        )
        file = FILES[0] if self.recipe.lang == "en" else FILES[1]
        write_text(self.out / "dropped.jsonl", json_lines([asdict(one) for one in self._dropped]))
        self.write_card(found, __package__, "README.md")
        write_text(self.out / file, json_lines(records))
        return found


def _is_own(record: Record) -> bool:
    """Whether its reference is still the source's."""
    return bool(record["meta"]["reference_by"] == "source")


_MARKS: Final = ("1", "2", "3", "4", "5")
_PUBLISHED: Final = 0.105
"""The share of references that the paper's models replaced (§4.2)."""
_LICENCES: Final = (
    "The records hold the source texts, whole and in parts: whoever built them must have the right to use "
    "and to pass on these texts. Nothing here says that they have."
)
_LIMITS: Final = (
    "Genres, marks, instructions, spans and critiques are a model's, and were checked by rule alone: lengths "
    "are counted, spans stand in their texts word for word, no instruction or critique quotes a run of eight "
    "words (in Chinese, twelve characters), no critique speaks of another text. Rules and one model looked "
    "for personal data. No person has read the records; do so before you publish them, and leave out "
    "`work/` and `dropped.jsonl`, which hold what was left out, and why."
)


def card(
    recipe: Record,
    sources: Sources,
    records: Sequence[Record],
    dropped: Sequence[Dropped],
    failed: Sequence[Dropped],
    marks: Mapping[str, Record],
    references: Record,
) -> Record:
    """The card as plain data."""
    share = references["replaced"] / references["compared"] if references["compared"] else None
    return {
        "benchmark": "c3e",
        "records": len(records),
        "recipe": recipe,
        "versions": {"redraft": __version__},
        "texts": {"usable": len(sources.usable), "left_out": len(sources.dropped)},
        "tasks": _counted(record["task_type"] for record in records),
        "genres": _by_genre(records),
        "marks": _distribution(marks),
        "fallback_spans": sum(bool(record["meta"].get("fallback")) for record in records),
        "references": {**references, "share": share, "published_share": _PUBLISHED},
        "dropped": _reasons(dropped),
        "failed": _counted(one.step for one in failed),
        "licences": _LICENCES,
        "limits": _LIMITS,
    }


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _by_genre(records: Sequence[Record]) -> dict[str, dict[str, int]]:
    genres = sorted({record["sub_task"] for record in records})
    return {
        genre: _counted(record["task_type"] for record in records if record["sub_task"] == genre)
        for genre in genres
    }


def _distribution(marks: Mapping[str, Record]) -> dict[str, dict[str, int]]:
    """How many texts of a genre have which overall mark (as in Table 5 of the paper)."""
    found: dict[str, Counter[str]] = {}
    for one in marks.values():
        found.setdefault(one["genre"], Counter())[str(one["marks"]["overall"])] += 1
    return {genre: {mark: counts[mark] for mark in _MARKS} for genre, counts in sorted(found.items())}


def _reasons(dropped: Sequence[Dropped]) -> dict[str, dict[str, int]]:
    steps = dict.fromkeys(one.step for one in dropped)
    return {
        step: _counted(one.reason.partition(":")[0] for one in dropped if one.step == step) for step in steps
    }
