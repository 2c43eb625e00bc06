"""What is left of an instruction when the constraints are taken out: its style part, tidied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .chunks import Found, Line

_SOFT = set("vmdzeOULhi2kjwCHKyWuGsgc%#!,:&|bTJ5tR") - {"R"}
"""Tags that carry no wish of their own: a clause that is nothing else goes with its constraint."""
_SOFT_WORDS = frozenset(
    "additionally overall also finally furthermore moreover that so but total length altogether try revised final "
    "way point all ok okay thanks thank you constraint constraints requirement requirements rule rules note "
    "important importantly lastly secondly firstly next meanwhile otherwise long hard limit too maximum strictly "
    "at both with it's importantly mandatory ) ( . entire whole contents anywhere anything carefully".split()
)
_BREAKS = ",:&|b"
_LOOSE_AHEAD = re.compile(r"^[,:&|b]+")
_LOOSE_BEHIND = re.compile(r"(?:[,:&|bh2ieL]|[md]|v(?=$))+$")


def remainder(text: str, lines: Sequence[Line], found: Sequence[Sequence[Found]]) -> str:
    """The words that no constraint took, line by line."""
    parts: list[str] = []
    for index, (line, taken) in enumerate(zip(lines, found, strict=True)):
        left = _left(text, line, taken)
        if not left:
            continue
        parts.append(left)
        following = lines[index + 1].chunks[0].start if index + 1 < len(lines) else len(text)
        stop = re.match(r"\s*([.;!?…:]+)", text[line.chunks[-1].end : following])
        if stop and not left.endswith(tuple(".;!?…:")):
            parts[-1] += stop.group(1)
        elif not left.endswith(tuple(".;!?…:,")) and index + 1 < len(lines):
            parts[-1] += "."
    whole = " ".join(" ".join(parts).split())
    return whole.rstrip(" .;:,") if not whole.endswith("...") else whole


def _left(text: str, line: Line, taken: Sequence[Found]) -> str:
    covered = [False] * len(line.chunks)
    for found in taken:
        if found.partial:
            continue
        covered[found.start : found.end] = [True] * (found.end - found.start)
    if not any(covered):
        return text[line.chunks[0].start : line.chunks[-1].end].strip()
    kept: list[tuple[int, int]] = []
    for start, end in _clauses(line, covered):
        inside = [index for index in range(start, end) if not covered[index]]
        if len(inside) < end - start and all(_soft(line, index) for index in inside):
            continue
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
    if end < len(line.chunks) and (loose := _LOOSE_BEHIND.search(line.tags[start:end])):
        end = start + loose.start()
    if all(line.tags[index] in _BREAKS for index in range(start, end)):
        return ""
    return text[line.chunks[start].start : line.chunks[end - 1].end]


