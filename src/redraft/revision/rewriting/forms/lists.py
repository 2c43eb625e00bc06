"""A text as a list: each sentence an item, and in steps each thing to do one of its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import capitalised
from redraft.revision.rewriting.forms.commands import commanded
from redraft.text import (
    Document,
    Format,
    ListStyle,
    action_starts,
    enumerated,
    find_headings,
    find_list,
    is_forbidding,
    mask,
)

_THEN: Final = re.compile(
    r"\A(?:(?:and|then|after that|afterwards?|next|finally|also|now),? )+(?=\w)", re.IGNORECASE
)
"""What the order of the steps says."""
_ENDED: Final = re.compile(r"[.!?…:][\"'”’)]*\Z")


class Listed(NamedTuple):
    """An item, the sentence that it came from, and its line with its mark."""

    text: str
    source: str
    line: str = ""


def steps_of(sentence: str) -> list[str]:
    """The things to do of a sentence, each as a sentence of its own; the sentence itself where it is one.

    >>> steps_of("Bring it to the boil and skim off the foam, and then turn the heat down.")
    ['Bring it to the boil.', 'Skim off the foam.', 'Turn the heat down.']
    """
    starts = action_starts(sentence)
    if len(starts) < 2:
        return [sentence]
    ends = [*(one.start for one in starts[1:]), len(sentence)]
    spans: list[tuple[int, int]] = []
    for one, end in zip(starts, ends, strict=True):
        if spans and is_forbidding(sentence[one.end : end]):
            spans[-1] = (spans[-1][0], end)  # what not to do belongs to what is done
        else:
            spans.append((one.end, end))
    parts = [sentence[start:end].strip() for start, end in spans]
    return [_whole(part, first=place == 0) for place, part in enumerate(parts)]


def _whole(part: str, *, first: bool) -> str:
    text = part if first else _THEN.sub("", part, count=1)
    text = capitalised(text.rstrip(" ,;"))
    return text if _ENDED.search(text) else f"{text}."


def as_list(document: Document, style: ListStyle, *, one_action: bool) -> tuple[str, list[Listed]]:
    """The text as a list, and its items; headings, greetings and lists that are there already stay.

    What is no thing to do stays with the step before it, or ahead of the first one.
    """
    fixed = {one.sentence.number for one in find_headings(document)}
    there = find_list(document.text)
    made: list[Listed] = []
    out: list[str] = []
    number = 0
    at = 0
    run: list[str] = []
    is_greeted = False

    def close() -> None:
        nonlocal number
        ahead, items = _items(run, one_action=one_action)
        lines: list[str] = []
        for item in items:
            number += 1
            mark = f"{number}." if style == "numbered" else "-"
            lines.append(f"{mark} {item.text}")
            made.append(item._replace(line=lines[-1]))
        block = "\n".join(lines)
        out.append(f"{ahead}\n\n{block}" if ahead and block else ahead or block)
        run.clear()

    for sentence in document.sentences:
        text = document.text[sentence.start : sentence.end]
        gap = document.text[at : sentence.start]
        stays = (
            sentence.aside
            or sentence.number in fixed
            or any(item.start <= sentence.start < item.end for item in there)
        )
        if stays:
            if run:
                close()
            if sentence.number in fixed:
                number = 0
            out.append(gap + text)
        else:
            if not run:
                out.append(gap)
                text = capitalised(text) if is_greeted and text.split()[0].islower() else text
            run.append(text)
        is_greeted = sentence.aside is not None and text.endswith(",")  # "Hi Tim, / the car needs new tyres."
        at = sentence.end
    if run:
        close()
    return "".join(out) + document.text[at:], made


def with_lists(document: Document, style: ListStyle, kept: Collection[str] = ()) -> tuple[str, list[Listed]]:
    """The text with what it enumerates as lists, and their sentences: what a colon announces.

    Where nothing is announced, every sentence that enumerates things at its end has a list. Those that are
    `kept` stay, and so do those of which an item would hold half of a code span or of a formula.
    """
    fixed = {one.sentence.number for one in find_headings(document)}
    there = find_list(document.text)
    found = {
        sentence.number: told
        for sentence in document.sentences
        if not (sentence.aside or sentence.number in fixed)
        and not any(item.start <= sentence.start < item.end for item in there)
        and (text := document.text[sentence.start : sentence.end]) not in kept
        and (told := enumerated(text)) is not None
        and _pieces([told.ahead, *told.items], document.format) == _pieces([text], document.format)
    }
    if any(told.announced for told in found.values()):
        found = {number: told for number, told in found.items() if told.announced}
    made: list[Listed] = []
    out: list[str] = []
    at = 0
    for sentence in document.sentences:
        text, gap = document.text[sentence.start : sentence.end], document.text[at : sentence.start]
        out.append("\n\n" if sentence.number - 1 in found and "\n\n" not in gap else gap)
        if told := found.get(sentence.number):
            marks = (f"{number}." if style == "numbered" else "-" for number in range(1, len(told.items) + 1))
            block = "\n".join(f"{mark} {item}" for mark, item in zip(marks, told.items, strict=True))
            text = f"{told.ahead}\n\n{block}"
            made.append(Listed(text, document.text[sentence.start : sentence.end], text))
        out.append(text)
        at = sentence.end
    return "".join(out) + document.text[at:], made


def _pieces(texts: Iterable[str], format: Format) -> list[str]:
    return [piece for text in texts for piece in mask(text, format).pieces]


def _items(sentences: Iterable[str], *, one_action: bool) -> tuple[str, list[Listed]]:
    """What stands ahead of the list, and its items."""
    sentences = list(sentences)
    if not one_action or not any(action_starts(commanded(one) or one) for one in sentences):
        return "", [Listed(text, text) for text in sentences]
    ahead: list[str] = []
    items: list[Listed] = []
    for sentence in sentences:
        told = commanded(sentence) or sentence
        if action_starts(told) and not (items and is_forbidding(told)):
            items += (Listed(step, sentence) for step in steps_of(told))
        elif items:
            last = items[-1]
            items[-1] = Listed(f"{last.text} {told}", last.source)
        else:
            ahead.append(told)
    return " ".join(ahead), items
