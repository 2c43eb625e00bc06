"""Stanzas: lines of several answers that can stand, those of one answer together where there are enough."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from redraft.composition.brief import Brief, subject
from redraft.composition.small.prose import COMMON, Memory, Standard, words_of
from redraft.composition.state import Section
from redraft.models import Embedder, Model, Prompts, Request

WORDS: Final = 28
"""Of a stanza whose length nobody asked for."""
_SHORTEST, _LONGEST = 3, 10
_SAMPLES: Final = 8
_LINE = re.compile(r"[A-Z’'][^\W\d_]*(?:[ ,;’'—-]+[^\W\d_]+)*[.,;!?—]?")
_prompt = Prompts(__package__)


async def stanza(
    brief: Brief, section: Section, memory: Memory, model: Model, embedder: Embedder, seed: int
) -> str:
    """Lines on the points of a section, as many as its length asks for; none where none can be used."""
    point = "; ".join(section.points) or section.title
    request = Request.of(
        _prompt("verse", subject=subject(brief), point=point),
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
    chosen = _chosen((line for lines in pool for line in lines), section.words or WORDS, memory)
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
