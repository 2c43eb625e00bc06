"""Where a text is told in the past or in the present: the main verbs whose time is sure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from redraft.text.inflection import BY_FORM, regular
from redraft.text.sentences import segment
from redraft.text.syntax import FINITE, QUESTION_WORD, SUBORDINATORS, Syntax, analyse_syntax
from redraft.text.word_lists import word_sets
from redraft.text.words import Span

Tense = Literal["past", "present"]

_SETS: Final = word_sets(__package__, "forms.txt")
_TIED: Final = {"present": _SETS["now"], "past": _SETS["then"]}
"""Words that tie a sentence to its time."""
_AUXILIARIES: Final = {
    **dict.fromkeys(("is", "are", "am", "has", "have", "does", "do"), "present"),
    **dict.fromkeys(("was", "were", "had", "did"), "past"),
}
_SUBJECTS: Final = frozenset({"i", "we", "you", "they", "these", "those"})
_YEAR: Final = re.compile(r"\b(?:1\d|20)\d\d\b")
_ABOUT_ITSELF: Final = re.compile(
    r"(?:This|The present|Our) (?:paper|article|report|section|chapter|thesis|guide|document|manual|page)\b"
    r"|(?:Table|Figure|Fig\.|Section|Chapter|Appendix|Equation)\b"
)
"""What a text says of itself is in the present."""
_ENDED: Final = re.compile(r"[.!;:…][\"'”’)\]]*\s*\Z")


def find_tense(text: str, tense: Tense) -> list[Span]:
    """The main verbs that are surely in a tense, from left to right.

    Questions, orders, headings and what a word such as "yesterday" or "usually" ties to its time are not
    looked at; nor is the perfect ("has gone"), which is both.

    >>> text = "She opens the door. It was dark, and he waits."
    >>> [text[one.start : one.end] for one in find_tense(text, "present")]
    ['opens', 'waits']
    """
    return [
        Span(stretch.start + one.start, stretch.start + one.end)
        for stretch in segment(text)
        for one in _verbs(text[stretch.start : stretch.end], tense)
    ]


@lru_cache(maxsize=4096)
def _verbs(sentence: str, tense: Tense) -> tuple[Span, ...]:
    read = analyse_syntax(sentence)
    if read.main is None or not _ENDED.search(sentence) or _is_tied(read, tense):
        return ()
    places = sorted(set(_places(read)))
    found = [read.words[place] for place in places if _tense(read, place) == tense]
    return tuple(Span(word.start, word.end) for word in found)


def _is_tied(read: Syntax, tense: Tense) -> bool:
    own = {*read.low}
    if tense == "past":
        return bool(own & _TIED["past"] or _YEAR.search(read.text))
    general = own & _SETS["general"] or _ABOUT_ITSELF.match(read.text)
    return bool(own & _TIED["present"] or general)


def _places(read: Syntax) -> Iterator[int]:
    """The verbs of the main clauses, and those that share a subject with one."""
    assert read.main is not None
    yield read.main
    last = read.main
    for index in range(read.main + 1, read.stop):
        if read.tags[index] not in FINITE or read.depth[index] or read.held[index]:
            continue
        between = range(last + 1, index)
        joint = index - 1
        while read.tag(joint) == "RB":
            joint -= 1
        # A clause of its own stands between: the verb is part of it, unless that has a verb already.
        openers = sum(read.tags[at] in QUESTION_WORD or read.low[at] in SUBORDINATORS for at in between)
        if openers:
            if sum(read.tags[at] in FINITE and not read.held[at] for at in between) >= openers:
                yield index
                last = index
            continue
        if read.tag(joint) == "CC" or _opens_clause(read, last, index):
            yield index
            last = index


def _opens_clause(read: Syntax, last: int, index: int) -> bool:
    """Whether a new clause begins between two verbs, and the second is its own."""
    return any(last < end < index for end in read.clause_ends())


def _tense(read: Syntax, place: int) -> str:
    """The tense of a verb; nothing where it is not sure."""
    low, tag = read.low[place], read.tags[place]
    following = place + 1
    while read.tag(following) == "RB":
        following += 1
    if low in ("has", "have") and read.tag(following) == "VBN":
        return ""
    if low in _AUXILIARIES:
        return _AUXILIARIES[low] if tag in FINITE else ""
    forms = BY_FORM.get(low) or regular(low)
    if tag == "VBZ" and (forms.third == low or low not in BY_FORM):
        return "present"
    if forms.base == forms.past:
        return ""
    if tag == "VBD" and (forms.past == low or low.endswith("ed")) and read.word(place + 1) != "by":
        return "past"
    before = place - 1
    while read.tag(before) == "RB":
        before -= 1
    many = read.word(before) in _SUBJECTS or read.tag(before) in ("NNS", "NNPS", "CC")
    return "present" if tag == "VBP" and forms.base == low and many and before >= 0 else ""
