"""Records as the published files have them, with the drafts, critiques and references that models write."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from redraft.bench.c3e.building.asking import ROOM, Genre, Unusable, ask_until_valid, in_language, prompt
from redraft.bench.c3e.building.sources import Source
from redraft.bench.c3e.building.steps import CHARACTERS, RUN, NonEmptyText
from redraft.bench.c3e.details import asking_of
from redraft.bench.c3e.overlap import quoted, shared
from redraft.bench.c3e.reading import BLANK, Language, Task, read_entry
from redraft.bench.systems.prompted import write
from redraft.errors import BadAnswer
from redraft.judge import Context, Pair, PairwiseJudge, load_rubric, pair_verdicts, wrap_in_tags
from redraft.models import Models
from redraft.runs import Record
from redraft.text import count_words

_TASK_TYPES: Final[dict[Task, str]] = {
    "cloze": "cloze",
    "expand": "condition",
    "edit": "edit",
    "end2end": "end2end",
}
_CODES: Final[dict[Language, str]] = {"en": "en", "zh": "cn"}


def cloze_record(source: Source, lang: Language, genre: Genre, cut: Record) -> Record:
    """A text with a blank; its reference is what stood there."""
    text, start, end = source.text, cut["start"], cut["end"]
    around: Record = {"prefix": text[:start], "suffix": text[end:]}
    if lang == "zh":
        around = {"content": f"{text[:start]}{BLANK}{text[end:]}"}
    instruction = prompt(f"cloze_task.{lang}", blank=BLANK)
    return _record(
        "cloze", source, lang, genre, instruction, around, text[start:end], fallback=cut["fallback"]
    )


def whole_record(source: Source, lang: Language, genre: Genre, task: Task, said: Record) -> Record:
    """A commission, with an outline for Expand; its reference is the whole text."""
    given: Record = {name: said[name] for name in ("genre", "brief")}
    if task == "expand":
        given["condition"] = said["structure"]
    given |= {name: said[name] for name in ("audience", "word")}
    instruction: str = said["query"]
    if lang == "zh":
        given = {"outline": said["structure"]} if task == "expand" else {"content": ""}
        if task == "expand":
            instruction += f"\n\n{prompt('expand_lead.zh')}"
    return _record(task, source, lang, genre, instruction, given, source.text)


def edit_record(
    source: Source, lang: Language, genre: Genre, reference: str, given: Record, drafter: str
) -> Record:
    """A draft (`content`) and its critique; its reference is the passage that the draft was to be."""
    instruction = prompt(f"edit_task.{lang}")
    return _record("edit", source, lang, genre, instruction, given, reference, draft_by=drafter)


def _record(
    task: Task,
    source: Source,
    lang: Language,
    genre: Genre,
    instruction: str,
    given: Record,
    reference: str,
    **meta: str | None,
) -> Record:
    """A record; those of one text have one number."""
    return {
        "infer_id": f"{_TASK_TYPES[task]}_{_CODES[lang]}_{source.number}",
        "task_type": _TASK_TYPES[task],
        "sub_task": genre.named(lang),
        "instruction": instruction,
        "input": given,
        "reference": reference,
        "meta": {"source": source.name, **meta},
    }


_LONGEST: Final = 300
_SAME: Final = 0.5
"""A draft that shares half of its runs with the reference leaves nothing to criticise."""
_TELLS: Final = re.compile(
    r"\b(?:references?|originals?|originally|humans?|compar(?:ed?|ing|isons?)|ideal (?:version|text|sample)|"
    r"(?:model|sample|target|source) (?:text|version|passage|answer)|other version|language model)\b"
    r"|(?<![A-Za-z])(?-i:AI)(?![A-Za-z])"
    r"|参考|参照|原文|原作|原稿|人类|相比|对照|与.{1,12}对比|另一(?:篇|版|个版本)|范文|范本|理想版本|标准答案|人工智能|大模型",
    re.IGNORECASE,
)


class _Critique(BaseModel):
    critique: NonEmptyText


@dataclass(frozen=True, slots=True)
class WriteCritique:
    """What is wrong with a draft, seen from a text that is better."""

    draft: str
    reference: str
    lang: Language

    async def do(self, models: Models) -> Record:
        """Ask for it."""
        if shared(self.draft, self.reference, RUN[self.lang]) >= _SAME:
            raise Unusable("the draft is the text itself")
        said = await ask_until_valid(
            models.for_role("model"),
            "critique",
            self.lang,
            "\n\n".join(
                (wrap_in_tags("candidate_draft", self.draft), wrap_in_tags("reference", self.reference))
            ),
            _Critique,
            self._fault,
            most=_LONGEST * CHARACTERS[self.lang],
        )
        return {"critique": said.critique}

    def _fault(self, said: _Critique) -> str | None:
        most = _LONGEST * CHARACTERS[self.lang]
        if not in_language(said.critique, self.lang):
            return "the critique is in another language: write it in that of the draft"
        if tell := _TELLS.search(said.critique):
            return f"the critique tells of another text: it says “{tell[0]}”; speak of the draft alone"
        if run := quoted(said.critique, self.reference, RUN[self.lang]):
            return f"the critique quotes the text: “{run}”; say it in other words"
        if (count := count_words(said.critique)) > most:
            return f"the critique is too long: it has {count} words, and {most} are allowed"
        return None


_DECIDES: Final = "overall"


@dataclass(frozen=True, slots=True)
class WriteAnswer:
    """What a writer makes of a record."""

    record: Record
    writer: str

    async def do(self, models: Models) -> Record:
        """Have the task done, as a benchmarked model does it."""
        model = models.open(self.writer, role="writer")
        answer = await write(model, asking_of(read_entry(self.record)), seed=0)
        if answer.more.get("cut") or not answer.text:
            raise BadAnswer("the answer is empty, or was cut off", provider=self.writer)
        return {"answer": answer.text}


@dataclass(frozen=True, slots=True)
class CompareAnswers:
    """Whether an answer is better than the reference of a record."""

    record: Record
    answer: str

    async def do(self, models: Models) -> Record:
        """Ask the judge in both orders; the answer wins only where both say so."""
        entry = read_entry(self.record)
        material = "\n\n".join(part for part in (entry.grounding, entry.critique) if part)
        context = Context(source=material or None, instruction=entry.instruction)
        judge = PairwiseJudge(models.for_role("judge"), load_rubric("reference"), max_tokens=ROOM)
        said = await judge.judge(Pair(entry.id, entry.reference, self.answer, context))
        if error := next((one.error for one in said if one.error is not None), None):
            raise BadAnswer(error, provider=said[0].judge)
        verdict = next(one for one in pair_verdicts(said) if one.aspect == _DECIDES)
        return {"wins": verdict.preferred == "second", "said": dict(verdict.said)}
