"""What the words of English may be: a tag or several for each, from closed lists and from endings.

Tags: D determiner, E possessive, K number word, P preposition, t "to", M modal, B be, H have, O do, F not,
C and/or/but, S subordinator, W wh-word, R subject pronoun, X object pronoun, A adjective, Y adverb, N counted
noun, U uncounted noun, n noun that may be either, Q plural, V base, Z third person, L past, T participle,
G gerund, I name, # number, . mark, ? unknown.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from redraft.text import NOUNS, PLURALS, UNCOUNTED, VERBS, list_lines, word_sets


def lines(name: str) -> Iterator[str]:
    """The lines of a word list of this package, without comments."""
    return list_lines(__package__, name)


_SETS: Final = word_sets(__package__)


def choices(name: str) -> dict[str, tuple[str, ...]]:
    """A list of `words | other words; others`: the others by the words."""
    pairs = (line.split("|") for line in lines(name))
    return {left.strip(): tuple(one.strip() for one in right.split(";")) for left, right in pairs}


def word_set(name: str) -> frozenset[str]:
    """A set of words by its name in sets.txt."""
    return _SETS[name]


_SUFFIXES: Final = (
    (("tions", "sions", "ments", "nesses", "ities", "ships", "ists"), "Q"),
    (("tion", "sion", "ment", "ness", "ity", "ship", "ism", "ance", "ence", "hood"), "n"),
    (("ist", "logy"), "n"),
    (("ous", "ful", "ive", "ical", "less", "able", "ible", "ial", "onal", "ural", "ary"), "A"),
    (("ing",), "G"),
    (("ed",), "LT"),
    (("ly",), "Y"),
)


ADJECTIVES: Final = tuple(word for line in lines("adjectives.txt") for word in line.split())
"""Adjectives in the positive."""


def _lexicon() -> dict[str, str]:
    found: dict[str, str] = {}

    def add(word: str, tag: str) -> None:
        known = found.get(word, "")
        if tag not in known:
            found[word] = known + tag

    for tag, words in word_sets(__package__, "closed.txt").items():
        for word in words:
            found.setdefault(word, tag)
    closed = frozenset(found)
    for noun in NOUNS:
        add(noun, "N")
    for word in PLURALS:
        add(word, "Q")
    for word in sorted(UNCOUNTED):
        add(word, "U")
    for word in ADJECTIVES:
        add(word, "A")
        if word not in word_set("lexicon.no_adverb"):
            add(adverb(word), "Y")
    for forms in VERBS.values():
        for form, tag in zip(forms, "VZLTG", strict=True):
            add(form, tag)
    for word in closed:
        found[word] = found[word][0]
    return found


def adverb(adjective: str) -> str:
    """The adverb of an adjective, by rule."""
    if adjective == "good":
        return "well"
    if adjective.endswith("ic") and adjective != "public":
        return adjective + "ally"
    if adjective.endswith("le") and len(adjective) > 4:
        return adjective[:-1] + "y"
    if adjective.endswith("y") and len(adjective) > 3:
        return adjective[:-1] + "ily"
    return {"true": "truly", "whole": "wholly", "full": "fully"}.get(adjective, adjective + "ly")


LEXICON: Final = _lexicon()
"""Each known word's tags."""

ADVERBS: Final = {
    adverb(word): word for word in ADJECTIVES if LEXICON.get(adverb(word)) == "Y" and word not in {"good"}
}
"""The adjective of each adverb that has one."""

COLLECTIVE: Final = word_set("lexicon.collective")
"""Nouns that take a singular verb or a plural one."""


@lru_cache(maxsize=65536)
def tags(low: str) -> str:
    """What a word in lower case may be."""
    known = LEXICON.get(low)
    if known:
        return known
    if len(low) > 5:
        for endings, tag in _SUFFIXES:
            if low.endswith(endings):
                return tag
    return "?"


T = TypeVar("T")


def pick(items: Sequence[T], rng: random.Random) -> T:
    """One of the items, each as likely as the other."""
    return items[int(rng.random() * len(items))]


def weighted(items: Sequence[T], heaped: Sequence[float], rng: random.Random) -> T:
    """One of the items; `heaped` are their weights added up one after the other."""
    return items[min(bisect_right(heaped, rng.random() * heaped[-1]), len(items) - 1)]


def poisson(mean: float, rng: random.Random) -> int:
    """How many events there are where `mean` are expected."""
    bound, count, product = math.exp(-min(mean, 50.0)), 0, rng.random()
    while product > bound:
        count += 1
        product *= rng.random()
    return count
