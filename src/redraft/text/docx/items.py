"""A paragraph as a row of items: runs, and what stays whole; the text of the paragraph is theirs, joined.

Deletions that somebody else has tracked are read as accepted, and so are insertions: their words are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from redraft.text.docx.package import Element, M, W
from redraft.text.words import Span

Role = Literal["run", "whole", "note", "object", "mark"]
"""run      words in one formatting, which can be cut anywhere
whole    words that come from elsewhere: a field, an equation, a content control; kept or deleted as one
note     the mark of a footnote or an endnote, without a place in the text; goes with the words around it
object   a picture and whatever else is not known, without a place in the text; always stays
mark     where a bookmark or a comment begins or ends; always stays
"""

_THROUGH: Final = frozenset(
    f"{W}{name}" for name in ["hyperlink", "smartTag", "customXml", "ins", "moveTo", "dir", "bdo"]
)
"""What only stands around runs."""
_NOTES: Final = frozenset(f"{W}{name}" for name in ("footnoteReference", "endnoteReference"))
_UNSEEN: Final = frozenset(f"{W}{name}" for name in ("rPr", "lastRenderedPageBreak", "softHyphen"))
"""Children of runs that may stand among words."""
_RANGES: Final = re.compile(
    rf"{re.escape(W)}(?:bookmark|commentRange|perm|move(?:From|To)Range|customXml\w*Range)(?:Start|End)"
    rf"|{re.escape(W)}(?:proofErr|del|moveFrom)"
)
_SIGNS: Final = {f"{W}tab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011"}
_LINE_ENDS: Final = str.maketrans(dict.fromkeys("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", " "))
_NO_FORMULA: Final = re.compile(r"[\s$\\]+")


@dataclass(frozen=True, slots=True)
class Item:
    """One of a row: its elements, and the stretch of the paragraph's text that is its own."""

    elements: tuple[Element, ...]
    role: Role
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where its text ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Row:
    """The items of a paragraph, and how many fields are still open at its end."""

    items: tuple[Item, ...]
    open_fields: int = 0

    @property
    def text(self) -> str:
        """The text of the paragraph."""
        return "".join(item.text for item in self.items)

    @property
    def formulas(self) -> list[Span]:
        """The places of equations in it, which are mark-up already."""
        return [
            Span(item.start, item.end)
            for item in self.items
            if item.role == "whole" and item.elements[0].tag.startswith(M)
        ]


def read_row(paragraph: Element) -> Row:
    """The items of a paragraph."""
    items: list[Item] = []
    field: list[Element] = []
    shown = False
    words = ""
    depth = place = 0
    for leaf in _leaves(paragraph):
        steps = [one.get(f"{W}fldCharType") for one in leaf.iter(f"{W}fldChar")]
        if depth or steps:
            field.append(leaf)
            words += _words(leaf) if shown else ""
            shown = shown or (depth + steps.count("begin") == 1 and "separate" in steps)
            depth = max(0, depth + steps.count("begin") - steps.count("end"))
            if depth:
                continue
            item = Item(tuple(field), "whole", words, place)
            field, shown, words = [], False, ""
        else:
            item = _item(leaf, place)
        items.append(item)
        place = item.end
    return Row(tuple(items), depth)


def _leaves(element: Element) -> Iterator[Element]:
    """Runs and what stands beside them, in the order of the text."""
    for child in element:
        if child.tag in _THROUGH:
            yield from _leaves(child)
        elif child.tag != f"{W}pPr" and isinstance(child.tag, str):
            yield child


def _item(leaf: Element, place: int) -> Item:
    if leaf.tag == f"{W}r":
        return _run(leaf, place)
    if leaf.tag in (f"{M}oMath", f"{M}oMathPara"):
        return Item((leaf,), "whole", _formula(leaf), place)
    if leaf.tag in (f"{W}fldSimple", f"{W}sdt"):
        return Item((leaf,), "whole", _words(leaf), place)
    return Item((leaf,), "mark" if _RANGES.fullmatch(leaf.tag) else "object", "", place)


def _run(run: Element, place: int) -> Item:
    if is_hidden(run):
        return Item((run,), "object", "", place)
    text = "".join(child_text(child) for child in run)
    if text or all(child.tag in _UNSEEN for child in run):
        return Item((run,), "run", text, place)
    is_note = any(child.tag in _NOTES for child in run)
    return Item((run,), "note" if is_note else "object", "", place)


def is_hidden(run: Element) -> bool:
    """Whether a run is formatted as hidden text, which no reader sees."""
    vanish = run.find(f"{W}rPr/{W}vanish")
    return vanish is not None and vanish.get(f"{W}val", "1") not in ("0", "false", "off")


def child_text(child: Element) -> str:
    """What a child of a run adds to the text: nothing, unless it is text, a tab, a line break or a hyphen."""
    if child.tag == f"{W}t":
        return (child.text or "").translate(_LINE_ENDS)
    if child.tag == f"{W}br":
        return "\n" if child.get(f"{W}type", "textWrapping") == "textWrapping" else ""
    return _SIGNS.get(child.tag, "")


def is_mixed(run: Element) -> bool:
    """Whether a run holds both words and what is none: it has to be parted before it can be cut."""
    others = [child for child in run if not child_text(child) and child.tag not in _UNSEEN]
    return bool(others) and any(child_text(child) for child in run)


def _words(element: Element) -> str:
    """The words that a reader sees of a field or a content control, on one line."""
    gone = (f"{W}del", f"{W}moveFrom", f"{W}txbxContent")
    words = (
        (text.text or "")
        for text in element.iter(f"{W}t")
        if not any(up.tag in gone for up in text.iterancestors())
    )
    return "".join(words).translate(_LINE_ENDS)


def _formula(element: Element) -> str:
    """An equation as a name in Markdown: its letters without their places, between dollars."""
    letters = _NO_FORMULA.sub("", "".join(one.text or "" for one in element.iter(f"{M}t"))) or "equation"
    dollars = "$$" if element.tag == f"{M}oMathPara" else "$"
    return f"{dollars}{letters}{dollars}"
