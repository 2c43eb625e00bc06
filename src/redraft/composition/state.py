"""What a piece is while it is written: an outline of sections, and what was made of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Status = Literal["pending", "drafted", "revision_needed", "completed"]
"""The life of a section: a review completes it, or sends it back to be refined and reviewed again."""


@dataclass(frozen=True, slots=True)
class Section:
    """A node of the outline."""

    id: int
    """Its place, from 1."""
    title: str
    points: tuple[str, ...] = ()
    """What it is to say."""
    words: int | None = None
    """Its share of the length that was asked for; in Chinese, characters."""
    status: Status = "pending"

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "id": self.id,
            "title": self.title,
            "points": list(self.points),
            "words": self.words,
            "status": self.status,
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Section:
        """The section that `to_dict` described."""
        return cls(value["id"], value["title"], tuple(value["points"]), value["words"], value["status"])


@dataclass(frozen=True, slots=True)
class Passage:
    """A node of the manuscript: what was written for a section, and what was found of it."""

    content: str
    summary: str = ""
    score: float | None = None
    """From 1 to 10; None until this version is reviewed."""
    critique: str = ""
    revisions: int = 0
    best: tuple[str, float] | None = None
    """The version with the highest score so far, and that score: what the piece takes in the end."""
    stalled: int = 0
    """How many refinements in a row have gained nothing."""

    @property
    def final(self) -> str:
        """The content that the piece takes: the best that was reviewed, or this where it was not."""
        return self.content if self.score is None or self.best is None else self.best[0]


@dataclass(frozen=True, slots=True)
class Outline:
    """A title and the sections under it."""

    title: str
    sections: tuple[Section, ...]
    note: str = ""
    """What is to be said of it."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a draft or a refinement comes to."""

    content: str
    summary: str = ""
    """What it says, in a sentence or two, for whoever writes the next section."""
    note: str = ""
    """What was changed, for a refinement."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a reviewer found."""

    score: float
    critique: str
    passed: bool = True
    """False where something that is measured, such as the length, sends it back whatever its score."""


@dataclass(frozen=True, slots=True)
class State:
    """The outline and the manuscript at one moment; every transition gives a new one."""

    title: str = ""
    sections: tuple[Section, ...] = ()
    manuscript: Mapping[int, Passage] = field(default_factory=dict)
    finished: bool = False
    failures: Mapping[str, int] = field(default_factory=dict)
    """How often an action that was possible has failed, by its name and section."""

    def section(self, number: int) -> Section:
        """The section of a number."""
        return self.sections[number - 1]

    def before(self, number: int) -> Passage | None:
        """What was written for the nearest section before this one."""
        earlier = (place for place in range(number - 1, 0, -1) if place in self.manuscript)
        return next((self.manuscript[place] for place in earlier), None)

    def with_status(self, *statuses: Status) -> tuple[Section, ...]:
        """The sections that have one of these."""
        return tuple(section for section in self.sections if section.status in statuses)

    def outlined(self, outline: Outline) -> State:
        """After an outline: every section is pending."""
        return replace(self, title=outline.title, sections=outline.sections)

    def drafted(self, number: int, written: Written) -> State:
        """After a draft."""
        return self._with(number, "drafted", Passage(written.content, written.summary))

    def reviewed(self, number: int, review: Review, tau: float) -> State:
        """After a review: completed from τ on, unless something measured sends it back."""
        old = self.manuscript[number]
        before = old.best[1] if old.best is not None else None
        gained = before is None or review.score > before
        passage = replace(
            old,
            score=review.score,
            critique=review.critique,
            best=(old.content, review.score) if gained else old.best,
            stalled=0 if gained or not old.revisions else old.stalled + 1,
        )
        done = review.score >= tau and review.passed
        return self._with(number, "completed" if done else "revision_needed", passage)

    def refined(self, number: int, written: Written) -> State:
        """After a refinement: drafted again, to be reviewed again."""
        old = self.manuscript[number]
        passage = replace(
            old,
            content=written.content,
            summary=written.summary or old.summary,
            score=None,
            revisions=old.revisions + 1,
        )
        return self._with(number, "drafted", passage)

    def failed(self, action: str) -> State:
        """After an action that was possible and failed: nothing has changed but that."""
        return replace(self, failures={**self.failures, action: self.failures.get(action, 0) + 1})

    def _with(self, number: int, status: Status, passage: Passage) -> State:
        sections = tuple(
            replace(each, status=status) if each.id == number else each for each in self.sections
        )
        return replace(self, sections=sections, manuscript={**self.manuscript, number: passage})


def numbered(titles: Sequence[tuple[str, Sequence[str]]]) -> tuple[Section, ...]:
    """Sections from titles and points."""
    return tuple(Section(place, title, tuple(points)) for place, (title, points) in enumerate(titles, 1))
