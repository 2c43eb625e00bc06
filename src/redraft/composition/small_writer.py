"""Drafting and refining with the embedded model: it proposes sentences, and the best clean ones stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from typing import Final

from redraft.composition.asking import prompt
from redraft.composition.brief import Brief, subject
from redraft.composition.paragraphs import ANGLES, paragraph_prompt, room_for
from redraft.composition.small_reviewer import (
    COMMON,
    Memory,
    SentenceChecker,
    review_section,
    sentences_of,
    words_of,
)
from redraft.composition.state import Section, SectionText, State, count_words
from redraft.errors import BadAnswer
from redraft.models import Embedder, FloatArray, Message, Model, Request

STANZA_WORDS: Final = 28
"""Of a stanza whose length nobody asked for."""
_SHORTEST, _LONGEST = 3, 10
_SAMPLES: Final = 8
_LINE = re.compile(r"[A-Z’'][^\W\d_]*(?:[ ,;’'—-]+[^\W\d_]+)*[.,;!?—]?")


async def write_stanza(
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
    standard = SentenceChecker(brief)
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


def _lines(answer: str, standard: SentenceChecker, memory: Memory) -> Iterable[str]:
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
            and not standard.unknown_names(line)
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
TEMPERATURES: Final = (0.2, 0.5, 0.8)
"""Higher each time that an answer cannot be used."""
ON_TOPIC: Final = 0.12
"""How near a sentence must be to what its paragraph is to say, or to the subject."""


class SmallWriter:
    """Writes sections, and parts of sections."""

    def __init__(self, model: Model, embedder: Embedder, seed: int, adapter: str | None = None) -> None:
        self._model = model
        self._embedder = embedder
        self._seed = seed
        self._adapter = adapter

    async def draft(self, brief: Brief, state: State, section: Section) -> SectionText:
        """Paragraphs on the points of a section, in turn, until it is as long as it is to be."""
        others = (passage.content for number, passage in state.manuscript.items() if number != section.id)
        memory = Memory.of(others)
        if brief.genre == "poetry":
            old = state.manuscript.get(section.id)
            seed = self._seed + (0 if old is None else old.revisions + 1)
            lines = await write_stanza(brief, section, memory, self._model, self._embedder, seed)
            return SectionText(self._something(lines, section))
        paragraphs = await self.paragraphs(
            brief, section, memory, section.words or SECTION_WORDS, section.points
        )
        return SectionText(self._something("\n\n".join(paragraphs), section), *paragraphs[-1:])

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
            if left < tolerance(words) or empty == len(TEMPERATURES):
                break
            asked = _Paragraph(
                brief,
                section,
                next(turns),
                ANGLES[number // max(len(points), 1) % len(ANGLES)],
                left if left < 1.5 * share else round(share),
                sentences_of(written[-1])[-1] if written else "",
            )
            text = await self._paragraph(asked, memory, self._seed + 1000 * section.id + 10 * number)
            empty = 0 if text else empty + 1
            left -= len(words_of(text))
            if text and written and min(len(words_of(each)) for each in (text, written[-1])) < STUB:
                written[-1] += f" {text}"
            elif text:
                written.append(text)
        return written

    async def _paragraph(self, asked: _Paragraph, memory: Memory, seed: int) -> str:
        """What is clean of an answer, gone on with after what stands until it is as long as it is to be."""
        standard = SentenceChecker(asked.brief, (asked.section.title, asked.point))
        focus = await self._embedder.embed([f"{asked.section.title}. {asked.point}", subject(asked.brief)])
        told = Message("user", asked.prompt())
        text, misses = "", 0
        while misses < len(TEMPERATURES):
            left = asked.words - len(words_of(text))
            if left < tolerance(asked.words):
                break
            request = Request(
                (told, Message("assistant", text)) if text else (told,),
                max_tokens=room_for(left),
                temperature=TEMPERATURES[misses],
                top_p=0.9,
                seed=seed + misses,
                adapter=self._adapter,
            )
            (answer,) = await self._model.complete(request)
            if text and not answer.text.strip():
                break  # the model has no more to say
            clean = _clean(answer.text, standard, memory, left, opening=not text)
            sentences = await self._on_topic(clean, focus)
            for sentence in sentences:
                memory.add(sentence, opens=not text)
                text = f"{text} {sentence}".strip()
            if not sentences:
                misses += 1
            if len(words_of(text)) >= STUB and (misses or answer.finish == "stop"):
                break  # it ended there, or nothing more can be used
        return text

    async def _on_topic(self, sentences: Sequence[str], focus: FloatArray) -> list[str]:
        if not sentences:
            return []
        near = ((await self._embedder.embed(list(sentences))) @ focus.T).max(axis=1)
        return [sentence for sentence, likeness in zip(sentences, near, strict=True) if likeness >= ON_TOPIC]


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """What a paragraph is to say, in how many words, and the sentence before it."""

    brief: Brief
    section: Section
    point: str
    angle: str
    words: int
    ending: str

    def prompt(self) -> str:
        """How the model is asked for it."""
        return paragraph_prompt(
            self.brief.genre,
            subject(self.brief),
            self.section.title,
            self.point,
            words=self.words,
            angle=self.angle,
            ending=self.ending,
        )


def tolerance(words: int) -> int:
    """So few words too few, or too many, are none where so many are asked for."""
    return max(4, min(12, words // 10))


def _clean(answer: str, standard: SentenceChecker, memory: Memory, words: int, *, opening: bool) -> list[str]:
    """The sentences of an answer that can stand, up to so many words.

    One that cannot is passed over; two of those in a row lead astray what comes after them.
    """
    found: list[str] = []
    own = Memory()
    room = words + tolerance(words)
    bad = 0
    for sentence in sentences_of(answer if opening else answer.partition("\n\n")[0]):
        length = len(words_of(sentence))
        if length > room or bad == 2:
            break
        if (
            sentence in ANGLES  # what was asked is said again
            or standard.flaw(sentence)
            or not standard.has_room_for(
                standard.unknown_names(sentence, memory), own if own.names else memory
            )
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

    async def refine(self, brief: Brief, state: State, section: Section) -> SectionText:
        """Without the sentences that cannot stand, with the points that were missing, as long as asked."""
        if brief.genre == "poetry":  # a stanza is written anew, or not at all
            return await self._writer.draft(brief, state, section)
        found = await review_section(brief, state, section, self._embedder)
        old = state.manuscript[section.id]
        standard = SentenceChecker(brief, (section.title, *section.points))
        memory = Memory.of(
            other.content for number, other in state.manuscript.items() if number != section.id
        )
        kept = [_cleaned(paragraph, standard, memory) for paragraph in old.content.split("\n\n")]
        paragraphs = [paragraph for paragraph in kept if paragraph]
        words = section.words or count_words(old.content)
        short = words - count_words("\n\n".join(paragraphs))
        if found.points and short < 3 * tolerance(words) and len(paragraphs) > 1:
            short += count_words(paragraphs.pop())  # to make room
        if short >= tolerance(words):
            points = found.points or section.points
            paragraphs += await self._writer.paragraphs(brief, section, memory, short, points)
        while count_words("\n\n".join(paragraphs)) > words * 1.12:
            *rest, last = sentences_of(paragraphs[-1])
            paragraphs[-1] = " ".join(rest)
            if not paragraphs[-1]:
                paragraphs.pop()
            if not rest and not paragraphs:
                paragraphs = [last]
                break
        content = "\n\n".join(paragraphs) or old.content
        wrong = len(found.repeats) + len(found.flaws)
        return SectionText(content, "", f"{wrong} sentences taken out; {len(found.points)} points added")


def _cleaned(paragraph: str, standard: SentenceChecker, memory: Memory) -> str:
    """The sentences of a paragraph that can stand, and say nothing that was said."""
    found: list[str] = []
    for sentence in sentences_of(paragraph):
        if not standard.flaw(sentence) and not memory.repeats(sentence):
            memory.add(sentence, opens=not found)
            found.append(sentence)
    return " ".join(found)
