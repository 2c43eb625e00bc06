"""People of whom no name is known, spoken of without a sex: "a nurse … her hands" as "their hands"."""

from __future__ import annotations

import re
from typing import Final

from redraft.revision.rewriting.edits import WORDS, Edit, applied
from redraft.revision.rewriting.forms.address import ROLES
from redraft.text import NOUN, analyse_syntax, bases, verb_forms

_PEOPLE: Final = ROLES | WORDS.generic_people
_ANY: Final = re.compile(
    rf"(?i)\b(?:an?|each|every|any|no|the average|the typical) (?:\w+ )?(?:{'|'.join(_PEOPLE)})\b"
)
_PRONOUNS: Final = {
    "he": "they",
    "she": "they",
    "him": "them",
    "himself": "themselves",
    "herself": "themselves",
    "his": "their",
}
_MANY: Final = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "isn't": "aren't",
    "doesn't": "don't",
    "isn’t": "aren’t",
    "doesn’t": "don’t",
    "'s": "'re",
    "’s": "’re",
}
_NAMED: Final = frozenset({"NNP", "NNPS"})


def generic_they(sentence: str) -> str | None:
    """The sentence with "they" for anybody; None where somebody is meant.

    >>> generic_they("When a student is late, he disturbs his class.")
    'When a student is late, they disturb their class.'
    """
    found = _ANY.search(sentence)
    if found is None:
        return None
    read = analyse_syntax(sentence)
    edits: list[Edit] = []
    for at, word in enumerate(read.words):
        if word.start < found.end() or read.held[at]:
            continue
        if read.tags[at] in _NAMED and at:
            return None
        low = read.low[at]
        new = _PRONOUNS.get(low)
        if low == "her":
            new = "their" if read.tag(at + 1) in NOUN | {"JJ", "CD", "VBG"} else "them"
        if new is None:
            continue
        edits.append(Edit(word.start, word.end, new))
        if new == "they" and (verb := _agreeing(read.low, read.tags, at + 1)):
            place, form = verb
            edits.append(Edit(read.words[place].start, read.words[place].end, form))
    return applied(sentence, edits) if edits else None


def _agreeing(low: tuple[str, ...], tags: tuple[str, ...], at: int) -> tuple[int, str] | None:
    while at < len(low) and tags[at].startswith("RB") and low[at] not in _MANY:
        at += 1
    if at >= len(low):
        return None
    if low[at] in _MANY:
        return at, _MANY[low[at]]
    if tags[at] in ("VBZ", "NNS") and low[at].endswith("s"):
        base = next((one for one in bases(low[at], "VBZ") if verb_forms(one).third == low[at]), None)
        return (at, base) if base else None
    return None
