"""Reviewing with the embedded model: by what can be measured, since it cannot judge its own writing.

A model of this size writes fluent sentences that wander: into talk about the text itself, into figures and
names that it makes up, into what it has said already. Each of these can be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from redraft.composition.brief import Brief
from redraft.composition.form import Genre
from redraft.composition.state import Review, Section, State, length_problem
from redraft.models import Embedder
from redraft.quality import WEIGHTS, grammar_findings, listed
from redraft.text import Document, tagged

PERSONAL: Final[frozenset[Genre]] = frozenset({"speech", "letter", "poetry"})
"""Genres in which somebody says "I"; in a story only where that is asked for."""
FICTION: Final[frozenset[Genre]] = frozenset({"story", "poetry"})
"""Genres in which people are made up, and speak."""

SHORTEST, LONGEST = 5, 42
"""The words of a sentence."""

_ABOUT_TEXT = re.compile(
    r"\b(?:this|my|your|following|above|below|previous|next|given|provided) (?:\w+ )?"
    r"(?:essays?|articles?|papers?|sections?|paragraphs?|passages?|texts?|chapters?|headings?|outlines?|posts?"
    r"|titles?|prompts?|instructions?|story|stories|tale|poem|narrative|scene|storytelling)\b"
    r"|\b(?:the|our) (?:\w+ )?(?:essays?|articles?|paragraphs?|headings?|outlines?|prompts?|blog)\b"
    r"|\b(?:is|was) an? (?:\w+ )?(?:essay|article|report|paragraph|speech|guide) (?:about|on)\b"
    r"|^(?:an? (?:essay|article|paragraph) (?:about|on)|what (?:it|this) is about)\b"
    r"|\bthe (?:author|writer)(?: is|['’]s (?:response|answer))\b"
    r"|\b(?:in this|of this|my|a long|the last words of a) (?:report|speech|piece|guide|letter|part)\b"
    r"|\b(?:as an ai|language model|word count|bullet points?|table of contents|assistant|here(?:'s| is| are)"
    r"|let me know|i hope this|feel free|i'm glad|i'd be|i would be happy|revised version|sure,|certainly,"
    r"|for example, you|please note|in conclusion|in summary|to summari[sz]e|et al)\b",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:the|a) (?:\w+ )?(?:story|stories|tale|narrative|scene|narrator|reader|author|text|chapter)s?\b",
    re.IGNORECASE,
)
"""What a story does not say of itself; of somebody else's, an essay may."""
_MARKS = re.compile(r"[\[\]{}<>|#*_=~\\^•]|https?:|www\.|\.\.\.|…|^\W*\d+[.)]|:\s*$|\.\S")
_QUOTES = re.compile(r"[\"“”«»]")
_SPOKEN = re.compile(r"[\"“«][^\"”»]*[\"”»]")
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|I'm|I've|I'd|I'll)\b")
_PRESENT = re.compile(r"\b(?:is|are|has|have|does|it's|there's|can|will)\b", re.IGNORECASE)
_FINITE: Final = frozenset({"VB", "VBD", "VBZ", "VBP", "MD"})
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")
_HANGING = re.compile(
    r"(?:It|They|These|Those|This|That|Such|However|Therefore|Thus|Moreover|Furthermore|Additionally"
    r"|In addition|As a result|But|And|So|Also|Then|One of these)\b"
)
"""How a sentence begins that no paragraph opens with."""
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
    """How paragraphs began: the first three words of each."""
    names: set[str] = field(default_factory=set)

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
            self.starts.add(words[:3])
        self.names.update(part for name in _NAME.findall(sentence) for part in name.split())
        self.grams.update(_grams(words))
        self.contents.append(frozenset(words) - COMMON)
        self.openings.append(words[:3])

    def repeats(self, sentence: str, *, opens: bool = False) -> str:
        """What makes a sentence a repeat; empty where it is none."""
        words = words_of(sentence)
        if opens and words[:3] in self.starts:
            return "it begins like another paragraph"
        if opens and _HANGING.match(sentence):
            return "it hangs on something before it"
        grams = _grams(words)
        if len(set(grams)) < len(grams) or _stammers(words):
            return "it repeats itself"
        if grams and sum(gram in self.grams for gram in grams) > _FAMILIAR * len(grams):
            return "it says again what was said"
        content = frozenset(words) - COMMON
        if any(_jaccard(content, other) > _ALIKE for other in self.contents):
            return "it says again what was said"
        if words[:3] in self.openings[-4:]:
            return "it begins like the sentences before it"
        return ""


