"""Text that stays text where something else would be made of it: in Markdown, and in a spreadsheet."""

from __future__ import annotations

import re
from typing import Final

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")
_MARKS: Final = re.compile(r"([\\`*_~\[\]<>|#&])")
_BEGINNINGS: Final = re.compile(r"^(?:([-+=])(?=\s|\1|$)|(\d+)([.)])(?=\s|$))")
"""What makes a list, a rule or a heading of a line that it begins."""
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")


def markdown_text(text: str) -> str:
    """On one line of Markdown: marks of it and of HTML are escaped, line ends become spaces."""
    shown = _MARKS.sub(r"\\\1", _CONTROL.sub("\ufffd", " ".join(text.split())))
    return _BEGINNINGS.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}", shown)


def markdown_code(text: str) -> str:
    """As a block of code in Markdown that nothing in it ends."""
    return "\n".join("    " + _CONTROL.sub("\ufffd", line) for line in text.splitlines())


def escape_formula(text: str) -> str:
    """As a cell that a spreadsheet does not run: it would read a formula, so an apostrophe comes first."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(cell: str) -> str:
    """The text of such a cell."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
