"""Verbs: agreement, tense, form, and auxiliaries left out or put in."""

from __future__ import annotations

import random
from typing import Final

from redraft.text import BY_FORM, Forms
from redraft.train.damage.lexicon import COLLECTIVE, pick, word_set
from redraft.train.damage.reading import Reading, Site, Token

_ONE: Final = {"is": "are", "was": "were", "has": "have", "does": "do", "doesn't": "don't", "isn't": "aren't",
               "wasn't": "weren't", "hasn't": "haven't"}  # fmt: skip
_MANY: Final = {many: one for one, many in _ONE.items()}
_SINGULAR_SUBJECTS: Final = word_set("verbs.singular_subjects")
_PLURAL_SUBJECTS: Final = word_set("verbs.plural_subjects")
_GERUND_AFTER: Final = word_set("verbs.gerund_after")
_INFINITIVE_AFTER: Final = word_set("verbs.infinitive_after")
_BARE_AFTER: Final = word_set("verbs.bare_after")
_PAST_SIGNS: Final = word_set("verbs.past_signs")


def _forms(token: Token) -> Forms | None:
    return BY_FORM.get(token.low)


def subject_number(reading: Reading, index: int) -> str:
    """Whether the subject before a verb is one ("1"), many ("2"), I ("i"), or not known ("")."""
    place = index - 1
    while reading.at(place).tag in "YF" and place > 0:
        place -= 1
    token = reading.at(place)
    if token.low in _SINGULAR_SUBJECTS and token.low != "that":
        return "1"
    if token.low == "i":
        return "i"
    if token.low in _PLURAL_SUBJECTS:
        return "2"
    before = reading.at(place - 1)
    if token.tag in "NUn" and token.low not in COLLECTIVE and reading.at(place - 1).tag in "DEANU":
        # "the cost of the books is": the noun next to the verb is not its subject
        start = place - 1
        while reading.at(start).tag in "DEANUn" and start >= 0:
            start -= 1
        return _of(reading, start, "1")
    if token.tag == "Q" and before.tag in "DEA.SCK^":
        start = place - 1
        while reading.at(start).tag in "DEAKNU" and start >= 0:
            start -= 1
        return "2" if reading.at(start).tag == "C" else _of(reading, start, "2")
    return ""


def _of(reading: Reading, start: int, number: str) -> str:
    """The number of a subject whose words begin after `start`; that of "the cost of books" is cost's."""
    before = reading.at(start)
    if before.low in ("of", "in", "for") and reading.at(start - 1).tag in "NUQn":
        return subject_number(reading, start)
    return number if before.tag in ".S" or start < 0 else ""


def agreement(reading: Reading, rng: random.Random) -> list[Site]:
    """Verbs that do not agree with their subjects."""
    found: list[Site] = []
    for index, token in enumerate(reading.tokens):
        if not token.free or token.tag not in "BHOVZ":
            continue
        low = token.low
        if low in _ONE or low in _MANY:
            there = reading.at(index - 1).low == "there"
            subject = subject_number(reading, index)
            if low.startswith("was") and reading.at(index - 2).low in ("if", "though", "wish", "wishes"):
                continue  # "if it were" is as right as "if it was"
            if low in _ONE and (subject == "1" or (there and reading.at(index + 1).low in ("a", "an", "no"))):
                found += [reading.swap(index, _ONE[low])] * 2
            elif low in _MANY and (subject == "2" or (there and low in ("are", "were"))):
                found += [reading.swap(index, _MANY[low])] * 2
        elif token.tag == "Z":
            forms = _forms(token)
            if forms is not None and subject_number(reading, index) == "1":
                found += [reading.swap(index, forms.base)] * 3
        elif token.tag == "V":
            forms = _forms(token)
            if (
                forms is not None
                and subject_number(reading, index) in ("2", "i")
                and not follows_bare_verb(reading, index)
            ):
                found.append(reading.swap(index, forms.third))
    return found


