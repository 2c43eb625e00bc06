"""The kinds of constraint that come with redraft; entry points name them here."""

from redraft.constraints.kinds.content import Pattern, Preserve, ReadingGrade
from redraft.constraints.kinds.conventions import SerialComma, Spelling
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
from redraft.constraints.kinds.replacement import Replacement
from redraft.constraints.kinds.sentences import SentenceModification, UniqueSentences
from redraft.constraints.kinds.voice import NarrativeTense, PassiveVoice, PersonUse

__all__ = [
    "CharacterCount",
    "Contractions",
    "EndsWith",
    "Keyword",
    "KeywordFrequency",
    "NarrativeTense",
    "ParagraphCount",
    "ParagraphLength",
    "Parts",
    "PassiveVoice",
    "Pattern",
    "PersonUse",
    "Preserve",
    "Punctuation",
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
