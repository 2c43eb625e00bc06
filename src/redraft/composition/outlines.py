"""An outline as a person reads and edits it, in Markdown."""

from __future__ import annotations

import re

from redraft.composition.state import Outline, numbered
from redraft.errors import InputError

_HELP = "<!-- The title stands after #, a section after ##, and what it is to say in points after -. -->"
_MARKED = re.compile(r"\s{0,3}(#{1,2}|[-*])\s+(.*\S)\s*")


def outline_text(outline: Outline) -> str:
    """The outline to edit."""
    parts = [_HELP, f"# {_line(outline.title)}"]
    for section in outline.sections:
        points = "".join(f"\n- {_line(point)}" for point in section.points)
        parts.append(f"## {_line(section.title)}{points}")
    return "\n\n".join(parts) + "\n"


def read_outline(text: str) -> Outline:
    """The outline that a person made of it; InputError says what is wrong, and in which line."""
    title = ""
    sections: list[tuple[str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or re.fullmatch(r"\s*<!--.*-->\s*", line):
            continue
        found = _MARKED.fullmatch(line)
        if found is None:
            raise InputError(
                f"the outline, line {number}: write the title after #, a section after ##, or a point after -"
            )
        mark, said = found.groups()
        if mark == "##":
            sections.append((said, []))
        elif mark == "#":
            if title:
                raise InputError(
                    f"the outline, line {number}: there is a title already; begin a section with ##"
                )
            title = said
        elif sections:
            sections[-1][1].append(said)
        else:
            raise InputError(
                f"the outline, line {number}: a point belongs under a section; begin one with ##"
            )
    if not title or not sections:
        raise InputError("the outline needs a title after #, and at least one section after ##")
    return Outline(title, numbered(sections))


def _line(text: str) -> str:
    return " ".join(text.split())
