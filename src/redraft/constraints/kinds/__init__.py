"""The kinds of constraint that come with redraft; entry points name them here."""

from redraft.constraints.kinds.content import Pattern, Preserve
from redraft.constraints.kinds.conventions import HeadingCase, Numbers, SerialComma, Spelling
from redraft.constraints.kinds.counts import (
    CharacterCount,
    ParagraphCount,
    SentenceCount,
    SentenceLength,
    WordCount,
)
from redraft.constraints.kinds.keywords import EndsWith, Keyword, KeywordFrequency, StartsWith
from redraft.constraints.kinds.marks import Contractions, Punctuation
from redraft.constraints.kinds.paragraphs import ParagraphLength
from redraft.constraints.kinds.parts import Parts
from redraft.constraints.kinds.readability import ReadingEase, ReadingGrade
from redraft.constraints.kinds.replacement import Replacement
from redraft.constraints.kinds.sentences import Openings, SentenceModification, UniqueSentences

__all__ = [
    "CharacterCount",
    "Contractions",
    "EndsWith",
    "HeadingCase",
    "Keyword",
    "KeywordFrequency",
    "Numbers",
    "Openings",
    "ParagraphCount",
    "ParagraphLength",
    "Parts",
    "Pattern",
    "Preserve",
    "Punctuation",
    "ReadingEase",
    "ReadingGrade",
    "Replacement",
    "SentenceCount",
    "SentenceLength",
    "SentenceModification",
    "SerialComma",
    "Spelling",
    "StartsWith",
    "UniqueSentences",
    "WordCount",
]
