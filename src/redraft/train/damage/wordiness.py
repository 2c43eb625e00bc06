"""Plain words replaced by wordy ones."""

from __future__ import annotations

import random
from typing import Final

from redraft.text import BY_FORM, WORDY, opens_with_vowel
from redraft.train.damage.lexicon import lines, pick, word_set
from redraft.train.damage.reading import Reading, Site

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
