"""What a reader sees of a marked-up text, offset for offset."""

from __future__ import annotations

from redraft.text.latex import latex_pieces
from redraft.text.markdown import markdown_pieces
from redraft.text.markup import Piece, blanked
from redraft.text.spans import Format


def pieces_of(text: str, format: Format) -> list[Piece]:
    """The mark-up of a text, in order and apart from one another."""
    if format == "markdown":
        return markdown_pieces(text)
    if format == "latex":
        return latex_pieces(text)
    return []


def reader_view(text: str, format: Format) -> str:
    """The text as it is segmented and counted: of the same length, with its mark-up blanked."""
    return blanked(text, pieces_of(text, format)) if format != "text" else text
