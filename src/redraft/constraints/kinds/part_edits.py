"""Named paragraphs that are gone, moved, swapped, joined or divided, and sentences that are moved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from redraft.constraints.base import Demand, Finding, Impossible, Phrased
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading, plain
from redraft.constraints.kinds.sentences import joined, suffix
from redraft.errors import CallError
from redraft.text import (
    Document,
    Sentence,
    Span,
    close_gap,
    divided,
    find_headings,
    find_items,
    long_blocks,
    long_limit,
    prose_paragraphs,
    renumbered,
    running_blocks,
    similarity,
    spellings,
)

Edit = Literal["delete", "move", "swap", "join", "divide"]
Unit = Literal["paragraph", "sentence"]

_ALIKE: Final = 0.5
"""The share of words in common from which on a sentence is another one, reworded."""
_WHERE: Final = re.compile(r"start|end|(?:before|after) -?[1-9]\d{0,3}")
_WANTED: Final = {
    "delete": "gone",
    "swap": "in each other's place",
    "join": "made one paragraph",
    "divide": "divided",
}


class Piece(NamedTuple):
    """A sentence of the original, and what stands ahead of it."""

    gap: str
    text: str
    place: int
    """Its place among the sentences of the original, from 0."""


class Arranged(NamedTuple):
    """A text after an edit, and where the sentences of the original have gone."""

    text: str
    order: tuple[int, ...]
    """The places of the original's sentences, in the order in which they stand now."""


