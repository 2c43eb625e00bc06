"""Placeholders for what a rewrite must not touch.

A placeholder looks like `[[M7]]`: short, plain ASCII, and copied faithfully by small models too. Its letters
are chosen anew for each text, so that nothing the writer wrote can be taken for one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from redraft.errors import MaskError
from redraft.text.formats import Format, check_format, find_markup
from redraft.text.markup import Piece

Pair = tuple[int, int]
"""The numbers of the placeholders that open and close."""

_ENVIRONMENT: Final = re.compile(r"\\(begin|end)\s?\{([^{}]*)\}")
_HTML_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
_LETTERS: Final = "MKQZVXJW"
_TAKEN: Final = re.compile(r"\[\s*\[\s*([A-Za-z]+)")


@dataclass(frozen=True, slots=True)
class Masked:
    """A text with placeholders, and what each of them stands for (the first is number 1).

    `pairs` are the numbers of those that open and close something together.
    """

    text: str
    pieces: tuple[str, ...]
    tag: str
    pairs: tuple[Pair, ...] = ()

    def placeholder(self, number: int) -> str:
        """How the piece with that number is written in the masked text."""
        return f"[[{self.tag}{number}]]"

    def restore(self, rewritten: str) -> str:
        """The rewritten text with every piece back in its place.

        Changed case and spaces inside a placeholder do no harm. One that is lost, doubled or unknown, and a
        pair whose halves have changed places or cross another pair, is a MaskError that names it.
        """
        if not self.pieces:
            return rewritten
        if any("\n" in piece for piece in self.pieces):
            rewritten = self._set_apart(rewritten)
        found: Counter[int] = Counter()
        unknown: list[str] = []

        def original(match: re.Match[str]) -> str:
            number = int(match[1])
            if not 1 <= number <= len(self.pieces):
                unknown.append(match[0])
                return match[0]
            found[number] += 1
            return self.pieces[number - 1]

        restored = _pattern(self.tag).sub(original, rewritten)
        lost = tuple(self.placeholder(n) for n in range(1, len(self.pieces) + 1) if not found[n])
        doubled = tuple(self.placeholder(n) for n, times in sorted(found.items()) if times > 1)
        pairs = () if lost or doubled or unknown else self._not_nested(found)
        if lost or doubled or unknown or pairs:
            faults = (("lost", lost), ("doubled", doubled), ("unknown", tuple(unknown)), ("crossed", pairs))
            damage = "; ".join(f"{fault}: {_listed(names)}" for fault, names in faults if names)
            raise MaskError(
                f"the rewrite damaged placeholders ({damage}); each must stand in it exactly once, "
                "and what opens before what closes",
                lost=lost,
                doubled=doubled,
            )
        return restored

    def tried(self, rewritten: str) -> str | None:
        """The same, or None where placeholders are damaged and the rewrite is one to do without."""
        try:
            return self.restore(rewritten)
        except MaskError:
            return None

    def _set_apart(self, rewritten: str) -> str:
        """The rewritten text with pieces of several lines, such as equations, on lines of their own again."""
        held = re.compile(rf"\[\[{self.tag}(\d{{1,9}})\]\]")
        own, new = held.split(self.text), held.split(rewritten)  # a gap, a number, a gap, …
        places = {number: place for place, number in enumerate(own) if place % 2}
        for place in range(1, len(new), 2):
            at = places.get(new[place], 0)
            if not at or "\n" not in self.pieces[int(new[place]) - 1]:
                continue
            _, before = _apart_from_end(own[at - 1])
            after, _ = _apart_from_start(own[at + 1])
            ahead, space = _apart_from_end(new[place - 1])
            if ahead and space and "\n" in before and "\n" not in space:
                new[place - 1] = ahead + before
            space, behind = _apart_from_start(new[place + 1])
            if behind and space and "\n" in after and "\n" not in space:
                new[place + 1] = after + behind
        return "".join(f"[[{self.tag}{one}]]" if place % 2 else one for place, one in enumerate(new))

    def _not_nested(self, order: Iterable[int]) -> tuple[str, ...]:
        """The placeholders of the pairs that are not nested."""
        numbers = {number for pair in _crossed(self.pairs, order) for number in pair}
        return tuple(self.placeholder(number) for number in sorted(numbers))


def mask(text: str, format: Format) -> Masked:
    """The text with placeholders for what must not be touched; pieces side by side share one."""
    check_format(format)
    found = [piece for piece in find_markup(text, format) if piece.masked]
    spans = _joined(found)
    if not spans:
        return Masked(text, (), _LETTERS[0])
    pieces = tuple(text[start:end] for start, end in spans)
    pairs = _pairs(text, found)
    taken = {match[1].upper() for match in _TAKEN.finditer(text)}
    for tag in _tags():
        if tag in taken:
            continue
        masked = Masked(_with_placeholders(text, spans, tag), pieces, tag, pairs)
        # What is left between two pieces may join with a placeholder's own brackets: look before trusting it.
        numbers = [int(match[1]) for match in _pattern(tag).finditer(masked.text)]
        if numbers == list(range(1, len(pieces) + 1)) and masked.restore(masked.text) == text:
            return masked
    raise AssertionError("tags never run out")


def _apart_from_end(gap: str) -> tuple[str, str]:
    """A text, and the white space at its end."""
    bare = gap.rstrip()
    return bare, gap[len(bare) :]


def _apart_from_start(gap: str) -> tuple[str, str]:
    """The white space at the start of a text, and the rest."""
    bare = gap.lstrip()
    return gap[: len(gap) - len(bare)], bare


def _pattern(tag: str) -> re.Pattern[str]:
    letters = r"\s*".join(tag)
    return re.compile(rf"\[\s*\[\s*{letters}\s*([0-9]{{1,9}})\s*\]\s*\]", re.IGNORECASE)


def _tags() -> Iterator[str]:
    length = 1
    while True:
        yield from ("".join(letters) for letters in product(_LETTERS, repeat=length))
        length += 1


def _joined(pieces: list[Piece]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for piece in pieces:
        if spans and spans[-1][1] == piece.start:
            spans[-1] = (spans[-1][0], piece.end)
        else:
            spans.append((piece.start, piece.end))
    return spans


def _pairs(text: str, pieces: list[Piece]) -> tuple[Pair, ...]:
    """The pairs among the placeholders; a piece that reads as a word or as space has no other half."""
    marks: list[tuple[int, str]] = []
    number = end = 0
    for piece in pieces:
        number += not number or piece.start > end
        end = piece.end
        if piece.role in ("silent", "block", "break"):
            marks.append((number, text[piece.start : piece.end]))
    return _matched(marks)


def _matched(marks: Iterable[tuple[int, str]]) -> tuple[Pair, ...]:
    """The pairs among pieces of mark-up, each with its number; those that cross another are left out."""
    opened: dict[str, list[int]] = {}
    pairs: set[Pair] = set()
    for number, mark in marks:
        kind, opens = _opened_kind(mark)
        if not kind:
            continue
        if opens:
            opened.setdefault(kind, []).append(number)
        elif opened.get(kind):
            first = opened[kind].pop()
            if first < number:
                pairs.add((first, number))
    last = max((number for _, number in pairs), default=0)
    return tuple(sorted(pairs - _crossed(pairs, range(1, last + 1))))


def _crossed(pairs: Iterable[Pair], order: Iterable[int]) -> set[Pair]:
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


def _opened_kind(mark: str) -> tuple[str, bool]:
    """What a piece belongs to, and whether it opens it; nothing where it stands alone."""
    environment = _ENVIRONMENT.match(mark)
    if environment:
        return f"\\{environment[2]}", environment[1] == "begin"
    tag = _HTML_TAG.match(mark)
    if tag and mark.endswith(">"):
        return f"<{tag[2].lower()}", not tag[1]
    if mark == "[" or mark.startswith(("](", "][")):
        return "[", mark == "["
    if mark == "}" or (mark.endswith("{") and not mark.endswith("\\{")):
        return "{", mark != "}"
    return "", False


def _with_placeholders(text: str, spans: list[tuple[int, int]], tag: str) -> str:
    parts: list[str] = []
    position = 0
    for number, (start, end) in enumerate(spans, 1):
        parts += (text[position:start], f"[[{tag}{number}]]")
        position = end
    parts.append(text[position:])
    return "".join(parts)


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:8])
    return shown if len(names) <= 8 else f"{shown} and {len(names) - 8} more"
