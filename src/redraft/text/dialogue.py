"""Whether what stands in quotation marks is a story's own dialogue, or somebody's words that are reported."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from redraft.text.entities import Extract, quotations
from redraft.text.word_lists import wordings

_WORDINGS: Final = wordings(__package__)
_SPEAKS: Final = rf"(?:{_WORDINGS['speaks']}|{_WORDINGS['speaks_or_acts']}|hissed|breathed|sobbed|began)"
_PRONOUN: Final = r"(?i:he|she|they|I|we)"
_NAME: Final = r"(?<![\w’'-])[A-Z][\w’'-]+"
_ROLE: Final = r"the (?:\w+ )?\w+"
_TOLD: Final = re.compile(
    rf"\A[ \n]*(?:(?:{_PRONOUN}|{_NAME}|[Tt]he \w+) {_SPEAKS}\b"
    rf"|{_SPEAKS} (?:{_PRONOUN}\b|{_ROLE}|{_NAME}(?! {_NAME})))"
)
"""Behind a quotation, who said it, as stories tell it: "she hissed", "said Joel", "asked the boy"."""
_REPORTED: Final = re.compile(
    rf"{_SPEAKS} (?:{_NAME} {_NAME}|(?:Mrs?|Ms|Dr|Prof)\b|{_NAME}, (?:(?:an?|the)\b|\d))"
    rf"|{_NAME} {_NAME}(?:, [^,“\"]+,)? {_SPEAKS}\b"
    rf"|\b(?:told (?:reporters|us|the \w+)|says|spokes\w+|according to|wrote|writes|tweeted|announced"
    r"|stated|testified|[Tt]he minutes (?:of|say|state|show|read|record))\b"
)
"""Who is quoted with what he really said: by his full name, or to whom he said it."""
_LEAST: Final = 2
_NEAR: Final = 100
"""So many characters around a quotation tell whose it is."""
_TOLD_LATER: Final = re.compile(rf"\A [^.!?\n“\"]*\b{_SPEAKS}\b")
_TOLD_AHEAD: Final = re.compile(rf"\b{_SPEAKS} \Z")
_OWN_STOP: Final = re.compile(r"[.,!?…—–-]\W\Z")
_OPENS: Final = re.compile(r"(?:\A|[\n.!?…:,—–\"”»)*_>-])\s*\Z")
_ENDS: Final = re.compile(r"\s*(?:\Z|[A-Z“\"«(—–*_])")
_UNMARKED: Final = re.compile(r"\W[\w ,.-]*\W\Z")
"""A quotation from which no mark could go."""


@lru_cache(maxsize=64)
def is_told_in_dialogue(text: str) -> bool:
    """Whether the quotations of a text are what its people say in a story: they are then its writer's own.

    >>> is_told_in_dialogue('"Stop!" shouted the guard. Nobody stopped. "Not one word!" she hissed.')
    True
    >>> is_told_in_dialogue('"We won!" said Ann Lee, the mayor. "It was close!" she said.')
    False
    """
    spoken = quotations(text)
    if len(spoken) < _LEAST:
        return False
    told = any(_TOLD.match(text[one.end : one.end + _NEAR]) for one in spoken)
    if not told or not all(_is_spoken(text, one) or _UNMARKED.match(one.text) for one in spoken):
        return False
    outside, at = "", 0
    for one in spoken:
        outside, at = f"{outside}{text[at : one.start]}“”", one.end
    return _REPORTED.search(outside + text[at:]) is None


def _is_spoken(text: str, one: Extract) -> bool:
    """Whether somebody says it: it is told who, or it is a sentence that stands by itself, and no title."""
    ahead, behind = text[max(one.start - _NEAR, 0) : one.start], text[one.end : one.end + _NEAR]
    if _TOLD.match(behind) or _TOLD_LATER.match(behind) or _TOLD_AHEAD.search(ahead):
        return True
    return bool(_OWN_STOP.search(one.text) and _OPENS.search(ahead) and _ENDS.match(behind))
