"""Long texts in sections, each small enough for one request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from redraft.errors import ContextOverflow
from redraft.text import Document

ROOM = 6000
"""Characters of text that one request works on."""

_ENOUGH = 2 / 3
"""A section that is so full ends with its paragraph."""

T = TypeVar("T")


def sections(document: Document, room: int = ROOM) -> list[range]:
    """The numbers of all sentences in runs of at most `room` characters, or of one longer sentence."""
    found: list[range] = []
    first, size = 1, 0
    paragraph = None
    for sentence in document.sentences:
        full = size + len(sentence.text) > room
        paragraph_ended = sentence.paragraph != paragraph and size > room * _ENOUGH
        if sentence.number > first and (full or paragraph_ended):
            found.append(range(first, sentence.number))
            first, size = sentence.number, 0
        size += len(sentence.text)
        paragraph = sentence.paragraph
    if document.sentences:
        found.append(range(first, len(document.sentences) + 1))
    return found


async def each_section(
    document: Document, room: int, work: Callable[[range], Awaitable[T]]
) -> list[tuple[range, T | None]]:
    """What `work` gives for each section, in order; they are worked on at once.

    A section that does not fit the model is halved until it does; None stands for a sentence that does not
    fit by itself. Where none fits, ContextOverflow.
    """
    parts = await asyncio.gather(*(_fitted(numbers, work) for numbers in sections(document, room)))
    found = [one for fitted in parts for one in fitted]
    overflows = [result for _, result in found if isinstance(result, ContextOverflow)]
    if overflows and len(overflows) == len(found):
        raise overflows[0]
    return [(numbers, None if isinstance(result, ContextOverflow) else result) for numbers, result in found]


async def _fitted(
    numbers: range, work: Callable[[range], Awaitable[T]]
) -> list[tuple[range, T | ContextOverflow]]:
    try:
        return [(numbers, await work(numbers))]
    except ContextOverflow as error:
        if len(numbers) == 1:
            return [(numbers, error)]
    half = len(numbers) // 2
    first, second = await asyncio.gather(_fitted(numbers[:half], work), _fitted(numbers[half:], work))
    return [*first, *second]


def stretch(document: Document, numbers: range) -> str:
    """The text of a section, with the marks of its lines and without the white space around it."""
    return document.text[_cut(document, numbers[0] - 1) : _cut(document, numbers[-1])].strip()


def joined(document: Document, parts: Sequence[tuple[range, str | None]]) -> str:
    """New texts of all sections with the white space around them; one that came to nothing is as it was."""
    texts: list[str] = []
    for numbers, text in parts:
        old = document.text[_cut(document, numbers[0] - 1) : _cut(document, numbers[-1])]
        inner = old.strip()
        before, _, after = old.partition(inner)
        texts += (before, text or inner, after)
    return "".join(texts) if parts else document.text


def _cut(document: Document, number: int) -> int:
    """Where what belongs to a sentence ends: marks before the next, such as `- `, belong to that."""
    if number in (0, len(document.sentences)):
        return len(document.text) if number else 0
    gap = document.gaps[number]
    return document.sentence(number).end + (gap.rfind("\n") + 1 or len(gap))
