"""Words confused with others: similar words, forms of one word, pronouns, and words left out or repeated."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from redraft.train.damage.lexicon import ADVERBS, adverb, lines, pick, word_set
from redraft.train.damage.reading import Reading, Site
from redraft.train.damage.verbs import subject_number


class _Confusion(NamedTuple):
    before: frozenset[str]
    after: frozenset[str]
    wrong: tuple[str, ...]


def _confusions() -> dict[str, list[_Confusion]]:
    found: dict[str, list[_Confusion]] = {}
    for line in lines("confusions.txt"):
        left, wrong = line.split("|")
        word, *conditions = left.strip().split("/")
        before: frozenset[str] = frozenset()
        after: frozenset[str] = frozenset()
        for condition in conditions:
            side, words = condition.split(":")
            if side == "before":
                before = frozenset(words.split())
            else:
                after = frozenset(words.split())
        several = ";" in wrong
        choices = tuple(
            one.strip() for one in (wrong.split(";") if several else wrong.split()) if one.strip()
        )
        found.setdefault(word, []).append(_Confusion(before, after, choices))
    return found


_CONFUSIONS: Final = _confusions()


def _phrases() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    found: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for line in lines("phrases.txt"):
        right, wrong = line.split("|")
        words = tuple(right.split())
        found.setdefault(words[0], []).append((words, tuple(one.strip() for one in wrong.split(";"))))
    return found


_PHRASES: Final = _phrases()


def confusion(reading: Reading, rng: random.Random) -> list[Site]:
    """Words put for others that sound or mean nearly the same."""
    found: list[Site] = []
    for index, token in enumerate(reading.tokens):
        if not token.free:
            continue
        if token.low in ("made", "told", "said") and reading.at(index - 1).tag in "BH":
            continue  # "was did" is nobody's error
        for confused in _CONFUSIONS.get(token.low, ()):
            if confused.before and reading.at(index - 1).low not in confused.before:
                continue
            if confused.after and reading.at(index + 1).low not in confused.after:
                continue
            found.append(reading.swap(index, pick(confused.wrong, rng)))
    return found


def phrase(reading: Reading, rng: random.Random) -> list[Site]:
    """Set phrases with a wrong word, one too few or one too many."""
    found: list[Site] = []
    tokens = reading.tokens
    for index, token in enumerate(tokens):
        for words, wrong in _PHRASES.get(token.low, ()):
            last = index + len(words) - 1
            if last < len(tokens) and all(
                tokens[index + offset].low == word and tokens[index + offset].free
                for offset, word in enumerate(words)
            ):
                made = pick(wrong, rng)
                if words[0] == "i":
                    made = (
                        "I" + made[1:]
                        if made[0] == "i" and made[1:2] in ("", " ", "'")
                        else made.capitalize()
                    )
                found.append(reading.span(index, last, made))
    return found


def _families() -> dict[str, tuple[str, str, str, str]]:
    found: dict[str, tuple[str, str, str, str]] = {}
    for line in lines("families.txt"):
        noun, adjective, manner, verb = line.split()
        for form in (noun, adjective, manner):
            if form != "-":
                found.setdefault(form, (noun, adjective, manner, verb))
    return found


_FAMILIES: Final = _families()


def word_form(reading: Reading, rng: random.Random) -> list[Site]:
    """Noun, adjective and adverb of one word taken for one another."""
    found: list[Site] = []
    for index, token in enumerate(reading.tokens):
        if not token.free or token.tag in ".#I":
            continue
        low = token.low
        before, following = reading.at(index - 1), reading.at(index + 1)
        family = _FAMILIES.get(low)
        if low in ADVERBS and (following.tag in "ATVLZ" or before.tag in "VZLXNQ"):
            found += [reading.swap(index, ADVERBS[low])] * 2
        elif token.tag == "A" and following.tag in "NUQn" and before.tag in "DEVPZ":
            made = adverb(low)
            if made in ADVERBS and low not in _NO_ADVERB and len(low) > 4:
                found.append(reading.swap(index, made))
            if family is not None and family[0] not in ("-", low) and family[1] == low:
                found += [reading.swap(index, family[0])] * 2
        elif (
            token.tag == "A"
            and before.tag in "BY"
            and following.tag in ".PtCS"
            and family is not None
            and family[1] == low
        ):
            found += [reading.swap(index, family[0])] * 2 if family[0] != "-" else []
        elif token.tag in "NUn" and family is not None and family[0] == low and before.tag in "DEAP":
            choices = (family[1],) if before.tag == "P" else (family[1], family[3])
            options = [form for form in choices if form not in ("-", low)]
            if options and following.tag not in "NUQn?":
                found += [reading.swap(index, pick(options, rng))] * 2
        elif low == "well" and before.tag in "VTNU" and following.tag in ".CSP":
            found.append(reading.swap(index, "good"))
        elif low == "good" and before.low == "a" and following.tag == "N":
            found.append(reading.swap(index, "well"))
        elif low in _COMPARATIVE and before.low not in ("much", "far", "even", "more"):
            found.append(reading.swap(index, f"more {low}"))
        elif low == "more" and following.tag == "A" and following.free and len(following.low) > 6:
            found.append(reading.swap(index, "much more" if rng.random() < 0.1 else "most"))
    return found


_OBJECT: Final = {"me": "I", "him": "he", "them": "they", "us": "we"}
_SELF: Final = {
    "themselves": ("theirselves", "themself", "them"),
    "himself": ("hisself", "himselves"),
    "ourselves": ("ourself", "our selves"),
}
_PERSONS: Final = word_set("words.persons")
_NO_ADVERB: Final = word_set("words.no_adverb")
_COMPARATIVE: Final = word_set("words.comparative")
_PEOPLE: Final = word_set("words.people")


def pronoun(reading: Reading, rng: random.Random) -> list[Site]:
    """Pronouns left out or in the wrong case, and the wrong relative."""
    found: list[Site | None] = []
    for index, token in enumerate(reading.tokens):
        if not token.free:
            continue
        low = token.low
        before, following = reading.at(index - 1), reading.at(index + 1)
        if low == "it" and following.tag in "BM" and (token.opens or before.tag in ".SC"):
            found.append(reading.drop(index))
        elif low in ("they", "we", "he", "she", "i") and before.tag == "C" and following.tag in "VZL":
            continue  # "and they went", without its subject, is right
        elif low in _OBJECT and before.tag == "P":
            found.append(reading.swap(index, _OBJECT[low]))
        elif low in _SELF:
            found.append(reading.swap(index, pick(_SELF[low], rng)))
        elif low == "who" and before.low in _PEOPLE:
            found += [reading.swap(index, "which")] * 2
            if following.tag in "VZLBH":
                found.append(reading.drop(index))
        elif low == "which" and before.text == "," and following.tag in "BMHZVL":
            found.append(reading.swap(index, pick(("that", "what", "wich", "that"), rng)))
        elif low == "which" and before.tag in "Q" and before.low not in _PEOPLE:
            found.append(reading.swap(index, pick(("who", "wich", "what"), rng)))
        elif low == "that" and token.tag == "S" and before.tag in "NQU" and following.tag in "VZL":
            found.append(reading.drop(index))
            found.append(reading.swap(index, "what"))
        elif low == "what" and following.tag == "R":
            found.append(reading.swap(index, pick(("that", "which"), rng)))
        elif low == "them" and before.tag in "VZLG":
            found.append(reading.swap(index, pick(("they", "their"), rng)))
        elif low == "their" and following.tag in "NQUA":
            found.append(reading.swap(index, pick(("they", "them", "theirs"), rng)))
        elif low == "my" and following.tag in "NQU":
            found.append(reading.swap(index, "me"))
        elif token.tag in "NUQ" and following.tag in "BMH" and before.tag in "DEA" and len(low) > 2:
            subject = subject_number(reading, index + 1)
            if subject and low not in _PEOPLE and low not in _PERSONS:  # "the book it is"
                extra = "it" if subject == "1" else "they"
                found.append(Site(token.end, token.end, f" {extra}"))
    return [site for site in found if site is not None]


def omission(reading: Reading, rng: random.Random) -> list[Site]:
    """Small words left out: "and" before the last of a list, "more" before "than", an object."""
    found: list[Site | None] = []
    for index, token in enumerate(reading.tokens):
        if not token.free:
            continue
        before, following = reading.at(index - 1), reading.at(index + 1)
        if token.low == "and" and (before.text == "," or (before.tag in "NQUA" and following.tag in "NQUA")):
            found.append(reading.drop(index))
        elif (token.low == "more" and following.tag == "A" and reading.at(index + 2).low == "than") or (
            token.low == "as" and following.tag in "AY" and reading.at(index + 2).low == "as"
        ):
            found += [reading.drop(index)] * 3
        elif (
            (
                token.low in ("it", "them")
                and token.tag in "RX"
                and before.tag in "VZL"
                and following.tag in ".PtSC"
            )
            or (
                token.low in ("will", "can", "could", "would")
                and following.low == "be"
                and before.tag in "RNQUn"
            )
            or (token.low in ("than", "if", "when") and following.tag in "RDE" and before.tag not in ".")
        ):
            found.append(reading.drop(index))
    return [site for site in found if site is not None]


def redundancy(reading: Reading, rng: random.Random) -> list[Site]:
    """Small words too many: "because that he", "people who they live", "can able to go"."""
    found: list[Site | None] = []
    for index, token in enumerate(reading.tokens):
        if not token.free:
            continue
        before, following = reading.at(index - 1), reading.at(index + 1)
        if token.low in ("because", "although", "while", "if") and following.tag == "R" and following.free:
            found.append(reading.insert(index + 1, "that"))
        elif token.low in ("can", "could") and following.tag == "V" and following.free:
            found.append(reading.insert(index + 1, pick(("able to", "be able to"), rng)))
        elif token.low == "who" and before.tag == "Q" and following.tag in "VLBMH" and following.free:
            found.append(reading.insert(index + 1, "they"))
        elif token.tag == "Z" and before.tag in "NU" and subject_number(reading, index) == "1":
            found.append(reading.insert(index, "is"))
        elif (token.low == "many" and following.tag == "Q" and following.free) or (
            token.low in ("most", "all") and following.tag == "Q" and following.free
        ):
            found.append(reading.insert(index + 1, "of"))
        elif token.tag == "A" and before.low == "more" and reading.at(index + 1).low == "than":
            found.append(reading.insert(index - 1, "much"))
        elif token.low == "but" and before.text == "," and following.tag == "R" and following.free:
            found.append(reading.swap(index, "but however"))
        elif token.low == "also" and before.tag == "." and not token.opens:
            found.append(reading.swap(index, "and also"))
    return [site for site in found if site is not None]


def repetition(reading: Reading, rng: random.Random) -> list[Site]:
    """A small word written twice."""
    found: list[Site] = []
    for token in reading.tokens:
        if token.free and token.tag in "DPtBRCEM" and not token.opens and token.low not in ("that", "had"):
            found.append(Site(token.end, token.end, " " + token.text))
    return found
