"""A piece while it is written: its outline, the length of each section, and what was written for it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from redraft.composition.brief import Language, Length
from redraft.constraints import Constraint, WordCount, check
from redraft.errors import InputError
from redraft.text import Document

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
    """The reviewed version that the piece takes in the end, and its score."""
    stalled: int = 0
    """How many refinements in a row have gained nothing."""

    @property
    def final(self) -> str:
        """The content that the piece takes; this, where it is not reviewed yet."""
        return self.content if self.score is None or self.best is None else self.best[0]


@dataclass(frozen=True, slots=True)
class Outline:
    """A title and the sections under it."""

    title: str
    sections: tuple[Section, ...]
    note: str = ""
    """What is to be said of it."""


@dataclass(frozen=True, slots=True)
class SectionText:
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

    def drafted(self, number: int, written: SectionText) -> State:
        """After a draft."""
        return self._with(number, "drafted", Passage(written.content, written.summary))

    def reviewed(self, number: int, review: Review, tau: float, *, best: bool = True) -> State:
        """After a review: completed from τ on (Eq. 6), unless something measured sends it back.

        The piece takes the version with the best score, or else the last.
        """
        old = self.manuscript[number]
        before = old.best[1] if old.best is not None else None
        gained = before is None or review.score > before
        passage = replace(
            old,
            score=review.score,
            critique=review.critique,
            best=(old.content, review.score) if gained or not best else old.best,
            stalled=0 if gained or not old.revisions else old.stalled + 1,
        )
        done = review.score >= tau and review.passed
        return self._with(number, "completed" if done else "revision_needed", passage)

    def refined(self, number: int, written: SectionText) -> State:
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


_LEAST, _MOST = 85, 115
"""How much of its words a section has at least and at most, in per cent."""
_FRAME: Final = re.compile(
    r"\b(?:introduction|preface|foreword|prologue|opening|overview|abstract|summary"
    r"|conclusions?|concluding|closing|epilogue|outlook)\b|引言|前言|导言|导语|摘要|绪论|结语|结论|尾声|总结|小结",
    re.IGNORECASE,
)
_SOURCES: Final = re.compile(
    r"\b(?:references?(?: list)?|works cited|bibliography|sources|further reading)\b|参考文献|参考资料",
    re.IGNORECASE,
)
_FRAME_SHARE: Final = 0.6
_SOURCES_SHARE: Final = 0.4


def share_length(outline: Outline, length: Length | None) -> Outline:
    """The outline with the words of each section, which add up to the length that was asked for.

    What opens and closes a piece gets less than what stands between, and a list of sources least.
    """
    if length is None or not outline.sections:
        return outline
    weights = [_weight(section.title) for section in outline.sections]
    exact = [length.target * weight / sum(weights) for weight in weights]
    words = [math.floor(value) for value in exact]
    largest = sorted(range(len(exact)), key=lambda place: words[place] - exact[place])
    for place in largest[: length.target - sum(words)]:
        words[place] += 1
    sections = (replace(section, words=count) for section, count in zip(outline.sections, words, strict=True))
    return replace(outline, sections=tuple(sections))


def length_constraints(section: Section) -> tuple[Constraint, ...]:
    """The constraints of a section's length; none where no length was asked for."""
    if not section.words:
        return ()
    low, high = -(-section.words * _LEAST // 100), section.words * _MOST // 100
    return WordCount(low - 1, "more than"), WordCount(high + 1, "less than")


def length_problem(text: str, section: Section, language: Language) -> str:
    """What is wrong with the length of a section's text, with both numbers; empty where nothing is."""
    if check(text, length_constraints(section), format="markdown").met:
        return ""
    found = count_words(text)
    unit = "character" if language == "zh" else "word"
    return f"it has {found} {unit}{'s' * (found != 1)}, and is to have about {section.words}"


def count_words(text: str) -> int:
    """The length as its reader counts it: words, or Chinese characters and foreign words, no punctuation."""
    return Document(text, "markdown").words


def _weight(title: str) -> float:
    if _SOURCES.search(title):
        return _SOURCES_SHARE
    return _FRAME_SHARE if _FRAME.search(title) else 1.0


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
