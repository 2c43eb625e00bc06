"""Reading C3EBench: the published English and Chinese files, and records of our own in the same shape.

A record is an object a line with `infer_id`, `task_type`, `sub_task` (the genre), `instruction`, `input` (an
object whose keys go by task and language), `reference`. The files call a task `condition` that the paper, and
everything here, calls expand.

The passage that a Cloze record asks for is cut out of its text. In one published record (`cloze_cn_155`) it
was left in, and no blank stands anywhere: there, the blank is put in its place, or copying would do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from redraft.errors import InputError
from redraft.text import language, parse_json_lines, read_text

Task = Literal["cloze", "expand", "edit", "end2end"]
TASKS: Final[tuple[Task, ...]] = get_args(Task)
Language = Literal["en", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
FILES: Final = ("english.jsonl", "chinese.jsonl")
BLANK: Final = "[fill in the blank]"
_OF_FILES: Final[Mapping[str, Task]] = {"condition": "expand", **{task: task for task in TASKS}}
_PARTS: Final = {
    "genre": "Genre: {}",
    "brief": "Brief: {}",
    "condition": "Outline: {}",
    "audience": "Audience: {}",
    "word": "Length: about {} words",
}
"""How the parts of an outline are told, in order, where there are several."""


@dataclass(frozen=True)
class Entry:
    """A record: W = f(instruction, grounding), and a text that a professional made of it."""

    id: str
    language: Language
    task: Task
    genre: str
    instruction: str
    grounding: str
    """The text with its blank, the outline, or the draft; empty for End2End."""
    critique: str
    """What is to be changed of a draft; empty for every other task."""
    reference: str


def read_entries(path: Path) -> Iterator[Entry]:
    """The records of a file, or of a folder with english.jsonl, chinese.jsonl or both."""
    return (entry for entry, _ in read_records(path))


def read_records(path: Path) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """The same, each with the object that it was read from."""
    files = [path / name for name in FILES if (path / name).is_file()] if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path} has neither {' nor '.join(FILES)}")
    seen: set[str] = set()
    for file in files:
        for number, record in parse_json_lines(read_text(str(file)), str(file)):
            try:
                entry = read_entry(record)
                if entry.id in seen:
                    raise InputError(f"the id {entry.id!r} is there twice")
            except InputError as error:
                raise InputError(f"{file}, line {number}: {error}") from None
            seen.add(entry.id)
            yield entry, record


def read_entry(record: Mapping[str, Any]) -> Entry:
    """A record, checked; InputError says what is wrong with it."""
    name = _text(record, "task_type")
    if name not in _OF_FILES:
        raise InputError(f"task_type is one of {', '.join(_OF_FILES)}, not {name!r}")
    task = _OF_FILES[name]
    given = record.get("input")
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise InputError("input should be an object of texts")
    instruction, reference = _text(record, "instruction"), _text(record, "reference")
    return Entry(
        id=_text(record, "infer_id"),
        language="zh" if language(instruction) == "zh" else "en",
        task=task,
        genre=_text(record, "sub_task"),
        instruction=instruction,
        grounding=_grounding(task, given, reference),
        critique=_text(given, "critique") if task == "edit" else "",
        reference=reference,
    )


def _grounding(task: Task, given: Mapping[str, str], reference: str) -> str:
    if task == "cloze":
        return _with_blank(given, reference)
    if task == "edit":
        return _text(given, "content")
    if task == "expand":
        if "outline" in given:
            return _text(given, "outline")
        _text(given, "condition")
        return "\n\n".join(told.format(given[name]) for name, told in _PARTS.items() if given.get(name))
    return ""


def _with_blank(given: Mapping[str, str], reference: str) -> str:
    """The text with just one blank."""
    if "prefix" in given and "suffix" in given:
        text = f"{given['prefix']}{BLANK}{given['suffix']}"
    else:
        text = _text(given, "content")
        if BLANK not in text and text.count(reference) == 1:
            text = text.replace(reference, f"\n{BLANK}\n")
    if text.count(BLANK) != 1:
        raise InputError(f"a text to fill in has one {BLANK}, and this has {text.count(BLANK)}")
    if not text.replace(BLANK, "").strip():
        raise InputError("there is nothing around the blank")
    return text


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{name} is missing, empty, or no text")
    return value
