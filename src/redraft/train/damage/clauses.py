"""Errors that take a parse to make: agreement at a distance, participles for pasts, wrong complements."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from redraft.text import BY_FORM, NOUN, Syntax, analyse_syntax
from redraft.train.damage.reading import Reading, Site, word_set

_SINGULAR: Final = {"is": "are", "was": "were", "has": "have", "does": "do"}
_PLURAL: Final = {many: one for one, many in _SINGULAR.items()}
_OF_ONE: Final = frozenset({"NN", "NNP"})
_OF_MANY: Final = frozenset({"NNS", "NNPS"})
_OBJECTS: Final = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "you": "you"}
_SUGGESTING: Final = word_set("verbs.suggest")
_EITHER: Final = word_set("lexicon.collective") | word_set("nouns.either")
_NEAR: Final = 2
"""An error at a distance is harder to see than one beside its subject, and so is made more often."""


def _sentences(reading: Reading) -> Iterator[tuple[int, Syntax]]:
    for start, end in reading.sentences:
        yield start, analyse_syntax(reading.text[start:end])


def distant_agreement(reading: Reading, rng: random.Random) -> list[Site]:
    """Main verbs that do not agree with a subject which may stand far from them: "Deep ensembles is"."""
    found: list[Site] = []
    for start, read in _sentences(reading):
        if read.main is None or reading.protected(start + read.words[read.main].start):
            continue
        site = _disagreeing(read, read.main, start)
        if site is not None:
            far = read.main - read.noun_phrase(read.opening()) > 0
            found += [site] * (1 + far * _NEAR)
    return found


def _disagreeing(read: Syntax, verb: int, start: int) -> Site | None:
    first = read.opening()
    end = read.noun_phrase(first)
    head = read.tag(end - 1)
    joined = "CC" in read.tags[first:verb]
    if not first < end <= verb or joined or read.word(end - 1) in _EITHER or head not in NOUN:
        return None
    low, tag, word = read.low[verb], read.tags[verb], read.words[verb]
    forms = BY_FORM.get(low)
    new: str | None = None
    if head in _OF_ONE:
        third = forms is not None and tag == "VBZ" and forms.third == low
        new = _SINGULAR.get(low) or (forms.base if third and forms else None)
    elif head in _OF_MANY:
        base = forms is not None and tag == "VBP" and forms.base == low
        new = _PLURAL.get(low) or (forms.third if base and forms else None)
    return Site(start + word.start, start + word.end, new) if new else None


def participle(reading: Reading, rng: random.Random) -> list[Site]:
    """A participle where the past belongs: "the rain begun", "she seen"."""
    found: list[Site] = []
    for start, read in _sentences(reading):
        for index, word in enumerate(read.words):
            forms = BY_FORM.get(word.text)
            if (
                forms is not None
                and read.tags[index] == "VBD"
                and forms.past == word.text != forms.participle
                and read.tag(index - 1) in NOUN | {"PRP", "WP", "WDT", "CC", "RB"}
                and not reading.protected(start + word.start)
            ):
                found.append(Site(start + word.start, start + word.end, forms.participle))
    return found


def complement(reading: Reading, rng: random.Random) -> list[Site]:
    """An object and an infinitive after a verb that takes a clause: "suggested me to take"."""
    found: list[Site] = []
    for index, token in enumerate(reading.tokens[:-2]):
        if token.low not in _SUGGESTING or not token.free:
            continue
        subject = index + 1 + (reading.at(index + 1).low == "that")
        verb = subject + 1 + (reading.at(subject + 1).low == "should")
        forms = BY_FORM.get(reading.at(verb).low)
        person = _OBJECTS.get(reading.at(subject).low)
        if person and forms is not None and reading.at(verb).low == forms.base and reading.at(verb).free:
            found.append(Site(reading.at(index + 1).start, reading.at(verb).end, f"{person} to {forms.base}"))
    return found
