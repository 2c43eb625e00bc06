"""A text as one paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.text.words import count_words

_BLANK: Final = re.compile(r"\n\s*\n")
_MARKER: Final = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_CLOSED: Final = re.compile(r"[.!?:;,]['\"’”)\]]*$")
_HEADING: Final = 12
"""A paragraph of fewer words that ends without a stop is a heading, and no sentence of the text."""


def running_text(text: str) -> str:
    """The text as one paragraph, without headings and list markers.

    The published checker sees no end of a sentence at a line break, so that only in a running text do both
    counting conventions number the sentences alike.
    """
    blocks = (" ".join(_lines_of(block)) for block in _BLANK.split(text))
    return " ".join(block for block in blocks if block and not _is_heading(block))


def _lines_of(block: str) -> Iterator[str]:
    for line in block.splitlines():
        if words := _MARKER.sub("", line).split():
            yield " ".join(words)


def _is_heading(block: str) -> bool:
    return count_words(block) < _HEADING and not _CLOSED.search(block)
