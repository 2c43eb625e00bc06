"""Wishes that are about one part of the text and nothing else: "soften paragraph 3", "the intro drags".

No constraint says so; but who asks for a better third paragraph asks for no other, and so the rest stays.
"""

from __future__ import annotations

import re
from typing import Final

from redraft.constraints.kinds import Parts, SentenceModification
from redraft.text import ORDINALS, late_pattern

from .part_shares import THE_REST, spelled_out
from .parts import REGION, named_parts

_CLAUSE: Final = re.compile(
    r"(?:[^.;:!?,\n–—]|(?<=\d)\.(?=\d))+?(?=[.;:!?,\n–—]|\s(?:and|but|so|then)\s|\Z)", re.IGNORECASE
)
_LEAD: Final = (
    r"[\s\"'(-]*(?i:(?:please|pls|plz|kindly|just|also|and|but|so|then|now|only|(?:can|could|would)\ you"
    r"|i\ (?:think|feel)|i(?:\ want|['’]d\ like)\ you\ to|help\ me|maybe)\s+)*"
)
_WORK: Final = f"(?i:{spelled_out('work_on')})"
_SIDE: Final = r"(?i:(?:the\ )?(?:tone|wording|style|language|grammar|flow)\ (?:of|in)\ )?"
_NAMED: Final = (
    rf"(?:(?i:sentence\ (?P<number>\d{{1,3}})\b(?!\ (?:and|or)\b|[,\d])"
    rf"|the\ (?P<nth>{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))\ sentence\b)"
    rf"|(?P<part>{REGION}|(?i:(?:the|my|our)\ (?:last|final)\ sentence\b)))(?!\ (?i:from\ the\ end|but)\b)"
)
_BAD: Final = (
    r"\ (?:(?:really|still|just|also|kind\ of|a\ bit)\ )*"
    r"(?i:(?:is|are|sounds?|reads?|feels?|seems?|looks?|comes?\ across)"
    rf"\ (?!(?:\w+\ )?{spelled_out('fine')}\b)|{spelled_out('is_bad')})"
)
_DISLIKE: Final = (
    r"(?i:(?:i|we)\ (?:really\ )?(?:don['’]?t\ like|do\ not\ like|hate|dislike|am\ not\ happy\ with)\ )"
)
_ABOUT: Final = (
    late_pattern(rf"{_LEAD}{_WORK}\ {_SIDE}{_NAMED}(?P<behind>.*)", re.VERBOSE),
    late_pattern(rf"{_LEAD}{_SIDE}{_NAMED}{_BAD}(?P<behind>.*)", re.VERBOSE),
    late_pattern(rf"{_LEAD}{_DISLIKE}{_SIDE}{_NAMED}(?P<behind>.*)", re.VERBOSE),
)
_OTHER: Final = late_pattern(rf"{_NAMED}|\d", re.VERBOSE)
_FOLLOWS: Final = re.compile(
    rf"{_LEAD}(?:{_WORK}\ (?:it|that|this|them|those)\b.*"
    r"|(?:leave|keep|(?:do\ not|don['’]?t)\ (?:touch|change))\ (?:its|the|my|any|all)\ \w+"
    r"(?:\ alone|\ as\ .*|\ unchanged)?"
    r"|(?:i|we)\ (?:really\ )?(?:do\ not|don['’]?t|hate|dislike)\ .*"
    r"|(?:it|that|this)(?:['’]?s|\ (?:is|sounds|reads|feels|seems|drags|rambles))\b.*)",
    re.VERBOSE | re.IGNORECASE,
)
_NOTHING: Final = re.compile(
    r"[\s\"'()-]*"
    r"(?:(?:please|pls|plz|thanks?|thank\ you|thx|hi|hello|hey|and|but|so|then|for\ me)\b[\s!.-]*)*",
    re.VERBOSE | re.IGNORECASE,
)


def find_scope(style: str) -> Parts | SentenceModification | None:
    """That nothing but the part changes which all wishes are about; None where they are about more.

    >>> find_scope("The tone of paragraph 3 is too harsh, soften it").call
    'parts_check(["paragraph 3"], "change")'
    >>> find_scope("Simplify paragraph 3, and be friendlier")
    """
    parts: list[str] = []
    numbers: list[int] = []
    for clause in _CLAUSE.finditer(THE_REST.sub(" ", style)):
        said = clause[0].strip()
        if _NOTHING.fullmatch(said) or ((parts or numbers) and _FOLLOWS.fullmatch(said)):
            continue
        match = next(filter(None, (way.fullmatch(said) for way in _ABOUT)), None)
        if match is None or _OTHER.search(match["behind"]):
            return None
        if match["part"]:
            parts += named_parts(match["part"])
        else:
            numbers.append(int(match["number"] or 0) or _ordinal(match["nth"]))
    if bool(parts) is bool(numbers):
        return None
    if parts:
        return Parts(tuple(dict.fromkeys(parts)), "change")
    return SentenceModification(tuple(sorted(set(numbers))), "change")


def _ordinal(word: str) -> int:
    low = word.lower()
    return ORDINALS[low] if low in ORDINALS else int(low[:-2])
