"""Where the subject of a verb begins, whatever stands before it: "at noon *the gate* was closed"."""

from __future__ import annotations

import re
from typing import Final

from redraft.revision.rewriting.voice.voice import SETS
from redraft.text import FINITE, NOUN, QUESTION_WORD, SUBORDINATORS, Syntax

_OPENS: Final = frozenset({"DT", "PRP", "PRP$", "PDT"})
_NOMINAL: Final = NOUN | {"CD", "PRP", "DT", "JJ"}
_TIME: Final = re.compile(r"\d{1,2}[:.]\d\d|(?:1\d|20)\d\d")
_LEADS: Final = frozenset(
    {"last", "next", "this", "every", "each", "today", "first", "then", "finally", "later", "yesterday"}
)


def subject_start(read: Syntax, verb: int) -> int | None:
    """Where the subject before a verb begins; None where that is in doubt, or there is none.

    >>> from redraft.text import analyse_syntax
    >>> subject_start(analyse_syntax("On Monday at 14:10 the gate was closed."), 6)
    4
    """
    first = clause_start(read, verb)
    asks = read.word(first - 1) == "how" or read.tag(first - 1) in ("WP", "WDT", "WP$")
    if first >= verb or asks or read.tag(first) in ("EX", "WP", "WDT"):
        return None
    pointed = read.low[first] in ("this", "each", "every")  # "each map", but not "each week"
    thing = pointed and read.word(read.noun_phrase(first) - 1) not in SETS["times"] | {
        "time",
        "spring",
        "summer",
    }
    led = read.tag(first) in ("IN", "RB", "TO") or (read.low[first] in _LEADS and not thing)
    if led and (start := _after_lead(read, first, verb)) is not None:
        return start
    return first if not led and _is_nominal(read, first, verb) else None


def clause_start(read: Syntax, verb: int) -> int:
    """Where the clause of a verb begins: behind a joint that has a clause before it."""
    opening = read.opening()
    low = opening if opening < verb else 0
    for index in range(verb - 1, low - 1, -1):
        tag = read.tags[index]
        if read.depth[index] != read.depth[verb]:
            continue
        parts = read.low[index] in SUBORDINATORS and read.subject_and_verb(index + 1)
        if parts or tag in QUESTION_WORD or tag == ":" or read.words[index].text == ";":
            return index + 1
        # Without a verb before it, a comma or an "and" joins two nouns: "cups, plates and bowls".
        if tag in (",", "CC") and (FINITE | {"VB"}) & {*read.tags[low:index]}:
            return index + 1
    return low


def _after_lead(read: Syntax, first: int, verb: int) -> int | None:
    """Behind "until then", "at 03:40", "unfortunately": the last place where a noun phrase may begin."""
    for start in range(verb - 1, first, -1):
        before = read.tag(start - 1)
        if not _is_nominal(read, start, verb) or before in ("IN", "TO", "DT", "PRP$", "JJ", "CC", "POS"):
            continue
        timed = _TIME.fullmatch(read.words[start - 1].text) is not None
        if read.tags[start] in _OPENS or (before in ("RB", ",") and start - 1 == first) or timed:
            return start
    return None


def _is_nominal(read: Syntax, first: int, end: int) -> bool:
    """Whether all between two places is a noun phrase, with others in it: "a vase of glass on the table"."""
    index = read.noun_phrase(first)
    if (
        index == first and read.tag(first) in ("VBN", "JJ") and read.tag(first + 1) in NOUN
    ):  # "written consent"
        index = read.noun_phrase(first + 1)
        index = first if index == first + 1 else index
    if index == first or (read.tag(first) == "PRP" and index < end):
        return False
    while index < end:
        tag, low = read.tags[index], read.low[index]
        if tag in FINITE or low in SUBORDINATORS | {"that", "which", "who"}:
            return False
        if tag == "CC" and read.tag(index + 1) == "PRP":
            return False
        a_year = low in ("a", "an") and read.noun_phrase(index) == index + 2
        to_do = tag == "VB" and read.tag(index - 1) == "TO"
        if tag not in ("IN", "TO", ",", "CC", "VBN", "VBG", "-LRB-", "-RRB-", "RB") and not (a_year or to_do):
            return False
        following = read.noun_phrase(index + 1)
        index = following if following > index + 1 else index + 1
    return read.tag(end - 1) in _NOMINAL | {"-RRB-"}
