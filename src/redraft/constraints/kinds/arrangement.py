"""The sentences of a text as pieces that can be taken out, swapped and put elsewhere, and found again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from redraft.constraints.counting import plain
from redraft.constraints.kinds.sentences import suffix
from redraft.text import (
    Document,
    Sentence,
    close_gap,
    find_headings,
    find_items,
    plural as plural_of,
    prose_paragraphs,
    similarity,
    spellings,
)

Unit = Literal["paragraph", "sentence"]

ALIKE: Final = 0.5
"""The share of words in common from which on a sentence is another one, reworded."""


_UNDERLINE: Final = re.compile(r"[ \t]*\r?\n[ \t]*(?:=+|-+)[ \t]*(?:\r?\n|\Z)")


class Piece(NamedTuple):
    """A sentence of the original, and what stands ahead of it."""

    gap: str
    text: str
    place: int
    """Its place among the sentences of the original, from 0."""


class Arranged(NamedTuple):
    """A text after an edit, and where the sentences of the original have gone."""

    text: str
    order: tuple[int, ...]
    """The places of the original's sentences, in the order in which they stand now."""


def parts_of(document: Document, unit: Unit) -> list[list[int]]:
    """The places of the sentences of each part that people count."""
    sentences = document.sentences
    if unit == "sentence":
        return [[one.number - 1] for one in sentences if not one.aside]
    spans = prose_paragraphs(document)
    found = [
        [one.number - 1 for one in sentences if span.start <= one.start < span.end and not one.aside]
        for span in spans
    ]
    return [part for part in found if part]


def index_of(number: int, count: int) -> int:
    """The place of what has a number, from the end where that is below zero."""
    return number - 1 if number > 0 else count + number


def name_of(number: int, unit: Unit) -> str:
    """What to call a part: "paragraph 3", "the last paragraph", "the 2nd-to-last paragraph"."""
    if number > 0:
        return f"{unit} {number}"
    return f"the last {unit}" if number == -1 else f"the {-number}{suffix(-number)}-to-last {unit}"


def speaks_of(sentence: Sentence, words: str) -> bool:
    """Whether a sentence has these words, the last of them in the singular or the plural."""
    said, sought = ([word.lower() for word in spellings(text)] for text in (sentence.text, words))
    size, last = len(sought), sought[-1]
    forms = {last, plural_of(last), last.removesuffix("s")}
    return any(
        said[at : at + size - 1] == sought[:-1] and said[at + size - 1] in forms
        for at in range(len(said) - size + 1)
    )


def stands_free(document: Document, part: Sequence[int]) -> bool:
    """Whether a part can be taken elsewhere: nothing but white space is ahead of it, and it is in no list."""
    first = document.sentences[part[0]]
    in_list = any(span.start <= first.start < span.end for span in find_items(document))
    return not (in_list or document.gaps[part[0]].strip())


def bound_headings(document: Document) -> set[int]:
    """The places of the headings that cannot go and leave no mark-up: a LaTeX command, or a line under it."""
    places = [one.sentence.number - 1 for one in find_headings(document)]
    is_latex = document.format == "latex"
    return {place for place in places if is_latex or _UNDERLINE.match(document.gaps[place + 1])}


def emptied_headings(document: Document, gone: Sequence[Sequence[int]]) -> list[list[int]]:
    """The places of the headings under which nothing stands that stays, as parts; none that are gone."""
    own = {place for part in gone for place in part}
    headings = find_headings(document)
    known = {one.sentence.number for one in headings}
    found = []
    for at, heading in enumerate(headings):
        end = next((one.sentence.number for one in headings[at + 1 :] if one.level <= heading.level), None)
        under = [
            one.number - 1
            for one in document.sentences[heading.sentence.number : end and end - 1]
            if not one.aside and one.number not in known
        ]
        place = heading.sentence.number - 1
        if under and own.issuperset(under) and place not in own:
            found.append([place])
    return found


def swapped(pieces: Sequence[Piece], first: Sequence[int], second: Sequence[int]) -> list[Piece]:
    """The pieces with two runs in each other's place, each behind the gap of the other."""
    one, other = ([pieces[place] for place in part] for part in (first, second))
    one[0], other[0] = one[0]._replace(gap=other[0].gap), other[0]._replace(gap=one[0].gap)
    between = pieces[first[-1] + 1 : second[0]]
    return [*pieces[: first[0]], *other, *between, *one, *pieces[second[-1] + 1 :]]


def without(pieces: Sequence[Piece], tail: str, part: Sequence[int]) -> tuple[list[Piece], str]:
    """The pieces without some, and the gap behind them closed; and what stands at the end."""
    left = list(pieces)
    for place in part:
        at = next(number for number, piece in enumerate(left) if piece.place == place)
        gap, last = left.pop(at).gap, at == len(left)
        after = tail if last else left[at].gap
        closed = close_gap(gap, after, first=at == 0, last=last)
        if last:
            tail = closed
        else:
            left[at] = left[at]._replace(gap=closed)
    return left, tail


def shape_of(document: Document) -> list[tuple[str, bool]]:
    """The sentences of a text in their order, and whether each opens a paragraph."""
    found = []
    before = None
    for one in document.sentences:
        found.append((plain(one.text), one.paragraph != before))
        before = one.paragraph
    return found


def matched(original: Document, revised: Document) -> dict[int, Sentence]:
    """By the place of each sentence of the original the one that it has become, where there is one."""
    left = list(revised.sentences)
    found: dict[int, Sentence] = {}
    for least in (1.0, ALIKE):
        for place, one in enumerate(original.sentences):
            if place in found or not left:
                continue
            if least == 1.0:
                near = next((each for each in left if plain(each.text) == plain(one.text)), None)
            else:
                near = max(left, key=lambda each: similarity(one.text, each.text))
                near = near if similarity(one.text, near.text) >= least else None
            if near is not None:
                found[place] = near
                left.remove(near)
    return found
