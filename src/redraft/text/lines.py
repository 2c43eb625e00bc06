"""Where a character of a text stands: its line and column, as editors and other tools count them."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

_LINE_END: Final = re.compile(r"\r\n?|\n")
_MARK: Final = "\ufeff"


class Place(NamedTuple):
    """A line and a column, both from 1; columns are characters, and a byte order mark is none."""

    line: int
    column: int


class Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._starts[0] += text.startswith(_MARK)

    def place(self, offset: int) -> Place:
        """Where the character at an offset stands."""
        line = max(bisect_right(self._starts, offset), 1)
        return Place(line, max(offset - self._starts[line - 1], 0) + 1)
