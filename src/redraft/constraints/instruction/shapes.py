"""The shape of a text: commands, numbered steps, bullet points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.constraints.base import Constraint
from redraft.constraints.kinds import Commands, ListForm
from redraft.text import Span

from .clauses import DENIED, NEAR, is_demand, is_ensured, spaced
from .lexicon import WORDINGS

_TEXT: Final = (
    rf"(?:(?:the|this|my|our|these|all|your) )*(?:whole |entire )?(?:{WORDINGS['shape_text']})(?: all)?"
)
_PUT: Final = rf"(?:{WORDINGS['shape_put']})"
_INTO: Final = r"(?:out |up |down )?(?:(?:as|into|in|to|to be|using|with) )?"
_AS: Final = r"(?:out |up |down )?(?:as|into|in|to|using|with) (?:an? |the )?"
_KINDS_OF: Final = rf"(?:an? )?(?:(?:set|series|list|sequence) of )?(?:(?:{WORDINGS['shape_kind']}) )*"
_IMPERATIVE: Final = rf"(?:{WORDINGS['imperative']})"
_WHOLE: Final = (
    r"(?: ?\((?:the )?imperative(?: mood)?\))?(?: (?:to|for) the (?:reader|user)s?)?"
    r"(?: (?:only|throughout|everywhere|please|alone))*"
)
_END: Final = rf"(?=\s*(?:[.;:!?,)(\n–—-]|\Z|(?:{WORDINGS['shape_end']})\b))"
_COMMANDS: Final = (
    rf"{_PUT}(?: {_TEXT})? {_INTO}{_KINDS_OF}{_IMPERATIVE}{_WHOLE}{_END}"
    rf"|(?:use (?:only )?|as |in ){_KINDS_OF}{_IMPERATIVE}{_WHOLE}{_END}"
    rf"|imperative(?: mood| form)?(?: only| throughout| please){_END}"
)
_ONE: Final = rf"(?:[,;]? ?(?:with )?(?:only |exactly |just )?(?P<NAME>{WORDINGS['one_action']}))?"
_LISTS: Final = (
    rf"(?:{_PUT}(?: {_TEXT})? (?:{_AS}|an? )|(?:write|give|use|make) |(?:as|into|in) (?:an? )?){_KINDS_OF}"
    rf"(?:(?P<numbered>{WORDINGS['numbered_list']})|(?P<bulleted>{WORDINGS['bulleted_list']}))"
    r"(?: form(?:at)?)?"
    rf"{_ONE.replace('NAME', 'one')}{_END}"
    rf"|(?P<numbers>numbered (?:list|steps))(?: please| only)?{_ONE.replace('NAME', 'single')}{_END}"
    rf"|(?P<bullets>bullet points|bullets)(?: please| only){_ONE.replace('NAME', 'only_one')}{_END}"
)
_THOSE: Final = r"(?:the|all|any|every|each|my|our|your|these|those|both)"
_SERIES: Final = (
    rf"(?:(?:{_THOSE} )*(?:in-?line )?(?:enumerations?|enumerated (?:items|things)|series|lists?)"
    rf"(?: (?:of|in|for) (?:[\w’'-]+ ){{0,4}}?[\w’'-]+)?|(?:what|whatever|everything)(?: that)?(?: is|'s)"
    r" (?:listed|enumerated)"
    rf"|{_THOSE} (?!(?:{WORDINGS['shape_text']})\b)(?:[\w’'-]+ )?[\w’'-]+(?<!s)s"
    rf"(?= (?:as|into|in|to|an?)\b|{_END})"
    rf"|{_THOSE} (?:[\w’'-]+ ){{0,3}}?(?:items|things|points|dates|times|hours|prices|ingredients|names"
    rf"|requirements|documents|features|benefits|options|reasons|examples|products|rules|tasks|duties|services|materials|tools)"
    rf"(?: (?:to|that|for|we|you|they|in|of|listed|mentioned)\b(?: [\w’'-]+){{0,6}}?)?)"
)
_KIND: Final = (
    rf"(?:(?P<numbered>{WORDINGS['numbered_list']})|(?P<bulleted>{WORDINGS['bulleted_list']}))"
    r"(?: form(?:at)?)?"
)
_ENUMERATED: Final = (
    rf"{_PUT} {_SERIES} (?:{_AS}|an? ){_KINDS_OF}{_KIND}{_END}"
    rf"|(?:{_PUT} |use )?(?:an? )?"
    r"(?P<some>bullet(?:ed|-point)? lists?|bullet ?points|bullets|numbered lists?)"
    rf" (?:for|of|with) (?:what|whatever|{_SERIES})\b[^.,;:!?]*"
)
_HINT: Final = re.compile(r"imperative|command|order|instruction|step|list|bullet", re.IGNORECASE)
_STEPS: Final = re.compile(r"(?i)\bsteps?\b(?:(?! (?:and|but|so|then)\b)[^.,;:!?]){0,40}\Z")
"""What is said just ahead to be steps: "the steps as a numbered list"."""
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
            of_steps = named and _STEPS.search(text[: match.end()]) is not None
            steps = of_steps or match["one"] or match["single"] or match["only_one"]
            yield (
                Span(*match.span()),
                ListForm("numbered" if named else "bulleted", "one action" if steps else "any"),
            )
    for match in spaced(_ENUMERATED).finditer(text):
        if _is_asked(text, match):
            named = match["numbered"] or (match["some"] or "").lower().startswith("numbered")
            yield Span(*match.span()), ListForm("numbered" if named else "bulleted", "enumerated")


def _is_asked(text: str, match: re.Match[str]) -> bool:
    start = match.start()
    ahead = text[max(0, start - NEAR) : start]
    if DENIED.search(ahead):
        return False
    return is_demand(text, start) or is_ensured(text, start) or _OPENS.search(ahead) is not None
