"""Drafts, critiques and better references: what models write for a build, and whether a judge prefers it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from redraft.bench.c3e.building.asking import ROOM, Unusable, in_language, settled
from redraft.bench.c3e.building.steps import CHARACTERS, RUN, Said
from redraft.bench.c3e.details import asking_of
from redraft.bench.c3e.overlap import quoted, shared
from redraft.bench.c3e.reading import Language, read_entry
from redraft.bench.writers import write
from redraft.errors import BadAnswer
from redraft.judge import Context, Pair, PairwiseJudge, load_rubric, tagged, verdicts
from redraft.models import Models
from redraft.runs import Record
from redraft.text import count_words

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
    critique: Said


@dataclass(frozen=True, slots=True)
class Criticise:
    """What is wrong with a draft, seen from a text that is better."""

    draft: str
    reference: str
    lang: Language

    async def do(self, models: Models) -> Record:
        """Ask for it."""
        if shared(self.draft, self.reference, RUN[self.lang]) >= _SAME:
            raise Unusable("the draft is the text itself")
        said = await settled(
            models.for_role("model"),
            "critique",
            self.lang,
            "\n\n".join((tagged("candidate_draft", self.draft), tagged("reference", self.reference))),
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
class Write:
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
class Compare:
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
        verdict = next(one for one in verdicts(said) if one.aspect == _DECIDES)
        return {"wins": verdict.preferred == "second", "said": dict(verdict.said)}
