"""What is left of an instruction when the constraints are taken out: its style part, tidied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.constraints.instruction.chunks import Found, Line

_WORDS = """
    additionally all allowed allows also altogether anything anywhere at both but carefully constraint
    constraints contents convert entire final finally firstly fourthly furthermore got hard i'd
    important importantly lastly length like limit long mandatory maximum meanwhile moreover next
    note ok okay otherwise overall pls point requirement requirements revised rule rules secondly
    so split strictly thank thanks that thirdly too total try turn way whole with you yourself
"""
_SOFT = set("vmdzeOULhi2kjwCHKyWuGsgc%#!,:&|bTJ5tR") - {"R"}
"""Tags that carry no wish of their own: a clause that is nothing else goes with its constraint."""
_SOFT_WORDS = frozenset(_WORDS.split())
_SUBJECT = re.compile(r"[,&|bm]*[de]*[xj]{1,2}[vmOUy]+[dei2]*")
_BREAKS = ",:&|b"
_LOOSE_AHEAD = re.compile(r"^[,:&|b]+")
_LOOSE_BEHIND = ",:&|bh2ieLmd"


def remainder(text: str, lines: Sequence[Line], found: Sequence[Sequence[Found]]) -> str:
    """The words that no constraint took, line by line."""
    taken = {
        chunk.start
        for line, items in zip(lines, found, strict=True)
        for item in items
        if not item.partial
        for chunk in line.chunks[item.start : item.end]
        if chunk.start >= line.own or _bare_heading(line)
    }
    parts: list[str] = []
    for index, line in enumerate(lines):
        left = _left(text, line, taken)
        if not left:
            continue
        parts.append(left)
        following = lines[index + 1].own if index + 1 < len(lines) else len(text)
        stop = re.match(r"\s*([.;!?…:]+)", text[line.chunks[-1].end : max(following, line.chunks[-1].end)])
        if left.rstrip("\"'”’»").endswith(tuple(".;!?…:")):
            continue
        if stop:
            parts[-1] += stop.group(1)
        elif index + 1 < len(lines) and not left.endswith(","):
            parts[-1] += "."
    whole = " ".join(" ".join(parts).split())
    return whole if whole.endswith("...") else whole.rstrip(" .;:,")


def _bare_heading(line: Line) -> bool:
    """Whether the heading of a list item says nothing but its verb ("Avoid:")."""
    return all(chunk.tag != "x" for chunk in line.chunks if chunk.start < line.own)


def _left(text: str, line: Line, taken: set[int]) -> str:
    own = [index for index, chunk in enumerate(line.chunks) if chunk.start >= line.own]
    covered = [chunk.start in taken or chunk.start < line.own for chunk in line.chunks]
    if not any(covered[index] for index in own):
        return text[line.chunks[own[0]].start : line.chunks[-1].end].strip()
    kept: list[tuple[int, int]] = []
    for start, end in _clauses(line, covered):
        inside = [index for index in range(start, end) if not covered[index]]
        if all(_soft(line, index) for index in inside):
            continue
        if len(inside) < end - start and _SUBJECT.fullmatch("".join(line.tags[index] for index in inside)):
            continue  # "The description must": only what the constraint is about
        kept += [(index, index + 1) for index in inside]
    return " ".join(filter(None, (_tidy(text, line, start, end) for start, end in _runs(kept)))).strip()


def _soft(line: Line, index: int) -> bool:
    chunk = line.chunks[index]
    return chunk.tag in _SOFT or chunk.text in _SOFT_WORDS


def _clauses(line: Line, covered: list[bool]) -> list[tuple[int, int]]:
    starts = [0]
    for index, chunk in enumerate(line.chunks):
        if chunk.tag in _BREAKS and not covered[index] and index > starts[-1]:
            starts.append(index)
    return list(zip(starts, [*starts[1:], len(line.chunks)], strict=True))


def _runs(pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for start, end in pieces:
        if runs and runs[-1][1] == start:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def _tidy(text: str, line: Line, start: int, end: int) -> str:
    """The words of a run without the commas and conjunctions that hang at its ends."""
    tags = line.tags[start:end]
    if start > 0 and (loose := _LOOSE_AHEAD.match(tags)):
        start += loose.end()
    if end < len(line.chunks):
        end = start + len(line.tags[start:end].removesuffix("v").rstrip(_LOOSE_BEHIND))
    if all(line.tags[index] in _BREAKS for index in range(start, end)):
        return ""
    return text[line.chunks[start].start : line.chunks[end - 1].end]
