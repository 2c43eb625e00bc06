"""Refining with a small model: what was found wrong goes, and what is missing is written."""

from __future__ import annotations

from redraft.compose.brief import Brief
from redraft.compose.lengths import measured
from redraft.compose.small.prose import Memory, sentences_of
from redraft.compose.small.reviewing import found_in
from redraft.compose.small.writing import SHORT, SmallWriter
from redraft.compose.state import Section, State, Written
from redraft.models import Embedder


class SmallRefiner:
    """Mends what can be measured."""

    def __init__(self, writer: SmallWriter, embedder: Embedder) -> None:
        self._writer = writer
        self._embedder = embedder

    async def refine(self, brief: Brief, state: State, section: Section) -> Written:
        """Without the sentences that cannot stand, with the points that were missing, as long as asked."""
        found = await found_in(brief, state, section, self._embedder)
        wrong = {*found.repeats, *(sentence for sentence, _ in found.flaws)}
        old = state.manuscript[section.id]
        kept = [_without(paragraph, wrong) for paragraph in old.content.split("\n\n")]
        paragraphs = [paragraph for paragraph in kept if paragraph]
        memory = Memory.of(
            [
                *paragraphs,
                *(other.content for number, other in state.manuscript.items() if number != section.id),
            ]
        )
        words = section.words or measured(old.content, brief.language)
        short = words - measured("\n\n".join(paragraphs), brief.language)
        if found.points and short < 3 * SHORT and len(paragraphs) > 1:
            short += measured(paragraphs.pop(), brief.language)  # to make room
        if short >= SHORT:
            points = found.points or section.points
            paragraphs += await self._writer.paragraphs(brief, section, memory, short, points)
        while measured("\n\n".join(paragraphs), brief.language) > words * 1.12:
            *rest, last = sentences_of(paragraphs[-1])
            paragraphs[-1] = " ".join(rest)
            if not paragraphs[-1]:
                paragraphs.pop()
            if not rest and not paragraphs:
                paragraphs = [last]
                break
        content = "\n\n".join(paragraphs) or old.content
        return Written(content, "", f"{len(wrong)} sentences taken out; {len(found.points)} points added")


def _without(paragraph: str, wrong: set[str]) -> str:
    return " ".join(sentence for sentence in sentences_of(paragraph) if sentence not in wrong)
