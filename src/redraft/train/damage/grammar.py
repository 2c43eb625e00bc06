"""Errors of grammar: articles, number and prepositions; agreement, tense and form of verbs."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from redraft.text import BY_FORM, PLURALS, UNCOUNTED, Forms, opens_with_vowel, plural, singular, with_s
from redraft.train.damage.reading import COLLECTIVE, Reading, Site, Token, lines, pick, word_set
from redraft.train.damage.rules import follows_bare_verb, rule_sites, subject_number

_NO_NOUN: Final = word_set("nouns.no_noun")
_UNIQUE: Final = word_set("nouns.unique")
_MANY: Final = word_set("nouns.many")
_ONE: Final = word_set("nouns.one")
_AMOUNTS: Final = word_set("nouns.amounts")
_ABSTRACT: Final = word_set("nouns.abstract")
_PLURALISED: Final = word_set("nouns.pluralised")
_AFTER_NOUN: Final = ".PtCSBMHWRXDYVZL"


def article(reading: Reading, rng: random.Random) -> list[Site]:
    """Articles left out, put where none belongs, and taken for one another."""
    found: list[Site | None] = []
    tokens = reading.tokens
    for index, token in enumerate(tokens):
        following = reading.at(index + 1)
        if token.low in ("a", "an") and token.free:
            if following.tag in ".#" or following.low in _NO_NOUN:
                continue
            drop = reading.drop(index)
            found += [drop] * 4
            if following.text[:1].islower():
                found.append(reading.swap(index, "a" if token.low == "an" else "an"))
            if reading.at(index - 1).low in ("such", "quite", "what"):
                found.append(reading.swap(index, "the"))
        elif token.low == "the" and token.free and following.tag not in ".#I":
            head = _head(reading, index + 1)
            if following.low in _UNIQUE or following.low.endswith("est"):
                found += [reading.drop(index)] * 2
                if following.low in ("same", "only", "first", "best", "most"):
                    found.append(reading.swap(index, "a"))
            elif head >= 0 and tokens[head].tag == "N":
                found += [reading.drop(index)] * 3
            elif head >= 0 and reading.at(head + 1).low == "of":
                found.append(reading.drop(index))
        elif token.free and not token.opens and token.tag in "UQN" and _bare(reading, index):
            if token.low in _ABSTRACT and following.low != "of":
                found += [reading.insert(index, "the")] * 8
            if token.low in UNCOUNTED or token.tag == "Q":
                found.append(reading.insert(index, "an" if opens_with_vowel(token.low) else "a"))
        elif token.low == "most" and following.low == "of" and token.free:
            found.append(reading.insert(index, "the"))
    return [site for site in found if site is not None]


def _bare(reading: Reading, index: int) -> bool:
    """Whether nothing but a preposition or a verb stands before a noun."""
    return reading.at(index - 1).tag in "PtVZLGSCX" and reading.at(index + 1).tag not in "NUQnG"


def _head(reading: Reading, index: int) -> int:
    """Where the noun stands that ends the phrase which begins at an index; -1 where that is not sure."""
    for place in range(index, min(index + 4, len(reading.tokens))):
        tag = reading.tokens[place].tag
        if tag in "AYTG":
            continue
        if tag in "NUQn" and reading.at(place + 1).tag not in "NUQnG?I":
            return place
        return -1
    return -1


def number(reading: Reading, rng: random.Random) -> list[Site]:
    """Singular for plural and plural for singular, with the determiners that go with them."""
    found: list[Site] = []
    tokens = reading.tokens
    for index, token in enumerate(tokens):
        if not token.free:
            continue
        before, following = reading.at(index - 1), reading.at(index + 1)
        low = token.low
        if token.tag == "Q":
            one = singular(low)
            if one is None or one == low:
                continue
            quantified = before.low in _MANY or (before.tag == "A" and reading.at(index - 2).low in _MANY)
            after = following.low in ("are", "were", "have", "do") or following.tag == "V"
            bare = before.tag in "PVZLGSC.^" and before.low != "per"
            counted = before.low == "of" and reading.at(index - 2).low in _AMOUNTS
            if quantified or counted:
                found += [reading.swap(index, one)] * 4
            elif (after or bare) and one not in UNCOUNTED:
                found += [reading.swap(index, one)] * 2
            if low in ("people", "children"):
                found.append(
                    reading.swap(index, low + "s" if low == "children" or rng.random() < 0.5 else "persons")
                )
        elif (
            token.tag == "N" and low in _SINGULARS and low not in COLLECTIVE and following.tag in _AFTER_NOUN
        ):
            if before.low in _ONE or (before.tag == "A" and reading.at(index - 2).low in _ONE):
                found.append(reading.swap(index, plural(low)))
        elif token.tag == "U" and low in _PLURALISED and following.tag in _AFTER_NOUN:
            found.append(reading.swap(index, with_s(low)))
        else:
            found += rule_sites("number", reading, index, rng)
    return found


_SINGULARS: Final = frozenset(one for many, one in PLURALS.items() if many != one)


class _Frame(NamedTuple):
    """Which prepositions go with a word, which are put for them, and which are put where none belongs."""

    right: frozenset[str]
    wrong: tuple[str, ...]
    needless: tuple[str, ...]


def _frames() -> dict[str, list[_Frame]]:
    found: dict[str, list[_Frame]] = {}
    for line in lines("prepositions.txt"):
        heads, rest = line.split(":")
        if "+" in rest:
            frame = _Frame(frozenset(), (), tuple(rest.replace("+", "").split()))
        else:
            right, wrong = rest.split(">")
            frame = _Frame(frozenset(right.split()), tuple(wrong.split()), ())
        for head in heads.split():
            found.setdefault(head, []).append(frame)
    return found


_FRAMES: Final = _frames()


def preposition(reading: Reading, rng: random.Random) -> list[Site]:
    """Prepositions taken for others, left out, or put where none belongs."""
    found: list[Site | None] = []
    for index, token in enumerate(reading.tokens):
        following = reading.at(index + 1)
        for frame in _FRAMES.get(token.low, ()):
            if following.free and following.low in frame.right and reading.at(index + 2).tag not in ".V":
                wrong = pick(frame.wrong, rng)
                found += [reading.drop(index + 1) if wrong == "-" else reading.swap(index + 1, wrong)] * 2
            elif frame.needless and token.tag in "VZLTG" and _has_object(reading, index):
                found.append(reading.insert(index + 1, pick(frame.needless, rng)))
        if token.free:
            found += rule_sites("preposition", reading, index, rng)
    return [site for site in found if site is not None]


def _has_object(reading: Reading, index: int) -> bool:
    following = reading.at(index + 1)
    return (
        following.tag in "DEXN"
        and following.free
        and following.low != "that"
        and reading.at(index - 1).tag != "B"
    )


_SINGULAR: Final = {
    "is": "are", "was": "were", "has": "have", "does": "do", "doesn't": "don't", "isn't": "aren't",
    "wasn't": "weren't", "hasn't": "haven't",
}  # fmt: skip
_PLURAL: Final = {many: one for one, many in _SINGULAR.items()}
_GERUND_AFTER: Final = word_set("verbs.gerund_after")
_INFINITIVE_AFTER: Final = word_set("verbs.infinitive_after")
_PAST_SIGNS: Final = word_set("verbs.past_signs")


def _forms(token: Token) -> Forms | None:
    return BY_FORM.get(token.low)


def agreement(reading: Reading, rng: random.Random) -> list[Site]:
    """Verbs that do not agree with their subjects."""
    found: list[Site] = []
    for index, token in enumerate(reading.tokens):
        if not token.free or token.tag not in "BHOVZ":
            continue
        low = token.low
        if low in _SINGULAR or low in _PLURAL:
            there = reading.at(index - 1).low == "there"
            subject = subject_number(reading, index)
            if low.startswith("was") and reading.at(index - 2).low in ("if", "though", "wish", "wishes"):
                continue  # "if it were" is as right as "if it was"
            if low in _SINGULAR and (
                subject == "1" or (there and reading.at(index + 1).low in ("a", "an", "no"))
            ):
                found += [reading.swap(index, _SINGULAR[low])] * 2
            elif low in _PLURAL and (subject == "2" or (there and low in ("are", "were"))):
                found += [reading.swap(index, _PLURAL[low])] * 2
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
