"""Paragraphs as blocks of Markdown, and back: what was typed as a star is escaped, and stays one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.text.markdown import markdown_pieces
from redraft.text.markup import Piece
from redraft.text.words import Span

_ROUNDS: Final = 30
"""Of escaping: each takes away what the one before left, as of two stars the second."""
_MAY_MARK: Final = re.compile(r"[\\`*_$<>\[\]#|&~=+-]|^\s*\d+[.)]", re.MULTILINE)
_ADDRESSES: Final = ("http://", "https://", "www.")
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_BLANK: Final = re.compile(r"\n(?:[ \t]*\n)+")
_PREFIX: Final = re.compile(r"[ ]*(?:(?P<heading>\#{1,6})|(?P<bullet>[-*+])|(?P<number>\d{1,9}[.)]))[ \t]+")
_OPENS: Final = re.compile(r"(?m:^)[ ]*(?:\d{1,9})?(?P<mark>[#*+)|.-])")
"""What may be taken for the mark of a block, at the beginning of a line."""
_TURN: Final = "  \n"
_UNSEEN: Final = re.compile(r"[\\*_~]")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of a text: what kind it is, and its words without any mark-up."""

    kind: str
    """body, heading1 to heading6, bullet, number or table."""
    plain: str


def to_markdown(plain: str, whole: Collection[Span] = ()) -> str:
    """The words of a paragraph as Markdown that reads as those words.

    What is `whole` is mark-up already, as an equation between dollars is.
    """
    escaped = {mark.start("mark") for mark in _OPENS.finditer(plain)}
    text, places = _written(plain, escaped)
    for _ in range(_ROUNDS if _MAY_MARK.search(plain) else 0):
        marks = {
            mark
            for piece in markdown_pieces(text)
            if (mark := _mark(text, places, piece, whole, escaped)) is not None
        }
        if not marks:
            break
        escaped |= marks
        text, places = _written(plain, escaped)
    return text


def _written(plain: str, escaped: Collection[int]) -> tuple[str, list[int]]:
    """The text, and for each of its characters the place that it has in the plain one; -1 for ours."""
    parts: list[str] = []
    places: list[int] = []
    for place, character in enumerate(plain):
        ours = "\\" if place in escaped else "  " if character == "\n" else ""
        parts += (ours, character)
        places += [*([-1] * len(ours)), place]
    return "".join(parts), places


def _mark(
    text: str, places: Sequence[int], piece: Piece, whole: Collection[Span], escaped: Collection[int]
) -> int | None:
    """The character by which a piece is mark-up that nobody meant; None for what is meant."""
    first = places[piece.start]
    if first < 0 or any(span.start <= first < span.end for span in whole):
        return None
    if text.startswith(_ADDRESSES, piece.start):
        return None
    for at in range(piece.start, piece.end):
        if places[at] >= 0 and places[at] not in escaped and text[at] in _PUNCTUATION:
            return places[at]
    return None


def read_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text: paragraphs, headings, list items, and tables as they are written."""
    found: list[Block] = []
    for stretch in _BLANK.split(text.strip("\n")):
        if stretch.lstrip().startswith("|"):
            found.append(Block("table", stretch.strip()))
        else:
            found += _paragraphs(stretch)
    return [block for block in found if block.plain]


def _paragraphs(stretch: str) -> Iterator[Block]:
    """The paragraphs between two blank lines: a line with a mark opens one, any other goes on."""
    kind, lines = "body", list[str]()
    for line in stretch.split("\n"):
        if (mark := _PREFIX.match(line)) or (kind.startswith("heading") and not lines[-1].endswith("  ")):
            yield Block(kind, _joined(lines))
            kind, lines = _kind(mark), [line[mark.end() :] if mark else line]
        else:
            lines.append(line)
    yield Block(kind, _joined(lines))


def _kind(mark: re.Match[str] | None) -> str:
    if mark is None:
        return "body"
    if mark["heading"]:
        return f"heading{len(mark['heading'])}"
    return "bullet" if mark["bullet"] else "number"


def _joined(lines: Sequence[str]) -> str:
    """The lines of a paragraph: two spaces at the end of one keep the break, any other break is a space."""
    text = "\n".join(lines).strip()
    silent = {
        place
        for piece in (markdown_pieces(text) if _UNSEEN.search(text) else [])
        if not piece.masked and piece.role == "silent" and set(text[piece.start : piece.end]) <= set("\\*_~")
        for place in range(piece.start, piece.end)
    }
    text = "".join(character for place, character in enumerate(text) if place not in silent)
    return "\n".join(part.replace("\n", " ") for part in text.split(_TURN)).strip()