def follows_bare_verb(reading: Reading, index: int) -> bool:
    """Whether the pronoun before a verb stands after one that takes a bare infinitive: "let him go"."""
    return reading.at(index - 2).low in _BARE_AFTER


def tense(reading: Reading, rng: random.Random) -> list[Site]:
    """Present for past where the rest of the sentence is past."""
    found: list[Site] = []
    tokens = reading.tokens
    for start, end in reading.sentences:
        places = [index for index, token in enumerate(tokens) if start <= token.start < end]
        past = [
            index
            for index in places
            if tokens[index].tag == "L" or tokens[index].low in ("was", "were", "had", "did")
        ]
        signs = sum(tokens[index].low in _PAST_SIGNS or _year(tokens[index]) for index in places)
        if len(past) + signs < 2:
            continue
        for index in places:
            if (
                tokens[index].free
                and tokens[index].low in ("could", "would")
                and reading.at(index + 1).tag == "V"
            ):
                found.append(reading.swap(index, "can" if tokens[index].low == "could" else "will"))
        for index in past:
            token = tokens[index]
            if not token.free:
                continue
            if token.tag == "L":
                forms = _forms(token)
                if forms is not None and forms.past == token.low and forms.base != token.low:
                    one = subject_number(reading, index) == "1"
                    found.append(
                        reading.swap(index, forms.third if one and rng.random() < 0.6 else forms.base)
                    )
            elif token.low in ("was", "were") and len(past) > 1:
                found.append(reading.swap(index, "is" if token.low == "was" else "are"))
    return found


def _year(token: Token) -> bool:
    return len(token.text) == 4 and token.text.isdigit() and token.text[:2] in ("18", "19", "20")


def verb_form(reading: Reading, rng: random.Random) -> list[Site]:
    """The wrong form after a modal, "to", do, have, be or a preposition."""
    found: list[Site] = []
    tokens = reading.tokens
    for index, token in enumerate(tokens):
        if not token.free or token.tag not in "VTGL":
            continue
        forms = _forms(token)
        if forms is None:
            continue
        place = index - 1
        while place > 0 and reading.at(place).tag in "YF":
            place -= 1
        lead = reading.at(place)
        low = token.low
        if token.tag == "V" and lead.tag == "M":
            options = [forms.gerund, "to " + forms.base, forms.third, forms.past]
            found += _made(reading, index, low, options, rng, 2)
        elif token.tag == "V" and lead.tag == "t" and lead.free:
            found += _made(reading, index, low, [forms.gerund, forms.past, forms.third, forms.gerund], rng, 1)
            if reading.at(place - 1).low in _INFINITIVE_AFTER and place == index - 1:
                found.append(reading.span(place, index, forms.base))
                found.append(reading.span(place, index, forms.gerund))
        elif token.tag == "V" and lead.tag == "O":
            wrong = forms.past if lead.low.startswith("did") else forms.third
            found += _made(reading, index, low, [wrong], rng, 3)
        elif token.tag == "T" and lead.tag == "H":
            options = [forms.base, forms.past if forms.past != low else forms.base]
            found += _made(reading, index, low, options, rng, 2)
        elif token.tag == "T" and lead.tag == "B":
            options = [forms.base, forms.base, forms.past if forms.past != low else forms.base]
            found += _made(reading, index, low, options, rng, 1)
        elif token.tag == "G" and lead.tag == "B":
            found += _made(reading, index, low, [forms.base], rng, 1)
        elif token.tag == "G" and lead.tag == "P" and place == index - 1:
            found += _made(reading, index, low, [forms.base, forms.base, "to " + forms.base], rng, 2)
        elif token.tag == "G" and lead.low in _GERUND_AFTER:
            found += _made(reading, index, low, ["to " + forms.base, forms.base], rng, 3)
    return found


def _made(
    reading: Reading, index: int, low: str, options: list[str], rng: random.Random, weight: int
) -> list[Site]:
    made = pick(options, rng)
    return [reading.swap(index, made)] * weight if made != low else []
