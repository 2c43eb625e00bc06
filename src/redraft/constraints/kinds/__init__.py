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
from redraft.constraints.kinds.lists import ListForm
from redraft.constraints.kinds.marks import Contractions, Punctuation
from redraft.constraints.kinds.paragraphs import ParagraphLength
from redraft.constraints.kinds.part_edits import PartEdit
from redraft.constraints.kinds.parts import PartLength, Parts
from redraft.constraints.kinds.readability import ReadingEase, ReadingFormula, ReadingGrade, RelativeReading
from redraft.constraints.kinds.relative import RelativeLength
from redraft.constraints.kinds.replacement import Replacement
from redraft.constraints.kinds.sentence_edits import SentenceEdit
from redraft.constraints.kinds.sentences import (
    Openings,
    SentenceModification,
    SentenceStarts,
    UniqueSentences,
)
from redraft.constraints.kinds.voice import Commands, NarrativeTense, PassiveVoice, PersonUse
from redraft.constraints.kinds.wording import Wording

__all__ = [
    "CharacterCount",
    "Commands",
    "Contractions",
    "EndsWith",
    "HeadingCase",
    "Keyword",
    "KeywordFrequency",
    "ListForm",
    "NarrativeTense",
    "Numbers",
    "Openings",
    "ParagraphCount",
    "ParagraphLength",
    "PartEdit",
    "PartLength",
    "Parts",
    "PassiveVoice",
    "Pattern",
    "PersonUse",
    "Preserve",
    "Punctuation",
    "ReadingEase",
    "ReadingFormula",
    "ReadingGrade",
    "RelativeLength",
    "RelativeReading",
    "Replacement",
    "SentenceCount",
    "SentenceEdit",
    "SentenceLength",
    "SentenceModification",
    "SentenceStarts",
    "SerialComma",
    "Spelling",
    "StartsWith",
    "UniqueSentences",
    "WordCount",
    "Wording",
]
