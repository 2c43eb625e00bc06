"""Words confused with others: similar words, forms of one word, pronouns, and words left out or repeated."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from redraft.train.damage.lexicon import ADVERBS, adverb, choices, lines, pick, word_set
from redraft.train.damage.reading import Reading, Site


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
    for right, wrong in choices("phrases.txt").items():
        words = tuple(right.split())
        found.setdefault(words[0], []).append((words, wrong))
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


_NO_ADVERB: Final = word_set("words.no_adverb")
_COMPARATIVE: Final = word_set("words.comparative")
