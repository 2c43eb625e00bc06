"""What a teacher writes for the writer of `redraft compose`: paragraphs on everyday subjects, on request.

It is asked as compose asks, section by section of the outlines that compose makes, and each paragraph comes
after the one that it wrote before. What can be learnt of its answers `composing` says.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, get_args

from redraft.composition import (
    ANGLES,
    Brief,
    Genre,
    Length,
    paragraph_prompt,
    room_for,
    sentences_of,
    small_outline,
)
from redraft.models import Completion, Embedder, Request
from redraft.text import list_lines

_LENGTHS: Final = (300, 500, 700, 1000)
_WORDS: Final = range(40, 120, 10)
_ROUNDS: Final = (1, 1, 2)
"""How often a section comes back to its points."""
_PLAIN: Final = 0.6
"""The share of first paragraphs that no angle is asked of."""
_TEMPERATURE: Final = 0.6
_SYSTEM: Final = (
    "You write for readers who know nothing of the subject. You say simple, true and definite things that "
    "they can picture, one after another, and nothing twice. You answer with one paragraph and nothing else: "
    "no title, no figures, no names, no quotations, and no word about the text, its parts or its readers."
)
_GENRES: Final = re.compile(r"\[(.+)\]")


class Teacher(Protocol):
    """Answers many requests at once."""

    async def complete_all(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """The answers to each request; none where one is too long."""


@dataclass(slots=True)
class Taught:
    """A section, and what the teacher wrote of it so far: a paragraph for each point."""

    genre: Genre
    subject: str
    section: str
    points: Sequence[str]
    angles: Sequence[str]
    words: Sequence[int]
    """Of each paragraph."""
    paragraphs: list[str] = field(default_factory=list)

    def request(self, seed: int) -> Request:
        """How the teacher is asked for the next paragraph."""
        number = len(self.paragraphs)
        before = sentences_of(self.paragraphs[-1]) if self.paragraphs else []
        asked = paragraph_prompt(
            self.genre,
            self.subject,
            self.section,
            self.points[number],
            words=self.words[number],
            angle=self.angles[number],
            ending=before[-1] if before else "",
        )
        room = room_for(max(_WORDS)) + 40
        return Request.of(asked, system=_SYSTEM, max_tokens=room, temperature=_TEMPERATURE, seed=seed)

    def take(self, answers: Sequence[Completion]) -> None:
        """Keep the first answer, without a sentence that breaks off."""
        sentences = sentences_of(answers[0].text) if answers else []
        if sentences and answers[0].finish != "stop":
            sentences.pop()
        self.paragraphs.append(" ".join(sentences))

    def as_dict(self) -> dict[str, Any]:
        """A row for `redraft train writer-data --taught`."""
        return {
            "genre": self.genre,
            "subject": self.subject,
            "section": self.section,
            "points": list(self.points),
            "angles": list(self.angles),
            "text": "\n\n".join(self.paragraphs),
        }


async def sections_to_teach(embedder: Embedder, seed: int = 0) -> list[Taught]:
    """The sections of an outline by its points, and of one without, for every subject of our list."""
    found: list[Taught] = []
    for genres, subject, points in _topics():
        for own in (points, ()):
            drawn = random.Random(f"{seed} {subject} {len(own)}")
            length = drawn.choice(_LENGTHS)
            brief = Brief(subject, genre=drawn.choice(genres), length=Length(length, length), points=own)
            for section in (await small_outline(brief, embedder)).sections:
                found.append(_section(brief.genre, subject, section.title, section.points, drawn))
    random.Random(seed).shuffle(found)
    return found


def _section(genre: Genre, subject: str, title: str, points: Sequence[str], drawn: random.Random) -> Taught:
    rounds = drawn.choice(_ROUNDS)
    said = [point for _ in range(rounds) for point in points]
    angles = ["" if drawn.random() < _PLAIN else drawn.choice(ANGLES[1:]) for _ in points]
    others = [one for one in ANGLES[1:] if one not in angles]
    angles += drawn.sample(others, len(said) - len(points))
    return Taught(genre, subject, title, said, angles, [drawn.choice(_WORDS) for _ in said])


async def teach(sections: Sequence[Taught], teacher: Teacher, seed: int = 0) -> Iterator[Taught]:
    """Each section as the teacher wrote it: the first paragraphs of all at once, then the second ones."""
    for number in range(max((len(one.points) for one in sections), default=0)):
        asked = [one for one in sections if number < len(one.points)]
        answers = await teacher.complete_all([one.request(seed + number) for one in asked])
        for one, own in zip(asked, answers, strict=True):
            one.take(own)
    return (one for one in sections if any(one.paragraphs))


def _topics() -> Iterator[tuple[tuple[Genre, ...], str, tuple[str, ...]]]:
    """Genres, a subject and what is to be said of it."""
    genres: tuple[Genre, ...] = ()
    for line in list_lines(__package__, "topics.txt"):
        if named := _GENRES.fullmatch(line):
            genres = tuple(one for one in get_args(Genre) if one in named[1].split(", "))
        else:
            subject, *points = (part.strip() for part in line.split("|"))
            yield genres, subject, tuple(points)
