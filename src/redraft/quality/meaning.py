"""What a revision says otherwise than its source: the facts that sentence embeddings do not see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from redraft.quality.names import name_changes
from redraft.quality.numerals import number_changes
from redraft.quality.polarity import polarity_changes
from redraft.text import Document, EntityFinder, RuleFinder, align, language

_RULES: Final = RuleFinder()


def meaning_changes(source: str, text: str, finder: EntityFinder | None = None) -> tuple[str, ...]:
    """In plain words: numbers, names, negations, quantifiers and the like that a revision has changed.

    English only, but for the numbers in digits.
    """
    if source.split() == text.split() or not source.strip():
        return ()
    if not text.strip():
        return ("nothing is left",)
    return _changes(source, text) if finder is None else tuple(_found(source, text, finder))


@lru_cache(maxsize=4096)
def _changes(source: str, text: str) -> tuple[str, ...]:
    return tuple(_found(source, text, _RULES))


def _found(source: str, text: str, finder: EntityFinder) -> Iterator[str]:
    yield from number_changes(source, text)
    if language(source) not in ("en", None):
        return
    yield from name_changes(source, text, finder)
    for before, after in _passages(source, text):
        yield from polarity_changes(before, after)


def _passages(source: str, text: str) -> Iterator[tuple[str, str]]:
    """Sentences beside what became of them; those that were kept, left out or put in say nothing."""
    left, right = Document(source), Document(text)
    if len(left.sentences) == len(right.sentences) == 1:
        yield source, text
        return
    for link in align(left, right):
        if link.kind != "kept" and link.original and link.revised:
            yield (
                " ".join(left.sentence(number).text for number in link.original),
                " ".join(right.sentence(number).text for number in link.revised),
            )
