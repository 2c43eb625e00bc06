"""Mark-up that comes in pairs: `\\textbf{` and `}`, `[` and `](target)`, `<b>` and `</b>`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

Pair = tuple[int, int]
"""The numbers of the placeholders that open and close."""

_BEGIN: Final = re.compile(r"\\(begin|end)\s?\{([^{}]*)\}")
_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")


def paired(marks: Iterable[tuple[int, str]]) -> tuple[Pair, ...]:
    """The pairs among pieces of mark-up, each with its number; those that cross another are left out."""
    opened: dict[str, list[int]] = {}
    pairs: set[Pair] = set()
    for number, mark in marks:
        kind, opens = _read(mark)
        if not kind:
            continue
        if opens:
            opened.setdefault(kind, []).append(number)
        elif opened.get(kind):
            first = opened[kind].pop()
            if first < number:
                pairs.add((first, number))
    last = max((number for _, number in pairs), default=0)
    return tuple(sorted(pairs - crossed(pairs, range(1, last + 1))))


def crossed(pairs: Iterable[Pair], order: Iterable[int]) -> set[Pair]:
    """The pairs that are not nested, in a text with the placeholders in that order."""
    opening: dict[int, list[Pair]] = {}
    closing: dict[int, list[Pair]] = {}
    for pair in sorted(pairs, reverse=True):
        opening.setdefault(pair[0], []).append(pair)  # the widest first
        closing.setdefault(pair[1], []).append(pair)  # the narrowest first
    faults: set[Pair] = set()
    stack: list[Pair] = []
    for number in order:
        for pair in closing.get(number, ()):
            while stack and stack[-1] in faults:
                stack.pop()
            if stack and stack[-1] == pair:
                stack.pop()
            else:
                faults.add(pair)
        stack += (pair for pair in opening.get(number, ()) if pair not in faults)
    return faults


def _read(mark: str) -> tuple[str, bool]:
    """What a piece belongs to, and whether it opens it; nothing where it stands alone."""
    environment = _BEGIN.match(mark)
    if environment:
        return f"\\{environment[2]}", environment[1] == "begin"
    tag = _TAG.match(mark)
    if tag and mark.endswith(">"):
        return f"<{tag[2].lower()}", not tag[1]
    if mark == "[" or mark.startswith(("](", "][")):
        return "[", mark == "["
    if mark == "}" or (mark.endswith("{") and not mark.endswith("\\{")):
        return "{", mark != "}"
    return "", False
