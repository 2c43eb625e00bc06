"""Refining with a small model: what was found wrong goes, and what is missing is written."""

from __future__ import annotations

from redraft.composition.brief import Brief
from redraft.composition.lengths import measured
from redraft.composition.small.prose import Memory, Standard, sentences_of
from redraft.composition.small.reviewing import found_in
from redraft.composition.small.writing import SmallWriter, slack
from redraft.composition.state import Section, State, Written
from redraft.models import Embedder


class SmallRefiner:
    """Mends what can be measured."""

    def __init__(self, writer: SmallWriter, embedder: Embedder) -> None:
        self._writer = writer
        self._embedder = embedder

    async def refine(self, brief: Brief, state: State, section: Section) -> Written:
        """Without the sentences that cannot stand, with the points that were missing, as long as asked."""
        if brief.genre == "poetry":  # a stanza is written anew, or not at all
            return await self._writer.draft(brief, state, section)
        found = await found_in(brief, state, section, self._embedder)
        old = state.manuscript[section.id]
        standard = Standard(brief, (section.title, *section.points))
        memory = Memory.of(
            other.content for number, other in state.manuscript.items() if number != section.id
        )
        kept = [_cleaned(paragraph, standard, memory) for paragraph in old.content.split("\n\n")]
        paragraphs = [paragraph for paragraph in kept if paragraph]
        words = section.words or measured(old.content)
        short = words - measured("\n\n".join(paragraphs))
        if found.points and short < 3 * slack(words) and len(paragraphs) > 1:
            short += measured(paragraphs.pop())  # to make room
        if short >= slack(words):
            points = found.points or section.points
            paragraphs += await self._writer.paragraphs(brief, section, memory, short, points)
        while measured("\n\n".join(paragraphs)) > words * 1.12:
            *rest, last = sentences_of(paragraphs[-1])
            paragraphs[-1] = " ".join(rest)
            if not paragraphs[-1]:
                paragraphs.pop()
            if not rest and not paragraphs:
                paragraphs = [last]
                break
        content = "\n\n".join(paragraphs) or old.content
        wrong = len(found.repeats) + len(found.flaws)
        return Written(content, "", f"{wrong} sentences taken out; {len(found.points)} points added")


def _cleaned(paragraph: str, standard: Standard, memory: Memory) -> str:
    """The sentences of a paragraph that can stand, and say nothing that was said."""
    found: list[str] = []
    for sentence in sentences_of(paragraph):
        if not standard.flaw(sentence) and not memory.repeats(sentence):
            memory.add(sentence, opens=not found)
            found.append(sentence)
    return " ".join(found)
