"""What was asked for: the topic, the style guide, and what can be read out of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from redraft.composition.asked import audience_of, length_of, title_of
from redraft.composition.genres import genre_of
from redraft.composition.points import headings_of, points_of, subject_of
from redraft.errors import InputError
from redraft.text import language

Language = Literal["en", "zh"]
Genre = Literal["essay", "academic", "report", "article", "speech", "story", "poetry", "letter", "guide"]

_MOST_READ: Final = 20_000


@dataclass(frozen=True, slots=True)
class Length:
    """How long the piece is to be: in words, in Chinese in characters; "about 900" is 900 to 900."""

    low: int
    high: int

    @property
    def target(self) -> int:
        """The middle."""
        return (self.low + self.high) // 2


@dataclass(frozen=True, slots=True)
class Brief:
    """The query of a piece, read."""

    topic: str
    style: str = ""
    language: Language = "en"
    genre: Genre = "article"
    length: Length | None = None
    headings: tuple[str, ...] = ()
    """Sections that were asked for by name."""
    points: tuple[str, ...] = ()
    """Further things that it is to speak of, in order."""
    title: str = ""
    """A title that was asked for."""
    audience: str = ""


def read_brief(topic: str, style: str = "") -> Brief:
    """What a topic and a style guide ask for; either may hold all of it."""
    topic, style = topic.strip(), style.strip()
    if not re.search(r"\w", topic):
        raise InputError('the topic has no words: say what to write about, such as "Why cities flood"')
    asked, manner = topic[:_MOST_READ], style[:_MOST_READ]
    both = f"{asked}\n{manner}"
    bounds = length_of(manner) or length_of(asked)
    named, rest = headings_of(asked)
    if not named:
        named, manner = headings_of(manner)
    return Brief(
        topic,
        style,
        language=_language(both),
        genre=genre_of(asked, style[:_MOST_READ]),
        length=None if bounds is None else Length(*bounds),
        headings=named,
        points=points_of(f"{rest}\n{manner}"),
        title=title_of(both),
        audience=audience_of(both),
    )


def subject(brief: Brief) -> str:
    """What a piece is about in a few words, from a topic or an instruction."""
    found = subject_of(brief.topic[:_MOST_READ], brief.title) or next(iter(brief.points), "")
    return found or brief.topic[:80].strip()


def _language(text: str) -> Language:
    found = language(text)
    is_chinese = found == "zh" or (found is None and re.search(r"[\u4e00-\u9fff]", text) is not None)
    return "zh" if is_chinese else "en"
