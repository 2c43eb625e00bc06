"""Where a text speaks of its writer or to its reader: I, we, you and what belongs to them."""

from __future__ import annotations

import re
from typing import Final, Literal

from redraft.text.words import Span

Person = Literal["first", "first singular", "second"]
"""The persons that a text may be in; the first is I and we."""

_NUMBERED: Final = (
    r"(?<!Type )(?<!Part )(?<!Phase )(?<!War )(?<!Class )(?<!Chapter )(?<!Level )(?<!Book )(?<!Act )"
    r"(?<!Stage )(?<!Volume )(?<!Section )(?<!Title )(?<!Article )(?<!Table )(?<!Grade )(?<!type )(?<!phase )"
    r"(?<!class )(?<!stage )(?<!level )(?<!Elizabeth )(?<!Charles )(?<!George )(?<!James )(?<!Francis )"
    r"(?<!Nicholas )(?<!Napoleon )(?<!William )(?<!Henry )(?<!Edward )"
)
"""Behind these, "I" is a number."""
_MINE: Final = r"(?<=\b(?:of|is|or) )mine\b|(?<=\b(?:was|are|and) )mine\b|(?<=\b(?:were|than|like) )mine\b"
_SINGULAR: Final = (
    rf"(?<![\w./&'’-]){_NUMBERED}I(?!['’]s\b)(?![\w/&-]|\.\w)(?!(?<=^I)\. )"
    r"|(?<![\w.])i(?= (?:am|was|have|had|will|would|can|could|do|did|think|want|need|know|don['’]t)\b|['’]m)"
    rf"|\b(?:[Mm]e|[Mm]y|[Mm]yself)\b|{_MINE}"
)
_PLURAL: Final = r"\b(?:[Ww]e|[Uu]s|[Oo]urs?|[Oo]ursel(?:f|ves))\b|(?<=\b[Ll]et)['’]s\b"
_SECOND: Final = r"\b(?:[Yy]ou|[Yy]ours?|[Yy]oursel(?:f|ves))\b"
_PATTERNS: Final[dict[Person, re.Pattern[str]]] = {
    "first": re.compile(f"{_SINGULAR}|{_PLURAL}", re.MULTILINE),
    "first singular": re.compile(_SINGULAR, re.MULTILINE),
    "second": re.compile(_SECOND),
}


def find_person(text: str, person: Person) -> list[Span]:
    """The pronouns of a person, from left to right; "US" and "World War I" are none.

    >>> text = "We gave it to the US, and I to us."
    >>> [text[one.start : one.end] for one in find_person(text, "first")]
    ['We', 'I', 'us']
    """
    return [Span(*match.span()) for match in _PATTERNS[person].finditer(text)]