@dataclass(frozen=True)
class PartEdit(Phrased):
    """Named paragraphs are gone, moved, swapped, joined or divided; or named sentences are moved.

    They are numbered from 1, or from the end: -1 is the last. To divide none by its number is to divide the
    long ones. What moves goes to the "start", to the "end", "before 2" or "after -1". A sentence may be named
    by a word that it alone has.
    """

    edit: Edit
    unit: Unit
    numbers: tuple[int, ...]
    where: str = ""
    about: str = ""

    name = "part_edit_check"

    def __post_init__(self) -> None:
        numbers = tuple(sorted(set(self.numbers), key=lambda number: (number < 0, number)))
        object.__setattr__(self, "numbers", numbers)
        if self.edit == "move" and not _WHERE.fullmatch(self.where):
            raise CallError(f'{self.name}: it moves to "start", "end", "before 2" or "after 2"')
        if self.edit != "move" and (self.unit == "sentence" or self.where or self.about):
            raise CallError(f"{self.name}: sentences are moved here, and nothing else is moved")
        if 0 in numbers:
            raise CallError(f"{self.name}: {self.unit}s are counted from 1, or from the end with -1")
        if self.about and (numbers or self.unit != "sentence"):
            raise CallError(f"{self.name}: a sentence is named by its number or by a word, not by both")
        if not (numbers or self.about or self.edit == "divide"):
            raise CallError(f"{self.name}: name at least one {self.unit}")
        if self.edit in ("swap", "join") and len(numbers) != 2:
            raise CallError(f"{self.name}: it takes two paragraphs to {self.edit}, not {len(numbers)}")

    @property
    def needs_original(self) -> bool:
        """The parts are the original's."""
        return True

    def named(self, document: Document) -> list[list[int]]:
        """The places of the sentences of each named part, in the order of the text."""
        parts = _parts(document, self.unit)
        if self.about:
            return [part for part in parts if _speaks_of(document.sentences[part[0]], self.about)]
        return [parts[place] for place in sorted({_index(one, len(parts)) for one in self.numbers})]

    def missing(self, original: Reading) -> str | None:
        """Why it cannot be done to this original, if it cannot."""
        document = original.document
        parts = _parts(document, self.unit)
        has = f"the text has {plural(len(parts), self.unit)}"
        if beyond := [one for one in (*self.numbers, *self._beside) if abs(one) > len(parts)]:
            return f"{_said(beyond[0], self.unit)} is named, but {has}"
        named = self.named(document)
        if self.about and len(named) != 1:
            has = plural(len(named), "sentence") if named else "no sentence"
            return f"{has} of the text {'have' if named else 'has'} “{self.about}”: name one by its number"
        if self.edit in ("swap", "join") and len(named) != 2:
            return f"{self._listed} are the same one: {has}"
        if self.edit == "delete" and len(named) == len(parts):
            return f"nothing would be left: {has}"
        if self.edit == "join" and parts.index(named[1]) - parts.index(named[0]) != 1:
            return f"{self._listed} do not stand beside each other"
        if self.edit == "divide":
            whole = {
                one.number - 1
                for block in running_blocks(document)
                if block.places
                for one in block.sentences
            }
            stiff = [number for number in self.numbers if parts[_index(number, len(parts))][0] not in whole]
            return f"{_said(stiff[0], self.unit)} cannot be divided" if stiff else None
        target = self._target(document, parts) if self.edit == "move" else None
        touched = [*named, *([parts[target]] if target is not None else [])]
        if self.edit != "delete" and any(not _stands_free(document, part) for part in touched):
            return "what stands in a list, or behind a mark, stays there"
        return None

    @property
    def _beside(self) -> tuple[int, ...]:
        """The number of the part beside which something goes."""
        return (int(self.where.split()[1]),) if " " in self.where else ()

    def _target(self, document: Document, parts: Sequence[Sequence[int]]) -> int:
        """The place of the part beside which something goes, among the parts; no heading moves."""
        if self._beside:
            return _index(self._beside[0], len(parts))
        headings = {one.sentence.number - 1 for one in find_headings(document)}
        running = [place for place, part in enumerate(parts) if part[0] not in headings] or [
            *range(len(parts))
        ]
        return running[0] if self.where == "start" else running[-1]

    def arranged(self, document: Document) -> Arranged:
        """The text with the edit done, which has to be one that can be."""
        order = tuple(range(len(document.sentences)))
        if self.edit == "divide":
            numbers = [place + 1 for part in self.named(document) for place in part]
            return Arranged(divided(document, numbers if self.numbers else None), order)
        pieces = [
            Piece(gap, one.text, place)
            for place, (gap, one) in enumerate(zip(document.gaps, document.sentences, strict=False))
        ]
        tail = document.gaps[-1]
        blank = "\r\n\r\n" if "\r\n" in document.text else "\n\n"
        named = self.named(document)
        if self.edit == "join":
            at = named[1][0]
            pieces[at] = pieces[at]._replace(gap=" ")
        elif self.edit == "swap":
            pieces = _swapped(pieces, *named)
        elif self.edit == "delete":
            for part in named:
                pieces, tail = _without(pieces, tail, part)
            gaps = renumbered(
                document.gaps,
                [*(piece.gap for piece in pieces), tail],
                " ".join(piece.text for piece in pieces),
            )
            pieces = [piece._replace(gap=gap) for piece, gap in zip(pieces, gaps, strict=False)]
        else:
            pieces, tail = self._moved(document, pieces, tail, blank)
        text = "".join(piece.gap + piece.text for piece in pieces) + tail
        return Arranged(text, tuple(piece.place for piece in pieces))

    def _moved(
        self, document: Document, pieces: list[Piece], tail: str, blank: str
    ) -> tuple[list[Piece], str]:
        parts, named = _parts(document, self.unit), self.named(document)
        moving = [place for part in named for place in part]
        before = self.where.startswith(("start", "before"))
        others = [part for part in parts if part not in named]
        target = parts[self._target(document, parts)]
        if target in named:
            if self._beside or not others:
                return pieces, tail
            target = others[0] if before else others[-1]
        taken = [pieces[place] for place in moving]
        for part in named:
            pieces, tail = _without(pieces, tail, part)
        joint = blank if self.unit == "paragraph" else " "
        heads = {part[0] for part in named}
        taken = [one._replace(gap=joint) if one.place in heads else one for one in taken]
        places = [piece.place for piece in pieces]
        if before:
            at = places.index(target[0])
            taken[0] = taken[0]._replace(gap=pieces[at].gap)
            pieces[at] = pieces[at]._replace(gap=joint)
        else:
            at = places.index(target[-1]) + 1
        return [*pieces[:at], *taken, *pieces[at:]], tail

    def renumbered(self, before: Document, now: Document, order: Sequence[int]) -> PartEdit | None:
        """The same for a text in which sentences of the one before stand in another order, or are gone."""
        old, new = _parts(before, self.unit), _parts(now, self.unit)

        def number(said: int) -> int | None:
            first = old[_index(said, len(old))][0]
            place = order.index(first) if first in order else -1
            return next((at + 1 for at, part in enumerate(new) if place in part), None)

        numbers = [number(one) for one in self.numbers]
        beside = [number(one) for one in self._beside]
        left = tuple(one for one in numbers if one is not None)
        if len(left) < len(numbers) or None in beside:
            return None
        where = f"{self.where.split()[0]} {beside[0]}" if beside else self.where
        return replace(self, numbers=left, where=where)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare with the original's order; a sentence that was reworded is found by its words."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        wanted = f"{self._listed} {_WANTED.get(self.edit) or f'moved {self._place}'}"
        if reason := self.missing(original):
            return Finding(self, False, 0, wanted, reason, 1.0)
        if self.edit == "divide" and not self.numbers:
            return self._undivided(original.document, revised.document)
        expected = Document(self.arranged(original.document).text, original.document.format)
        if _shape(expected) == _shape(revised.document) or self._is_done(original.document, revised.document):
            return Finding(self, True, 0, wanted, wanted)
        return Finding(self, False, 1, wanted, f"not done: wanted {wanted}", 1.0)

    def _undivided(self, original: Document, revised: Document) -> Finding:
        limit = long_limit(original)
        long = long_blocks(revised, limit)
        message = f"{plural(len(long), 'long paragraph')} left" if long else "no long paragraph"
        spans = tuple(Span(one.sentences[0].start, one.sentences[-1].end) for one in long)
        return Finding(
            self, not long, len(long), "the long paragraphs divided", message, float(len(long)), spans
        )

    def _is_done(self, original: Document, revised: Document) -> bool:
        """Whether a text in which more has changed shows the edit."""
        found = _matched(original, revised)
        named = self.named(original)
        own = {place for part in named for place in part}
        if self.edit == "delete":
            return not any(place in found for place in own)
        ends = [found.get(place) for part in named for place in (part[0], part[-1])]
        standing = [one for one in ends if one is not None]
        if len(standing) < len(ends):
            return False
        if self.edit == "divide":
            return all(
                one.paragraph != other.paragraph
                for one, other in zip(standing[::2], standing[1::2], strict=True)
            )
        if self.edit == "join":
            return len({one.paragraph for one in standing}) == 1
        order = [place for place in self.arranged(original).order if place in found]
        rank = {place: number for number, place in enumerate(order)}
        return all(
            (rank[one] < rank[other]) == (found[one].number < found[other].number)
            for one in own & rank.keys()
            for other in rank
            if other != one
        )

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """Nothing but that the parts are there; a word may be another than the text's."""
        if original is not None and not self.about and (reason := self.missing(original)):
            yield Impossible(reason)

    @property
    def phrased_as(self) -> str:
        """Each edit is said in its own way."""
        return f"part_edit {self.edit}" + " long" * (self.edit == "divide" and not self.numbers)

    def parts(self) -> dict[str, str]:
        """What is edited, and where it goes."""
        return {"parts": self._listed, "place": self._place}

    @property
    def _listed(self) -> str:
        if self.about:
            return f"the sentence about “{self.about}”"
        names = [_said(number, self.unit) for number in self.numbers]
        return joined(names) if names else "the long paragraphs"

    @property
    def _place(self) -> str:
        if not self._beside:
            return f"to the {self.where}" if self.where else ""
        return f"{self.where.split()[0]} {_said(self._beside[0], self.unit)}"


