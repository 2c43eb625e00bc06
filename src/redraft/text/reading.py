"""How hard an English text is to read."""

from __future__ import annotations

from redraft.text.document import Document
from redraft.text.syllables import syllables
from redraft.text.words import spellings


def reading_grade(document: Document) -> float:
    """The Flesch-Kincaid grade: about the years of school that a reader of this text needs.

    0.39 · words per sentence + 11.8 · syllables per word - 15.59 (Kincaid et al., 1975), over the sentences
    that have words; 0.0 for a text without any.
    """
    sentences = sum(count > 0 for count in document.word_counts)
    if not sentences:
        return 0.0
    view = document.view
    spoken = sum(
        syllables(word)
        for sentence in document.sentences
        for word in spellings(view[sentence.start : sentence.end])
    )
    return 0.39 * document.words / sentences + 11.8 * spoken / document.words - 15.59
