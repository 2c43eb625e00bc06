"""Drafting with a small model: it proposes continuations, several at a time, and the best clean ones stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

import numpy as np

from redraft.compose.brief import Brief, subject
from redraft.compose.small.prose import TOLD, Memory, Standard, sentences_of, words_of
from redraft.compose.small.verse import stanza
from redraft.compose.state import Section, State, Written
from redraft.errors import BadAnswer
from redraft.models import Embedder, Message, Model, Prompts, Request
from redraft.models.base import FloatArray

WORDS: Final = 180
"""Of a section whose length nobody asked for."""
PARAGRAPH: Final = 75
"""Words after which a paragraph is long enough."""
SAMPLES: Final = 4
TOKENS: Final = 70
"""Of one continuation: two sentences or three."""
TEMPERATURES: Final = (0.5, 0.7, 0.9)
"""Higher each time that no continuation can be used."""
STRANGER: Final = 0.12
"""What a name that nobody gave costs, in units of likeness."""
_prompt = Prompts(__package__)


@dataclass(frozen=True, slots=True)
class Run:
    """Clean sentences of one continuation, and how near they are to what is to be said."""

    sentences: tuple[str, ...]
    value: float


class SmallWriter:
    """Writes sections, and parts of sections."""

    def __init__(self, model: Model, embedder: Embedder, seed: int) -> None:
        self._model = model
        self._embedder = embedder
        self._seed = seed

    async def draft(self, brief: Brief, state: State, section: Section) -> Written:
        """Paragraphs on the points of a section, in turn, until it is as long as it is to be."""
        memory = Memory.of(passage.content for passage in state.manuscript.values())
        if brief.genre == "poetry":
            lines = await stanza(brief, section, memory, self._model, self._embedder, self._seed)
            return Written(self._something(lines, section))
        paragraphs = await self.paragraphs(brief, section, memory, section.words or WORDS, section.points)
        return Written(self._something("\n\n".join(paragraphs), section), *paragraphs[-1:])

    def _something(self, text: str, section: Section) -> str:
        if not text:
            raise BadAnswer(f"{self._model.spec} wrote nothing that can be used for section {section.id}")
        return text

    async def paragraphs(
        self, brief: Brief, section: Section, memory: Memory, words: int, points: Sequence[str]
    ) -> list[str]:
        """Paragraphs of so many words in all, each on a point."""
        count = max(1, round(words / PARAGRAPH))
        written: list[str] = []
        left, empty = words, 0
        for number, point in enumerate(cycle(points or (section.title,))):
            share = left if number >= count - 1 else round(left / (count - number))
            text = await self._paragraph(brief, section, point, memory, share, number)
            empty = 0 if text else empty + 1
            if text:
                written.append(text)
                left -= len(words_of(text))
            if left < slack(words) or empty >= 3:
                break
        return written

    async def _paragraph(
        self, brief: Brief, section: Section, point: str, memory: Memory, words: int, number: int
    ) -> str:
        standard = Standard(brief, (section.title, point))
        asked = Message("user", self._asked(brief, section, point))
        focus = await self._embedder.embed([f"{subject(brief)}: {section.title}. {point}"])
        text = ""
        tries = 0
        while (left := words - len(words_of(text))) >= slack(words) and tries < len(TEMPERATURES):
            messages = (asked, Message("assistant", text)) if text else (asked,)
            request = Request(
                messages,
                max_tokens=TOKENS,
                temperature=TEMPERATURES[tries],
                top_p=0.9,
                n=SAMPLES,
                seed=self._seed + 1000 * number + 10 * len(memory.contents),
            )
            answers = [completion.text for completion in await self._model.complete(request)]
            runs = await self._runs(answers, standard, memory, focus, opening=not text)
            fitting = [run for run in runs if len(words_of(run.sentences[0])) <= left + slack(words)]
            best = max(fitting, key=lambda run: run.value, default=None)
            if best is None:
                tries += 1
                continue
            tries = 0
            for sentence in _fitting(best.sentences, left, slack(words)):
                memory.add(sentence, opens=not text)
                text = f"{text} {sentence}".strip()
        return text

    def _asked(self, brief: Brief, section: Section, point: str) -> str:
        kind = "story" if brief.genre in TOLD else "prose"
        return _prompt(
            f"{kind}",
            genre=brief.genre if brief.genre != "academic" else "academic essay",
            subject=subject(brief),
            section=section.title,
            point=point,
        )

    async def _runs(
        self,
        answers: Sequence[str],
        standard: Standard,
        memory: Memory,
        focus: FloatArray,
        *,
        opening: bool,
    ) -> list[Run]:
        """The clean beginnings of answers; at the opening of a paragraph, the first clean part of each."""
        clean = [_clean(answer, standard, memory, opening=opening) for answer in answers]
        flat = [sentence for run in clean for sentence in run]
        if not flat:
            return []
        likeness = (await self._embedder.embed(flat)) @ focus[0]
        values = dict(zip(flat, likeness.tolist(), strict=True))
        return [
            Run(
                run,
                float(np.mean([values[each] - STRANGER * standard.strangers(each) for each in run]))
                + 0.03 * len(run),
            )
            for run in clean
            if run
        ]


def slack(words: int) -> int:
    """So few words too few, or too many, are none where so many are asked for."""
    return max(4, min(12, words // 10))


def _clean(answer: str, standard: Standard, memory: Memory, *, opening: bool) -> tuple[str, ...]:
    found: list[str] = []
    own = Memory()
    # The last sentence may have been cut off.
    for sentence in sentences_of(answer.partition("\n\n")[0] if not opening else answer):
        opens = opening and not found
        if standard.flaw(sentence) or memory.repeats(sentence, opens=opens) or own.repeats(sentence):
            if found or not opening:
                break
            continue
        found.append(sentence)
        own.add(sentence)
    return tuple(found)


def _fitting(sentences: Sequence[str], words: int, slack: int) -> list[str]:
    """As many of the sentences as there is room for."""
    found: list[str] = []
    for sentence in islice(sentences, 3):
        words -= len(words_of(sentence))
        if words < -slack:
            break
        found.append(sentence)
    return found
