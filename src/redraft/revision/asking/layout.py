"""The white space of a text, given back to its revision."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise

from redraft.text import Document, Format, align

_LONGEST = 8
"""An answer so many times as long as its source is not compared with it."""

_MOST_WORDS = 2000
"""In a longer sentence, line breaks are not looked for."""


def laid_out(answer: str, source: str, format: Format = "text") -> str:
    """The answer with the gaps of the source wherever its sentences follow one another as they did there.

    A sentence that became two has a space between them. Where a sentence is new or has moved, the gap
    beside it is the answer's own.
    """
    text = answer.strip()
    if len(text) > _LONGEST * len(source) + 1000:
        return text
    before, after = Document(source, format), Document(text, format)
    if not after.sentences:
        return text
    places: dict[int, tuple[int, int]] = {}
    texts = [sentence.text for sentence in after.sentences]
    for link in align(before, after):
        if link.original and link.kind != "moved":
            places.update(dict.fromkeys(link.revised, (link.original[0], link.original[-1])))
        if len(link.original) == len(link.revised) == 1:
            number = link.revised[0]
            texts[number - 1] = wrapped(texts[number - 1], before.sentence(link.original[0]).text)
    parts = [after.gaps[0], texts[0]]
    for left, right in pairwise(range(1, len(texts) + 1)):
        gap = after.gaps[left]
        if left in places and right in places:
            gap = _gap(before, places[left], places[right], gap)
        parts += (gap, texts[right - 1])
    return "".join(parts) + after.gaps[-1]


def wrapped(new: str, source: str) -> str:
    """A revised sentence with the line breaks of its source, before the words that they stood before."""
    words = new.split()
    if "\n" not in source or "\n" in new or not 0 < len(words) <= _MOST_WORDS:
        return new
    old = re.findall(r"(\s*)(\S+)", source)[:_MOST_WORDS]
    spaces = ["", *[" "] * (len(words) - 1)]
    read = 0
    matcher = SequenceMatcher(None, [word for _, word in old], words, autojunk=False)
    for block in matcher.get_matching_blocks():
        for i, j in zip(
            range(block.a, block.a + block.size), range(block.b, block.b + block.size), strict=True
        ):
            breaks = [space for space, _ in old[read : i + 1] if "\n" in space]
            if breaks and j:
                spaces[j] = breaks[-1]
            read = i + 1
    return "".join(space + word for space, word in zip(spaces, words, strict=True))


def _gap(before: Document, left: tuple[int, int], right: tuple[int, int], own: str) -> str:
    if left == right:
        return " "
    between = before.gaps[left[1] : right[0]]
    return max(reversed(between), key=lambda gap: gap.count("\n")) if between else own
