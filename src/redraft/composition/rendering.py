"""A piece as its readers get it: title and headings by genre.

What was written is data: it is cleaned of the traces of how it was asked for, and escaped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from redraft.composition.brief import Genre, Language
from redraft.composition.markup import BREAK, HEADING, LISTED, QUOTED, RULE, Markup, converted

__all__ = ["Markup", "converted", "harmless", "render"]

_HEADED: Final = ("essay", "academic", "report", "article", "guide")
_BOLD_LINE: Final = re.compile(r"\s*(?:\*\*|__)(.+?)(?:\*\*|__):?\s*")
_ENDS: Final = re.compile(r"[.!?:;。！？：；…][\"'”’»」』）)]*\s*$|[”」』]\s*$")
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_LINK: Final = re.compile(r"\]\((?!https?://|mailto:)", re.IGNORECASE)
_DEFINED: Final = re.compile(r"(?<!\\)\\*\](?=:)")
_TAG: Final = re.compile(r"(?<!\\)\\*<(?=[A-Za-z/!?])")


def render(
    title: str,
    sections: Sequence[tuple[str, str]],
    genre: Genre,
    markup: Markup,
    language: Language,
) -> str:
    """A piece of sections, each a heading and what was written for it."""
    name = _line(title)
    parts = [f"# {name}"] if name else []
    for place, (heading, content) in enumerate(sections):
        if genre in _HEADED and _line(heading):
            parts.append(f"## {_line(heading)}")
        elif genre == "story" and place:
            parts.append(BREAK)
        parts += _paragraphs(content, (title, heading), genre)
    return converted("\n\n".join(parts) + "\n", markup, language)


def harmless(markdown: str) -> str:
    """A piece that was changed by somebody else since, as clean as it was made."""
    return "\n".join(_harmless(_UNSEEN.sub("", line)) for line in markdown.split("\n"))


def _line(text: str) -> str:
    return _harmless(" ".join(_UNSEEN.sub(" ", text).split())).lstrip("# ")


def _harmless(line: str) -> str:
    """A line of which no reader of Markdown makes HTML, an image, or a link to anything but a page."""
    line = _LINK.sub("] (", line.replace("![", "["))
    return _DEFINED.sub(r"\\]", _TAG.sub("&lt;", line))


def _paragraphs(content: str, titles: Sequence[str], genre: Genre) -> list[str]:
    """What was written, as paragraphs of Markdown without a title of its own."""
    lines = _UNSEEN.sub("", content.expandtabs(4)).split("\n")
    lines = [_harmless(line.rstrip()) for line in lines if not line.lstrip().startswith("```")]
    repeated = {_bare(title) for title in titles}
    while lines and (not lines[0].strip() or _bare(lines[0]) in repeated):
        del lines[0]
    found: list[str] = []
    before = ""
    for line in lines:
        text = _block_line(line, genre)
        if not text or _is_apart(before, text, genre):
            found.append(text)
        elif found and before:
            found[-1] += ("  \n" if genre in ("poetry", "letter") else "\n") + text
        else:
            found.append(text)
        before = "" if text == BREAK or text.startswith("#") else text
    return [paragraph for paragraph in found if paragraph]


def _block_line(line: str, genre: Genre) -> str:
    """A line, with a heading one level below the section's where the genre has headings."""
    if RULE.fullmatch(line):
        return BREAK if genre == "story" else ""
    if heading := HEADING.fullmatch(line):
        return f"### {heading[2]}" if genre in _HEADED else heading[2]
    # Four spaces would make a block of code of it.
    return line if LISTED.fullmatch(line) else line.strip()


def _is_apart(before: str, line: str, genre: Genre) -> bool:
    """Whether a line begins a paragraph though no empty line says so."""
    if line == BREAK or line.startswith("#"):
        return True
    if genre in ("poetry", "letter"):
        return False
    is_listed = LISTED.fullmatch(line) is not None
    if is_listed or (before and LISTED.fullmatch(before)):
        return not (is_listed and LISTED.fullmatch(before))
    return _ENDS.search(before) is not None and not QUOTED.fullmatch(line)


def _bare(line: str) -> str:
    """A line without its mark-up, for comparing titles."""
    if found := HEADING.fullmatch(line) or _BOLD_LINE.fullmatch(line):
        line = found[found.re.groups]
    return re.sub(r"\W+", " ", line).strip().casefold()
