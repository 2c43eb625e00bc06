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


def word_set(name: str) -> frozenset[str]:
    """A set of words by its name in sets.txt."""
    return _SETS[name]


CLOSED: Final = {
    "D": "a an the this that these those every each another any some no many much few several both all either"
    " neither most such what which",
    "E": "my your his her its our their",
    "K": "one two three four five six seven eight nine ten eleven twelve twenty thirty fifty"
    " hundred thousand",
    "P": "in on at of for by with about from into over under between among through during against without"
    " within across behind beyond near upon towards toward around after before since until above below along"
    " despite via per onto beside besides inside outside throughout",
    "t": "to",
    "M": "can could will would shall should may might must cannot can't couldn't won't wouldn't shouldn't"
    " mustn't i'll you'll he'll she'll we'll they'll it'll",
    "B": "is are was were be been being am isn't aren't wasn't weren't i'm you're he's she's it's we're"
    " they're that's there's",
    "H": "have has had having haven't hasn't hadn't i've you've we've they've",
    "O": "do does did don't doesn't didn't",
    "F": "not never",
    "C": "and or but nor",
    "S": "because although though while when if whereas unless as whether so since until that than",
    "W": "who whom whose where why how",
    "R": "i you he she it we they",
    "X": "me him us them myself himself herself itself themselves ourselves yourself",
    "Y": "very too also always often usually sometimes never already still just only even quite rather almost"
    " soon now then here there again perhaps maybe well ever yet once away together however therefore thus"
    " moreover furthermore nevertheless instead otherwise meanwhile today yesterday tomorrow",
}
_SUFFIXES: Final = (
    (("tions", "sions", "ments", "nesses", "ities", "ships", "ists"), "Q"),
    (("tion", "sion", "ment", "ness", "ity", "ship", "ism", "ance", "ence", "hood"), "n"),
    (("ist", "logy"), "n"),
    (("ous", "ful", "ive", "ical", "less", "able", "ible", "ial", "onal", "ural", "ary"), "A"),
    (("ing",), "G"),
    (("ed",), "LT"),
    (("ly",), "Y"),
)


def _lexicon() -> dict[str, str]:
    found: dict[str, str] = {}

    def add(word: str, tag: str) -> None:
        known = found.get(word, "")
        if tag not in known:
            found[word] = known + tag

    for tag, words in CLOSED.items():
        for word in words.split():
            found.setdefault(word, tag)
    closed = frozenset(found)
    for noun in NOUNS:
        add(noun, "N")
    for word in PLURALS:
        add(word, "Q")
    for word in sorted(UNCOUNTED):
        add(word, "U")
    for line in lines("adjectives.txt"):
        for word in line.split():
            add(word, "A")
            if word not in {
                "fast",
                "hard",
                "early",
                "daily",
                "likely",
                "friendly",
                "lonely",
                "elderly",
                "lively",
            }:
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

ADJECTIVES: Final = tuple(word for line in lines("adjectives.txt") for word in line.split())
"""Adjectives in the positive."""

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
