"""A draft: the text in units that are replaced as a whole, and its paragraphs.

A unit is the stretch between two places where a sentence ends by every way of counting, mostly one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Final

from redraft.constraints import Interval
from redraft.revision.records import Candidate, Change, Reason, explained
from redraft.revision.task import Task
from redraft.text import Document, Format, Sentence, close_gap

WRITER = "writer"
"""Who made a candidate that is the writer's own text."""
_BLANK: Final = re.compile(r"\n[ \t\r]*\n")


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of text that is replaced as a whole, mostly one sentence.

    `gap` stands before it, `source` is the passage of the original that it came from, `kept` and `altered`
    are the sentences of the original in it that must stay, and must not.
    """

    text: str
    gap: str
    source: str
    kept: tuple[Sentence, ...] = ()
    altered: tuple[Sentence, ...] = ()
    by: str = WRITER
    why: tuple[Reason, ...] = ()

    @property
    def free(self) -> bool:
        """Whether it may be rewritten at all."""
        return not self.kept


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate for the units from `start` up to `stop`, and its worth; an empty one leaves them out."""

    start: int
    stop: int
    candidate: Candidate
    value: float = 0.0


@dataclass(frozen=True)
class Draft:
    """The units of a text, and what stands after the last."""

    units: tuple[Unit, ...]
    tail: str

    @classmethod
    def of(cls, task: Task) -> Draft:
        """The original of a task, in units."""
        text = task.original
        spans = list(_spans(task))
        units: list[Unit] = []
        at = 0
        for start, end in spans:
            kept = tuple(s for s in task.kept if start <= s.start < end)
            altered = tuple(s for s in task.altered if start <= s.start < end)
            units.append(Unit(text[start:end], text[at:start], text[start:end], kept, altered))
            at = end
        return cls(tuple(units), text[at:])

    @property
    def text(self) -> str:
        """The whole text; where a unit was left out, the gap that it leaves is closed."""
        return self._laid_out[0]

    @property
    def starts(self) -> tuple[int | None, ...]:
        """Where each unit starts in the text; None for one that was left out."""
        return self._laid_out[1]

    @cached_property
    def _laid_out(self) -> tuple[str, tuple[int | None, ...]]:
        parts: list[str] = []
        starts: list[int | None] = []
        size = 0
        gaps = [*(unit.gap for unit in self.units), self.tail]
        gap = gaps[0]
        for place, unit in enumerate(self.units, 1):
            if unit.text:
                parts += (gap, unit.text)
                starts.append(size + len(gap))
                size += len(gap) + len(unit.text)
                gap = gaps[place]
            else:
                starts.append(None)
                gap = close_gap(gap, gaps[place], first=not parts, last=place == len(self.units))
        return "".join((*parts, gap)), tuple(starts)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The passages that are no longer as the writer had them."""
        return tuple(
            Change(unit.source, unit.text, unit.by, explained(unit.why))
            for unit in self.units
            if unit.text != unit.source
        )

    def chosen(self, options: Iterable[Option]) -> Draft:
        """The draft with these options, which together cover every unit once."""
        units: list[Unit] = []
        for option in sorted(options, key=lambda one: one.start):
            own = self.units[option.start : option.stop]
            candidate = option.candidate
            if candidate.by == WRITER:
                units += own
            else:
                units.append(_merged(own, candidate))
        return Draft(tuple(units), self.tail)


def _merged(units: Sequence[Unit], candidate: Candidate) -> Unit:
    first = units[0]
    source = first.source + "".join(unit.gap + unit.source for unit in units[1:])
    known = [unit.why for unit in units if unit.why and unit.why != candidate.why]
    return replace(
        first,
        text=candidate.text,
        source=source,
        kept=tuple(sentence for unit in units for sentence in unit.kept),
        altered=tuple(sentence for unit in units for sentence in unit.altered),
        by=candidate.by,
        why=tuple(chain.from_iterable(dict.fromkeys([*known, candidate.why]))),
    )


def _spans(task: Task) -> Iterator[tuple[int, int]]:
    """From one place where a sentence starts by both ways of counting to the next."""
    plain = Document(task.original, task.format).sentences
    if task.counting == "default":
        yield from ((sentence.start, sentence.end) for sentence in plain)
        return
    text = task.original
    starts = {sentence.start for sentence in plain}
    own = [_first_letter(text, sentence.start) for sentence in task.before.sentences]
    # What must stay is a unit of its own, so that what stands beside it can be worked on.
    staying = {number for sentence in task.kept for number in (sentence.number - 1, sentence.number)}
    staying_starts = {start for number, start in enumerate(own) if number in staying}
    common = sorted((starts & set(own)) | staying_starts)
    for start, stop in pairwise([*common, len(text)]):
        yield start, start + len(text[start:stop].rstrip())


def _first_letter(text: str, start: int) -> int:
    return start + len(text[start:]) - len(text[start:].lstrip())


def fit_paragraphs(draft: Draft, allowed: Interval, format: Format) -> Draft:
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
