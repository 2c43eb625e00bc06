"""How much shorter or longer a part is to be than it was: "shorten the second paragraph by a third"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from redraft.constraints.base import Constraint
from redraft.constraints.bounds import relate
from redraft.constraints.kinds import PartLength, Parts
from redraft.text import Span, late_pattern

from .lexicon import WORDINGS
from .parts import (
    END,
    MUST,
    REGION,
    STAYS,
    STILL,
    TOUCH,
    TOUCHING,
    ReadParts,
    is_part_demand,
    named_parts,
    without_part,
)
from .relative_lengths import SHARES


def spelled_out(name: str) -> str:
    """A list of wordings in a pattern in which spaces do not count."""
    return f"(?:{WORDINGS[name]})".replace(" ", r"\ ")


_MUCH: Final = rf"(?:(?:by\ )?(?P<much>{spelled_out('a_lot')})|(?P<little>{spelled_out('a_little')}))"
_SHARE: Final = (
    (
        r"(?:about\ |around\ |roughly\ |at\ least\ )?(?:(?P<percent>\d{1,2})\ ?(?:%|percent|per\ cent)"
        rf"|(?:an?\ |one\ )?(?P<share>{'|'.join(sorted(SHARES, key=len, reverse=True))})\b)"
    )
    .replace("two thirds", r"two\ thirds")
    .replace("three quarters", r"three\ quarters")
    .replace("two fifths", r"two\ fifths")
)
_LENGTH: Final = r"(?:its|the)\ (?:original\ |current\ |present\ )?(?:length|size|words)"
_CUT: Final = "cut|trim|reduce|condense|compress"
_BACK: Final = r"(?:\ (?:down|back))?"
_PART: Final = rf"(?P<part>{REGION}|(?i:paragraphs\ \d{{1,3}}(?:(?:,\ |,?\ and\ )\d{{1,3}}){{1,9}}\b))"
_WAYS: Final = tuple(
    (way, late_pattern(rf"(?<![\w-]){body}{END}", re.VERBOSE))
    for way, body in (
        # "shorten the second paragraph by a third"
        ("by", rf"(?i:shorten|tighten|abridge|{_CUT})(?i:{_BACK})\ {_PART}(?i:{_BACK}\ by\ {_SHARE})"),
        ("by", rf"(?i:cut|reduce|trim|chop)\ {_PART}\ (?i:in\ (?P<share>half))"),
        ("half", rf"(?i:halve)\ {_PART}"),
        ("longer", rf"(?i:expand|lengthen|extend)\ {_PART}\ (?i:by\ {_SHARE})"),
        # "cut the intro to a third of its length", "make the last paragraph half as long"
        (
            "to",
            rf"(?i:shorten|get|bring|take|{_CUT})\ {_PART}"
            rf"(?i:{_BACK}\ to\ {_SHARE}(?:\ (?:of\ )?{_LENGTH})?)",
        ),
        ("to", rf"(?i:make)\ {_PART}\ (?i:(?P<share>half)\ (?:as\ long|{_LENGTH}))"),
        # "shorten the first paragraph a lot"
        (
            "some",
            rf"(?i:shorten|abridge|{_CUT})(?i:{_BACK})\ {_PART}(?i:{_BACK})(?i:\ {_MUCH})",
        ),
        # "make the Methods section much shorter", "the intro should be a bit shorter"
        ("some", rf"(?i:make)\ {_PART}\ (?i:{_MUCH}\ )?(?i:shorter)"),
        ("some", rf"{_PART}\ {MUST}\ (?i:be|become|get)\ (?i:{_MUCH}\ )?(?i:shorter)"),
        # "the second paragraph is way too long, shorten it"
        (
            "some",
            rf"{_PART}\ (?i:is|are|runs|feels|gets)\ (?i:{_MUCH}\ )?(?i:too\ (?:long|wordy))"
            rf"(?:[,.;]?\ (?i:(?:so\ |and\ |please\ )*(?:shorten|{_CUT})\ (?:it|that|this){_BACK}))?",
        ),
    )
)
"""What a share is said by: how much goes, how much is left, or neither."""
_OTHERS: Final = r"(?:rest|remainder|others?|other\ (?:paragraphs?|sections?|parts?|ones?|sentences?))"
_OF_IT: Final = r"(?:\ of\ (?:it|this|the\ \w+))?"
THE_REST: Final = re.compile(
    rf"""
    (?<![\s,;.–-])[\s,;.–-]*+(?:(?:and|but|please)\ )*
    (?:
        (?:(?:the\ )?{_OTHERS}{_OF_IT}|(?:everything|all)\ else)
        \ (?:is|are|looks?|seems?)\ (?:already\ |all\ )?{spelled_out("fine")}
        (?:\ as\ (?:it\ is|they\ are|is))?
      | (?:leave|keep)\ (?:everything\ else|all\ else|(?:all\ )?the\ {_OTHERS}{_OF_IT})(?:\ {STILL})?
      | (?:do\ not|don['’]?t|never|without)\ (?:{TOUCH}|{TOUCHING})\ (?:anything\ else|the\ {_OTHERS})
      | (?:{TOUCH})\ nothing\ else
      | (?:everything\ else|(?:the\ )?{_OTHERS})\ (?:(?:{MUST}|can|may)\ )?{STAYS}
      | nothing\ else(?:\ (?:should|may|must|is\ to|can)\ (?:be\ )?(?:changed?|touched))?
    )
    (?=\s*(?:[.;:!?,)]|\Z|and\b|but\b|please\b|thanks\b))
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""All else stays as it is."""
_LEFT: Final = {"much": 50, "little": 90}
"""How much is left, in percent, of a part that is to be shorter, where no number says it."""
_WHOLE: Final = 100
_HINT: Final = re.compile(
    r"(?i)(?:short|cut|trim|redu|condens|compress|abridg|tight|long|half|halve|expand|extend|wordy|length)"
)
"""One of these is in every demand on the length of a part; it spares the long patterns."""


def take_part_shares(text: str) -> ReadParts:
    """Read how much shorter or longer parts are to be, and blank it out there."""
    found: list[tuple[Constraint, Span]] = []
    for constraint, span in list(_shares(text)) if _HINT.search(text) else ():
        found.append((constraint, span))
        text = without_part(text, span)
    return ReadParts(tuple(found), text)


def leaves_rest(words: str) -> bool:
    """Whether words say that all else stays, and nothing more."""
    return THE_REST.fullmatch(words) is not None


def take_rest(text: str, read: Iterable[Constraint]) -> tuple[str, Parts | None]:
    """Read that all else stays, in what is left of an instruction: that text without it, and the demand.

    Where lengths of parts are all that is asked for, nothing but these parts may change; else it demands
    nothing that is not done anyway.

    >>> take_rest("leave the rest alone", [PartLength("last paragraph", 36, "words", "less than")])[1].call
    'parts_check(["last paragraph"], "change")'
    """
    left = THE_REST.sub(" ", text)
    if left == text or re.search(r"\w", left):
        return text, None
    parts = [one.part if isinstance(one, PartLength) else "" for one in read]
    if not parts:
        return text, None
    return "", Parts(tuple(dict.fromkeys(parts)), "change") if all(parts) else None


def _shares(text: str) -> Iterator[tuple[PartLength, Span]]:
    """From left to right, none over another."""
    matches = [(way, match) for way, wording in _WAYS for match in wording.finditer(text)]
    done = 0
    for way, match in sorted(matches, key=lambda one: (one[1].start(), -one[1].end())):
        left = _percent_left(way, match.groupdict())
        if match.start() < done or not is_part_demand(text, match.start()) or not left:
            continue
        count, relation = relate(left, "at least" if way == "longer" else "at most")
        for part in named_parts(match["part"]):
            yield PartLength(part, count, "percent", relation), Span(*match.span())
        done = match.end()


def _percent_left(way: str, said: dict[str, str | None]) -> int | None:
    """What is left of a part, in percent; None where nothing says how much."""
    if way == "half":
        return SHARES["half"]
    if way == "some":
        return _LEFT["much" if said["much"] else "little"] if said["much"] or said["little"] else None
    percent, share = said.get("percent"), said.get("share") or ""
    amount = int(percent) if percent else SHARES[share.lower()]
    return amount if way == "to" else _WHOLE + amount if way == "longer" else _WHOLE - amount
