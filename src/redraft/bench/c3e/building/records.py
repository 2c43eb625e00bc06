"""Records as the published files have them, and what ours say of where they come from."""

from __future__ import annotations

from typing import Final

from redraft.bench.c3e.building.asking import Genre, prompt
from redraft.bench.c3e.building.sources import Source
from redraft.bench.c3e.reading import BLANK, Language, Task
from redraft.runs import Record

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
