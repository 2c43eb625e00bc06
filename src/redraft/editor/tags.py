"""Edits as tags: what becomes of one word of a text.

A word is kept, deleted, followed by others ("+the"), replaced ("=their") or put into another form ("$VBD").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from redraft.text import (
    BY_FORM,
    VERBS,
    Span,
    bases,
    inflected,
    is_in_dictionary,
    plural,
    singular,
    verb_forms,
)

KEEP: Final = "$KEEP"
OTHER: Final = "$OTHER"
"""The tag of a word with which something is wrong that no other tag mends."""
DELETE: Final = "$DELETE"
JOIN: Final = "$JOIN"
"""The tag of a word that is one with the next."""
START: Final = "\x02"
"""What stands for the place before the first word."""
_WORD: Final = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_MARKS: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_VERBS: Final = ("VB", "VBZ", "VBD", "VBN", "VBG")
_FORMS: Final = (*_VERBS, "NN", "NNS", "JJR", "JJS")
_AUXILIARY: Final = {form: verb for verb in ("have", "do") for form in verb_forms(verb)}
_GAP: Final = 0.7
_OTHER_WORD: Final = 1.25
"""What a word costs that comes or goes, and one that becomes a word with which it has nothing in common."""


def word_spans(text: str) -> list[Span]:
    """Where the words of a text stand, and its marks, each by itself."""
    return [Span(*found.span()) for found in _WORD.finditer(text)]


def words_in(text: str) -> list[str]:
    """The words and marks of a text, with straight apostrophes and quotation marks."""
    return _WORD.findall(text.translate(_MARKS))


def applied(word: str, tag: str) -> list[str] | None:
    """What a tag makes of a word; None where it makes nothing of it, or joins it to the next."""
    kind, rest = tag[0], tag[1:].split()
    if kind == "+":
        return [word, *rest]
    if kind == "=":
        return rest
    if tag == KEEP:
        return [word]
    if tag == DELETE:
        return []
    changed = _changed(word, tag)
    return [changed] if changed and changed != word else None


def _changed(word: str, tag: str) -> str:
    """A word in the form that a tag names; empty where it has none."""
    match tag:
        case "$LOWER":
            return word.lower()
        case "$CAPITAL":
            return word[:1].upper() + word[1:]
        case "$UPPER":
            return word.upper()
        case "$NO_APOS":
            return word.replace("'", "")
        case "$POSS":
            return word + "'s"
        case "$S_POSS":
            return word[:-1] + "'s" if word.endswith("s") else ""
        case "$LY":
            return _adverb(word)
        case "$NO_LY":
            return (word[:-3] + "y" if word.endswith("ily") else word[:-2]) if word.endswith("ly") else ""
    form = _form(word.lower(), tag[1:]) if tag[1:] in _FORMS else ""
    return form[:1].upper() + form[1:] if word[:1].isupper() else form


def _adverb(word: str) -> str:
    if word.endswith("y"):
        return word[:-1] + "ily"
    if word.endswith("le"):
        return word[:-1] + "y"
    return word + ("ally" if word.endswith("ic") else "ly")


@cache
def _form(low: str, tag: str) -> str:
    """A word in the form that a Penn tag names; empty where it is not known to have one."""
    if tag in _VERBS:
        verb = _AUXILIARY.get(low) or (BY_FORM[low].base if low in BY_FORM else None)
        verb = verb or next((base for base in bases(low, "VBD") if base in VERBS), None)
        return inflected(verb, tag) if verb else ""
    if tag == "NNS":
        return plural(low) if is_in_dictionary(low) else ""
    if tag == "NN":
        return singular(low) or next(filter(is_in_dictionary, bases(low, "NNS")), "")
    return inflected(low, tag)


class Tagged(NamedTuple):
    """A word, its tag, and what stands in the corrected text for it."""

    word: str
    tag: str
    becomes: list[str]


def tags_of(source: Sequence[str], target: Sequence[str]) -> list[Tagged]:
    """The tags that make one text of another, whose words are given; the first is of START."""
    becomes: list[list[str]] = [[START], *([] for _ in source)]
    at = 0
    for one, other in _aligned(source, target):
        at = at if one is None else one + 1
        if other is not None:
            becomes[at].append(target[other])
    words = [START, *source]
    found: list[Tagged] = []
    while len(found) < len(words):
        place = len(found)
        word, own = words[place], becomes[place]
        after = words[place + 1 : place + 2]
        if after and not becomes[place + 1] and [one.lower() for one in own] == [(word + after[0]).lower()]:
            found += [Tagged(word, JOIN, own), Tagged(after[0], KEEP, [])]
        else:
            found.append(Tagged(word, _tag(word, own), own))
    return found


def _tag(word: str, becomes: list[str]) -> str:
    if becomes == [word]:
        return KEEP
    if not becomes:
        return DELETE
    if becomes[0] == word:
        return "+" + " ".join(becomes[1:])
    if len(becomes) == 1:
        for tag in _possible(word, becomes[0]):
            if applied(word, tag) == becomes:
                return tag
    return "=" + " ".join(becomes)


def _possible(word: str, other: str) -> Iterator[str]:
    """The tags that may make one word of another."""
    if word.lower() == other.lower():
        yield from ("$LOWER", "$CAPITAL", "$UPPER")
    if "'" in word + other:
        yield from ("$NO_APOS", "$POSS", "$S_POSS")
    elif word.isalpha() and other.isalpha():
        yield from (f"${form}" for form in _FORMS)
        yield from ("$LY", "$NO_LY")


def _aligned(source: Sequence[str], target: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Which word became which, at the least cost; None where one came or went."""
    costs = [[0.0] * (len(target) + 1) for _ in range(len(source) + 1)]
    for one in range(len(source) + 1):
        for other in range(len(target) + 1):
            steps = []
            if one and other:
                steps.append(costs[one - 1][other - 1] + _cost(source[one - 1], target[other - 1]))
            if one:
                steps.append(costs[one - 1][other] + _GAP)
            if other:
                steps.append(costs[one][other - 1] + _GAP)
            costs[one][other] = min(steps, default=0.0)
    found: list[tuple[int | None, int | None]] = []
    one, other = len(source), len(target)
    while one or other:
        here = costs[one][other]
        if one and other and here == costs[one - 1][other - 1] + _cost(source[one - 1], target[other - 1]):
            one, other = one - 1, other - 1
            found.append((one, other))
        elif one and here == costs[one - 1][other] + _GAP:
            one -= 1
            found.append((one, None))
        else:
            other -= 1
            found.append((None, other))
    return found[::-1]


@cache
def _cost(one: str, other: str) -> float:
    """What it costs that a word became another: less, the more of its beginning and end they share."""
    if one == other:
        return 0.0
    left, right = one.lower(), other.lower()
    if left == right:
        return _OTHER_WORD - 0.9
    if not (left[0].isalnum() and right[0].isalnum()):
        return _OTHER_WORD - (0.3 if left[0].isalnum() == right[0].isalnum() else 0.0)
    shared, most = 0, min(len(left), len(right))
    while shared < most and left[shared] == right[shared]:
        shared += 1
    ends = 0
    while ends < most - shared and left[-1 - ends] == right[-1 - ends]:
        ends += 1
    return _OTHER_WORD - 0.85 * (shared + ends) / max(len(left), len(right))
