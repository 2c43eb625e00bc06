"""A sentence that opens or closes with the words that the text must open or close with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from redraft.revision.base import Candidate
from redraft.revision.draft import WRITER
from redraft.revision.rewriting.merges import lowered
from redraft.revision.task import Task

# How a sentence may go on from a word that opens nothing by itself.
_OPENINGS: Final = {
    "a": "A point to note is that",
    "it": "It is true that",
    "one": "One thing to note is that",
    "the": "The fact is that",
    "there": "There is no doubt that",
    "this": "This much is known:",
    "we": "We know that",
    "you": "You should know that",
}
_ENDS: Final = ".!?…"
_MARKS: Final = _ENDS + ",;:"
_MOST: Final = 6


def edged(task: Task, made: Sequence[Candidate], *, first: bool, last: bool, apart: bool) -> list[Candidate]:
    """What was made for the first or the last unit, opening and closing as the text must.

    `apart` allows the words to stand as a sentence of their own.
    """
    whole = [one for one in made if one.text][:_MOST]
    if first and "start" in task.edges:
        start = task.edges["start"]
        whole = list(_each(whole, task.starts, lambda text: opened(text, start, apart=apart)))
    if last and "end" in task.edges:
        end = task.edges["end"]
        whole = list(_each(whole, task.closes, lambda text: closed(text, end, apart=apart)))
    return [one for one in whole if one not in made]


def _each(
    made: Iterable[Candidate], fits: Callable[[str], bool], tool: Callable[[str], list[Candidate]]
) -> Iterable[Candidate]:
    for one in made:
        if fits(one.text):
            yield one
            continue
        for new in tool(one.text):
            by = new.by if one.by == WRITER else one.by
            yield Candidate(new.text, by, "; ".join(part for part in (one.why, new.why) if part))


def opened(sentence: str, words: str, *, apart: bool = False) -> list[Candidate]:
    """The sentence with these words before it, best first; `apart`, also as a sentence of their own."""
    words = words.strip()
    words = words[:1].upper() + words[1:]
    why = f"opens with “{words}”"
    if words[-1] in _MARKS:
        rest = sentence if words[-1] in _ENDS else lowered(sentence)
        return [Candidate(f"{words} {rest}", "edge", why)]
    made = [f"{words}, {lowered(sentence)}", f"{words}: {lowered(sentence)}"]
    if apart:
        made.append(f"{words}. {sentence}")
    if words.lower() in _OPENINGS:
        made.insert(0, f"{_OPENINGS[words.lower()]} {lowered(sentence)}")
    return [Candidate(text, "edge", why) for text in made]


def closed(sentence: str, words: str, *, apart: bool = False) -> list[Candidate]:
    """The sentence with these words after it, best first; `apart`, also as a sentence of their own."""
    words = words.strip()
    body = sentence.rstrip().rstrip(_ENDS)
    end = "" if words[-1] in _ENDS else "."
    alone = f"{sentence.rstrip()} {words[:1].upper()}{words[1:]}{end}"
    if words[0].isupper() and not end:
        made = [alone]
    else:
        made = [f"{body}, {words}{end}", f"{body}: {words}{end}"] + [alone] * apart
    return [Candidate(text, "edge", f"closes with “{words}”") for text in made]
