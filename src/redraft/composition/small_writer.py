"""Drafting and refining with the embedded model: it proposes sentences, and the best clean ones stay."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from statistics import fmean
from typing import Final

from redraft.composition.asking import prompt
from redraft.composition.brief import Brief, subject
from redraft.composition.small_reviewer import (
    COMMON,
    TOLD,
    Memory,
    Standard,
    found_in,
    sentences_of,
    words_of,
)
from redraft.composition.state import Section, State, Written, measured
from redraft.errors import BadAnswer
from redraft.models import Embedder, FloatArray, Message, Model, Request

STANZA_WORDS: Final = 28
"""Of a stanza whose length nobody asked for."""
_SHORTEST, _LONGEST = 3, 10
_SAMPLES: Final = 8
_LINE = re.compile(r"[A-Z’'][^\W\d_]*(?:[ ,;’'—-]+[^\W\d_]+)*[.,;!?—]?")


async def stanza(
    brief: Brief, section: Section, memory: Memory, model: Model, embedder: Embedder, seed: int
) -> str:
    """Lines on the points of a section, as many as its length asks for; none where none can be used."""
    point = "; ".join(section.points) or section.title
    request = Request.of(
        prompt("small/verse", subject=subject(brief), point=point),
        max_tokens=70,
        temperature=0.7,
        top_p=0.9,
        n=_SAMPLES,
        seed=seed + 1000 * section.id,
    )
    standard = Standard(brief)
    answers = [completion.text for completion in await model.complete(request)]
    pool = [list(_lines(answer, standard, memory)) for answer in answers]
    flat = list(dict.fromkeys(line for lines in pool for line in lines))
    if not flat:
        return ""
    (focus,) = await embedder.embed([f"{subject(brief)}. {point}"])
    near = dict(zip(flat, ((await embedder.embed(flat)) @ focus).tolist(), strict=True))
    pool.sort(key=lambda lines: (min(len(lines), 4), sum(near[line] for line in lines)), reverse=True)
    chosen = _chosen((line for lines in pool for line in lines), section.words or STANZA_WORDS, memory)
    return f"{chr(10).join(chosen).rstrip(',;—.!?')}." if chosen else ""


def _lines(answer: str, standard: Standard, memory: Memory) -> Iterable[str]:
    """Clean lines: those of the answer, or its clauses where it is written on."""
    parts: Sequence[str] = [line.strip() for line in answer.splitlines()]
    if sum(bool(part) for part in parts) < 3:
        parts = [part.strip() for part in re.split(r"(?<=[,.;!?])\s+", answer)]
    for part in parts:
        line = part[:1].upper() + part[1:]
        words = words_of(line)
        own = [word for word in words if word not in COMMON]
        if (
            _SHORTEST <= len(words) <= _LONGEST
            and own
            and len(set(own)) == len(own)
            and _LINE.fullmatch(line)
            and not standard.is_wrong(line)
            and not standard.strangers(line)
            and not standard.speaks_of_text(line)
            and not memory.repeats(line)
        ):
            yield line


def _chosen(lines: Iterable[str], words: int, memory: Memory) -> list[str]:
    found: list[str] = []
    left = words
    for line in lines:
        length = len(words_of(line))
        if left - length < -0.1 * words or memory.repeats(line):
            continue
        memory.add(line)
        found.append(line)
        left -= length
        if left < _SHORTEST:
            break
    return found


SECTION_WORDS: Final = 180
"""Of a section whose length nobody asked for."""
PARAGRAPH: Final = 75
"""Words after which a paragraph is long enough, and those under which it is gone on with."""
STUB: Final = 35
SAMPLES: Final = 4
"""Answers for every paragraph, of which the best is taken."""
TOKENS: Final = 110
"""Of one answer: a paragraph."""
TEMPERATURES: Final = (0.5, 0.7, 0.9)
"""Higher each time that no answer can be used."""
STRANGER: Final = 0.2
"""What a name that nobody gave costs, in units of likeness."""
FULL: Final = 0.15
"""What a whole paragraph is worth above a first sentence, in the same."""
ANGLES: Final = (
    "",
    "Say what it means in practice.",
    "Give an everyday example.",
    "Say why it matters, and to whom.",
    "Speak of what makes it difficult.",
    "Say how it came to be so.",
    "Speak of what follows from it.",
    "Compare it with something else.",
    "Say what people disagree about.",
    "Speak of what could be done better.",
)
"""What paragraphs on the same point turn to, one after another."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a paragraph is to say, and how the model is asked for it."""

    point: str
    prompt: str


