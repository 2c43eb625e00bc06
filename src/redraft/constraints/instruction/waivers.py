"""What is worded like a demand and is none: leave to do it, leave not to, and what somebody has done."""

from __future__ import annotations

import re

from redraft.constraints.kinds import KeywordFrequency

from .chunks import Found, Line

_LEAVE = re.compile(
    r"""
    \b(?: (?:do|does|did|would|will)\ not\ (?:really\ |necessarily\ )?(?:have|need)\ to
        | (?:do|does|would)\ not\ (?:mind|care|matter) | need\ not(?!\ (?:fewer|more|less)\ than) | no\ need
        | not\ (?:necessary|required|essential|obliged) | feel\ free | (?:are|am|is)\ free\ to
        | (?:okay|ok|fine|alright|all\ right|acceptable)\ (?:to|if|for|with)
        | not\ (?:to\ )?(?:worry|bother|fret) | never\ mind | (?:are|is)\ welcome\ to | no\ obligation )\b
    """,
    re.VERBOSE,
)
_DID = re.compile(
    r"""
    (?<!what\ )\b(?:i|we|he|she|they)\ (?:have\ |had\ |never\ |not\ |also\ |always\ |only\ |just\ |already\ )*
    (?: used | mentioned | included | kept | added | removed | repeated | wrote | changed | deleted | cut
      | counted | found | noticed | spotted | saw | dropped | edited | revised | rewrote | left | shortened
      | replaced | avoided | took\ out | put )\b
    """,
    re.VERBOSE,
)
_ANEW = re.compile(r"\A.*\b(?:long as|provided|except|but|if|only)\b")
_NEAR = 7


def waived(line: Line, found: Found) -> bool:
    """Whether a demand that was read is none after all."""
    if isinstance(found.constraint, KeywordFrequency) and found.constraint.relation == "less than":
        return False  # "it's fine to use 'x' up to twice" still sets a bound
    if line.chunks[0].text == "why":
        return True
    if re.search(r"X|\*b", line.tags[found.start : found.end]):
        return False  # "feel free to change anything except sentence 2"
    left = line.before(found.start, _NEAR)
    start = found.start - len(left) + max(left.rfind(tag) for tag in ",:b&") + 1
    end = max(found.start + 3, min(found.start + 5, found.end))
    ahead, head = line.words(start, found.start), line.words(found.start, end)
    if _DID.search(f"{ahead} {head}"):
        return True
    return _LEAVE.search(f"{_ANEW.sub('', ahead)} {head}") is not None
