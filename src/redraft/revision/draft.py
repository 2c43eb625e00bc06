"""A draft: the text in units that are replaced as a whole, and its paragraphs.

A unit is the stretch between two places where a sentence ends by every way of counting, mostly one sentence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, pairwise
from typing import Final

from redraft.constraints import Interval, ParagraphLength, PartLength
from redraft.revision.records import Candidate, Change, Reason, explained
from redraft.revision.task import Task
from redraft.text import (
    Document,
    Format,
    Sentence,
    Span,
    align_passages,
    close_gap,
    prose_paragraphs,
    renumbered,
    spellings,
    word_sets,
)

WRITER = "writer"
"""Who made a candidate that is the writer's own text."""
CONVENTION: Final = "convention"
"""Who put a word or a comma as a convention wants it: the text is the writer's all the same."""
_STEM: Final = 5
_ENDS: Final = re.compile(r"[.!?…]['\"”’)]*\Z")
_EMPTY: Final = word_sets(__package__)["appraisal.empty"]
_SMALL_WORD: Final = 3
_SAID: Final = 0.6
"""The share of a passage's words of content that tells where it went."""
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

    def omitted(self, by: str, why: tuple[Reason, ...]) -> Unit:
        """The unit where it was left out."""
        return replace(self, text="", gap=" ", by=by, why=why)


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate for the units from `start` up to `stop`, and its worth; an empty one leaves them out.

    The worth of one that is `trusted` is as given: it is not scored.
    """

    start: int
    stop: int
    candidate: Candidate
    value: float = 0.0
    trusted: bool = False


@dataclass(frozen=True)
class Draft:
    """The units of a text, and what stands after the last."""

    units: tuple[Unit, ...]
    tail: str

    @classmethod
    def of(cls, task: Task) -> Draft:
        """The original of a task, in units."""
        text = task.original
        units: list[Unit] = []
        at = 0
        for start, end in _spans(task, text):
            kept = tuple(s for s in task.kept if start <= s.start < end)
            altered = tuple(s for s in task.altered if start <= s.start < end)
            units.append(Unit(text[start:end], text[at:start], text[start:end], kept, altered))
            at = end
        return cls(tuple(units), text[at:])

    @classmethod
    def revised(cls, task: Task, text: str, by: str, why: tuple[Reason, ...]) -> Draft:
        """A revision of the whole text, each unit beside the passage that it came from.

        The draft's text is the revision to the letter. A passage that was left out is a unit without text.
        """
        own = cls.of(task).units
        spans = list(_spans(task, text))
        links = align_passages([unit.text for unit in own], [text[start:end] for start, end in spans])
        origin = {number: link for link in links for number in link.revised}
        groups = [list(group) for _, group in groupby(range(1, len(spans) + 1), key=origin.__getitem__)]
        passages = [text[spans[group[0] - 1][0] : spans[group[-1] - 1][1]] for group in groups]
        # A passage that was parted by another stands where its first part does.
        first = [origin[group[0]] if origin[group[0]].revised[0] == group[0] else None for group in groups]
        places = [[number - 1 for number in link.original] if link else [] for link in first]
        left_out = _left_out(own, places, passages)
        units: list[Unit] = [own[place].omitted(by, why) for place in left_out.get(-1, ())]
        at = 0
        for number, (group, passage) in enumerate(zip(groups, passages, strict=True)):
            sources = [own[place] for place in sorted(places[number])]
            start = spans[group[0] - 1][0]
            units.append(
                Unit(
                    passage,
                    text[at:start],
                    _joined_source(sources),
                    tuple(sentence for unit in sources for sentence in unit.kept),
                    tuple(sentence for unit in sources for sentence in unit.altered),
                    by,
                    why,
                )
            )
            at = start + len(passage)
            units += (own[place].omitted(by, why) for place in left_out.get(number, ()))
        whole = cls(tuple(_with_closing_gaps(units)), text[at:])
        if whole.text == text:
            return whole
        return cls(tuple(unit for unit in units if unit.text), text[at:])

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
        gaps, left = self._gaps, iter(unit.text for unit in self.units if unit.text)
        places: list[int] = []
        parts: list[str] = []
        size = 0
        for gap in gaps[:-1]:
            text = next(left)
            places.append(size + len(gap))
            parts += (gap, text)
            size += len(gap) + len(text)
        starts = iter(places)
        return "".join((*parts, gaps[-1])), tuple(next(starts) if unit.text else None for unit in self.units)

    @property
    def _gaps(self) -> list[str]:
        """What stands ahead of each unit that is left, and behind the last."""
        gaps = [*(unit.gap for unit in self.units), self.tail]
        found: list[str] = []
        gap = gaps[0]
        for place, unit in enumerate(self.units, 1):
            if unit.text:
                found.append(gap)
                gap = gaps[place]
            else:
                gap = close_gap(gap, gaps[place], first=not found, last=place == len(self.units))
        found.append(gap)
        if len(found) == len(gaps):
            return found
        return renumbered(gaps, found, " ".join(unit.text for unit in self.units))

    def passage(self, start: int, stop: int) -> str:
        """What stands in the units from `start` up to `stop`."""
        first, *rest = self.units[start:stop]
        return first.text + "".join(unit.gap + unit.text for unit in rest if unit.text)

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


def conform_candidate(task: Task, candidate: Candidate) -> Candidate:
    """A candidate with each word and comma as the conventions want it."""
    text, done = task.conform(candidate.text)
    why = tuple(Reason("replace", before, after) for before, after in dict.fromkeys(done))
    return replace(candidate, text=text, why=(*candidate.why, *why)) if done else candidate


def conform_draft(task: Task, draft: Draft) -> Draft:
    """The same for a draft: what must stay stays, and what is still the writer's is not to be judged."""
    units = list(draft.units)
    for place, unit in enumerate(units):
        made = conform_candidate(task, Candidate(unit.text, unit.by, unit.why))
        if unit.free and made.text != unit.text:
            by = CONVENTION if unit.by == WRITER else unit.by
            units[place] = replace(unit, text=made.text, by=by, why=made.why)
    found = replace(draft, units=tuple(units)) if tuple(units) != draft.units else draft
    return conform_in_place(task, found)


