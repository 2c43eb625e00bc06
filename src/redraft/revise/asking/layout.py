"""The white space of a text, given back to its revision."""

from __future__ import annotations

from itertools import pairwise

from redraft.text import Document, Format, align

_LONGEST = 8
"""An answer so many times as long as its source is not compared with it."""


def laid_out(answer: str, source: str, format: Format = "text") -> str:
    """The answer with the gaps of the source wherever its sentences follow one another as they did there.

    A sentence that became two has a space between them. Where a sentence is new or has moved, the gap
    beside it is the answer's own.
    """
    text = answer.strip()
    if len(text) > _LONGEST * len(source) + 1000:
        return text
    after = Document(text, format)
    if not after.sentences:
        return text
    before = Document(source, format)
    places: dict[int, tuple[int, int]] = {}
    for link in align(before, after):
        if link.original and link.kind != "moved":
            places.update(dict.fromkeys(link.revised, (link.original[0], link.original[-1])))
    parts = [after.gaps[0], after.sentences[0].text]
    for left, right in pairwise(after.sentences):
        gap = after.gaps[left.number]
        if left.number in places and right.number in places:
            gap = _gap(before, places[left.number], places[right.number], gap)
        parts += (gap, right.text)
    return "".join(parts) + after.gaps[-1]


def _gap(before: Document, left: tuple[int, int], right: tuple[int, int], own: str) -> str:
    if left == right:
        return " "
    between = before.gaps[left[1] : right[0]]
    return max(reversed(between), key=lambda gap: gap.count("\n")) if between else own
