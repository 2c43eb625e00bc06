"""No sentence twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redraft.constraints.kinds import UniqueSentences

from .chunks import Found, Line

_MODAL = (
    r"(?:may|should|must|can|shall|has\ to|have\ to|needs\ to|need\ to|is\ to|are\ to|is|are|will|ought\ to)"
)
_AGAIN = r"(?:twice|more\ than\ once|a\ second\ time|again|two\ times|N\ times)"
_SAY = r"(?:say|use|write|state|repeat|reuse|have|include)"
_TWIN = r"(?:duplicate|duplicated|repeated|repeating|identical|recurring|redundant\ duplicate)"
_SAME = (
    r"(?:identical|the\ same|alike|word\ for\ word\ the\ same|exactly\ the\ same|duplicates|the\ exact\ same)"
)
_ANOTHER = r"(?:(?:one|N)\ another|each\ other|the\ others|the\ rest)"
_OTHER = rf"(?:unique|distinct|different(?:\ from\ {_ANOTHER})?|one\ of\ a\ kind)"
_NOT = r"(?:do\ not|never|without|avoid|no|not|stop|not\ to|refrain\ from|not\ any|free\ of|free\ from)"
_TWO = r"(?:two|N)"
_HINT = re.compile(
    "twice|repeat|repet|duplicat|identical|same|unique|distinct|different|once|alike|again|recur"
    "|reus|time|copy"
)
"""One of these is in every wording; it spares the long pattern."""
_TWICE = re.compile(
    rf"""
    \ (?:
        {_NOT} \ (?:repeat|duplicate|reuse|identical|{_TWO}\ identical)(?:ing|ed|d)?
        (?:\ (?:any|a|the|the\ same|your|of\ the|of\ your|any\ of\ the))?
        (?:\ (?:single|whole|entire|complete|full))?
        \ sentences?
      | (?:avoid|without|no|stop|not) \ (?:repeating|duplicating|reusing)
        (?:\ (?:any|a|the\ same|the|whole))? \ sentences?
      | {_SAY} \ (?:no|any) \ sentence \ {_AGAIN}
      | (?:do\ not|never|not|avoid|without) \ (?:{_SAY}|saying|using|writing|repeating|having)
        \ (?:(?:the\ same|the\ exact\ same) \ sentence (?:\ {_AGAIN})? | (?:any|a) \ sentence \ {_AGAIN})
      | (?:no|not\ (?:a|one)\ single|not\ one|none\ of\ the|not\ a\ single) \ sentences? (?:\ {_MODAL})?
        (?:\ (?:be|get|ever))?
        (?:\ (?:appears?|occurs?|said|stated|used|comes?|come\ up|show\ up|shows\ up|printed|written|there))?
        \ (?: {_AGAIN} | repeated | repeats? | be\ repeated | is\ repeated | duplicated | recurs? )
      | no\ sentence (?:\ {_MODAL})? (?:\ be)? \ (?:a\ )? (?:duplicate|repeat|repetition|copy) \ of
        \ (?:another|any)
      | (?:the\ same|any|a|any\ one) \ sentence \ {_MODAL} \ (?:not|never)
        \ (?:appear|occur|be\ used|be\ repeated|be\ said|repeat|show\ up|come\ up) (?:\ {_AGAIN})?
      | no\ {_TWO}\ (?:sentences|of\ them) (?:\ {_MODAL})? (?:\ be)?
        (?:\ (?:read|say|that\ are|which\ are))? \ {_SAME}
      | no\ {_TWO} \ (?:alike|identical|the\ same)
      | (?:no|not\ any|not\ have\ any|not\ contain\ any|not\ be\ any|not\ include\ any|without
        |without\ any|free\ of)
        (?:\ {_TWO})? \ {_TWIN} \ sentences
      | no \ (?:sentence|sentences) \ {_TWIN}
      | (?:no|without|avoid) (?:\ any)? \ (?:duplicates?|duplication|repeats|repetitions?) \ of
        (?:\ (?:any|a|whole|entire|the|the\ same))* \ sentences?
      | (?:each|every|all|all\ of\ the|all\ the|each\ of\ the|each\ and\ every|every\ single|your|the)
        (?:\ the)? \ sentences? (?:\ {_MODAL})? (?:\ (?:be|only|all|each|also|itself))*
        \ (?: {_OTHER}
            | (?:appears?|occurs?|be\ said|be\ used|said|used|is\ used|show\ up)
              \ (?:only\ |just\ |exactly\ )?once )
      | (?:each|every|all)(?:\ (?:one|N))? (?:\ of)?(?:\ (?:them|which))? (?:\ {_MODAL})? (?:\ be)?
        \ different\ from
        \ (?:(?:one|N)\ another|each\ other|the\ others|the\ rest)
      | sentences (?:\ that)? \ {_MODAL}
        \ (?: not\ (?:be\ repeated|repeat|recur|be\ duplicated|be\ identical) |
        (?:be|all\ be|all|each\ be)\ {_OTHER} )
      | (?:unique|distinct) \ sentences \ (?:only|throughout)
      | only \ (?:unique|distinct) \ sentences
      | (?:remove|delete|avoid|eliminate|get\ rid\ of|drop|cut|cut\ out|take\ out|weed\ out|strike
        |purge|omit|skip|ditch)
        (?:\ (?:any|all|the|every))? \ (?:duplicate|repeated|duplicated|repeat|identical) \ sentences?
    )(?=\ )
    """,
    re.VERBOSE,
)
# Behind a line about sentences: "Each one should appear only once."
_EACH_ONCE = re.compile(
    rf"""
    \ (?:each|every) (?:\ one)? (?:\ of\ them)? \ {_MODAL}
    \ (?:appear|occur|be\ said|be\ used|come\ up) (?:\ only|\ just)? \ once (?=\ )
    """,
    re.VERBOSE,
)


def repeat_rules(line: Line) -> Iterator[Found]:
    """The demand that no sentence is said twice."""
    if _HINT.search(line.prose) is None:
        return
    if line.topic == "s" and (match := _EACH_ONCE.search(line.prose)):
        yield Found(UniqueSentences(), *line.within(match))
    for match in _TWICE.finditer(line.prose):
        yield Found(UniqueSentences(), *line.within(match))
