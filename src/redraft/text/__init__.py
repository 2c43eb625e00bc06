"""Documents: sentences, words, and where they stand."""

from redraft.text.document import Document, Sentence
from redraft.text.formats import guess_format
from redraft.text.reading import reading_grade
from redraft.text.spans import Format, Span
from redraft.text.syllables import syllables
from redraft.text.words import count_words, words

__all__ = [
    "Document",
    "Format",
    "Sentence",
    "Span",
    "count_words",
    "guess_format",
    "reading_grade",
    "syllables",
    "words",
]
