"""What a sentence by a small model is worth: whether it can stand in the piece at all, and how near it is.

A model of this size writes fluent sentences that wander: into talk about the text itself, into figures and
names that it makes up, into what it has said already. Each of these can be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from redraft.compose.brief import Brief, Genre
from redraft.quality.cues import listed
from redraft.quality.grammar import WEIGHTS, grammar_findings
from redraft.text import Document
from redraft.text.tagging import tagged

PERSONAL: Final[frozenset[Genre]] = frozenset({"speech", "story", "letter", "poetry"})
"""Genres in which somebody says "I"."""
TOLD: Final[frozenset[Genre]] = frozenset({"story", "poetry"})
"""Genres in which people are made up, and speak."""

SHORTEST, LONGEST = 5, 42
"""The words of a sentence."""

_ABOUT_TEXT = re.compile(
    r"\b(?:this|the|my|your|our|following|above|below|previous|next|given|provided) (?:\w+ )?"
    r"(?:essays?|articles?|papers?|sections?|paragraphs?|passages?|texts?|chapters?|headings?|outlines?"
    r"|titles?|authors?|writers?|readers?|narrators?|prompts?|instructions?|blog|posts?|storytelling"
    r"|story|stories|tale|poem|narrative|scene)\b"
    r"|\bin this (?:essay|article|report|speech|story|piece|guide|letter)\b"
    r"|\b(?:as an ai|language model|word count|bullet points?|table of contents|assistant|here(?:'s| is| are)"
    r"|let me know|i hope this|feel free|i'm glad|i'd be|i would be happy|revised version|sure,|certainly,"
    r"|for example, you|please note|in conclusion|in summary|to summari[sz]e|et al)\b",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[\[\]{}<>|#*_=~\\^•]|https?:|www\.|\.\.\.|…|^\W*\d+[.)]|:\s*$|\.\S")
_QUOTES = re.compile(r"[\"“”«»]")
_SPOKEN = re.compile(r"[\"“«][^\"”»]*[\"”»]")
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|I'm|I've|I'd|I'll)\b")
_PRESENT = re.compile(r"\b(?:is|are|has|have|does|it's|there's|can|will)\b", re.IGNORECASE)
_FINITE: Final = frozenset({"VB", "VBD", "VBZ", "VBP", "MD"})
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")
_GRAM = 4
_FAMILIAR = 0.25
_ALIKE = 0.6
_NAMED: Final = listed(
    """
    January February March April May June July August September October November December Monday Tuesday
    Wednesday Thursday Friday Saturday Sunday English American European African Asian Earth God Internet
    """
)
COMMON: Final = listed(
    """
    the a an and or but of to in on at for with by from as is are was were be been it its this that
    these those they their them he she his her we our us you your i not no so than then there which who
    what when where how can could will would may might must should has have had do does did more most
    such into about also many much some any each other one all both between through over under up down
    out only very just if because while
    """
)
"""Words that say nothing of what a sentence is about."""


def words_of(text: str) -> tuple[str, ...]:
    """The words, lower-cased."""
    return tuple(word.lower() for word in _WORD.findall(text))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text."""
    return [" ".join(sentence.text.split()) for sentence in Document(text, "text").sentences]


@dataclass
class Memory:
    """What was said so far, to be able to tell what is said again."""

    grams: set[tuple[str, ...]] = field(default_factory=set)
    contents: list[frozenset[str]] = field(default_factory=list)
    openings: list[tuple[str, ...]] = field(default_factory=list)
    starts: set[tuple[str, ...]] = field(default_factory=set)
    """How paragraphs began: the first two words of each."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Memory:
        """A memory of these texts."""
        found = cls()
        for text in texts:
            for paragraph in text.split("\n\n"):
                for place, sentence in enumerate(sentences_of(paragraph)):
                    found.add(sentence, opens=place == 0)
        return found

    def add(self, sentence: str, *, opens: bool = False) -> None:
        """Remember a sentence, and whether a paragraph opens with it."""
        words = words_of(sentence)
        if opens:
            self.starts.add(words[:2])
        self.grams.update(_grams(words))
        self.contents.append(frozenset(words) - COMMON)
        self.openings.append(words[:3])

    def repeats(self, sentence: str, *, opens: bool = False) -> str:
        """What makes a sentence a repeat; empty where it is none."""
        words = words_of(sentence)
        if opens and words[:2] in self.starts:
            return "it begins like another paragraph"
        grams = _grams(words)
        if len(set(grams)) < len(grams):
            return "it repeats itself"
        if grams and sum(gram in self.grams for gram in grams) > _FAMILIAR * len(grams):
            return "it says again what was said"
        content = frozenset(words) - COMMON
        if any(_jaccard(content, other) > _ALIKE for other in self.contents):
            return "it says again what was said"
        if words[:3] in self.openings[-4:]:
            return "it begins like the sentences before it"
        return ""


class Standard:
    """What sentences of one piece are held to."""

    def __init__(self, brief: Brief, names: Iterable[str] = ()) -> None:
        self._genre = brief.genre
        asked = " ".join((brief.topic, brief.style, *names))
        self._numbers = frozenset(re.findall(r"\d+", asked))
        self._words = frozenset(_WORD.findall(asked)) | _NAMED

    def flaw(self, sentence: str) -> str:
        """Why a sentence cannot stand in the piece, whatever is around it; empty where it can."""
        words = words_of(sentence)
        if not SHORTEST <= len(words) <= LONGEST:
            return "it is too short or too long"
        if not sentence[0].isupper() and not sentence.startswith(("“", '"')):
            return "it begins in the middle"
        if sentence[-1] not in '.!?”"':
            return "it does not end"
        if self.speaks_of_text(sentence):
            return "it speaks of the text itself"
        if _MARKS.search(sentence):
            return "it has mark-up or a list in it"
        if self._genre not in TOLD and _QUOTES.search(sentence):
            return "it quotes somebody who may not have said that"
        if len(_QUOTES.findall(sentence)) % 2:
            return "a quotation has one end only"
        if self._genre not in PERSONAL and _FIRST_PERSON.search(sentence):
            return "it speaks of its writer"
        if any(number not in self._numbers for number in re.findall(r"\d+", sentence)):
            return "it has a figure that nobody gave"
        if self._genre == "story" and _PRESENT.search(_SPOKEN.sub("", sentence)):
            return "it falls out of the tense of the story"
        if not any(word.tag in _FINITE for word in tagged(sentence)):
            return "it has no verb"
        return "it has an error" if self.is_wrong(sentence) else ""

    def is_wrong(self, sentence: str) -> bool:
        """Whether its grammar or its spelling is."""
        errors = (found for found in grammar_findings(sentence, "text") if WEIGHTS.get(found.kind, 0) >= 1)
        return any(sentence[found.start : found.end] not in self._words for found in errors)

    @staticmethod
    def speaks_of_text(sentence: str) -> bool:
        """Whether it is about the piece and its writing, and not about the topic."""
        return _ABOUT_TEXT.search(sentence) is not None

    def strangers(self, sentence: str) -> int:
        """How many names it has that nobody gave."""
        return sum(any(part not in self._words for part in name.split()) for name in _NAME.findall(sentence))


def _grams(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[place : place + _GRAM]) for place in range(len(words) - _GRAM + 1)]


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
