"""The headings of a text: those of Markdown and LaTeX, and in plain text a line that stands as a title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Final

from redraft.text.document import Document, Sentence
from redraft.text.word_lists import word_sets, wordings

_MARKDOWN: Final = re.compile(r"[ ]{0,3}#{1,6}[ \t]+\Z")
_UNDERLINE: Final = re.compile(r"[^\n]*\n[ ]{0,3}(?:=+|-{2,})[ \t]*(?:\r?\n|\Z)")
_COMMANDS: Final = "|".join(sorted(word_sets(__package__, "latex.txt")["headings"] - {"caption"}))
_LATEX: Final = re.compile(rf"\\(?:{_COMMANDS})\*?[ ]?(?:\[[^\]\n]*\])?\{{\s*\Z")
_LONGEST: Final = 14
"""Words that a line of plain text has at the most if it is a heading."""
_REACH: Final = 200
_OPENING: Final = re.compile(r"[\"“'‘(]?[A-ZÀ-Þ0-9]")
_CLOSED: Final = re.compile(r"[.!:;,…][\"'”’)\]]*\Z")
_LISTED: Final = re.compile(r"\s*(?:[-*•–]|\(?[a-z\d]{1,3}\))\s")
_LETTER: Final = re.compile(rf"(?i)(?:{wordings(__package__)['letter_line']})\b")


def find_headings(document: Document) -> tuple[tuple[Sentence, ...], ...]:
    """The headings, each by its sentences: mostly one.

    >>> find_headings(Document("# To the Sea\\n\\nWe went.", "markdown"))[0][0].text
    'To the Sea'
    """
    groups = [tuple(group) for _, group in groupby(document.sentences, key=lambda one: one.paragraph)]
    if document.format == "text":
        return tuple(_title_lines(document, groups))
    return tuple(group for group in groups if _is_marked(document, group[0]))


def _is_marked(document: Document, first: Sentence) -> bool:
    text = document.text
    before = text[max(0, first.start - _REACH) : first.start]
    if document.format == "latex":
        return _LATEX.search(before) is not None
    if _MARKDOWN.match(before.rpartition("\n")[2]):
        return True
    return _UNDERLINE.match(text, first.start) is not None


def _title_lines(document: Document, groups: list[tuple[Sentence, ...]]) -> Iterator[tuple[Sentence, ...]]:
    """Paragraphs of one short line without a full stop, and with prose behind them."""
    for group, behind in pairwise(groups):
        text = document.text[group[0].start : group[-1].end]
        line = document.text[: group[0].start].rpartition("\n")[2]
        if "\n" in text or line.strip() or _CLOSED.search(text) or _LETTER.match(text):
            continue
        following = document.text[behind[0].start : behind[-1].end]
        opens = group is groups[0] or _OPENING.match(text)
        short = len(text.split()) <= _LONGEST and not _LISTED.match(text)
        if opens and short and re.search(r"[.!?:…][\"'”’)\]]*\Z", following):
            yield group
