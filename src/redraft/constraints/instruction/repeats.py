"""No sentence twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redraft.constraints.kinds import UniqueSentences

from .chunks import Found, Line

_MODAL = r"(?:may|should|must|can|shall|has\ to|have\ to|needs\ to|is\ to|is|are)"
_AGAIN = r"(?:twice|more\ than\ once|a\ second\ time|again)"
_SAY = r"(?:say|use|write|state|repeat|reuse)"
_TWICE = re.compile(
    rf"""
    \ (?:
        (?:do\ not|never|without|avoid|no|not|stop|not\ to|refrain\ from)
        \ (?:repeat|duplicate|reuse|identical|two\ identical)(?:ing|ed|d)?
        (?:\ (?:any|a|the|the\ same|your|of\ the|of\ your|any\ of\ the))? (?:\ (?:single|whole|entire))?
        \ sentences?
      | (?:avoid|without|no|stop) \ (?:repeating|duplicating|reusing)
        (?:\ (?:any|a|the\ same|the|whole))? \ sentences?
      | {_SAY} \ (?:no|any) \ sentence \ {_AGAIN}
      | (?:do\ not|never) \ {_SAY} \ (?:the\ same|any|a) \ sentence (?:\ {_AGAIN})?
      | no\ sentences? (?:\ {_MODAL})? (?:\ be)? (?:\ (?:appears?|occurs?|said|stated|used|comes?|show\ up))?
        \ (?: {_AGAIN} | repeated | repeats? | be\ repeated | duplicated )
      | (?:the\ same|any|a) \ sentence \ {_MODAL} \ (?:not|never)
        \ (?:appear|occur|be\ used|be\ repeated|be\ said|repeat) (?:\ {_AGAIN})?
      | no\ two\ sentences \ {_MODAL} \ be \ (?:identical|the\ same|alike)
      | no \ (?:two\ sentences\ alike|two\ identical\ sentences|duplicate\ sentences|repeated\ sentences)
      | (?:each|every|all) \ sentences? \ {_MODAL}
        \ (?: be\ (?:unique|distinct) | (?:appear|occur|be\ said|be\ used)\ (?:only\ )?once )
      | sentences \ {_MODAL} \ (?: not\ (?:be\ repeated|repeat) | be\ (?:unique|distinct) )
      | (?:remove|delete|avoid|eliminate) (?:\ (?:any|all))? \ (?:duplicate|repeated|duplicated) \ sentences
    )(?=\ )
    """,
    re.VERBOSE,
)


def repeat_rules(line: Line) -> Iterator[Found]:
    """The demand that no sentence is said twice."""
    for match in _TWICE.finditer(line.prose):
        yield Found(UniqueSentences(), *line.within(match))
