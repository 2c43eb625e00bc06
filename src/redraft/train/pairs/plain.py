"""Pairs for plain language and for a reading grade."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from redraft.revision import Edit, applied, sound
from redraft.text import Document, analyse_syntax, reading_grade, spellings, zipf
from redraft.train.pairs.material import Pair, Record, passages
from redraft.train.pairs.phrases import Phrases
from redraft.train.pairs.splitting import is_sentence, sentences_of
from redraft.train.pairs.wording import content_words, values

_TO_PLAIN: Final = Phrases("heavy.txt")
_TO_HEAVY: Final = Phrases("heavy.txt", reverse=True)
_LIST: Final = re.compile(r"[|\n•]|\(i\)|\(a\)")
_LEAST_GAIN: Final = 1.0
_MOST: Final = 3


def plain_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Sentences whose heavy phrases became plain ones, and plain sentences made heavy for the input."""
    for passage in passages(records, (1, 2, 1)):
        text = str(passage)
        read = analyse_syntax(text)
        edits = _TO_PLAIN.edits(read)
        if edits:
            target = applied(text, edits)
            if sound(text, target):
                yield passage.pair("plain", target)
            continue
        edits = _drawn(_TO_HEAVY.edits(read), rng)
        heavy = applied(text, edits)
        if len({edit.new for edit in edits}) > 1 and sound(text, heavy):
            yield Pair("plain", heavy, text, passage.source, passage.text)


def _drawn(edits: list[Edit], rng: Random) -> list[Edit]:
    return sorted(rng.sample(edits, min(len(edits), _MOST)))


def example_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Sentences and passages that an office rewrote in plain language; lists and tables are left out."""
    for record in records:
        before, after = record.fields.get("source"), record.fields.get("target")
        if not isinstance(before, str) or not isinstance(after, str) or _LIST.search(before + after):
            continue
        had, has = content_words(before), content_words(after)
        if len(spellings(before)) >= 6 and after.endswith((".", "?")) and len(had & has) >= 0.5 * len(has):
            yield Pair("plain", before, after, record.source, record.text)


def graded_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Simpler, from rows whose target has a lower reading grade than their input and says no more."""
    for record in records:
        before, after = record.fields.get("input"), record.fields.get("target")
        if not isinstance(before, str) or not isinstance(after, str) or not _simplifies(before, after):
            continue
        grade = reading_grade(Document(after))
        bound = max(1, math.ceil(grade))
        if reading_grade(Document(before)) >= bound + _LEAST_GAIN:
            yield Pair("simpler", before, after, record.source, record.text, {"n": bound})


def _simplifies(before: str, after: str) -> bool:
    had, has = content_words(before), content_words(after)
    known = all(zipf(word) > 0 for word in spellings(after) if word.isalpha() and word.islower())
    kept = len(had & has) >= 0.5 * len(had) and len(has - had) <= 0.35 * len(has)
    if len(spellings(after)) >= len(spellings(before)) and len(has - had) > 1:
        return False  # it says more than the input
    return (
        kept
        and known
        and all(map(is_sentence, sentences_of(after)))
        and {*values(after)} <= {*values(before)}
    )