def _parts(document: Document, unit: Unit) -> list[list[int]]:
    """The places of the sentences of each part that people count."""
    sentences = document.sentences
    if unit == "sentence":
        return [[one.number - 1] for one in sentences if not one.aside]
    spans = prose_paragraphs(document)
    found = [
        [one.number - 1 for one in sentences if span.start <= one.start < span.end and not one.aside]
        for span in spans
    ]
    return [part for part in found if part]


def _index(number: int, count: int) -> int:
    return number - 1 if number > 0 else count + number


def _said(number: int, unit: Unit) -> str:
    """What to call a part: "paragraph 3", "the last paragraph", "the 2nd-to-last paragraph"."""
    if number > 0:
        return f"{unit} {number}"
    return f"the last {unit}" if number == -1 else f"the {-number}{suffix(-number)}-to-last {unit}"


def _speaks_of(sentence: Sentence, words: str) -> bool:
    said, sought = ([word.lower() for word in spellings(text)] for text in (sentence.text, words))
    size = len(sought)
    return any(said[at : at + size] == sought for at in range(len(said) - size + 1))


def _stands_free(document: Document, part: Sequence[int]) -> bool:
    """Whether a part can be taken elsewhere: nothing but white space is ahead of it, and it is in no list."""
    first = document.sentences[part[0]]
    in_list = any(span.start <= first.start < span.end for span in find_items(document))
    return not (in_list or document.gaps[part[0]].strip())


def _swapped(pieces: Sequence[Piece], first: Sequence[int], second: Sequence[int]) -> list[Piece]:
    """The pieces with two runs in each other's place, each behind the gap of the other."""
    one, other = ([pieces[place] for place in part] for part in (first, second))
    one[0], other[0] = one[0]._replace(gap=other[0].gap), other[0]._replace(gap=one[0].gap)
    between = pieces[first[-1] + 1 : second[0]]
    return [*pieces[: first[0]], *other, *between, *one, *pieces[second[-1] + 1 :]]


def _without(pieces: Sequence[Piece], tail: str, part: Sequence[int]) -> tuple[list[Piece], str]:
    """The pieces without some, and the gap behind them closed; and what stands at the end."""
    left = list(pieces)
    for place in part:
        at = next(number for number, piece in enumerate(left) if piece.place == place)
        gap, last = left.pop(at).gap, at == len(left)
        after = tail if last else left[at].gap
        closed = close_gap(gap, after, first=at == 0, last=last)
        if last:
            tail = closed
        else:
            left[at] = left[at]._replace(gap=closed)
    return left, tail


def _shape(document: Document) -> list[tuple[str, bool]]:
    """The sentences of a text in their order, and whether each opens a paragraph."""
    found = []
    before = None
    for one in document.sentences:
        found.append((plain(one.text), one.paragraph != before))
        before = one.paragraph
    return found


def _matched(original: Document, revised: Document) -> dict[int, Sentence]:
    """By the place of each sentence of the original the one that it has become, where there is one."""
    left = list(revised.sentences)
    found: dict[int, Sentence] = {}
    for least in (1.0, _ALIKE):
        for place, one in enumerate(original.sentences):
            if place in found or not left:
                continue
            if least == 1.0:
                near = next((each for each in left if plain(each.text) == plain(one.text)), None)
            else:
                near = max(left, key=lambda each: similarity(one.text, each.text))
                near = near if similarity(one.text, near.text) >= least else None
            if near is not None:
                found[place] = near
                left.remove(near)
    return found
