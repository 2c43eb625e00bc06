"""Words that say the opposite: of each other by a list or by WordNet, or before the same words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from redraft.quality.reading import FUNCTION, SETS, Reading
from redraft.text import VERB_FORMS, antonyms, bases, list_lines

NEGATIONS: Final = SETS["polarity.negations"]
DENIALS: Final = SETS["polarity.denials"]
"""These may say what a negation said: "did not win" is "failed to win"."""
Pair = tuple[str, str]


def _pairs(name: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    sides = (line.split("|") for line in list_lines("redraft.quality", name))
    return tuple((frozenset(one.split()), frozenset(other.split())) for one, other in sides)


_LISTED: Final = _pairs("opposites.txt")
_PREPOSITIONS: Final = _pairs("prepositions.txt")
_PARTIES: Final = {
    word: other for pair in _pairs("parties.txt") for one, other in (pair, pair[::-1]) for word in one
}
_DENYING: Final = frozenset({"without", "unless", "until", "till"})
_TAGS: Final = ("NN", "NNS", "JJR", *VERB_FORMS)


def opposites(before: Reading, after: Reading) -> list[Pair]:
    """The words of a sentence for which the other has their opposites."""
    found = [*_from_list(before, after), *_from_wordnet(before, after)]
    found = [
        (old, new) for old, new in found if after.count(DENIALS - {new}) <= before.count(DENIALS - {old})
    ]
    return list(dict.fromkeys((old.replace("at-", "at "), new.replace("at-", "at ")) for old, new in found))


def _from_list(before: Reading, after: Reading) -> Iterator[Pair]:
    for pair in _LISTED:
        for one, other in (pair, pair[::-1]):
            if before.count(one) > after.count(one) and after.count(other) > before.count(other):
                old = next(word for word in before.words if word in one)
                yield old, next(word for word in after.words if word in other)


def _from_wordnet(before: Reading, after: Reading) -> Iterator[Pair]:
    """Antonyms with a neighbour in common, so that the one stands for the other."""
    gone = before.vocabulary - after.vocabulary - FUNCTION
    come = after.vocabulary - before.vocabulary - FUNCTION
    for old in (word for word in before.words if word in gone):
        for new in (word for word in after.words if word in come):
            if old.endswith(new) or new.endswith(old):
                continue  # "possible" and "impossible": a negation
            if _antonyms(old) & _forms(new) and _neighbours(before, old) & _neighbours(after, new):
                yield old, new


@lru_cache(maxsize=8192)
def _forms(word: str) -> frozenset[str]:
    """The dictionary forms that a word may be of, among those that have an opposite."""
    found = {word, *(base for tag in _TAGS for base in bases(word, tag))}
    if word.endswith("ly"):
        found.add(word.removesuffix("ly"))
    return frozenset(found & antonyms().keys())


@lru_cache(maxsize=8192)
def _antonyms(word: str) -> frozenset[str]:
    return frozenset(other for form in _forms(word) for other in antonyms()[form])


def _neighbours(reading: Reading, word: str) -> set[str]:
    place = reading.words.index(word)
    own = {f"{reading.words[place - 1]} _"} if place else {"^ _"}
    return own | ({f"_ {reading.words[place + 1]}"} if place + 1 < len(reading.words) else {"_ $"})


def other_parties(before: Reading, after: Reading) -> Iterator[Pair]:
    """The one side of a dealing that took the place of the other: licensor and licensee."""
    for old in dict.fromkeys(before.words):
        for new in _PARTIES.get(old, ()) or _partners(old):
            if before.count({old}) > after.count({old}) and after.count({new}) > before.count({new}):
                yield old, new


def _partners(word: str) -> list[str]:
    for ending, others in (("ee", ("or", "er")), ("or", ("ee",)), ("er", ("ee",))):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return [word.removesuffix(ending) + other for other in others]
    return []


def turned_prepositions(before: Reading, after: Reading) -> Iterator[Pair]:
    """Such as "without" that became "with" before the same word; "did not come with" is "came without"."""
    for pair in _PREPOSITIONS:
        for one, other in (pair, pair[::-1]):
            if before.count(one) <= after.count(one) or after.count(other) <= before.count(other):
                continue
            if (one | other) & _DENYING and _denied(before) != _denied(after):
                continue
            for old in before.cues(one):
                for new in after.cues(other):
                    if old.heads[:1] == new.heads[:1] and (old.heads or old.following == new.following):
                        yield old.word, new.word


def _denied(reading: Reading) -> int:
    return reading.count(NEGATIONS - _DENYING)
