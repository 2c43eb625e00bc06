"""The words that sentences begin with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.text.borrowed import quoted_sentences
from redraft.text.document import Document
from redraft.text.structure import find_headings
from redraft.text.words import Span, words

_ITEM: Final = re.compile(r"\s*(?:[-*•–+]|\(?(?:\d{1,3}|[a-z])[.)])\s")
_CLITIC: Final = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))\Z")
_QUOTED: Final = re.compile(r"\W*?[\"“„«‘]")


class Opening(NamedTuple):
    """A sentence that should begin otherwise: its number, and where its first words stand."""

    sentence: int
    span: Span


def opening_word(sentence: str) -> str:
    """The first word of a sentence, in small letters and without what is contracted with it.

    It is empty where there is none, and where the sentence begins with a quotation.

    >>> opening_word("He’s late."), opening_word("“No,” he said.")
    ('he', '')
    """
    span = _first_word(sentence)
    word = sentence[span.start : span.end].casefold() if span else ""
    return _CLITIC.sub("", word)


@lru_cache(maxsize=64)
def repeated_openings(document: Document) -> tuple[Opening, ...]:
    """The sentences that begin with the word that the sentence before them begins with.

    An item of a list, a heading and what is quoted as a whole are in a row with nothing.
    """
    not_begun = _quoted_or_headings(document)
    found: list[Opening] = []
    before = ""
    for sentence, gap in zip(document.sentences, document.gaps, strict=False):
        view = document.view[sentence.start : sentence.end]
        apart = sentence.number in not_begun or _ITEM.match(view)
        word = "" if apart else opening_word(view)
        if word and word == before and not gap.strip():
            first = _first_word(view)
            assert first is not None
            span = Span(sentence.start + first.start, sentence.start + first.end)
            found.append(Opening(sentence.number, span))
        before = word
    return tuple(found)


def opens_with(sentence: str, banned: Sequence[str]) -> Span | None:
    """Where a sentence begins with one of these words, whatever their case and what is contracted with them.

    A list's mark ahead of it does not count, and what begins with a quotation begins with none.

    >>> opens_with("I’m late.", ["i"]), opens_with("It is.", ["i"])
    (Span(start=0, end=1), None)
    """
    item = _ITEM.match(sentence)
    ahead = item.end() if item else 0
    first = _first_word(sentence[ahead:])
    if first is None:
        return None
    found = _banned(tuple(banned)).match(sentence, ahead + first.start)
    return None if found is None else Span(*found.span())


@lru_cache(maxsize=64)
def _banned(words: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these words, the longest first, where no word goes on behind it."""
    ways = (r"\s+".join(map(re.escape, one.split())) for one in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?:{'|'.join(ways)})(?![\w-]|\.\w)", re.IGNORECASE)


@lru_cache(maxsize=64)
def banned_openings(document: Document, banned: tuple[str, ...]) -> tuple[Opening, ...]:
    """The sentences that begin with one of these words; headings and whole quotations are none."""
    not_begun = _quoted_or_headings(document)
    return tuple(
        Opening(one.number, Span(one.start + found.start, one.start + found.end))
        for one in document.sentences
        if one.number not in not_begun and (found := opens_with(document.view[one.start : one.end], banned))
    )


def _quoted_or_headings(document: Document) -> set[int]:
    """The numbers of the headings and of the sentences that are quoted as a whole."""
    quoted = quoted_sentences(document)
    headings = {heading.sentence.number for heading in find_headings(document)}
    return headings | {one.number for one in document.sentences if one.text in quoted}


def _first_word(sentence: str) -> Span | None:
    found = words(sentence[:200])
    if not found or _QUOTED.match(sentence[: found[0].start + 1]):
        return None
    return found[0]
