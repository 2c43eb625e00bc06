"""A text that opens or closes with the words that are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from redraft.revision.draft import WRITER, Draft, Option
from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.splits.splits import lowered
from redraft.revision.task import Task
from redraft.revision.tuning import TRUSTED
from redraft.text import is_letter_line, list_lines

_SENTENCE_OPENINGS: Final = dict(
    line.split(" | ") for line in list_lines(__package__, "sentence-openings.txt")
)
"""How a sentence may go on from a word that opens nothing by itself."""
_ENDS: Final = ".!?…"
_MARKS: Final = _ENDS + ",;:"
_SALUTATION: Final = re.compile(
    r"(?i)(?:dear|hi|hello|hey|greetings|good (?:morning|afternoon|evening|day))\b"
    r"(?:[^\n,:;!?.]|\b(?:prof|dr|mrs?|ms|mx|st|[a-z])\.){0,60}?[ ]*(?:(?P<mark>[,:!])|(?=\n|\Z))"
)
_MOST_WITH_ENDS: Final = 6
_NAME_LINE: Final = re.compile(r"(?:[^\W\d_a-z][\w.'’-]*[ ]?){1,4}")


def with_required_ends(
    task: Task, made: Sequence[Candidate], *, first: bool, last: bool, apart: bool
) -> list[Candidate]:
    """What was made for the first or the last unit, opening and closing as the text must.

    `apart` allows the words to stand as a sentence of their own.
    """
    whole = [one for one in made if one.text][:_MOST_WITH_ENDS]
    if first and "start" in task.required_ends:
        start = task.required_ends["start"]
        whole = list(_each(whole, task.starts, lambda text: opened_with(text, start, apart=apart)))
    if last and "end" in task.required_ends:
        end = task.required_ends["end"]
        whole = list(_each(whole, task.closes, lambda text: closed_with(text, end, apart=apart)))
    return [one for one in whole if one not in made]


def signed_otherwise(task: Task, draft: Draft) -> Option | None:
    """The signature that is asked for in the place of a closing and the name below it."""
    end = task.required_ends.get("end", "").strip()
    units = draft.units[-2:]
    if len(units) < 2 or not is_letter_line(end):
        return None
    closing, name = units
    is_name = bool(_NAME_LINE.fullmatch(name.text)) and "\n" in name.gap
    if not (is_letter_line(closing.text) and is_name):
        return None
    place = len(draft.units) - 2
    return Option(
        place, place + 2, Candidate(end, "edge", (Reason("close", after=end),)), TRUSTED, trusted=True
    )


def _each(
    made: Iterable[Candidate], fits: Callable[[str], bool], tool: Callable[[str], list[Candidate]]
) -> Iterable[Candidate]:
    for one in made:
        if fits(one.text):
            yield one
            continue
        for new in tool(one.text):
            by = new.by if one.by == WRITER else one.by
            yield Candidate(new.text, by, (*one.why, *new.why))


def opened_with(sentence: str, words: str, *, apart: bool = False) -> list[Candidate]:
    """The sentence with these words before it, best first; `apart`, also as a sentence of their own."""
    words = words.strip()
    words = words[:1].upper() + words[1:]
    why = (Reason("start", after=words),)
    greeting = _SALUTATION.match(sentence)
    if greeting and _SALUTATION.match(words):  # nobody is greeted twice
        mark = "" if words[-1] in _MARKS else greeting["mark"] or ","
        return [Candidate(f"{words}{mark}{sentence[greeting.end() :]}", "edge", why)]
    if words[-1] in _MARKS:
        rest = sentence if words[-1] in _ENDS else lowered(sentence)
        own_line = [f"{words}\n\n{sentence}"] if is_letter_line(words) else []
        return [Candidate(text, "edge", why) for text in (*own_line, f"{words} {rest}")]
    made = [f"{words}, {lowered(sentence)}", f"{words}: {lowered(sentence)}"]
    if kind := re.match(rf"(?i)the \w+ of (?={re.escape(words)}\b)", sentence):
        made.insert(0, sentence[kind.end() :])  # the town of Leeds is Leeds
    if apart:
        made.append(f"{words}. {sentence}")
    if words.lower() in _SENTENCE_OPENINGS:
        made.insert(0, f"{_SENTENCE_OPENINGS[words.lower()]} {lowered(sentence)}")
    return [Candidate(text, "edge", why) for text in made]


def closed_with(sentence: str, words: str, *, apart: bool = False) -> list[Candidate]:
    """The sentence with these words after it, best first; `apart`, also as a sentence of their own."""
    words = words.strip()
    why = (Reason("close", after=words),)
    if is_letter_line(words):  # nobody signs twice, and a signature has a line of its own
        signed = words if is_letter_line(sentence) else f"{sentence.rstrip()}\n\n{words}"
        return [Candidate(signed, "edge", why)]
    body = sentence.rstrip().rstrip(_ENDS)
    end = "" if words[-1] in _ENDS else "."
    alone = f"{sentence.rstrip()} {words[:1].upper()}{words[1:]}{end}"
    if words[0].isupper() and not end:
        made = [alone]
    else:
        made = [f"{body}, {words}{end}", f"{body}: {words}{end}"] + [alone] * apart
    return [Candidate(text, "edge", why) for text in made]
