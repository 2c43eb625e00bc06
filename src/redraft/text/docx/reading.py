"""The text of a .docx, as Markdown: paragraphs, headings, list items and tables.

Text that may be revised is what stands in paragraphs of the body. Tables are in the text, so that words in
them are found, and stay as they are; tables of contents, headers, footers, footnotes, text boxes, comments
and hidden text are not in it. Fields, equations and content controls are read as words, and stay whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from redraft.text.docx.blocks import to_markdown
from redraft.text.docx.items import Row, read_row
from redraft.text.docx.package import Element, Package, W, open_package
from redraft.text.docx.styles import Kind, Styles
from redraft.text.formats import Format
from redraft.text.words import Span

_TRACKED: Final = tuple(f"{W}{name}" for name in ("ins", "del", "moveFrom", "moveTo"))
_LEFT: Final = {
    "drawing": "picture",
    "pict": "picture",
    "footnoteReference": "note",
    "endnoteReference": "note",
    "tbl": "table",
}
_INDENT: Final = "   "


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph or a table of the document, and the block of Markdown that it is in the text.

    Paragraphs whose ends are deleted, and tracked so, are one with the next that has its end.
    """

    elements: tuple[Element, ...]
    kind: Kind
    plain: str
    """Its words without mark-up, and without white space around them."""
    lead: int
    """The white space before them."""
    markdown: str


@dataclass(frozen=True, slots=True)
class DocxText:
    """The text of a .docx as Markdown, and what a writer should know of the rest."""

    text: str
    paragraphs: tuple[Paragraph, ...]
    tracked: int = 0
    """Changes that are tracked in it already: they are read as accepted."""
    left_alone: tuple[str, ...] = ()
    """What is in it and stays as it is, in words: "2 tables"."""
    format: Format = "markdown"

    def __str__(self) -> str:
        return self.text


def read_docx(data: bytes) -> DocxText:
    """The text of a .docx; FileError where it cannot be read, MissingExtra without lxml."""
    package = open_package(data)
    return read_document(package, package.document)


def read_document(package: Package, root: Element) -> DocxText:
    """The same for a document that is parsed already: its paragraphs are elements of it."""
    reader = _Reader(Styles.of(package))
    paragraphs = tuple(one for body in root.iterchildren(f"{W}body") for one in reader.read(body))
    parts: list[str] = []
    for one, following in zip_longest(paragraphs, paragraphs[1:]):
        is_in_list = following is not None and one.kind.number and one.kind.number == following.kind.number
        parts += (one.markdown, "\n" if is_in_list or following is None else "\n\n")
    tracked = sum(1 for _ in root.iter(*_TRACKED))
    return DocxText("".join(parts), paragraphs, tracked, tuple(_left_alone(root)))


def _left_alone(root: Element) -> Iterator[str]:
    counts = Counter(
        name for tag, name in _LEFT.items() for one in root.iter(f"{W}{tag}") if not _is_inner(one)
    )
    for name, count in counts.items():
        yield f"{count} {name}{'s' * (count != 1)}"


def _is_inner(element: Element) -> bool:
    """Whether it stands in a table or a picture, which is counted itself."""
    return any(up.tag in (f"{W}tbl", f"{W}txbxContent", f"{W}drawing") for up in element.iterancestors())


class _Reader:
    """One pass over the body: fields may go over several paragraphs, and numbers are counted."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._open_fields = 0
        self._counts: Counter[tuple[str, int]] = Counter()
        self._depth = -1  # of the item before; -1 where there is none
        self._endless: tuple[Element, ...] = ()

    def read(self, parent: Element) -> Iterator[Paragraph]:
        """The paragraphs and tables of the body, or of a content control in it, that have text."""
        for child in parent:
            if child.tag == f"{W}p":
                yield from self._paragraph(child)
            elif child.tag == f"{W}tbl" and not self._open_fields:
                self._depth = -1
                if table := _table(child):
                    yield Paragraph((child,), Kind("table"), table, 0, table)
            elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}customXml") and not _is_contents(child):
                yield from self.read(child)

    def _paragraph(self, element: Element) -> Iterator[Paragraph]:
        row = read_row(element)
        was_open, self._open_fields = self._open_fields, self._count_fields(element, row)
        if was_open or self._open_fields:
            self._endless = ()
            return
        elements = (*self._endless, element)
        following = element.getnext()
        if has_no_end(element) and following is not None and following.tag == f"{W}p":
            self._endless = elements
            return
        self._endless = ()
        text = joined_text(elements)
        plain = text.strip()
        kind = self._styles.kind(element)
        if kind is None or not plain:
            return
        lead = len(text) - len(text.lstrip())
        markdown = to_markdown(plain, list(_formulas(elements, lead)))
        yield Paragraph(elements, kind, plain, lead, self._prefix(kind) + markdown)

    def _count_fields(self, element: Element, row: Row) -> int:
        if not self._open_fields:
            return row.open_fields
        steps = Counter(one.get(f"{W}fldCharType") for one in element.iter(f"{W}fldChar"))
        return max(0, self._open_fields + steps["begin"] - steps["end"])

    def _prefix(self, kind: Kind) -> str:
        """The mark of a block: an item is at most one step deeper than the one before it."""
        if not kind.number:
            self._depth = -1
            return f"{'#' * int(kind.name[-1])} " if kind.name.startswith("heading") else ""
        self._depth = min(kind.depth, self._depth + 1)
        if kind.name == "bullet":
            return f"{_INDENT * self._depth}- "
        for number, depth in list(self._counts):
            if number == kind.number and depth > kind.depth:
                del self._counts[number, depth]
        self._counts[kind.number, kind.depth] += 1
        return f"{_INDENT * self._depth}{self._counts[kind.number, kind.depth]}. "


def has_no_end(paragraph: Element) -> bool:
    """Whether the mark of a paragraph is deleted, so that it will be one with the next."""
    properties = paragraph.find(f"{W}pPr/{W}rPr")
    return properties is not None and any(
        properties.find(f"{W}{name}") is not None for name in ("del", "moveFrom")
    )


def joined_text(elements: Sequence[Element]) -> str:
    """The text of paragraphs that are one."""
    return "".join(read_row(one).text for one in elements)


def _formulas(elements: Sequence[Element], lead: int) -> Iterator[Span]:
    start = -lead
    for element in elements:
        row = read_row(element)
        for span in row.formulas:
            yield Span(start + span.start, start + span.end)
        start += len(row.text)


def _is_contents(element: Element) -> bool:
    """Whether a content control holds a table of contents or a bibliography, which Word writes itself."""
    gallery = element.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return (gallery is not None and gallery.get(f"{W}val") in ("Table of Contents", "Bibliographies")) or (
        element.find(f"{W}sdtPr/{W}bibliography") is not None
    )


def _table(element: Element) -> str:
    """A table in Markdown, its first row as the head; nothing where it has no words."""
    rows = [
        [_cell(cell) for cell in row.iter(f"{W}tc") if _is_own(cell, element)]
        for row in element.iter(f"{W}tr")
        if _is_own(row, element)
    ]
    width = max(map(len, rows), default=0)
    if not any(cell for row in rows for cell in row):
        return ""
    lines = [f"| {' | '.join([*row, *([''] * (width - len(row)))])} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _is_own(part: Element, table: Element) -> bool:
    """Whether a row or a cell is of this table, and not of one in a cell of it."""
    return next(part.iterancestors(f"{W}tbl")) is table


def _cell(cell: Element) -> str:
    words = (read_row(one).text for one in cell.iter(f"{W}p"))
    return to_markdown(" ".join(" ".join(words).split())).replace("|", "\\|")