class SentenceChecker:
    """What sentences of one piece are held to."""

    def __init__(self, brief: Brief, names: Iterable[str] = ()) -> None:
        self._genre = brief.genre
        asked = " ".join((brief.topic, brief.style, *names))
        self._numbers = frozenset(re.findall(r"\d+", asked))
        self._named = bool(_NAME.search(brief.topic))
        self._first_person = brief.genre in PERSONAL or re.search(r"first[ -]person", asked) is not None
        self._words = frozenset(_WORD.findall(asked)) | _NAMED
        self._asked = frozenset(words_of(asked)) | COMMON

    def flaw(self, sentence: str) -> str:
        """Why a sentence cannot stand in the piece, whatever is around it; empty where it can."""
        words = words_of(sentence)
        if not SHORTEST <= len(words) <= LONGEST:
            return "it is too short or too long"
        if not sentence[0].isupper() and not sentence.startswith(("“", '"')):
            return "it begins in the middle"
        if sentence[-1] not in '.!?”"':
            return "it does not end"
        if self.speaks_of_text(sentence) or (self._genre in FICTION and _TELLING.search(sentence)):
            return "it speaks of the text itself"
        if _MARKS.search(sentence):
            return "it has mark-up or a list in it"
        if self._genre not in FICTION and _QUOTES.search(sentence):
            return "it quotes somebody who may not have said that"
        if len(_QUOTES.findall(sentence)) % 2:
            return "a quotation has one end only"
        if not self._first_person and _FIRST_PERSON.search(_SPOKEN.sub("", sentence)):
            return "it speaks of its writer"
        if any(number not in self._numbers for number in re.findall(r"\d+", sentence)):
            return "it has a figure that nobody gave"
        if self._genre == "story" and _PRESENT.search(_SPOKEN.sub("", sentence)):
            return "it falls out of the tense of the story"
        if self._genre not in FICTION and self._asked.issuperset(words):
            return "it says no more than was asked for"
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

    def unknown_names(self, sentence: str, memory: Memory | None = None) -> int:
        """How many names it has that nobody gave, and that did not come up before."""
        known = self._words if memory is None else self._words | memory.names
        return sum(any(part not in known for part in name.split()) for name in _NAME.findall(sentence))

    def has_room_for(self, unknown_names: int, memory: Memory) -> bool:
        """Whether there is room for so many new names: in a story for one, where nobody has a name yet."""
        alone = not self._named and not memory.names
        return unknown_names <= (alone if self._genre in FICTION else 1)


def _stammers(words: Sequence[str]) -> bool:
    """Whether two words that say something come twice, or one twice in a row."""
    pairs = [pair for pair in pairwise(words) if not COMMON & {*pair}]
    return len(set(pairs)) < len(pairs) or any(one == other for one, other in pairs)


def _grams(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[place : place + _GRAM]) for place in range(len(words) - _GRAM + 1)]


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


COVERED: Final = 0.35
"""How near some sentence must be to a point that counts as made."""
_COSTS: Final = {"length": 2.5, "point": 1.2, "repeat": 1.2, "flaw": 0.8}
_FULL: Final = 9.5
"""What a section without findings gets: what cannot be measured is not perfect."""


@dataclass
class SectionFindings:
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


async def review_section(brief: Brief, state: State, section: Section, embedder: Embedder) -> SectionFindings:
    """What is wrong with what was written for a section."""
    content = state.manuscript[section.id].content
    standard = SentenceChecker(brief, (section.title, *section.points))
    memory = Memory.of(
        passage.content for number, passage in state.manuscript.items() if number != section.id
    )
    verse = brief.genre == "poetry"
    sentences = content.splitlines() if verse else sentences_of(content)
    found = SectionFindings(length=length_problem(content, section, brief.language))
    for sentence in sentences:
        if memory.repeats(sentence):
            found.repeats.append(sentence)
        elif not verse and (why := standard.flaw(sentence)):
            found.flaws.append((sentence, why))
        memory.add(sentence)
    if not verse:
        found.points = await missing_points(section.points, sentences, embedder)
    return found


async def missing_points(points: Sequence[str], sentences: Sequence[str], embedder: Embedder) -> list[str]:
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
        found = await review_section(brief, state, section, self._embedder)
        return Review(found.score, found.critique, passed=not found.length)
