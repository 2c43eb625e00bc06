"""Named paragraphs that are gone, moved, swapped, joined or divided, and sentences that are moved or gone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from redraft.constraints.base import Demand, Finding, Impossible, Phrased
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading
from redraft.constraints.kinds.arrangement import (
    Arranged,
    Piece,
    Unit,
    bound_headings,
    emptied_headings,
    index_of,
    matched,
    name_of,
    parts_of,
    shape_of,
    speaks_of,
    stands_free,
    swapped,
    without,
)
from redraft.constraints.kinds.sentences import joined
from redraft.errors import CallError
from redraft.text import (
    BLANK_LINE,
    Document,
    Span,
    breaks_quotation,
    divided,
    find_headings,
    long_blocks,
    long_limit,
    opens_in_quotation,
    renumbered,
    running_blocks,
    spellings,
    stiff_blocks,
)

Edit = Literal["delete", "move", "swap", "join", "divide"]

_BESIDE: Final = r"(?:before|after) -?[1-9]\d{0,3}"
_NOWHERE: Final = re.compile("")
_WHERE: Final = {
    "move": re.compile(rf"start|end|{_BESIDE}"),
    "delete": re.compile(rf"(?:others|{_BESIDE})?"),
    "swap": _NOWHERE,
    "join": _NOWHERE,
    "divide": _NOWHERE,
}
_PLACES: Final = {
    "move": 'it moves to "start", "end", "before 2" or "after 2"',
    "delete": 'what goes may be "others", "before 2" or "after 2"',
    "swap": "it takes no place",
    "join": "it takes no place",
    "divide": "it takes no place",
}
_BLOCK: Final = re.compile(
    r"!\[[^\]\n]*\]\([^)\n]*\)|^[ \t]*(?:\||```|~~~)[^\n]+|^[ \t]*(?:```|~~~)[^`~]*"
    r"|\\includegraphics[^\n]*|\\begin\{(?:figure|table|tabular|equation|align|verbatim|lstlisting)\*?\}",
    re.MULTILINE,
)
"""What has no sentences, or none that are counted: an image, the first line of a table or of code."""
_WANTED: Final = {
    "delete": "gone",
    "swap": "in each other's place",
    "join": "made one paragraph",
    "divide": "divided",
}


@dataclass(frozen=True)
class PartEdit(Phrased):
    """Named paragraphs are gone, moved, swapped, joined or divided; or named sentences are moved or gone.

    They are numbered from 1, or from the end: -1 is the last. What moves goes to the "start", to the "end",
    "before 2" or "after -1". What is gone may be all "others", or everything "before 2" or "after 2". To
    divide none by its number is to divide the long paragraphs, and to divide sentences is to begin a
    paragraph with each. A part may be named by a word that it alone has.
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
        if 0 in numbers:
            raise CallError(f"{self.name}: {self.unit}s are counted from 1, or from the end with -1")
        if not _WHERE[self.edit].fullmatch(self.where):
            raise CallError(f"{self.name}: {self.edit} with {self.where!r} is no edit; {_PLACES[self.edit]}")
        if self.edit in ("swap", "join") and (len(numbers) != 2 or self.unit == "sentence"):
            raise CallError(f"{self.name}: it takes two paragraphs to {self.edit}")
        is_range = self.edit == "delete" and bool(self._beside)
        if sum(map(bool, (numbers, self.about, is_range))) > 1:
            raise CallError(f"{self.name}: a {self.unit} is named by its number or by a word, not by both")
        if self.about and not spellings(self.about):
            raise CallError(f"{self.name}: “{self.about}” is no word that a {self.unit} can have")
        is_long = self.edit == "divide" and self.unit == "paragraph" and not self.about
        if not (numbers or self.about or is_range or is_long):
            raise CallError(f"{self.name}: name at least one {self.unit}")
        if self.edit == "delete" and self.unit == "sentence" and numbers and not self.where:
            raise CallError(f"{self.name}: sentences go by sentence_edit_check")

    @property
    def needs_original(self) -> bool:
        """The parts are the original's."""
        return True

    def named(self, document: Document) -> list[list[int]]:
        """The places of the sentences of each named part, in the order of the text."""
        parts = parts_of(document, self.unit)
        if self.about:
            sentences = document.sentences
            return [part for part in parts if any(speaks_of(sentences[one], self.about) for one in part)]
        if self.edit == "delete" and self.where:
            return self._range(document, parts)
        return [parts[place] for place in self._places(parts)]

    def _places(self, parts: Sequence[Sequence[int]]) -> list[int]:
        """The places of those that have the numbers, among all parts."""
        numbers = [one for one in self.numbers if not self._is_past_end(one, len(parts))]
        return sorted({index_of(one, len(parts)) for one in numbers})

    def _is_past_end(self, number: int, count: int) -> bool:
        """Whether it would follow the last sentence, which is to be a paragraph by itself."""
        is_break = self.edit == "divide" and self.unit == "sentence"
        return is_break and number == count + 1 and count in self.numbers

    def _range(self, document: Document, parts: Sequence[list[int]]) -> list[list[int]]:
        """The parts that are to go, and the headings over paragraphs of which none is left then."""
        if self._beside:
            at = index_of(self._beside[0], len(parts))
            gone = [*parts[at + 1 :]] if self.where.startswith("after") else [*parts[:at]]
        else:
            places = self._places(parts)
            gone = [part for place, part in enumerate(parts) if place not in places]
        headings = emptied_headings(document, gone) if self.unit == "paragraph" else []
        bound = bound_headings(document)
        return sorted([*gone, *(one for one in headings if one[0] not in bound)])

    def missing(self, original: Reading) -> str | None:
        """Why it cannot be done to this original, if it cannot."""
        document = original.document
        parts = parts_of(document, self.unit)
        has = f"the text has {plural(len(parts), self.unit)}"
        numbers = [one for one in self.numbers if not self._is_past_end(one, len(parts))]
        if beyond := [one for one in (*numbers, *self._beside) if abs(one) > len(parts)]:
            return f"{name_of(beyond[0], self.unit)} is named, but {has}"
        named = self.named(document)
        if self.about and len(named) != 1:
            has = plural(len(named), self.unit) if named else f"no {self.unit}"
            return f"{has} of the text {'have' if named else 'has'} “{self.about}”: name one by its number"
        if self.edit in ("swap", "join") and len(named) != 2:
            return f"{self._listed} are the same one: {has}"
        if self.edit == "delete" and not _prose(document).difference(*named):
            what = "nothing" if len(named) >= len(parts) else "nothing but headings"
            return f"{what} would be left: {has}"
        if self.edit == "delete" and bound_headings(document) & {place for part in named for place in part}:
            return "a heading is among them, which stays where its mark-up stands"
        if self.unit == "sentence" and self._breaks(document, parts, named):
            return "a quotation or a bracket would be broken"
        if self.edit == "join" and parts.index(named[1]) - parts.index(named[0]) != 1:
            return f"{self._listed} do not stand beside each other"
        if self.edit == "join" and named[1][0] != named[0][-1] + 1:
            return f"something else stands between {self._listed}"
        if self.edit == "divide" and self.unit == "sentence":
            marked = any(part[0] and document.gaps[part[0]].strip() for part in named)
            return "what stands in a list, or behind a mark, stays there" if marked else None
        if self.edit == "divide":
            whole = {
                one.number - 1
                for block in running_blocks(document)
                if block.places
                for one in block.sentences
            }
            stiff = [number for number in self.numbers if parts[index_of(number, len(parts))][0] not in whole]
            return f"{name_of(stiff[0], self.unit)} cannot be divided" if stiff else None
        target = self._target(document, parts) if self.edit == "move" else None
        touched = [*named, *([parts[target]] if target is not None else [])]
        if self.edit != "delete" and any(not stands_free(document, part) for part in touched):
            return "what stands in a list, or behind a mark, stays there"
        return None

    def _breaks(
        self, document: Document, parts: Sequence[Sequence[int]], named: Sequence[Sequence[int]]
    ) -> bool:
        """Whether sentences that go or move leave half a quotation behind, or come to stand in one."""
        if self.edit not in ("delete", "move"):
            return False
        own = {place for part in named for place in part}
        if breaks_quotation(document, own):
            return True
        if self.edit == "delete":
            return False
        target = parts[self._target(document, parts)]
        is_ahead = self.where.startswith(("start", "before"))
        return opens_in_quotation(document, target[0] if is_ahead else target[-1] + 1)

    @property
    def _beside(self) -> tuple[int, ...]:
        """The number of the part beside which something goes."""
        return (int(self.where.split()[1]),) if " " in self.where else ()

    def _target(self, document: Document, parts: Sequence[Sequence[int]]) -> int:
        """The place of the part beside which something goes, among the parts; no heading moves."""
        if self._beside:
            return index_of(self._beside[0], len(parts))
        headings = {one.sentence.number - 1 for one in find_headings(document)}
        running = [place for place, part in enumerate(parts) if part[0] not in headings] or [
            *range(len(parts))
        ]
        return running[0] if self.where == "start" else running[-1]

    def arranged(self, document: Document) -> Arranged:
        """The text with the edit done, which has to be one that can be."""
        order = tuple(range(len(document.sentences)))
        if self.edit == "divide" and self.unit == "paragraph":
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
        elif self.edit == "divide":
            for (place,) in named:
                if place and not BLANK_LINE.search(pieces[place].gap):
                    pieces[place] = pieces[place]._replace(gap=blank)
        elif self.edit == "swap":
            pieces = swapped(pieces, *named)
        elif self.edit == "delete":
            for part in named:
                pieces, tail = without(pieces, tail, part)
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
        parts, named = parts_of(document, self.unit), self.named(document)
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
            pieces, tail = without(pieces, tail, part)
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
        old, new = parts_of(before, self.unit), parts_of(now, self.unit)

        def number(said: int) -> int | None:
            first = old[index_of(said, len(old))][0]
            place = order.index(first) if first in order else -1
            return next((at + 1 for at, part in enumerate(new) if place in part), None)

        numbers = [number(one) for one in self.numbers if not self._is_past_end(one, len(old))]
        beside = [number(one) for one in self._beside]
        left = tuple(one for one in numbers if one is not None)
        is_enough = len(left) == len(numbers) or (self.edit == "delete" and bool(left))
        if not is_enough or None in beside:
            return None
        where = f"{self.where.split()[0]} {beside[0]}" if beside else self.where
        return replace(self, numbers=left, where=where)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare with the original's order; a sentence that was reworded is found by its words."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        wanted = self._wanted
        if reason := self.missing(original):
            return Finding(self, False, 0, wanted, reason, 1.0)
        if self._is_of_long:
            return self._undivided(original.document, revised.document)
        expected = Document(self.arranged(original.document).text, original.document.format)
        is_done = shape_of(expected) == shape_of(revised.document)
        if is_done or self._is_done(original.document, revised.document):
            left = self._left(original.document, revised.document)
            message = f"still there: “{left[0]}”" if left else wanted
            return Finding(self, not left, len(left), wanted, message, float(len(left)))
        return Finding(self, False, 1, wanted, f"not done: wanted {wanted}", 1.0)

    def _left(self, original: Document, revised: Document) -> list[str]:
        """The images, tables, code and headings in a range that is to go, as far as they are still there."""
        if self.edit != "delete" or not self.where:
            return []
        named = self.named(original)
        gone = {place for part in named for place in part}
        standing = {one.sentence.text for one in find_headings(revised)}
        bound = emptied_headings(original, named) if self.unit == "paragraph" else []
        headings = [original.sentences[one[0]].text for one in bound]
        gaps = [gap for at, gap in enumerate(original.gaps) if at in gone or at - 1 in gone]
        blocks = [one.group() for gap in gaps for one in _BLOCK.finditer(gap)]
        return [
            *(one for one in headings if one in standing),
            *(one.strip() for one in blocks if one in revised.text),
        ]

    def _undivided(self, original: Document, revised: Document) -> Finding:
        limit = long_limit(original)
        stiff = stiff_blocks(revised)
        long = [*long_blocks(revised, limit), *stiff]
        message = f"{plural(len(long), 'long paragraph')} left" if long else "no long paragraph"
        message += f", {len(stiff)} of which cannot be divided between sentences" if stiff else ""
        spans = tuple(Span(one.sentences[0].start, one.sentences[-1].end) for one in long)
        return Finding(
            self, not long, len(long), "the long paragraphs divided", message, float(len(long)), spans
        )

    def _is_done(self, original: Document, revised: Document) -> bool:
        """Whether a text in which more has changed shows the edit."""
        found = matched(original, revised)
        named = self.named(original)
        own = {place for part in named for place in part}
        if self.edit == "delete":
            return not any(place in found for place in own)
        ends = [found.get(place) for part in named for place in (part[0], part[-1])]
        standing = [one for one in ends if one is not None]
        if len(standing) < len(ends):
            return False
        if self.edit == "divide" and self.unit == "sentence":
            ahead = [found.get(part[0] - 1) for part in named]
            pairs = zip(standing[::2], ahead, strict=True)
            return all(other is None or one.paragraph != other.paragraph for one, other in pairs)
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
    def _is_of_long(self) -> bool:
        """Whether the long paragraphs are meant, whichever they are."""
        return self.edit == "divide" and not (self.numbers or self.about)

    @property
    def _wanted(self) -> str:
        if self.edit == "move":
            return f"{self._listed} moved {self._place}"
        if self.edit == "divide" and self.unit == "sentence":
            return f"a paragraph that begins with {self._listed}"
        return f"{self._listed} {_WANTED[self.edit]}"

    @property
    def phrased_as(self) -> str:
        """Each edit is said in its own way."""
        if self.edit == "delete" and self.where:
            return "part_edit delete range"
        if self.edit == "divide" and self.unit == "sentence":
            return "part_edit begin"
        return f"part_edit {self.edit}" + " long" * self._is_of_long

    def parts(self) -> dict[str, str]:
        """What is edited, and where it goes."""
        return {"parts": self._listed, "place": self._place}

    @property
    def _listed(self) -> str:
        names = [name_of(number, self.unit) for number in self.numbers]
        if self.about:
            return f"the {self.unit} about “{self.about}”"
        if self.edit == "delete" and self._beside:
            return f"everything {self._place}"
        if self.where == "others":
            return f"everything except {joined(names)}"
        return joined(names) if names else "the long paragraphs"

    @property
    def _place(self) -> str:
        if not self._beside:
            return f"to the {self.where}" if self.where else ""
        return f"{self.where.split()[0]} {name_of(self._beside[0], self.unit)}"


def _prose(document: Document) -> set[int]:
    """The places of the sentences that are no headings, no greeting and no signature."""
    headings = {one.sentence.number - 1 for one in find_headings(document)}
    return {one.number - 1 for one in document.sentences if not one.aside} - headings
