"""Where a text has a passive: what is done to somebody, with "be" or "get" and a participle."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from redraft.text.inflection import BY_FORM
from redraft.text.sentences import segment
from redraft.text.syntax import NOUN, Syntax, analyse_syntax
from redraft.text.word_lists import word_sets
from redraft.text.words import Span

_SETS: Final = word_sets(__package__, "forms.txt")
_BE: Final = _SETS["be"]
_GET: Final = _SETS["get"]
_STATES: Final = _SETS["states"]
_CLITICS: Final = ("'s", "'re", "'m")
_BEFORE: Final = frozenset({"MD", "RB", "TO"})
_DUTIES: Final = frozenset({"must", "may", "shall", "should", "can", "cannot"})
_OBJECTS: Final = frozenset({"DT", "PRP$", "PRP", "CD"})


def find_passives(text: str) -> list[Span]:
    """The verbs of each passive, from left to right; what shares its "be" ("tested and sold") is one.

    States ("is interested", "is located") are none, unless it is said by whom; "get" makes passives as well.

    >>> text = "The car was quickly sold, and he is tired."
    >>> [text[one.start : one.end] for one in find_passives(text)]
    ['was quickly sold']
    """
    return [
        Span(stretch.start + one.start, stretch.start + one.end)
        for stretch in segment(text)
        for one in _passives(text[stretch.start : stretch.end])
    ]


class PassiveVerb(NamedTuple):
    """The verbs of a passive by index: the first of them, the "be" before the participle, and that."""

    first: int
    be: int
    participle: int


def passive_verbs(read: Syntax, *, states: bool = False) -> list[PassiveVerb]:
    """The passives of a sentence; with `states` also what may be one, such as "is closed"."""
    found: list[PassiveVerb] = []
    for index in range(len(read)):
        if _is_be(read, index) or read.low[index] in _GET:
            place = _participle(read, index)
            if place is not None and (_is_passive(read, index, place) or (states and _is_state(read, place))):
                found.append(PassiveVerb(_first(read, index), index, place))
    return found


def _is_state(read: Syntax, place: int) -> bool:
    return read.low[place] in _STATES


@lru_cache(maxsize=4096)
def _passives(sentence: str) -> tuple[Span, ...]:
    read = analyse_syntax(sentence)
    return tuple(
        Span(read.words[one.first].start, read.words[one.participle].end) for one in passive_verbs(read)
    )


def _is_be(read: Syntax, index: int) -> bool:
    low = read.low[index]
    return low in _BE or (low in _CLITICS and read.tags[index] in ("VBZ", "VBP"))


def _participle(read: Syntax, index: int) -> int | None:
    """Where the participle stands, behind adverbs, or behind the subject of a question."""
    place = index + 1
    asks = read.low[index] in _BE and (index == 0 or read.tag(index - 1) in ("WRB", "CC", ","))
    if asks and read.noun_phrase(place) > place:
        place = read.noun_phrase(place)
    while (
        read.tag(place) in ("RB", "RBR", "RBS")
        or read.word(place) in ("both", "all")
        or (read.word(place) in ("first", "last") and _is_participle(read, place + 1))  # "was first sung"
    ):
        if read.word(place) in _SETS["degrees"]:
            return None
        place += 1
    return place if _is_participle(read, place) else None


def _is_participle(read: Syntax, place: int) -> bool:
    low, tag = read.word(place), read.tag(place)
    forms = BY_FORM.get(low)
    is_form = low.endswith("ed") or low == "done" or (forms is not None and forms.participle == low)
    if tag in ("VBN", "VBD"):
        return is_form
    # The tagger takes some for adjectives; who did it tells.
    return tag == "JJ" and is_form and forms is not None and read.word(place + 1) == "by"


def _is_passive(read: Syntax, index: int, place: int) -> bool:
    low, following = read.low[place], read.tag(place + 1)
    by_whom = any(read.word(at) == "by" and not _is_deadline(read, at) for at in (place + 1, place + 2))
    if low in _SETS["no_passives"]:
        return False
    if low in _STATES and not by_whom and not _is_done(read, index, place):
        return False
    if "still" in read.low[index:place] and low in _SETS["still_so"]:
        return False
    if read.low[index] in _GET and low in _SETS["become"]:
        return False
    if read.low[index] == "'s" and following in _OBJECTS:
        return False  # "she's taken the car"
    there_is = "EX" in read.tags[max(index - 2, 0) : index]
    return not (there_is and following in NOUN)  # "there are increased costs"


def _is_deadline(read: Syntax, by: int) -> bool:
    return read.tag(by + 1) == "CD" or bool({*read.low[by + 1 : by + 4]} & _SETS["deadlines"])


def _is_done(read: Syntax, index: int, place: int) -> bool:
    """Whether what may be a state is done all the same: "is being closed", "is used to cut"."""
    low, helper = read.low[place], read.low[index]
    if low == "used":
        return read.word(place + 1) != "to" or read.tag(place + 2) == "VB"
    if helper == "be" and low in _SETS["done_on_duty"] and read.low[_first(read, index)] in _DUTIES:
        return True
    return helper == "being" or (low in ("done", "fixed") and helper in ("be", "been"))


def _first(read: Syntax, index: int) -> int:
    """Where the verbs begin: "has been", "will not be"."""
    first = index
    while first and (
        _is_be(read, first - 1)
        or read.low[first - 1] in ("has", "have", "had", "having", "'ve")
        or (read.tag(first - 1) in _BEFORE and _leads(read, first - 1))
    ):
        first -= 1
    return first


def _leads(read: Syntax, index: int) -> bool:
    """Whether a word is part of the verb: not the adverb before it ("it then was sold")."""
    while read.tag(index) == "RB" and index > 0:
        index -= 1
    return read.tag(index) in ("MD", "VBZ", "VBP", "VBD", "TO")
