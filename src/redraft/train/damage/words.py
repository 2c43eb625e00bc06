"""Words put for others: similar words, forms of one word, set phrases, and wordy ones for plain ones."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from redraft.text import BY_FORM, WORDY, opens_with_vowel
from redraft.train.damage.reading import ADVERBS, Reading, Site, adverb, choices, lines, pick, word_set


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


_INTENSIFIERS: Final = ("very", "really", "quite", "extremely")
_FILLERS: Final = ("basically", "actually")
_CLAUSE_ONLY: Final = word_set("wordiness.clause_only")
_NOUN_ONLY: Final = word_set("wordiness.noun_only")
_OPENINGS: Final = tuple(lines("openings.txt"))


def wordiness(reading: Reading, rng: random.Random) -> list[Site]:
    """Wordy phrases, redundant pairs, fillers and hollow openings."""
    found: list[Site | None] = []
    for index, token in enumerate(reading.tokens):
        if not token.free or token.tag in ".#I":
            continue
        low = token.low
        before, following = reading.at(index - 1), reading.at(index + 1)
        wordy = WORDY.get(low)
        if wordy is not None and _fits(reading, index):
            found += [_said(reading, index, pick(wordy, rng))] * 3
        if low == "to" and following.tag == "V" and before.tag in "NUQXnR" and _of_purpose(reading, index):
            found.append(reading.swap(index, pick(("in order to", "so as to", "in order to"), rng)))
        elif token.tag == "A" and (before.tag in "BE" or before.low in ("the", "these")) and low in _PLAIN:
            found.append(reading.insert(index, pick(_INTENSIFIERS, rng)))
        elif low == "that" and token.tag == "S" and before.tag in "VZL":
            found.append(reading.swap(index, "the fact that") if before.low in _FACTIVE else None)
        elif (
            token.opens
            and token.tag in "RDE"
            and token.text[0].isupper()
            and low not in ("what", "which")
            and following.tag in "BMHZVLANQU"
        ):
            start = token.text if token.low == "i" else token.text[0].lower() + token.text[1:]
            if rng.random() < 0.4:
                found.append(Site(token.start, token.end, f"{pick(_OPENINGS, rng)} {start}"))
            if low in ("many", "some") and following.tag == "Q" and reading.at(index + 2).tag == "V":
                found += [Site(token.start, following.end, f"There are {low} {following.text} who")] * 3
        elif token.tag == "R" and following.tag in "VZL" and not token.opens and rng.random() < 0.2:
            found.append(reading.insert(index + 1, pick(_FILLERS, rng)))
    return [site for site in found if site is not None]


_PLAIN: Final = word_set("wordiness.plain")
_NOUNS: Final = word_set("wordiness.nouns")
_TAKES_TO: Final = word_set("wordiness.takes_to")
_DEGREE: Final = word_set("wordiness.degree")
_NEVER: Final = word_set("wordiness.never")
_FACTIVE: Final = word_set("wordiness.factive")


def _fits(reading: Reading, index: int) -> bool:
    """Whether the plain word stands where the wordy phrase can."""
    token, before, following = reading.tokens[index], reading.at(index - 1), reading.at(index + 1)
    low = token.low
    if low in _CLAUSE_ONLY:
        return following.tag in "RDEIQ" and before.low not in ("even", "as", "ever", "just", "long") and (
            low not in ("before", "after", "since", "until") or following.tag == "R"
        )  # fmt: skip
    if low in _NOUN_ONLY:
        return following.tag in "QNUDEA" and before.tag not in "DBYA"
    if low == "can":
        return before.low in ("he", "she", "it") and following.tag == "V"
    if low in ("all", "most", "some"):
        return following.tag == "Q" and before.tag in ".^PVZLCS"
    if low == "for":
        return following.tag == "G" and before.tag in "NQU"
    if low == "enough":
        return following.tag in "NQU" and before.tag != "A"
    if low in ("result", "results"):
        return before.low in ("the", "this", "our", "their", "these")
    if token.tag == "Y" and before.low in _DEGREE:
        return False
    if low == "by":
        return following.tag == "G"
    if low in _NEVER:
        return False
    if low in ("but", "however", "also", "therefore"):
        return low == "but" and before.text == ","
    if low in ("now", "today", "then", "soon", "later", "currently"):
        return following.tag in ".SC"
    if low in ("first", "red", "blue", "green", "round", "large", "small", "new", "main"):
        return low not in ("first", "main") and before.tag == "B" and following.tag in ".C"
    if low in _NOUNS:
        return token.tag in "NUQn" and following.tag not in "NUQnG?"
    if low in BY_FORM and low != "using":
        if token.tag not in "VZL":
            return False
        if " of" in WORDY[low][0] or WORDY[low][0].endswith(("to", "in", "about", "on")):
            return following.tag in "DEXNQUAI"
        if low in ("ended", "return", "returned", "continue", "continued"):
            return following.tag in ".PCS"
        return low not in ("decide", "decides", "decided", "try", "tried") or following.low in ("to", "that")
    return token.tag not in "DP" or low in ("all", "many")


def _of_purpose(reading: Reading, index: int) -> bool:
    """Whether "to" says what something is for; in "allow us to" it does not."""
    return not any(reading.at(place).low in _TAKES_TO for place in range(index - 6, index))


def _said(reading: Reading, index: int, wordy: str) -> Site | None:
    """The word in its wordy form, unless the article before it would no longer fit."""
    token, before, following = reading.tokens[index], reading.at(index - 1), reading.at(index + 1)
    if before.low in ("a", "an") and opens_with_vowel(wordy) != opens_with_vowel(token.low):
        return None
    if token.tag == "A" and (wordy.startswith(("of ", "within ")) or " in " in wordy):
        return reading.swap(index, wordy) if before.tag == "B" and following.tag in ".CS" else None
    return reading.swap(index, wordy)
