"""A draft: the text in units that are replaced as a whole, and its paragraphs.

A unit is the stretch between two places where a sentence ends by every way of counting, mostly one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, pairwise
from typing import Final

from redraft.constraints import PartLength
from redraft.revision.records import Candidate, Change, Reason, explained
from redraft.revision.task import Task
from redraft.text import (
    Document,
    Format,
    Sentence,
    align_passages,
    close_gap,
    find_headings,
    renumbered,
    spellings,
    word_sets,
)

WRITER = "writer"
"""Who made a candidate that is the writer's own text."""
CONVENTION: Final = "convention"
"""Who put a word or a comma as a convention wants it: the text is the writer's all the same."""
_STEM: Final = 5
_EMPTY: Final = word_sets(__package__)["draft.empty"]
_SMALL_WORD: Final = 3
_SAID: Final = 0.6
"""The share of a passage's words of content that tells where it went."""


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

    def with_some(self, options: Iterable[Option]) -> Draft:
        """The draft with these options, no two for one unit, and else as it is."""
        given = {option.start: option for option in options}
        every: list[Option] = []
        while (place := every[-1].stop if every else 0) < len(self.units):
            own = Option(place, place + 1, Candidate(self.units[place].text, WRITER))
            every.append(given.get(place, own))
        return self.chosen(every)

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


def said_places(draft: Draft, format: Format) -> frozenset[int]:
    """The places of the units that say something: no greeting, no signature and no heading."""
    document = Document(draft.text, format)
    headings = {one.sentence.start for one in find_headings(document)}
    said = {one.start for one in document.sentences if not one.aside} - headings
    return frozenset(place for place, start in enumerate(draft.starts) if start in said)


def section_places(draft: Draft, format: Format) -> list[frozenset[int]]:
    """The places of the units under each heading, up to the next."""
    starts = [one.sentence.start for one in find_headings(Document(draft.text, format))]
    return [
        frozenset(place for place, at in enumerate(draft.starts) if at is not None and start < at < end)
        for start, end in pairwise([*starts, len(draft.text)])
    ]
