"""The parts of a marked-up text that a reader does not read as prose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from redraft.text.sentences import BLOCK, BREAK, SILENT

Role = Literal["block", "break", "word", "reference", "silent", "space", "display"]
"""What a reader sees in a piece's place.

block      nothing of the running text; a new paragraph begins after it (front matter, a heading's mark)
break      nothing; a new sentence begins after it (the mark of a list item)
word       one word (inline code, inline maths, a URL)
reference  one word that stands like a number (a citation, a cross-reference)
silent     nothing; the word or the sentence goes on (emphasis, a link's target, a label)
space      white space (a comment, a tie)
display    displayed maths: nothing, but its final full stop ends the sentence around it
"""
_FILLERS: Final[dict[Role, str]] = {
    "block": BLOCK,
    "break": BREAK,
    "word": "X",
    "reference": "1",
    "silent": SILENT,
    "space": " ",
    "display": SILENT,
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of mark-up; `masked` unless a rewrite may be trusted with it, as with a list's dash."""

    start: int
    end: int
    role: Role
    masked: bool = True


def ordered(pieces: list[Piece]) -> list[Piece]:
    """The pieces in order of their place, without those that begin inside another."""
    kept: list[Piece] = []
    end = 0
    for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end)):
        if piece.start >= end and piece.end > piece.start:
            kept.append(piece)
            end = piece.end
    return kept


def blanked(text: str, pieces: list[Piece]) -> str:
    """The text with each piece filled by what a reader sees of it: of the same length."""
    parts: list[str] = []
    position = 0
    for piece in pieces:
        parts.append(text[position : piece.start])
        width = piece.end - piece.start
        if piece.role == "display" and _closes(text, piece):
            parts.append(SILENT * (width - 1) + ".")
        else:
            parts.append(_FILLERS[piece.role] * width)
        position = piece.end
    parts.append(text[position:])
    return "".join(parts)


def _closes(text: str, piece: Piece) -> bool:
    """Whether displayed maths ends its sentence: by a stop of its own, or by a capital after it."""
    body = text[max(piece.start, piece.end - 60) : piece.end]
    for ending in ("$$", r"\]"):
        body = body.removesuffix(ending)
    body = body.partition(r"\end{")[0].partition(r"\label{")[0].rstrip()
    following = text[piece.end : piece.end + 40].lstrip()
    return body.endswith((".", "?", "!")) or following[:1].isupper()


class Scan:
    """One pass over a stretch of a text, from token to token.

    Each kind of token has a method of its name, which adds the pieces that begin with it, and returns where
    the pass goes on.
    """

    tokens: ClassVar[re.Pattern[str]]

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end
        self.pieces: list[Piece] = []
        self._missing: set[str] = set()  # endings that do not come again: looked for once, so time is linear

    def scan(self, position: int) -> None:
        """Go through the tokens from a place on."""
        while match := self.tokens.search(self.text, position, self.end):
            position = getattr(self, f"_{match.lastgroup}")(match)

    def _add(self, start: int, end: int, role: Role, *, masked: bool = True) -> int:
        self.pieces.append(Piece(start, end, role, masked))
        return end

    def _find(self, ending: str, position: int) -> int:
        """Where an ending, which is a pattern, is complete; -1 where it does not come."""
        if ending not in self._missing:
            if found := re.compile(ending).search(self.text, position, self.end):
                return found.end()
            self._missing.add(ending)
        return -1
