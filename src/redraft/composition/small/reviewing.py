"""A review by what can be measured: the length, the points, repeats, errors, talk about the text itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from redraft.composition.brief import Brief
from redraft.composition.lengths import within
from redraft.composition.small.prose import Memory, Standard, sentences_of
from redraft.composition.state import Review, Section, State
from redraft.models import Embedder

COVERED: Final = 0.35
"""How near some sentence must be to a point that counts as made."""
_COSTS: Final = {"length": 2.5, "point": 1.2, "repeat": 1.2, "flaw": 0.8}
_FULL: Final = 9.5
"""What a section without findings gets: what cannot be measured is not perfect."""


@dataclass
class Found:
    """What is wrong with a section."""

    length: str = ""
    points: list[str] = field(default_factory=list)
    """Those that no sentence speaks of."""
    repeats: list[str] = field(default_factory=list)
    flaws: list[tuple[str, str]] = field(default_factory=list)
    """Sentences that cannot stand, and why."""

    @property
    def score(self) -> float:
        """From 1 to 10."""
        lost = (
            _COSTS["length"] * bool(self.length)
            + _COSTS["point"] * len(self.points)
            + _COSTS["repeat"] * len(self.repeats)
            + _COSTS["flaw"] * len(self.flaws)
        )
        return round(max(1.0, _FULL - lost), 1)

    @property
    def critique(self) -> str:
        """The same in words."""
        told = [self.length and f"Length: {self.length}."]
        told += [f"Nothing is said of: {point}." for point in self.points]
        told += [f"Said before: “{sentence}”" for sentence in self.repeats]
        told += [f"{why[0].upper()}{why[1:]}: “{sentence}”" for sentence, why in self.flaws]
        return "\n".join(filter(None, told)) or "Nothing that is measured speaks against it."


async def found_in(brief: Brief, state: State, section: Section, embedder: Embedder) -> Found:
    """What is wrong with what was written for a section."""
    content = state.manuscript[section.id].content
    standard = Standard(brief, (section.title, *section.points))
    memory = Memory.of(
        passage.content for number, passage in state.manuscript.items() if number != section.id
    )
    verse = brief.genre == "poetry"
    sentences = content.splitlines() if verse else sentences_of(content)
    found = Found(length=within(content, section, brief.language))
    for sentence in sentences:
        if memory.repeats(sentence):
            found.repeats.append(sentence)
        elif not verse and (why := standard.flaw(sentence)):
            found.flaws.append((sentence, why))
        memory.add(sentence)
    if not verse:
        found.points = await missing(section.points, sentences, embedder)
    return found


async def missing(points: Sequence[str], sentences: Sequence[str], embedder: Embedder) -> list[str]:
    """The points that no sentence is near."""
    if not points or not sentences:
        return list(points)
    near = (await embedder.embed(list(points))) @ (await embedder.embed(list(sentences))).T
    return [point for point, likeness in zip(points, near.max(axis=1), strict=True) if likeness < COVERED]


class SmallReviewer:
    """Reviews by measuring; no model of this size can judge what it has written."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def review(self, brief: Brief, state: State, section: Section) -> Review:
        """The score and the findings in words."""
        found = await found_in(brief, state, section, self._embedder)
        return Review(found.score, found.critique, passed=not found.length)
