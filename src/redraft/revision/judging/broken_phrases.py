"""Whether a shorter version strands what it keeps: an object without its verb, a phrase without its "in".

A small model that is asked for fewer words writes telegrams: "asked her to sign for 32 boxes" becomes "asked
for 32 boxes", "in Tucson during July" becomes "in Tucson, July". Each word of it stands in the source, and a
judge of sentences may find nothing wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.text import FINITE, NOUN, VERB, Tagged, tagged, word_sets

_SETS: Final = word_sets(__package__)
_GOVERNING: Final = _SETS["broken_phrases.governing"]
"""Verbs without which the next one says something else: who asks to be paid has not been paid."""
_HOLLOW: Final = _SETS["losses.hollow"]
_LABEL: Final = re.compile(r"\A(?P<label>[A-Z]\w+(?: \w+)?): ")
_RELATED: Final = re.compile(
    r"(?i)\b(?:because|since|as|so|although|though|but|despite|yet|however|therefore|unless|until|if)\b"
)
_SAYING: Final = NOUN | VERB | {"JJ", "CD"}
_RELATIVES: Final = frozenset({"that", "which", "who"})
_WHOLE: Final = frozenset({"all", "both", "half", "off", "outside", "inside"})
_MARKS: Final = frozenset({",", ".", ":", ";", "", "CC", "-RRB-", "''"})
_STEM: Final = 4
_REACH: Final = 5
"""Words after a governing verb among which its own verb stands."""
_LONGEST: Final = 300
"""Words of a passage that is looked at."""


class _Gap(NamedTuple):
    """Words of the source that are gone, from `start` up to `stop`, with nothing or a mark for them."""

    start: int
    stop: int


@lru_cache(maxsize=8192)
def is_stranded(source: str, text: str) -> bool:
    """Whether a shorter version of a passage keeps what hung on words that it left out."""
    label = _LABEL.match(source)
    if label and not text.startswith(label["label"]):
        return True
    old, new = tagged(source), tagged(text)
    return (
        _loses_relation(source, text)
        or _loses_governing(old, new)
        or _loses_verb(old, new)
        or any(_strands(old, gap) for gap in _gaps(old, new))
    )


def _gaps(old: Sequence[Tagged], new: Sequence[Tagged]) -> Iterator[_Gap]:
    before, after = ([word.text.lower() for word in one] for one in (old, new))
    if max(len(before), len(after)) > _LONGEST:
        return
    for kind, start, stop, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        words = [word for word in new[first:last] if any(letter.isalnum() for letter in word.text)]
        for_verb = stop - start == 1 and old[start].tag in VERB and all(word.tag == "RB" for word in words)
        if kind in ("delete", "replace") and (not words or for_verb):
            yield _Gap(start, stop)


def _strands(words: Sequence[Tagged], gap: _Gap) -> bool:
    """Whether what follows the gap has lost its verb or preposition."""
    start, stop = gap
    if stop - start == 1 and words[start].tag == "PRP$":
        return words[gap.stop].tag in NOUN if gap.stop < len(words) else False  # whose father it was
    while stop > start and words[stop - 1].tag in ("RB", "DT", "PRP$", "JJ"):
        stop -= 1
    while start < stop and not words[start].text[:1].isalnum():
        start += 1
    if start == stop or gap.stop >= len(words) or words[gap.stop].tag in _MARKS:
        return False
    first, last = words[start], words[stop - 1]
    low = last.text.lower()
    before = words[start - 1].text if start else "."
    opens = before in (".", "!", "?", ":", ";") or (before == "," and first.text.lower() == "you")
    if low == "to" and last.tag == "TO":
        return not opens and any(word.tag in VERB for word in words[start : stop - 1])
    if last.tag in VERB or last.tag in FINITE:
        reduced = first.text.lower() in _RELATIVES and stop - start <= 3
        again = any(word.tag == "CC" for word in words[max(start - 1, 0) : stop])
        described = last.tag in ("VBN", "VBG") and stop - start == 1 and words[gap.stop].tag in NOUN
        perfect = low in ("have", "has", "had", "should") and words[gap.stop].tag in VERB
        return not (opens or reduced or again or described or perfect)
    if last.tag in ("WP", "WDT") and first.tag == "IN":
        return True  # "four, two of whom married"
    if last.tag == "IN" and low != "that":
        parallel = before.lower() in _WHOLE or bool(start and words[start - 1].tag == "CC")
        return not (opens or parallel) and stop - start <= 2
    return False


def _loses_relation(source: str, text: str) -> bool:
    """Whether "A because B" says A and B with nothing between them any more."""
    if _RELATED.search(text):
        return False
    found = _RELATED.search(source)
    if found is None or not found.start():
        return False
    words = {word.text.lower()[:_STEM] for word in tagged(text) if word.tag in _SAYING}
    sides = (source[: found.start()], source[found.end() :])
    return all(len(words & {one.text.lower()[:_STEM] for one in tagged(side)}) >= 2 for side in sides)


def _loses_verb(old: Sequence[Tagged], new: Sequence[Tagged]) -> bool:
    """Whether "cancel the season" became "the season", with no other verb for it."""
    known = {word.text.lower()[:_STEM] for word in old if word.tag in VERB}
    stems = {word.text.lower()[:_STEM] for word in new}
    if any(word.tag in VERB and word.text.lower()[:_STEM] not in known for word in new):
        return False
    for place, word in enumerate(old):
        low = word.text.lower()
        if word.tag not in ("VB", "VBD", "VBZ", "VBP") or low in _HOLLOW or low[:_STEM] in stems:
            continue
        near = old[place + 1 : place + 1 + _REACH]
        if not near or near[0].tag not in ("DT", "PRP$", "CD", "JJ", "NN", "NNS", "NNP"):
            continue
        thing = next((one.text.lower()[:_STEM] for one in near if one.tag in NOUN), None)
        if thing in stems:
            return True
    return False


def _loses_governing(old: Sequence[Tagged], new: Sequence[Tagged]) -> bool:
    """Whether "ask you to replace" became "replace", though not as an order."""
    stems = {word.text.lower()[:_STEM] for word in new}
    for place, word in enumerate(old):
        low = word.text.lower()
        if word.tag not in VERB | FINITE or low not in _GOVERNING or low[:_STEM] in stems:
            continue
        near = old[place + 1 : place + 1 + _REACH]
        to = next((n for n, one in enumerate(near) if one.text.lower() == "to"), None)
        governed = near[to + 1] if to is not None and to + 1 < len(near) else None
        if governed is None or governed.text.lower()[:_STEM] not in stems:
            continue
        if new and new[0].text.lower()[:_STEM] != governed.text.lower()[:_STEM]:
            return True
    return False
