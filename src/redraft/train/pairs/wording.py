"""Pairs for saying something with a word, or without one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Final

from redraft.revision import applied, sound
from redraft.text import BY_FORM, analyse_syntax, numbers, singular, spellings, zipf
from redraft.train.pairs.material import Pair, Record, passages
from redraft.train.pairs.phrases import Phrases
from redraft.train.pairs.sets import SETS
from redraft.train.synthesise import is_clean_target

_FUNCTION: Final = SETS["function"]
_SYNONYMS: Final = (Phrases("synonyms.txt"), Phrases("synonyms.txt", reverse=True))
_LEAST: Final = 4


@lru_cache(maxsize=65536)
def lemma(word: str) -> str:
    """The dictionary form of a word in small letters, by its spelling alone."""
    if word in BY_FORM:
        return BY_FORM[word].base
    return singular(word) or word


def content_words(text: str) -> frozenset[str]:
    """The dictionary forms of the words that carry content."""
    found = (word.removesuffix("'s").removesuffix("’s") for word in spellings(text.lower()))
    return frozenset(lemma(word) for word in found if word not in _FUNCTION)


def synonym_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """A word exchanged for one that can stand for it: say it with the one, or without the other."""
    for passage in passages(records, (1, 1, 2)):
        text = str(passage)
        read = analyse_syntax(text)
        has = content_words(text)
        found = [
            edit
            for phrases in _SYNONYMS
            for edit in phrases.edits(read)
            if lemma(edit.new.lower()) not in has and not has_twice(text, text[edit.start : edit.end])
        ]
        if not found:
            continue
        edit = rng.choice(found)
        target = applied(text, [edit])
        if sound(text, target):
            old, new = text[edit.start : edit.end].lower(), edit.new.lower()
            task, word = rng.choice((("with_word", new), ("without_word", old)))
            yield passage.pair(task, target, word=word)


def has_twice(text: str, word: str) -> bool:
    """Whether a text has a word, in any form, more than once."""
    return sum(lemma(one) == lemma(word.lower()) for one in spellings(text.lower())) > 1


def reworded_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Rows of `input` and `target` that people made, asked for by a word that only one of them has."""
    for record in records:
        before, after = record.fields.get("input"), record.fields.get("target")
        if not isinstance(before, str) or not isinstance(after, str) or " " not in before:
            continue
        had, has = content_words(before), content_words(after)
        if max(len(had - has), len(has - had)) > 3 or len(had & has) < len(had ^ has):
            continue
        if (
            not is_clean_target(after)
            or not _is_known(f"{before} {after}")
            or values(before) != values(after)
        ):
            continue
        source = record.source
        if gone := _asked(before, had - has, after):
            yield Pair("without_word", before, after, source, record.text, {"word": rng.choice(gone)})
        if new := _asked(after, has - had, before):
            yield Pair("with_word", before, after, source, record.text, {"word": rng.choice(new)})


def _is_known(text: str) -> bool:
    """Whether every word is spelt as a word is: some texts have lost their apostrophes and ligatures."""
    return all(zipf(word) > 0 for word in spellings(text) if word.isalpha() and word.islower())


def values(text: str) -> list[str]:
    """The numbers of a text, whatever their order."""
    return sorted(number.value for number in numbers(text))


def _asked(text: str, wanted: frozenset[str], other: str) -> list[str]:
    """The words of a text with certain dictionary forms that are worth asking for, and not in the other."""
    low = other.lower()
    return [
        word
        for word in spellings(text)
        if word.islower()
        and word.isalpha()
        and len(word) >= _LEAST
        and lemma(word) in wanted
        and word not in low
    ]
