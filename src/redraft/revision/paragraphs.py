"""The paragraphs of a draft: as many as are asked for, and none longer or shorter than it may be."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from redraft.constraints import Interval, ParagraphLength
from redraft.revision.draft import WRITER, Draft
from redraft.revision.records import Reason
from redraft.text import Document, Format, Span, prose_paragraphs

_ENDS: Final = re.compile(r"[.!?…]['\"”’)]*\Z")
_BLANK: Final = re.compile(r"\n[ \t\r]*\n")


def fit_paragraphs(draft: Draft, allowed: Interval, format: Format) -> Draft:
    """The draft with an allowed number of paragraphs, where gaps of white space alone can give it."""
    if allowed.empty:
        return draft
    while allowed.distance(count := len(prose := prose_paragraphs(Document(draft.text, format)))):
        if count > allowed.high:
            changed = _joined(draft, prose)
        else:
            changed = _parted(draft) or _parted_within(draft, format)
        if changed is None:
            break
        draft = changed
    return draft


def part_paragraphs(draft: Draft, limit: ParagraphLength, format: Format) -> Draft:
    """The draft with a break between sentences where a paragraph has too much; none within a quotation.

    A paragraph that has too little becomes one with its neighbour.
    """
    draft = _with_enough(_parted_units(draft, limit, format), limit, format)
    for run in _runs(draft):
        amounts = [_amount(draft.units[place].text, limit, format) for place in run]
        total, high = sum(amounts), limit.allowed.high
        if total <= high or high < 1 or draft.units[run[0]].gap.strip():
            continue  # what stands behind a mark is an item of a list, and stays one
        parts = math.ceil(total / high) if limit.unit == "sentences" else 0
        most = math.ceil(total / parts) if parts else high  # parts of much the same length
        has, said = amounts[0], draft.units[run[0]].text
        for place, amount in zip(run[1:], amounts[1:], strict=True):
            unit = draft.units[place]
            if has + amount > most and "\n" not in unit.gap and _closes_quotations(said):
                total, parts = total - has, parts - 1
                most = math.ceil(total / parts) if parts > 0 else high
                draft, has, said = _with_gap(draft, place, _blank(draft)), 0, ""
            has, said = has + amount, said + unit.text
    return draft


def _parted_units(draft: Draft, limit: ParagraphLength, format: Format) -> Draft:
    """The draft with breaks within the units that have too many sentences by themselves, as a split has."""
    units = list(draft.units)
    most = int(min(limit.allowed.high, 1000))
    for place, unit in enumerate(units):
        found = Document(unit.text, format).sentences
        if limit.unit != "sentences" or most < 1 or len(found) <= most or unit.kept or unit.by == WRITER:
            continue
        text = unit.text
        for one, other in reversed(list(pairwise(found))[most - 1 :: most]):
            text = text[: one.end] + _blank(draft) + text[other.start :]
        units[place] = replace(unit, text=text)
    return replace(draft, units=tuple(units)) if tuple(units) != draft.units else draft


def _with_enough(draft: Draft, limit: ParagraphLength, format: Format) -> Draft:
    """The draft without paragraphs that have too little, where a neighbour of running text can take them."""
    done = limit.allowed.low <= 1
    while not done:
        runs = _runs(draft)
        texts = ["".join(draft.units[place].text + " " for place in run).strip() for run in runs]
        short = [0 < _amount(text, limit, format) < limit.allowed.low for text in texts]
        joints = [
            runs[at + 1][0]
            for at in range(len(runs) - 1)
            if (short[at] or short[at + 1])
            and _ENDS.search(texts[at])
            and _ENDS.search(texts[at + 1])
            and not draft.units[runs[at + 1][0]].gap.strip()
        ]
        done = not joints
        if joints:
            draft = _with_gap(draft, joints[0], " ")
    return draft


def _amount(text: str, limit: ParagraphLength, format: Format) -> int:
    return sum(limit.amounts(Document(text, format)))


def _closes_quotations(text: str) -> bool:
    return text.count("“") == text.count("”") and text.count('"') % 2 == 0


def _runs(draft: Draft) -> list[list[int]]:
    """The units of each paragraph that differ from others by white space alone."""
    runs: list[list[int]] = []
    for place, unit in enumerate(draft.units):
        if runs and not unit.gap.strip() and not _BLANK.search(unit.gap):
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _joined(draft: Draft, prose: Sequence[Span]) -> Draft | None:
    """The two neighbours that are shortest together, as one; a greeting and a heading stay by themselves."""
    pairs = [
        (len(one) + len(other), other[0])
        for one, other in pairwise(_runs(draft))
        if not draft.units[other[0]].gap.strip()
        and _begins_in(draft, one, prose)
        and _begins_in(draft, other, prose)
    ]
    return _with_gap(draft, min(pairs)[1], " ") if pairs else None


def _begins_in(draft: Draft, run: Sequence[int], spans: Sequence[Span]) -> bool:
    starts = [start for place in run if (start := draft.starts[place]) is not None]
    return bool(starts) and any(span.start <= starts[0] < span.end for span in spans)


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
                new = replace(unit, text=text, by=by, why=unit.why or (Reason("paragraphs"),))
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
