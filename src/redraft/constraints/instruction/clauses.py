"""Clauses that are read in the text of an instruction, before its words are tagged, and taken out of it."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

NEAR: Final = 120
"""Characters before a wording that bear on it."""
AHEAD: Final = re.compile(
    r"(?:^|[.!?;:\n,]|\A|^[-*•\d.)]+)[\s\"'(-]*(?:(?:please|pls|plz|hey|hi|hello|ok|okay|and|then|also|now|but|so|first|next|finally|just|only"
    r"|simply|kindly|always|let['’]s|make\ sure\ (?:to|you|that\ you)|be\ sure\ to"
    r"|(?:can|could|would|will)\ (?:you|u|ya)"
    r"|(?:I|we)(?:['’]d|\ would)?\ (?:want|like|need|have)(?:\ you)?\ to"
    r"|(?:I|we)\ (?:must|should|gotta)|i(?:['’]ve|\ have)?\ got\ to|help\ me(?:\ to)?"
    r"|you\ (?:should|must)|remember\ to|to"
    r"|throughout|everywhere|in\ (?:it|this|the\ (?:text|contract|letter|document|agreement)))[\s,]+)*\Z"
    r"|\b(?:and|then|please|pls|plz|but|also|just|only|to\ it\ that\ you)\s+\Z",
    re.VERBOSE | re.IGNORECASE,
)
DENIED: Final = re.compile(
    r"(?:\b(?:not|never|without|no\ need\ to|don'?t|free\ to|avoid|nor)|n['’]t)\s+(?:\w+\s+)?\Z"
    r"|\b(?:I|we|he|she|they)\s+(?:have\s+|had\s+)?\Z",
    re.VERBOSE | re.IGNORECASE,
)
_ENSURED: Final = re.compile(
    r"\b(?:sure|ensure|ensuring|so|to it)(?: that)? (?:[^.;!?\n]*(?:,|\band)\s+)?\Z", re.IGNORECASE
)
_TOLD: Final = re.compile(
    r"\b(?:I|we|he|she|they)(?:['’]ve)?\s+(?!(?:want|need|would|should|must|like|'d)\b)\w+[^.;!?\n]*\band\s+\Z",
    re.IGNORECASE,
)
"""It goes on with what somebody did: "I changed the title and cut it by half"."""
QUOTED: Final = (
    r'"[^"“”\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|`[^`\n]{1,300}`|‹[^›\n]{1,300}›'
    r"|(?<!\w)['‘](?:[^'’\n]|['’](?=\w)){1,300}['’](?!\w)"
)
_QUOTATION: Final = re.compile(QUOTED)
_EVERYTHING: Final = (
    r"(?:everything|all|anything|the\ rest|the\ remainder)(?:\ (?:else|other|of\ (?:it|the\ \w+)))?"
)
_STILL: Final = (
    r"(?:alone|unchanged|untouched|intact|the\ same|word\ for\ word"
    r"|(?:exactly\ |just\ )?as\ (?:it|they)\ (?:is|are|stands?|was)|(?:exactly\ )?as\ is)"
)
_REST: Final = re.compile(
    rf"""
    [\s,;.?!]{{0,9}}(?:(?:and|but|please|otherwise|then)\s+)*
    (?:
        (?:leave|keep)\ (?:{_EVERYTHING}|(?:it|the\ text|the\ \w+))\ {_STILL}
      | keep\ (?:the\ rest|everything\ else)(?=\W*\Z)
      | (?:do\ not|don['’]t|never)\ (?:change|touch|alter|edit|modify|rewrite)
        \ (?:anything|a\ thing|any\ other\ \w+|the\ rest)(?:\ else|\ other)?(?:\ (?:of|in)\ (?:it|the\ \w+))?
      | (?:change|touch|alter|edit|do)\ nothing\ else
      | nothing\ else(?:\ (?:should|may|must|is\ to|can)\ (?:be\ )?(?:changed?|touched|altered|edited))?
      | {_EVERYTHING}\ (?:should|must|is\ to|has\ to|needs\ to)?\ ?
        (?:stays?|remains?|be\ left|be\ kept)(?:\ {_STILL})?
      | (?:make\ )?no\ (?:other|further)\ (?:changes?|edits?)(?:\ please)?
      | without\ (?:changing|touching|altering)\ anything\ else
      | (?:that\ is|that['’]s)\ all
    )
    [\s.!]*
    """,
    re.VERBOSE | re.IGNORECASE,
)
NOTHING_ELSE: Final = re.compile(
    r"[\s.,;:!?]*"
    r"(?:(?:please|thanks|thank you|hi|hello|throughout|everywhere|in th(?:e|is) \w+"
    r"|(?:make sure|ensure) that)[\s.,;:!?]*)*",
    re.IGNORECASE,
)
_TIE: Final = re.compile(
    r"(?:(?:[,;]\s*)?\b(?:and|then|also|please|just|only|but|simply|let['’]s|(?:can|could|would|will) you"
    r"|(?:I|we) (?:must|(?:have|need|want|would like|['’]d like) (?:you )?to))\s+"
    r"|,\s*)+\Z",
    re.IGNORECASE,
)


@cache
def spaced(wording: str) -> re.Pattern[str]:
    """A pattern in which a space stands for any white space, and case does not count.

    The long ones take a tenth of a second to compile: ask for them where something hints at what they read.
    """
    pattern = wording.replace(" ", r"\s+").replace(r"\s+?", r"\s*")
    return re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE)


def is_demand(text: str, start: int) -> bool:
    """Whether what stands at a place is asked for: not in a quotation, not denied, left free or told."""
    ahead = text[max(0, start - NEAR) : start]
    if DENIED.search(ahead) or _TOLD.search(ahead) or _is_quoted(text, start):
        return False
    return AHEAD.search(ahead) is not None or is_ensured(text, start)


def is_ensured(text: str, start: int) -> bool:
    """Whether what stands at a place is a clause behind "make sure that"."""
    return _ENSURED.search(text, max(0, start - NEAR), start) is not None and not _is_quoted(text, start)


def _is_quoted(text: str, start: int) -> bool:
    return any(first < start < last for first, last in _quotations(text))


@lru_cache(maxsize=4)
def _quotations(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _QUOTATION.finditer(text))


def without_rest(text: str) -> tuple[str, bool]:
    """The text without what says that nothing else may change, and whether it says so."""
    short = " ".join(text.split())  # what was taken out has left long blanks
    left = _REST.sub(" ", short)
    return left, left != short


def blanked(text: str, start: int, end: int) -> str:
    """The text without a clause and the "and" or "please" that ties it to what stands before or behind."""
    ahead = _TIE.search(text, max(0, start - NEAR), start)
    start = ahead.start() if ahead else start
    if not text[:start].strip(" \n.!?;:-*"):
        behind = re.match(r"\s*,?\s*(?:and|then|but|also)\s+(?!nothing|that)|\s*,\s*", text[end:])
        end += behind.end() if behind else 0
    return text[:start] + " " * (end - start) + text[end:]
