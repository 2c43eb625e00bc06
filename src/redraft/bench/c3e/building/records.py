"""The records of a build, in the form of the published files: instructions, spans, critiques, references."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Final, Literal

from pydantic import BaseModel, StringConstraints

from redraft.bench.c3e.building.asking import ROOM, Genre, Unusable, ask_until_valid, in_language, prompt
from redraft.bench.c3e.building.sources import Source
from redraft.bench.c3e.details import asking_of
from redraft.bench.c3e.overlap import quoted, shared
from redraft.bench.c3e.reading import BLANK, Language, Task, read_entry
from redraft.bench.systems.prompted import write
from redraft.errors import BadAnswer
from redraft.judge import Context, Pair, PairwiseJudge, load_rubric, pair_verdicts, wrap_in_tags
from redraft.models import Models
from redraft.runs import Record
from redraft.text import Document, Span, count_words

RUN: Final = {"en": 8, "zh": 12}
"""So many words in a row (Chinese: characters, of which a word has about one and a half) are a quotation."""
CHARACTERS: Final = {"en": 1, "zh": 2}
"""What a limit of one word comes to: in Chinese, two characters."""
_LENGTHS: Final = {"end2end": 100, "expand": 300}
_NEAR: Final = 0.2
_ASKED: Final = re.compile(
    r"(\d[\d,]*)(?:\s*(?:-|–|—|~|to|and|至|到)\s*(\d[\d,]*))?[\s-]*(?:words?\b|个?字)", re.IGNORECASE
)

NonEmptyText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Query(BaseModel):
    genre: NonEmptyText
    brief: NonEmptyText
    audience: NonEmptyText
    query: NonEmptyText


class _Outlined(BaseModel):
    genre: NonEmptyText
    brief: NonEmptyText
    structure: NonEmptyText
    audience: NonEmptyText
    query: NonEmptyText


@dataclass(frozen=True, slots=True)
class WriteInstruction:
    """The instruction of a task whose answer is the whole text."""

    text: str
    lang: Language
    task: Literal["end2end", "expand"]

    async def do(self, models: Models) -> Record:
        """Ask for it; the length is what was counted, whatever is said of it."""
        shape: type[_Query] | type[_Outlined] = _Query if self.task == "end2end" else _Outlined
        answer = await ask_until_valid(
            models.for_role("model"),
            self.task,
            self.lang,
            wrap_in_tags("text", self.text),
            shape,
            self._fault,
            words=rounded(count_words(self.text)),
            most=_LENGTHS[self.task] * CHARACTERS[self.lang],
        )
        return {**answer.model_dump(), "word": str(rounded(count_words(self.text)))}

    def _fault(self, answer: BaseModel) -> str | None:
        given: dict[str, str] = answer.model_dump()
        most = _LENGTHS[self.task] * CHARACTERS[self.lang]
        if not in_language(given["query"], self.lang):
            return "the query is in another language: write it in that of the text"
        if (count := count_words(given["query"])) > most:
            return f"the query is too long: it has {count} words, and {most} are allowed"
        for name, value in given.items():
            if run := quoted(value, self.text, RUN[self.lang]):
                return f"it quotes the text: {name} has “{run}”; say it in other words"
        measured = count_words(self.text)
        for low, high in _ASKED.findall(given["query"]):
            ends = [int(end.replace(",", "")) for end in (low, high or low)]
            if not (1 - _NEAR) * ends[0] <= measured <= (1 + _NEAR) * ends[1]:
                return f"the query asks for another length: it should ask for about {rounded(measured)} words"
        return None


def rounded(count: int) -> int:
    """A number of words as one asks for it."""
    step = 10 if count < 300 else 50 if count < 1000 else 100
    return max(step, round(count / step) * step)


LEAST: Final = 0.2
MOST: Final = 0.5
_OFTEN: Final = 20
"""What stands in a text more often than this is no sentence of it, but a word or a letter."""
_VARIANTS: Final = str.maketrans("“”„«»‘’‚`–—―−", '"""""' + "''''" + "----")
_CLOSING: Final = re.compile(r"[.!?…。！？]*[\"'”’»」』)）\]]*")
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n\s*")


class _Ends(BaseModel):
    first_sentence: str
    last_sentence: str


@dataclass(frozen=True, slots=True)
class ChooseSpan:
    """Which span of a text is to be filled in."""

    text: str
    lang: Language

    async def do(self, models: Models) -> Record:
        """Ask for it; where no answer can be used, take whole paragraphs about the middle."""
        if BLANK in self.text:
            raise Unusable("the text has a blank of its own")
        material = wrap_in_tags("text", self.text)
        try:
            answer = await ask_until_valid(
                models.for_role("model"), "cloze", self.lang, material, _Ends, self._fault
            )
        except Unusable as unusable:
            span, why = middle(self.text), str(unusable)
            if span is None:
                raise Unusable(f"no span: {why}") from None
            return {"start": span.start, "end": span.end, "fallback": why}
        found = locate(self.text, answer.first_sentence, answer.last_sentence)
        assert isinstance(found, Span)  # there was no fault in it
        return {"start": found.start, "end": found.end, "fallback": None}

    def _fault(self, answer: _Ends) -> str | None:
        found = locate(self.text, answer.first_sentence, answer.last_sentence)
        return found if isinstance(found, str) else None


def locate(text: str, first: str, last: str) -> Span | str:
    """The span from one sentence to another, whatever their spaces and quotation marks; or what is wrong."""
    plain, places = _plain(text)
    starts = [at for at in _found(plain, _plain(first)[0]) if not _in_word(text, places[at])]
    ends = [
        end
        for at in _found(plain, _plain(last)[0])
        if not _in_word(text, places[(end := at + len(_plain(last)[0])) - 1] + 1)
    ]
    if not starts:
        return "not found: the first sentence is not in the text, word for word"
    if not ends:
        return "not found: the last sentence is not in the text, word for word"
    if max(len(starts), len(ends)) > _OFTEN:
        return "not found: there are many places that begin or end so; give whole sentences"
    spans = [
        _whole(text, places[start], places[end - 1] + 1) for start in starts for end in ends if start < end
    ]
    if not spans:
        return "not found: the last sentence stands before the first"
    fitting = [span for span in spans if LEAST <= share(text, span) <= MOST]
    if fitting:
        return fitting[0]
    return (
        f"out of bounds: the span is {share(text, spans[0]):.0%} of the text, and should be from {LEAST:.0%} "
        f"to {MOST:.0%}"
    )


def middle(text: str) -> Span | None:
    """Whole paragraphs, or else lines or sentences, of fitting length, as near the middle as can be."""
    sentences = [Span(one.start, one.end) for one in Document(text).sentences]
    for pieces in (_pieces(text, _BLANK_LINE), _pieces(text, re.compile(r"\s*\n\s*")), sentences):
        ends = [0, *accumulate(count_words(text[one.start : one.end]) for one in pieces)]
        spans = [
            Span(one.start, other.end)
            for at, one in enumerate(pieces)
            for last, other in enumerate(pieces[at:], at)
            if LEAST * ends[-1] <= ends[last + 1] - ends[at] <= MOST * ends[-1]
        ]
        spans.sort(key=lambda span: abs(span.start + span.end - len(text)))
        if fitting := next((span for span in spans if LEAST <= share(text, span) <= MOST), None):
            return fitting
    return None


def share(text: str, span: Span) -> float:
    """How much of a text's words a span has."""
    return count_words(text[span.start : span.end]) / max(1, count_words(text))


def _pieces(text: str, gap: re.Pattern[str]) -> Sequence[Span]:
    ends = [0, *(end for match in gap.finditer(text) for end in match.span()), len(text)]
    return [
        Span(start, end) for start, end in zip(ends[::2], ends[1::2], strict=True) if text[start:end].strip()
    ]


def _plain(text: str) -> tuple[str, list[int]]:
    """A text without spaces and with plain quotation marks and dashes, and where its characters stood."""
    places = [at for at, character in enumerate(text) if not character.isspace()]
    return "".join(text[at] for at in places).translate(_VARIANTS), places


def _found(text: str, part: str) -> Iterator[int]:
    at = text.find(part) if part else -1
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _in_word(text: str, at: int) -> bool:
    """Whether a cut here would part a word; words of Chinese show no seams."""
    around = text[at - 1 : at + 1] if at else ""
    return len(around) == 2 and around.isalnum() and max(around) < "\u2e80"


def _whole(text: str, start: int, end: int) -> Span:
    """The span with the marks that close its last sentence, where an answer has left them out."""
    closing = _CLOSING.match(text, end)
    return Span(start, closing.end() if closing is not None else end)


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


def whole_record(source: Source, lang: Language, genre: Genre, task: Task, answer: Record) -> Record:
    """A commission, with an outline for Expand; its reference is the whole text."""
    given: Record = {name: answer[name] for name in ("genre", "brief")}
    if task == "expand":
        given["condition"] = answer["structure"]
    given |= {name: answer[name] for name in ("audience", "word")}
    instruction: str = answer["query"]
    if lang == "zh":
        given = {"outline": answer["structure"]} if task == "expand" else {"content": ""}
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
        answer = await ask_until_valid(
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
        return {"critique": answer.critique}

    def _fault(self, answer: _Critique) -> str | None:
        most = _LONGEST * CHARACTERS[self.lang]
        if not in_language(answer.critique, self.lang):
            return "the critique is in another language: write it in that of the draft"
        if tell := _TELLS.search(answer.critique):
            return f"the critique tells of another text: it says “{tell[0]}”; speak of the draft alone"
        if run := quoted(answer.critique, self.reference, RUN[self.lang]):
            return f"the critique quotes the text: “{run}”; say it in other words"
        if (count := count_words(answer.critique)) > most:
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
        judgements = await judge.judge(Pair(entry.id, entry.reference, self.answer, context))
        if error := next((one.error for one in judgements if one.error is not None), None):
            raise BadAnswer(error, provider=judgements[0].judge)
        verdict = next(one for one in pair_verdicts(judgements) if one.aspect == _DECIDES)
        return {"wins": verdict.preferred == "second", "said": dict(verdict.answers)}
