"""Which answers of the teacher teach: whole, obedient, and with every fact of the passage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from redraft.editor import usable
from redraft.errors import InputError
from redraft.models import Completion
from redraft.text import word_sets
from redraft.train.rows import TrainingRow, read_objects
from redraft.train.synthesise import is_unbroken
from redraft.train.teaching.facts import LIGHT, content, lost_fact, stem
from redraft.train.teaching.obedience import fitted_values
from redraft.train.teaching.passage import Passage
from redraft.train.teaching.requests import TeacherRequest

Passes = Callable[[str, str], bool]
"""Whether a judge lets a text pass as a rewrite of a source."""
_CHATTER: Final = re.compile(
    r"(?i)^(?:sure|certainly|of course|here (?:is|are)\b|here's|sorry|as an ai|i cannot|i(?:['’]| a)m sorry|"
    r"i can['’]t (?:assist|help)|the (?:rewritten|revised|corrected|original) (?:text|sentence|version))"
)
_MORE: Final = re.compile(
    r"(?i)^(?:text|rewritten|example|explanation|note|output|answer|original|here|this (?:version|rewrite))\b"
    r"[^.!?]*:"
)
_LABEL: Final = re.compile(
    r"(?i)^(?:(?:rewritten|answer|output|text)(?: text)?|formally|politely|with (?:a synonym of )?\"[^\"]*\"|"
    r"in about \d+ words|in \d+ sentences[\w ]*|in the \w+ tense):\s*"
)
_LISTED: Final = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s")
_POLITE: Final = frozenset(map(stem, word_sets(__package__, "signs.txt")["courteous"]))
_BY_CHANCE: Final = 2
"""Words of the examples that an answer may have."""
_WORD: Final = re.compile(r"[a-z]{4,}\Z")
_ENDS: Final = (".", "!", "?", "…")
_CLOSING: Final = "\"'”’)]"
_NEEDS: Final = "id, answer and finish in a JSON object"


@dataclass(frozen=True, slots=True)
class Length:
    """How many words an answer may have, as a share of the passage's."""

    least: float
    most: float


LENGTHS: Final = {
    "fluency": Length(0.75, 1.35),
    "shorten": Length(0.4, 0.95),
    "split": Length(0.85, 1.3),
    "merge": Length(0.8, 1.2),
    "with_word": Length(0.75, 1.3),
    "without_word": Length(0.7, 1.35),
    "simpler": Length(0.6, 1.5),
    "plain": Length(0.5, 1.3),
    "active": Length(0.65, 1.3),
    "past": Length(0.85, 1.15),
    "present": Length(0.85, 1.15),
    "formal": Length(0.7, 1.5),
    "friendly": Length(0.7, 1.5),
    "polite": Length(0.7, 1.8),
    "concise": Length(0.4, 0.95),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """The row that an answer makes; or why it makes none."""

    row: TrainingRow | None
    reason: str = ""


def judge_answer(request: TeacherRequest, answer: str, finish: str, passes: Passes | None = None) -> Judged:
    """Check an answer, the cheapest first; a bound becomes what the answer keeps to.

    So an answer that is shorter than was asked for teaches the length that it has.
    """
    text = tidied_answer(answer, finish, request.input)
    if text is None:
        return Judged(None, "unusable")
    copied = text.split() == request.input.split()
    if copied and (request.task != "fluency" or request.reference not in ("", request.input)):
        return Judged(None, "unchanged")
    if not copied and not is_unbroken(text):
        return Judged(None, "unclean")
    before, after = Passage(request.input), Passage(text)
    length = LENGTHS[request.task]
    if not length.least * before.words <= after.words <= length.most * before.words:
        return Judged(None, "length")
    values = fitted_values(request, before, after)
    if values is None:
        return Judged(None, "control")
    if _copies_example(request, after):
        return Judged(None, "example")
    if not copied and (lost := lost_fact(request.task, Passage(request.reference or request.input), after)):
        return Judged(None, lost)
    if passes is not None and not passes(request.reference or request.input, text):
        return Judged(None, "judge")
    return Judged(TrainingRow(request.task, request.input, text, "teacher", values=tuple(values.items())))


def other_way(row: TrainingRow) -> TrainingRow | None:
    """A row that avoids one word by another also teaches to use that other: the same, asked for with it."""
    if row.task != "without_word":
        return None
    known = {stem(word) for word in Passage(row.input).low}
    new = [word for word in Passage(row.target).spelt if word not in LIGHT and stem(word) not in known]
    if len(new) != 1 or not _WORD.match(new[0]):
        return None
    return replace(row, task="with_word", values=(("word", new[0]),))


def tidied_answer(answer: str, finish: str, source: str) -> str | None:
    """An answer as one paragraph, without a label or what follows the rewrite; None where it is of no use."""
    lines = [line.strip() for line in _LABEL.sub("", answer.strip()).split("\n") if line.strip()]
    end = next((at for at, line in enumerate(lines) if at and _MORE.match(line)), len(lines))
    if any(map(_LISTED.match, lines[:end])):
        return None
    whole = " ".join(lines[:end])
    text = usable(Completion(whole, "stop" if finish == "stop" or end < len(lines) else "length"), source)
    if text is None or (_CHATTER.match(text) and not _CHATTER.match(source)):
        return None
    if _ends(source) and not _ends(text):
        return None
    if (source[:1].isupper() and text[:1].islower()) or ("`" in text and "`" not in source):
        return None
    return text


def _ends(text: str) -> bool:
    return text.rstrip(_CLOSING).endswith(_ENDS)


def _copies_example(request: TeacherRequest, after: Passage) -> bool:
    """Whether an answer says something that stands only in the examples."""
    example = request.prompt.rpartition("\n\n")[0].partition("\n\n")[2]
    shown = set(content(Passage(example))) - set(content(Passage(request.input))) - _POLITE
    return sum(word in shown for word in content(after)) > _BY_CHANCE


def kept_rows(
    answers: Iterable[tuple[TeacherRequest, str, str]], passes: Passes | None = None
) -> Iterator[tuple[TeacherRequest, Judged]]:
    """Each answer with what became of it, and what else it teaches; the same row is given once."""
    seen: set[TrainingRow] = set()
    for request, answer, finish in answers:
        found = judge_answer(request, answer, finish, passes)
        if found.row in seen:
            found = Judged(None, "twice")
        yield request, found
        if found.row is not None:
            seen.add(found.row)
            other = other_way(found.row)
            if other is not None:
                yield replace(request, task=other.task, values=dict(other.values)), Judged(other)


def read_answers(
    path: Path, requests: Mapping[str, TeacherRequest]
) -> Iterator[tuple[TeacherRequest, str, str]]:
    """The answers of a file, each with its request and how it ended."""
    for where, row in read_objects(path, _NEEDS):
        name, answer, finish = row.get("id"), row.get("answer"), row.get("finish", "stop")
        if not (isinstance(name, str) and isinstance(answer, str) and isinstance(finish, str)):
            raise InputError(f"{where}: needs {_NEEDS}")
        if name not in requests:
            raise InputError(f"{where}: there is no request {name!r}")
        yield requests[name], answer, finish
