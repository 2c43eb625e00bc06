"""The ground floor: documents, their sentences and words, and what became of them in a revision."""

from redraft.text.align import Kind, Link, align, similarity
from redraft.text.diff import Edit, Op, diff_words
from redraft.text.document import Document, Sentence
from redraft.text.entities import Entity, EntityFinder, EntityKind, RuleFinder
from redraft.text.extracts import Extract, citations, links, numbers, quotations
from redraft.text.files import new_mode, read_text, sound, writable, write_text, writing
from redraft.text.formats import guess_format
from redraft.text.language import language
from redraft.text.masking import Masked, mask
from redraft.text.reading import reading_grade
from redraft.text.render import alignment_data, alignment_terminal, diff_data, diff_terminal
from redraft.text.spans import Format, Span
from redraft.text.syllables import syllables
from redraft.text.words import count_words, words

__all__ = [
    "Document",
    "Edit",
    "Entity",
    "EntityFinder",
    "EntityKind",
    "Extract",
    "Format",
    "Kind",
    "Link",
    "Masked",
    "Op",
    "RuleFinder",
    "Sentence",
    "Span",
    "align",
    "alignment_data",
    "alignment_terminal",
    "citations",
    "count_words",
    "diff_data",
    "diff_terminal",
    "diff_words",
    "guess_format",
    "language",
    "links",
    "mask",
    "new_mode",
    "numbers",
    "quotations",
    "read_text",
    "reading_grade",
    "similarity",
    "sound",
    "syllables",
    "words",
    "writable",
    "write_text",
    "writing",
]
