"""The shape of a text: commands, numbered steps, bullet points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.constraints.base import Constraint
from redraft.constraints.kinds import Commands, ListForm
from redraft.text import Span

from .clauses import DENIED, NEAR, is_demand, is_ensured, spaced

_TEXT: Final = (
    r"(?:(?:the|this|my|our|these|all|your) )*(?:whole |entire )?"
    r"(?:it|this|them|all|everything|text|instructions?|guide|manual|paragraphs?|sentences?|steps?|rules?|recipe|"
    r"description|passage|procedure|section|content|information|draft|email|message|notes?)(?: all)?"
)
_PUT: Final = (
    r"(?:re)?(?:turn|write|put|phrase|word|format|make|convert|change|rewrite|recast|express|give|present|structure|break"
    r"|arrange|set|lay|rephrase|transform|organi[sz]e|reformat|restructure|rearrange|render|list|need|want|have)"
)
_INTO: Final = r"(?:out |up |down )?(?:(?:as|into|in|to|to be|using|with) )?"
_KINDS_OF: Final = r"(?:an? )?(?:(?:set|series|list|sequence) of )?(?:(?:short|simple|clear|plain|direct|concise|easy|neat|proper|nice|single|tidy) )*"
_IMPERATIVE: Final = (
    r"(?:the )?imperative(?: (?:mood|form|voice|sentences|style|verbs))?|imperatives|commands?|orders"
    r"|direct (?:commands|orders|instructions)"
)
_WHOLE: Final = (
    r"(?: ?\((?:the )?imperative(?: mood)?\))?(?: (?:to|for) the (?:reader|user)s?)?"
    r"(?: (?:only|throughout|everywhere|please|alone))*"
)
_END: Final = (
    r"(?=\s*(?:[.;:!?,)(\n–—-]|\Z|(?:and|but|then|so|while|without|because|since|with|keeping|please)\b))"
)
_COMMANDS: Final = (
    rf"{_PUT}(?: {_TEXT})? {_INTO}{_KINDS_OF}(?:{_IMPERATIVE}){_WHOLE}{_END}"
    rf"|use (?:only )?{_KINDS_OF}(?:{_IMPERATIVE}){_WHOLE}{_END}"
    rf"|(?:as|in) {_KINDS_OF}(?:{_IMPERATIVE}){_WHOLE}{_END}"
    rf"|imperative(?: mood| form)?(?: only| throughout| please){_END}"
)
_NUMBERED: Final = (
    r"(?:numbered|ordered|enumerated)(?: (?:list|steps?|points|items|instructions|sequence))(?: of steps)?"
    r"|step[ -]by[ -]step(?: (?:instructions|list|guide))?|(?:list of )?(?:numbered )?steps?(?: list)?(?!-)"
)
_BULLETED: Final = r"(?:bulleted|bullet|unordered|bullet-?point(?:ed)?)(?: (?:list|points|items))|bullets|bullet-?points|(?:simple )?list"
_ONE: Final = (
    r"(?:[,;]? ?(?:with )?(?:only |exactly |just )?(?P<{}>(?:one|a single)"
    r" (?:thing(?: to do)?|action|task|instruction|activity|command)"
    r"(?: only)? (?:per|in each|for each|in every|each|a)(?: (?:step|item|point|bullet|number|line|sentence))?))?"
)
_LISTS: Final = (
    rf"(?:(?:{_PUT}(?: {_TEXT})? {_INTO}|use )(?:an? |the )?|(?:as|into|in) (?:an? )?){_KINDS_OF}"
    rf"(?:(?P<numbered>{_NUMBERED})|(?P<bulleted>{_BULLETED}))(?: form(?:at)?)?{_ONE.format('one')}{_END}"
    rf"|(?P<numbers>numbered (?:list|steps))(?: please| only)?{_ONE.format('single')}{_END}"
    rf"|(?P<bullets>bullet points|bullets)(?: please| only){_ONE.format('only_one')}{_END}"
)
_HINT: Final = re.compile(r"imperative|command|order|instruction|step|list|bullet", re.IGNORECASE)
_OPENS: Final = re.compile(r"(?:\A|[.!?;:,(\n])\s*\Z|\b(?:and|but|please|then)\s+\Z", re.IGNORECASE)


def find_shapes(text: str) -> Iterator[tuple[Span, Constraint]]:
    """What an instruction says of commands and lists, and where.

    >>> [constraint.call for _, constraint in find_shapes("Turn this into numbered steps.")]
    ['list_check("numbered", "one action")']
    """
    if _HINT.search(text) is None:
        return
    for match in spaced(_COMMANDS).finditer(text):
        if _is_asked(text, match):
            yield Span(*match.span()), Commands()
    for match in spaced(_LISTS).finditer(text):
        if _is_asked(text, match):
            named = match["numbered"] or match["numbers"]
            steps = "step" in (named or "").lower() or match["one"] or match["single"] or match["only_one"]
            yield (
                Span(*match.span()),
                ListForm("numbered" if named else "bulleted", "one action" if steps else "any"),
            )


def _is_asked(text: str, match: re.Match[str]) -> bool:
    start = match.start()
    ahead = text[max(0, start - NEAR) : start]
    if DENIED.search(ahead):
        return False
    return is_demand(text, start) or is_ensured(text, start) or _OPENS.search(ahead) is not None