class SmallWriter:
    """Writes sections, and parts of sections."""

    def __init__(self, model: Model, embedder: Embedder, seed: int) -> None:
        self._model = model
        self._embedder = embedder
        self._seed = seed

    async def draft(self, brief: Brief, state: State, section: Section) -> Written:
        """Paragraphs on the points of a section, in turn, until it is as long as it is to be."""
        others = (passage.content for number, passage in state.manuscript.items() if number != section.id)
        memory = Memory.of(others)
        if brief.genre == "poetry":
            old = state.manuscript.get(section.id)
            seed = self._seed + (0 if old is None else old.revisions + 1)
            lines = await stanza(brief, section, memory, self._model, self._embedder, seed)
            return Written(self._something(lines, section))
        paragraphs = await self.paragraphs(
            brief, section, memory, section.words or SECTION_WORDS, section.points
        )
        return Written(self._something("\n\n".join(paragraphs), section), *paragraphs[-1:])

    def _something(self, text: str, section: Section) -> str:
        if not text:
            raise BadAnswer(f"{self._model.spec} wrote nothing that can be used for section {section.id}")
        return text

    async def paragraphs(
        self, brief: Brief, section: Section, memory: Memory, words: int, points: Sequence[str]
    ) -> list[str]:
        """Paragraphs of so many words in all, on the points in turn, each time from another angle."""
        written: list[str] = []
        left, empty = words, 0
        turns = cycle(points or (section.title,))
        share = words / max(1, round(words / PARAGRAPH))
        for number in count():
            if left < slack(words) or empty == len(TEMPERATURES):
                break
            angle = ANGLES[number // max(len(points), 1) % len(ANGLES)]
            asked = self._asked(brief, section, next(turns), angle)
            room = left if left < 1.5 * share else round(share)
            # Whatever was written before, the same is asked for the same place: known answers are free.
            seed = self._seed + 1000 * section.id + 10 * number
            text = await self._paragraph(brief, section, asked, memory, room, empty, seed)
            empty = 0 if text else empty + 1
            left -= len(words_of(text))
            if text and written and min(len(words_of(each)) for each in (text, written[-1])) < STUB:
                written[-1] += f" {text}"
            elif text:
                written.append(text)
        return written

    async def _paragraph(
        self,
        brief: Brief,
        section: Section,
        asked: Asked,
        memory: Memory,
        words: int,
        tries: int,
        seed: int,
    ) -> str:
        """The best of several answers, as far as they are clean; a stub is gone on with once."""
        standard = Standard(brief, (section.title, asked.point))
        (focus,) = await self._embedder.embed([f"{subject(brief)}: {section.title}. {asked.point}"])
        text = ""
        for _ in range(2):
            left = words - len(words_of(text))
            if left < slack(words) or (text and words - left >= STUB):
                break
            told = Message("user", asked.prompt)
            request = Request(
                (told, Message("assistant", text)) if text else (told,),
                max_tokens=TOKENS,
                temperature=TEMPERATURES[tries],
                top_p=0.9,
                n=SAMPLES,
                seed=seed,
            )
            answers = [completion.text for completion in await self._model.complete(request)]
            sentences = await self._best(answers, standard, memory, focus, left, opening=not text)
            for sentence in sentences:
                memory.add(sentence, opens=not text)
                text = f"{text} {sentence}".strip()
            if not sentences:
                break
        return text

    def _asked(self, brief: Brief, section: Section, point: str, angle: str) -> Asked:
        told = brief.genre in TOLD
        text = prompt(
            "small/story" if told else "small/prose",
            genre=brief.genre if brief.genre != "academic" else "academic essay",
            subject=subject(brief),
            section=section.title,
            point=point,
            angle="" if told else angle,
        )
        return Asked(point, text)

    async def _best(
        self,
        answers: Sequence[str],
        standard: Standard,
        memory: Memory,
        focus: FloatArray,
        words: int,
        *,
        opening: bool,
    ) -> Sequence[str]:
        """The clean sentences of the answer that is nearest to what is to be said, and longest."""
        clean = [_clean(answer, standard, memory, words, opening=opening) for answer in answers]
        flat = [sentence for run in clean for sentence in run]
        if not flat:
            return ()
        near = dict(zip(flat, ((await self._embedder.embed(flat)) @ focus).tolist(), strict=True))

        def value(run: Sequence[str]) -> float:
            if not run:
                return -math.inf
            likeness = fmean(near[each] - STRANGER * standard.strangers(each) for each in run)
            return likeness + FULL * sum(len(words_of(each)) for each in run) / words

        return max(clean, key=value)


def slack(words: int) -> int:
    """So few words too few, or too many, are none where so many are asked for."""
    return max(4, min(12, words // 10))


def _clean(answer: str, standard: Standard, memory: Memory, words: int, *, opening: bool) -> list[str]:
    """The sentences of an answer that can stand, up to so many words.

    One that cannot is passed over; two of those in a row lead astray what comes after them.
    """
    found: list[str] = []
    own = Memory()
    room = words + slack(words)
    bad = 0
    for sentence in sentences_of(answer if opening else answer.partition("\n\n")[0]):
        length = len(words_of(sentence))
        if length > room or bad == 2:
            break
        if (
            standard.flaw(sentence)
            or not standard.welcomes(standard.strangers(sentence, memory), own if own.names else memory)
            or memory.repeats(sentence, opens=opening and not found)
            or own.repeats(sentence)
        ):
            bad += bool(found) or not opening
            continue
        found.append(sentence)
        own.add(sentence)
        room -= length
        bad = 0
    return found


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
