"""As many paragraphs as are asked for: gaps widened or closed where it hurts least."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

from redraft.constraints import Interval
from redraft.revision.draft import WRITER, Draft
from redraft.text import Document, Format

_BLANK: Final = re.compile(r"\n[ \t\r]*\n")


def paragraphed(draft: Draft, allowed: Interval, format: Format) -> Draft:
    """The draft with an allowed number of paragraphs, where gaps of white space alone can give it."""
    if allowed.empty:
        return draft
    while allowed.distance(count := len(Document(draft.text, format).paragraphs)):
        changed = _joined(draft) if count > allowed.high else _parted(draft) or _parted_within(draft, format)
        if changed is None:
            break
        draft = changed
    return draft


def _runs(draft: Draft) -> list[list[int]]:
    """The units of each paragraph that differ from others by white space alone."""
    runs: list[list[int]] = []
    for place, unit in enumerate(draft.units):
        if runs and not unit.gap.strip() and not _BLANK.search(unit.gap):
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _joined(draft: Draft) -> Draft | None:
    """The two neighbours that are shortest together, as one."""
    runs = _runs(draft)
    pairs = [
        (len(one) + len(other), other[0])
        for one, other in pairwise(runs)
        if not draft.units[other[0]].gap.strip()
    ]
    return _with_gap(draft, min(pairs)[1], " ") if pairs else None


def _parted(draft: Draft) -> Draft | None:
    """The longest, in its middle."""
    runs = [run for run in _runs(draft) if len(run) > 1]
    if not runs:
        return None
    longest = max(runs, key=len)
    return _with_gap(draft, longest[len(longest) // 2], _blank(draft))


def _parted_within(draft: Draft, format: Format) -> Draft | None:
    """A unit of several sentences, such as one that was split, in its middle."""
    for place, unit in enumerate(draft.units):
        found = Document(unit.text, format).sentences
        for one, other in pairwise(found[(len(found) - 1) // 2 :]):
            if not unit.kept and not _BLANK.search(unit.text[one.end : other.start]):
                text = unit.text[: one.end] + _blank(draft) + unit.text[other.start :]
                by = "split" if unit.by == WRITER else unit.by
                new = replace(unit, text=text, by=by, why=unit.why or "parted into paragraphs")
                units = (*draft.units[:place], new, *draft.units[place + 1 :])
                return replace(draft, units=units)
    return None


def _blank(draft: Draft) -> str:
    """An empty line, with the line ends of the text."""
    return "\r\n\r\n" if "\r\n" in draft.text else "\n\n"


def _with_gap(draft: Draft, place: int, gap: str) -> Draft:
    units = list(draft.units)
    units[place] = replace(units[place], gap=gap)
    return replace(draft, units=tuple(units))
