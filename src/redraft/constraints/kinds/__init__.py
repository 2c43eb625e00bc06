"""The kinds of constraint that come with redraft, one file each."""

from redraft.constraints.kinds.affix import EndsWith, StartsWith
from redraft.constraints.kinds.character_count import CharacterCount
from redraft.constraints.kinds.keyword import Keyword
from redraft.constraints.kinds.keyword_frequency import KeywordFrequency
from redraft.constraints.kinds.paragraph_count import ParagraphCount
from redraft.constraints.kinds.pattern import Pattern
from redraft.constraints.kinds.preserve import Preserve
from redraft.constraints.kinds.reading_grade import ReadingGrade
from redraft.constraints.kinds.sentence_count import SentenceCount
from redraft.constraints.kinds.sentence_length import SentenceLength
from redraft.constraints.kinds.sentence_modification import SentenceModification
from redraft.constraints.kinds.unique_sentences import UniqueSentences
from redraft.constraints.kinds.word_count import WordCount

__all__ = [
    "CharacterCount",
    "EndsWith",
    "Keyword",
    "KeywordFrequency",
    "ParagraphCount",
    "Pattern",
    "Preserve",
    "ReadingGrade",
    "SentenceCount",
    "SentenceLength",
    "SentenceModification",
    "StartsWith",
    "UniqueSentences",
    "WordCount",
]
