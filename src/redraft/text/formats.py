"""Which mark-up a text is written in, and what a reader sees of it."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final, Literal, get_args

from redraft.errors import InputError
from redraft.text.latex import latex_pieces
from redraft.text.markdown import markdown_pieces, markdown_tables
from redraft.text.markup import Piece, blanked, ordered

Format = Literal["text", "markdown", "latex"]

_EXTENSIONS: Final[dict[str, Format]] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".mdx": "markdown",
    ".rmd": "markdown",
    ".qmd": "markdown",
    ".tex": "latex",
    ".latex": "latex",
    ".ltx": "latex",
    ".txt": "text",
    ".text": "text",
}
TEXT_ENDINGS: Final = frozenset(_EXTENSIONS)
"""How the names of texts end."""
_HEAD: Final = 200_000  # enough to tell, and bounded for a very long text

_LATEX_SURE: Final = re.compile(r"^[ \t]*\\(?:documentclass|begin\{document\}|usepackage)\b", re.MULTILINE)
_LATEX_SIGNS: Final = re.compile(
    r"\\(?:begin|end|section|subsection|paragraph|cite[pt]?|ref|eqref|label|emph|textbf|textit|item|footnote)"
    r"\*?[{\[]|\\item\s"
)
_MARKDOWN_SURE: Final = re.compile(
    r"^(?:```|~~~)\w*[ \t]*\r?$|\A---\r?\n(?:[\w-]++:[^\n]*+\n)++---\r?$", re.MULTILINE
)
_MARKDOWN_SIGNS: Final = re.compile(
    r"^#{1,6} +\S"
    r"|!?\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)"
    r"|(?<![\w*])\*\*[^*\s][^*\n]{0,200}\*\*(?!\w)"
    r"|(?<!`)`[^`\n]{1,200}`(?!`)"
    r"|^\|(?:[ ]*:?-{2,}:?[ ]*\|)+",
    re.MULTILINE,
)


def check_format(format: str) -> None:
    """Raises InputError unless that is the name of a format."""
    known = get_args(Format)
    if format not in known:
        raise InputError(f"{format!r} is no format: it is one of {', '.join(known)}")


def guess_format(text: str, name: str | None = None) -> Format:
    """The format by the file's extension, else by the text; plain unless the text is surely marked up."""
    if name is not None:
        suffix = PurePath(name).suffix.lower()
        known = "markdown" if suffix == ".docx" else _EXTENSIONS.get(suffix)
        if known is not None:
            return known
    head = text[:_HEAD]
    if _LATEX_SURE.search(head):
        return "latex"
    latex = len(_LATEX_SIGNS.findall(head))
    markdown = len(_MARKDOWN_SIGNS.findall(head)) + (2 if _MARKDOWN_SURE.search(head) else 0)
    if latex >= 2 and latex >= markdown:
        return "latex"
    if markdown >= 2:
        return "markdown"
    return "text"


def find_markup(text: str, format: Format) -> list[Piece]:
    """The mark-up of a text, in order and apart from one another."""
    if format == "markdown":
        return markdown_pieces(text)
    if format == "latex":
        return latex_pieces(text)
    return []


def reader_view(text: str, format: Format) -> str:
    """The text as it is segmented and counted: of the same length, with its mark-up blanked."""
    return blanked(text, find_markup(text, format)) if format != "text" else text


def words_view(text: str, format: Format) -> str:
    """The same with the cells of tables: no sentence has their words, but they are there to be found."""
    tables = dict(markdown_tables(text)) if format == "markdown" else {}
    pieces = [piece for piece in find_markup(text, format) if piece not in tables]
    return blanked(text, ordered([*pieces, *(mark for marks in tables.values() for mark in marks)]))
