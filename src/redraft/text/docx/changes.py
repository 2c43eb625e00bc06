"""Changes to the paragraphs of a document, tracked as Word tracks them.

New words are `w:ins` and old ones `w:del` around their runs, wherever the runs stand. The end of a paragraph
is something of its own for Word, its mark: one that is inserted parts a paragraph in two, and one that is
deleted joins it to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from lxml import etree

from redraft.text.docx.items import Item, child_text, is_mixed, read_row
from redraft.text.docx.package import Element, M, W
from redraft.text.words import count_words

_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_LINKS: Final = (f"{W}hyperlink", f"{W}smartTag", f"{W}customXml")
_AROUND: Final = (*_LINKS, f"{W}ins", f"{W}moveTo")
_PIECES: Final = re.compile(r"\n|\t|[^\n\t]+")
_NOT_IN_XML: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ANNOTATIONS: Final = [
    "ins",
    "del",
    "moveFrom",
    "moveTo",
    "bookmarkStart",
    "rPrChange",
    "pPrChange",
    "sectPrChange",
]
_WORDS_OF_NOTE: Final = 3
"""A note goes with the words before it if at least so many of them are deleted; fewer are mere wording."""


@dataclass(frozen=True, slots=True)
class Step:
    """A change within a paragraph: delete a stretch, put words in its place, or part the paragraph there."""

    op: Literal["delete", "insert", "break"]
    start: int
    end: int
    text: str = ""
    """The words that are new, of an insertion; of a deletion, whether any stand in its place."""


class Changes:
    """Changes by one author, at one time."""

    def __init__(self, root: Element, author: str, date: datetime) -> None:
        self._author = _NOT_IN_XML.sub("", author)
        self._date = date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        used = (one.get(f"{W}id", "") for one in root.iter(*(f"{W}{name}" for name in _ANNOTATIONS)))
        self._last_id = max((int(one) for one in used if one.isdecimal()), default=0)
        self._made: list[Element] = []
        self._marks: list[tuple[Element, Element]] = []

    def change(self, paragraph: Element, steps: Sequence[Step], *, joined: bool = False) -> None:
        """Make the steps, which are in order, in a paragraph; if `joined`, the next goes on with its text."""
        _part_mixed_runs(paragraph)
        for place in {place for step in steps for place in (step.start, step.end)}:
            _cut(paragraph, place)
        row = read_row(paragraph)
        standing = {id(item): item.elements[-1] for item in row.items}
        for step in steps:
            if step.op == "delete":
                for item in _deleted(row.items, row.text, step):
                    standing[id(item)] = self._delete(item)
        self._insert_all(paragraph, row.items, standing, steps)
        if joined:
            self._mark(paragraph, "del")

    def delete(self, paragraph: Element) -> None:
        """Delete all words of a paragraph, and the paragraph too unless something is left that must stay."""
        row = read_row(paragraph)
        stays = any(item.role == "object" for item in row.items)
        stays = stays or paragraph.find(f"{W}pPr/{W}sectPr") is not None
        self.change(paragraph, [Step("delete", 0, len(row.text))], joined=not stays)

    def new_paragraph(self, text: str, like: Element | None) -> Element:
        """A new paragraph in the formatting of another; it has no place yet."""
        new = etree.Element(f"{W}p") if like is None else _emptied_copy(like)
        self._mark(new, "ins")
        items = () if like is None else read_row(like).items
        runs = (item for item in items if item.role == "run")
        longest = max(runs, key=lambda item: len(item.text), default=None)
        new.append(self._inserted(text, None if longest is None else longest.elements[0]))
        return new

    def accept(self) -> None:
        """Make the changes for good, so that none of them is tracked any more."""
        for change in self._made:
            _accept_run(change)
        for paragraph, mark in self._marks:
            for properties in paragraph.iterfind(f"{W}pPr/{W}rPr"):
                properties.remove(mark)
            if mark.tag == f"{W}del":
                _join_to_next(paragraph)

    def _annotation(self, name: str) -> Element:
        self._last_id += 1
        attributes = {f"{W}id": str(self._last_id), f"{W}author": self._author, f"{W}date": self._date}
        return etree.Element(f"{W}{name}", attributes)

    def _delete(self, item: Item) -> Element:
        """Delete an item; the element that now stands in the place of its last one."""
        place = item.elements[-1]
        for element in item.elements:
            for run in [element] if element.tag.startswith(M) else list(element.iter(f"{W}r")):
                wrapped = self._annotation("del")
                self._made.append(wrapped)
                run.addprevious(wrapped)
                wrapped.append(run)
                for old, name in (("t", "delText"), ("instrText", "delInstrText")):
                    for child in run.iter(f"{W}{old}"):
                        child.tag = f"{W}{name}"
                if run is place:
                    place = wrapped
        return place

    def _inserted(self, text: str, like: Element | None) -> Element:
        """New words in the formatting of a run."""
        inserted = self._annotation("ins")
        self._made.append(inserted)
        run = etree.SubElement(inserted, f"{W}r")
        properties = None if like is None else like.find(f"{W}rPr")
        if properties is not None:
            run.append(deepcopy(properties))
            _remove(run[0], "rPrChange")
        for piece in _PIECES.findall(_NOT_IN_XML.sub("", text)):
            if piece in "\n\t":
                etree.SubElement(run, f"{W}br" if piece == "\n" else f"{W}tab")
            else:
                _set_text(etree.SubElement(run, f"{W}t"), piece)
        return inserted

    def _insert_all(
        self, paragraph: Element, items: Sequence[Item], standing: dict[int, Element], steps: Sequence[Step]
    ) -> None:
        """New words, and new ends of paragraphs; several at one place follow one another."""
        last: Element | None = None
        place = -1
        for step in steps:
            if step.op == "delete":
                continue
            if step.end != place:
                place, last = step.end, _standing_before(items, standing, step)
            if step.op == "break":
                self._part(paragraph, last)
                last = None
                continue
            new = self._inserted(step.text, _formatted_like(items, step))
            if last is None:
                following = (item for item in items if item.text and item.start >= step.end)
                _put_first(paragraph, new, next(following, None))
            else:
                _climb(last, paragraph, out_of_links=step.start == step.end).addnext(new)
            last = new

    def _part(self, paragraph: Element, last: Element | None) -> None:
        """Make what stands in a paragraph up to an element a paragraph before it."""
        new = _emptied_copy(paragraph)
        self._mark(new, "ins")
        if last is not None:
            last = _climb(last, paragraph, out_of_links=True, parting=True)
            before = [last, *last.itersiblings(preceding=True)]
            new.extend([one for one in reversed(before) if one.tag != f"{W}pPr"])
        paragraph.addprevious(new)

    def _mark(self, paragraph: Element, name: str) -> None:
        """Mark the end of a paragraph as new or as deleted."""
        properties = _child(paragraph, "pPr", 0)
        tail = [one for one in properties if one.tag in (f"{W}sectPr", f"{W}pPrChange")]
        run = _child(properties, "rPr", len(properties) - len(tail))
        if run.find(f"{W}{name}") is None:
            mark = self._annotation(name)
            run.insert(0 if name == "ins" or run.find(f"{W}ins") is None else 1, mark)
            self._marks.append((paragraph, mark))


def _deleted(items: Sequence[Item], text: str, step: Step) -> Iterator[Item]:
    """The items of a stretch, and the notes on its words where nothing takes their place."""
    for item in items:
        if item.text and step.start <= item.start and item.end <= step.end:
            yield item
        is_on_words = item.role == "note" and step.start < item.start <= step.end and not step.text
        if is_on_words and count_words(text[step.start : item.start]) >= _WORDS_OF_NOTE:
            yield item


def _standing_before(items: Sequence[Item], standing: dict[int, Element], step: Step) -> Element | None:
    """The element after which new words stand; a new sentence comes after the note on the one before."""
    found: Element | None = None
    for item in items:
        is_before = bool(item.text) and item.end <= step.end
        is_note = item.role == "note" and item.start == step.end and step.start == step.end
        if is_before or (is_note and step.text[:1].isspace()):
            found = standing[id(item)]
    return found


def _formatted_like(items: Sequence[Item], step: Step) -> Element | None:
    """The run whose formatting new words take: of the first words that they replace, else of those before."""
    runs = [item for item in items if item.role == "run" and item.text]
    replaced = [item for item in runs if step.start <= item.start < step.end]
    before = [item for item in runs if item.end <= step.start and not _is_link_end(item)]
    after = [item for item in runs if item.start >= step.end and not _in_link(item)]
    chosen = replaced[:1] or before[-1:] or after[:1] or runs[:1]
    return chosen[0].elements[0] if chosen else None


def _in_link(item: Item) -> bool:
    return any(up.tag == f"{W}hyperlink" for up in item.elements[0].iterancestors())


def _is_link_end(item: Item) -> bool:
    """Whether the last words of a link: what is inserted after them is no part of it."""
    return _in_link(item) and item.elements[0].getnext() is None


def _climb(place: Element, paragraph: Element, *, out_of_links: bool, parting: bool = False) -> Element:
    """The element after which something can stand that belongs neither to a link nor to another's insertion.

    An insertion is parted there; so is a link, if the paragraph is.
    """
    while (parent := place.getparent()) is not None and parent is not paragraph:
        is_last = place.getnext() is None
        if parent.tag in _LINKS and not parting and not (out_of_links and is_last):
            break
        if not is_last:
            rest = _alike(parent)
            rest.extend(list(place.itersiblings()))
            parent.addnext(rest)
        place = parent
    return place


def _put_first(paragraph: Element, new: Element, before: Item | None) -> None:
    """Put new words at the beginning of a paragraph, before its first words."""
    if before is None:
        paragraph.insert(1 if paragraph.find(f"{W}pPr") is not None else 0, new)
        return
    place = before.elements[0]
    while (parent := place.getparent()) is not None and parent is not paragraph:
        place = parent
    place.addprevious(new)


def _part_mixed_runs(paragraph: Element) -> None:
    """Give what is no text a run of its own, with the formatting that it had."""
    for item in read_row(paragraph).items:
        run = item.elements[0]
        if item.role == "run" and is_mixed(run):
            for child in list(run)[1:]:
                if child.tag != f"{W}rPr" and child.getprevious() is not None:
                    run = _rest_of(run, child)


def _rest_of(run: Element, child: Element) -> Element:
    """A new run after this one, from one of its children on."""
    rest = _alike(run)
    properties = run.find(f"{W}rPr")
    if properties is not None:
        rest.append(deepcopy(properties))
    rest.extend([child, *child.itersiblings()])
    run.addnext(rest)
    return rest


def _alike(element: Element) -> Element:
    """An element of the same name and attributes, with nothing in it."""
    new = etree.Element(element.tag)
    for name, value in element.items():
        new.set(name, value)
    return new


def _cut(paragraph: Element, place: int) -> None:
    """See to it that a run ends at a place of the text."""
    for item in read_row(paragraph).items:
        if item.role == "run" and item.start < place < item.end:
            position = item.start
            for child in list(item.elements[0]):
                text = child_text(child)
                if position + len(text) > place:
                    _rest_of(item.elements[0], child)
                    if position < place:
                        first = deepcopy(child)
                        item.elements[0].append(first)
                        _set_text(first, (child.text or "")[: place - position])
                        _set_text(child, (child.text or "")[place - position :])
                    return
                position += len(text)


def _set_text(element: Element, text: str) -> None:
    element.text = text
    element.set(_SPACE, "preserve")


def _emptied_copy(paragraph: Element) -> Element:
    """A paragraph with the properties of another, but for its section and what is tracked in them."""
    new = etree.Element(f"{W}p")
    properties = paragraph.find(f"{W}pPr")
    if properties is not None:
        new.append(deepcopy(properties))
        _remove(new[0], "sectPr", "pPrChange")
        for run in new[0].iterchildren(f"{W}rPr"):
            _remove(run, "ins", "del", "moveFrom", "moveTo", "rPrChange")
    return new


def _remove(element: Element, *names: str) -> None:
    for child in list(element.iterchildren(*(f"{W}{name}" for name in names))):
        element.remove(child)


def _child(element: Element, name: str, place: int) -> Element:
    found = element.find(f"{W}{name}")
    if found is None:
        found = etree.Element(f"{W}{name}")
        element.insert(place, found)
    return found


def _accept_run(change: Element) -> None:
    parent = change.getparent()
    if parent is None:
        return
    if change.tag == f"{W}ins":
        for child in list(change):
            change.addprevious(child)
    parent.remove(change)
    while len(parent) == 0 and parent.tag in _AROUND and (up := parent.getparent()) is not None:
        up.remove(parent)
        parent = up


def _join_to_next(paragraph: Element) -> None:
    """Let what is left of a paragraph go on in the next; an emptied one is taken away."""
    left = [one for one in paragraph if one.tag != f"{W}pPr"]
    following = paragraph.getnext()
    parent = paragraph.getparent()
    if parent is None or (left and (following is None or following.tag != f"{W}p")):
        return
    if following is not None and following.tag == f"{W}p":
        at = 1 if following.find(f"{W}pPr") is not None else 0
        for one in reversed(left):
            following.insert(at, one)
    elif following is None or following.tag != f"{W}sectPr":
        return  # a cell, and a place before a table at its end, want a paragraph
    parent.remove(paragraph)
