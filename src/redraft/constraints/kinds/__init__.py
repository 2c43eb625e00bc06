"""The kinds of constraint that come with redraft, one file each."""

from .affix import EndsWith, StartsWith
from .character_count import CharacterCount
from .keyword import Keyword
from .keyword_frequency import KeywordFrequency
from .paragraph_count import ParagraphCount
from .pattern import Pattern
from .preserve import Preserve
from .reading_grade import ReadingGrade
from .sentence_count import SentenceCount
from .sentence_length import SentenceLength
from .sentence_modification import SentenceModification
from .unique_sentences import UniqueSentences
from .word_count import WordCount

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
