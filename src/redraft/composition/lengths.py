"""How long each section is to be, and whether it is."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Final

from redraft.composition.brief import Language, Length
from redraft.composition.state import Outline, Section
from redraft.constraints import Constraint, WordCount, check
from redraft.text import Document

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


def share(outline: Outline, length: Length | None) -> Outline:
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


def budget(section: Section) -> tuple[Constraint, ...]:
    """The constraints of a section's length; none where no length was asked for."""
    if not section.words:
        return ()
    low, high = -(-section.words * _LEAST // 100), section.words * _MOST // 100
    return WordCount(low - 1, "more than"), WordCount(high + 1, "less than")


def within(text: str, section: Section, language: Language) -> str:
    """What is wrong with the length of a section's text, with both numbers; empty where nothing is."""
    if check(text, budget(section), format="markdown").met:
        return ""
    found = measured(text)
    unit = "character" if language == "zh" else "word"
    return f"it has {found} {unit}{'s' * (found != 1)}, and is to have about {section.words}"


def measured(text: str) -> int:
    """The length as its reader counts it: words, or Chinese characters and foreign words, no punctuation."""
    return Document(text, "markdown").words


def _weight(title: str) -> float:
    if _SOURCES.search(title):
        return _SOURCES_SHARE
    return _FRAME_SHARE if _FRAME.search(title) else 1.0
