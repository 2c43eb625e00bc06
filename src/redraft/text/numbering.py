"""The numbers of ordered lists in Markdown: where items were left out, the others are counted on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_ITEM: Final = re.compile(r"(?P<ahead>[ \t>]*)(?P<number>\d{1,9})(?P<mark>[.)])[ \t]+(?:\[[ xX]\][ \t]*)?")
_INDENT: Final = re.compile(r"[ \t>]*")
_BULLET: Final = re.compile(r"[ \t>]*(?:[-*+]|#{1,6})[ \t]")
_BLANK: Final = re.compile(r"\n[ \t>]*\n")
_REFERS: Final = re.compile(
    r"\b(?:steps?|items?|points?|numbers?|no\.|nos\.|rules?|clauses?|sections?|tasks?|questions?|parts?)\s+\(?\d",
    re.IGNORECASE,
)
"""The text names an item by its number, which should stay what it is then."""
_YEAR: Final = 100
"""A list that begins with such a number or a larger one counts no items: they are years, or have names."""


class _Item(NamedTuple):
    """A gap that ends with the number of an item: its place, the number, and where that stands in it."""

    place: int
    number: int
    start: int
    end: int


def renumbered(before: Sequence[str], after: Sequence[str], text: str = "") -> list[str]:
    """The gaps of a text from which sentences were left out, with the items of its lists counted on.

    A list that was not counted one by one stays as it is, and one of years; so do all where the text names
    one of them by its number.

    >>> renumbered(["1. ", "\\n2. ", "\\n3. ", ""], ["2. ", "\\n3. ", ""])
    ['1. ', '\\n2. ', '']
    """
    gaps = list(after)
    old, new = _lists(before), _lists(after)
    if not new or not all(map(_is_counted, old)) or _REFERS.search(text):
        return gaps
    starts = [items[0].number for items in old]
    if len(set(starts)) > 1 and len(old) != len(new):
        return gaps
    for order, items in enumerate(new):
        first = starts[order] if len(old) == len(new) else starts[0]
        for number, item in enumerate(items if first < _YEAR else (), first):
            gap = gaps[item.place]
            gaps[item.place] = f"{gap[: item.start]}{number}{gap[item.end :]}"
    return gaps


def _is_counted(items: Sequence[_Item]) -> bool:
    return all(item.number == number for number, item in enumerate(items, items[0].number))


def _lists(gaps: Sequence[str]) -> list[list[_Item]]:
    """The ordered lists that the gaps ahead of sentences show, nested ones by themselves."""
    found: list[list[_Item]] = []
    current: dict[int, tuple[str, list[_Item]]] = {}
    for place, gap in enumerate(gaps[:-1]):
        line = gap.rfind("\n") + 1
        if not line and place:
            continue  # the sentence goes on in its line
        match = _ITEM.fullmatch(gap, line)
        indent = len(_INDENT.match(gap, line)[0])  # type: ignore[index]
        is_apart = match is not None or _BULLET.match(gap, line) is not None or _BLANK.search(gap) is not None
        known = current.get(indent)
        if is_apart:
            current = {one: items for one, items in current.items() if one < indent}
        if match is None:
            continue
        item = _Item(place, int(match["number"]), match.start("number"), match.end("number"))
        if known is not None and known[0] == match["mark"]:
            known[1].append(item)
            current[indent] = known
        else:
            current[indent] = (match["mark"], [item])
            found.append(current[indent][1])
    return found