def conform_in_place(task: Task, draft: Draft) -> Draft:
    """A draft with each heading as the conventions want it."""
    units = list(draft.units)
    for right in task.offences_in_place(draft.text):
        for place, (start, unit) in enumerate(zip(draft.starts, tuple(units), strict=True)):
            if start is None or not unit.free or not start <= right.span.start < start + len(unit.text):
                continue
            before, after = right.span.start - start, right.span.end - start
            by = CONVENTION if unit.by == WRITER else unit.by
            why = (*unit.why, Reason("replace", unit.text[before:after], right.text))
            text = unit.text[:before] + right.text + unit.text[after:]
            units[place] = replace(unit, text=text, by=by, why=why)
    return replace(draft, units=tuple(units)) if tuple(units) != draft.units else draft


def _merged(units: Sequence[Unit], candidate: Candidate) -> Unit:
    first = units[0]
    source = _joined_source(units)
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


def _left_out(
    own: Sequence[Unit], places: Sequence[list[int]], passages: Sequence[str]
) -> dict[int, list[int]]:
    """The places of the original that are gone, by the revised passage that they stood behind.

    One whose words are in the passage before or after it went into that.
    """
    behind = {place: number for number, found in enumerate(places) for place in found}
    found: dict[int, list[int]] = {}
    last = -1
    for place, unit in enumerate(own):
        if place in behind:
            last = behind[place]
            continue
        near = [number for number in (last, last + 1) if 0 <= number < len(passages)]
        into = next((number for number in near if _is_said_in(unit.source, passages[number])), None)
        if into is None:
            found.setdefault(last, []).append(place)
        else:
            places[into].append(place)
    return found


def _with_closing_gaps(units: Sequence[Unit]) -> Iterator[Unit]:
    """The units with gaps that close to those of the text, and are there if a unit is restored."""
    first = next((place for place, unit in enumerate(units) if unit.text), 0)
    following = " "
    found: list[Unit] = []
    for place in range(len(units) - 1, -1, -1):
        unit = units[place]
        if place <= first:  # what was left out at the beginning stands where the text begins
            found.append(replace(unit, gap=" " if place else units[first].gap))
        else:
            found.append(unit if unit.text else replace(unit, gap=following or " "))
        following = unit.gap if unit.text else following
    yield from reversed(found)


def _is_said_in(source: str, passage: str) -> bool:
    words, said = content_stems(source), content_stems(passage)
    return len(words & said) >= _SAID * max(len(words), 2)


def content_stems(text: str) -> set[str]:
    """The words that say something, each by its first letters: forms of a word are the word."""
    return set(ordered_stems(text))


def ordered_stems(text: str) -> list[str]:
    """The same in the order of the text."""
    found = (word.lower() for word in spellings(text) if len(word) > _SMALL_WORD)
    return [word[:_STEM] for word in found if word not in _EMPTY]


def _joined_source(units: Sequence[Unit]) -> str:
    return "".join(unit.gap * bool(place) + unit.source for place, unit in enumerate(units))


def _spans(task: Task, text: str) -> Iterator[tuple[int, int]]:
    """From one place of a text where a sentence starts by both ways of counting to the next."""
    plain = Document(text, task.format).sentences
    if task.counting == "default":
        yield from ((sentence.start, sentence.end) for sentence in plain)
        return
    sentences = task.read(text).sentences
    starts = {sentence.start for sentence in plain}
    own = [_first_letter(text, sentence.start) for sentence in sentences]
    # What must stay is a unit of its own, so that what stands beside it can be worked on.
    kept = {sentence.text for sentence in task.kept}
    stays = [place for place, sentence in enumerate(sentences) if sentence.text in kept]
    staying = {own[place] for number in stays for place in (number, number + 1) if place < len(own)}
    common = sorted((starts & set(own)) | staying)
    for start, stop in pairwise([*common, len(text)]):
        yield start, start + len(text[start:stop].rstrip())


def _first_letter(text: str, start: int) -> int:
    return start + len(text[start:]) - len(text[start:].lstrip())


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


def places_within(draft: Draft, part: PartLength, format: Format) -> frozenset[int]:
    """The places of the units in a part; one that was left out stands where the one before it does."""
    spans = part.spans(Document(draft.text, format))
    found: set[int] = set()
    inside = False
    for place, start in enumerate(draft.starts):
        if start is not None:
            inside = any(span.start <= start < span.end for span in spans)
        if inside:
            found.add(place)
    return frozenset(found)


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
