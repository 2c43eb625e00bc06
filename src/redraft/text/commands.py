"""Where a text tells somebody what to do in another way than by a command: "the label should be read"."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from redraft.text.inflection import bases
from redraft.text.sentences import segment
from redraft.text.syntax import FINITE, NOUN, QUESTION_WORD, SUBORDINATORS, Syntax, analyse_syntax
from redraft.text.voice import passive_verbs
from redraft.text.word_lists import word_sets
from redraft.text.words import Span

_SETS: Final = word_sets(__package__, "forms.txt")
HANDLED_VERBS: Final = _SETS["handled"]
"""What somebody does to a thing when told."""
COMMAND_VERBS: Final = HANDLED_VERBS | _SETS["commanded"]
"""What somebody may be told to do."""
NAMED_VERBS: Final = _SETS["named"]
"""Those of them that are a thing where no object follows."""
_DUTIES: Final = frozenset({"must", "should", "shall", "ought"})
_TO: Final = frozenset({"has", "have", "need", "needs", "ought"})
_STEPS: Final = frozenset({"first", "then", "next", "finally", "now", "afterwards", "lastly"})
"""By these "we" take the reader along: "then we add the eggs"."""
_DENIALS: Final = frozenset({"not", "n't", "never"})


class Told(NamedTuple):
    """Verbs that tell somebody to do something, by index: the first of them, and the verb itself."""

    first: int
    verb: int
    kind: Literal["passive", "active", "to", "not to", "let"]


def find_told(text: str) -> list[Span]:
    """The verbs by which something is told to be done, and not commanded, from left to right.

    What may be done ("can be opened") is leave, and no order; with "only", or denied, it is one.

    >>> text = "The pot should be emptied. You must not stir. Close the lid."
    >>> [text[one.start : one.end] for one in find_told(text)]
    ['should be emptied', 'must not stir']
    """
    return [
        Span(stretch.start + one.start, stretch.start + one.end)
        for stretch in segment(text)
        for one in _spans(text[stretch.start : stretch.end])
    ]


@lru_cache(maxsize=4096)
def _spans(sentence: str) -> tuple[Span, ...]:
    read = analyse_syntax(sentence)
    if not sentence.rstrip().endswith((".", "!", ";", ":", ")")):
        return ()
    found = told_verbs(read)
    return tuple(Span(read.words[one.first].start, read.words[one.verb].end) for one in found)


def told_verbs(read: Syntax) -> list[Told]:
    """The verbs of a sentence that tell somebody to do something."""
    found: list[Told] = []
    for passive in passive_verbs(read, states=True):
        at = passive.first
        helpers = read.low[at : passive.participle]
        behind = read.low[passive.participle + 1 : passive.participle + 4]
        by_whom = "by" in behind[:2] and "hand" not in behind
        if not by_whom and is_main(read, at) and _is_told(read, at, passive.participle, helpers):
            found.append(Told(at, passive.participle, "passive"))
    passives = {at for one in found for at in range(one.first, one.verb + 1)}
    for index in range(read.stop):
        if index in passives or not is_main(read, index):
            continue
        if (
            told := _active(read, index)
            or _important(read, index)
            or _let(read, index)
            or _asked(read, index)
        ):
            found.append(told)
    return sorted(found)


def _is_told(read: Syntax, first: int, participle: int, helpers: tuple[str, ...]) -> bool:
    low = helpers[0]
    if low in _DUTIES or (low in _TO and "to" in helpers):
        return "have" not in helpers[1:]
    if low in ("is", "are") and "to" in helpers[1:3]:
        return True
    known = {*bases(read.low[participle], "VBN")}
    if low in ("can", "may", "cannot", "ca") and not known & HANDLED_VERBS:
        return False
    if low in ("can", "may", "cannot", "ca"):
        only = "only" in read.low[first : participle + 8]
        return only or low == "cannot" or bool(_DENIALS & {*helpers})
    if low not in ("is", "are") or "being" in helpers or {"not", "n't"} & {*helpers}:
        return False
    named = read.tag(participle + 1) in NOUN  # "they are raised beds"
    surely = any(one.participle == participle for one in passive_verbs(read))
    return surely and not named and bool(known & (HANDLED_VERBS - _SETS["described"]))


def is_main(read: Syntax, verb: int) -> bool:
    """Whether a verb is that of a main clause: no "if", "which" or "that" opens its clause."""
    if read.held[verb] or read.depth[verb]:
        return False
    opening = read.opening()
    low = opening if opening <= verb else 0
    for index in range(verb - 1, low - 1, -1):
        parted = read.words[index].text == ";" or (read.tags[index] == "CC" and read.tag(index - 1) == ",")
        if parted and (read.subject_and_verb(index + 1) or index == verb - 1):
            return True
        if read.tags[index] in QUESTION_WORD or (
            read.low[index] in SUBORDINATORS | {"that"} and read.subject_and_verb(index + 1)
        ):
            return False
    return True


def _active(read: Syntax, index: int) -> Told | None:
    """ "You should attach", "users must sign", "you soak the beans"."""
    low = read.low[index]
    if not (low in ("you", "we") or low in _SETS["told_people"]) or not _is_subject(read, index):
        return None
    place = index + 1
    while read.tag(place) == "RB" and read.word(place) not in _DENIALS:
        place += 1
    duty = read.word(place) in _DUTIES | {"have", "need", "has", "needs"}
    first = place
    if read.word(place) == "may" and read.word(place + 1) == "not":
        duty = True
    if duty:
        place += 1
        while read.tag(place) in ("RB", "TO"):
            place += 1
        takes_to = read.low[first] in _TO
        if takes_to and "to" not in read.low[first:place]:
            return None
        happens = read.word(place) in _SETS["no_orders"]
        is_verb = read.tag(place) in ("VB", "VBP") or (
            read.tag(place) == "NN" and read.low[place] in COMMAND_VERBS
        )
        return Told(first, place, "active") if is_verb and not happens else None
    if low not in ("you", "we") or (low == "we" and not _STEPS & {*read.low[: index + 3]}):
        return None
    verbs = COMMAND_VERBS if low == "you" else HANDLED_VERBS
    if (
        low == "you"
        and read.word(place) == "do"
        and read.word(place + 1) in _DENIALS
        and read.word(place + 2) in verbs
    ):
        return Told(place, place + 2, "active")
    is_order = read.tag(place) in ("VBP", "VB") and read.word(place) in verbs
    return Told(place, place, "active") if is_order else None


def _is_subject(read: Syntax, index: int) -> bool:
    """Whether somebody is the subject of a main clause, and not of "every notice you send"."""
    start = index
    while start and read.tag(start - 1) in ("DT", "PRP$", "JJ", "NN", "RB") and read.tags[index] in NOUN:
        start -= 1
    while start and read.tag(start - 1) == "RB":
        if read.low[start - 1] in ("maybe", "perhaps"):
            return False
        start -= 1
    if start == 0 or read.tag(start - 1) in (",", "CC", ":"):
        return True
    return read.tag(0) in ("IN", "TO") and not (FINITE & {*read.tags[:start]}) and read.tag(start - 1) in NOUN


def _let(read: Syntax, index: int) -> Told | None:
    """ "It must not stand in water"."""
    denied = read.low[index] in ("must", "should") and read.word(index + 1) in _DENIALS
    is_thing = read.word(index - 1) not in _SETS["told_people"] | {"you", "we", "i", "he", "she", "who"}
    acts = read.tag(index + 2) == "VB" and read.word(index + 2) not in ("be", "have")
    return Told(index, index + 2, "let") if denied and is_thing and acts else None


def _asked(read: Syntax, index: int) -> Told | None:
    """ "You are asked to stand back", "it is forbidden to smoke"."""
    if read.word(index + 3) != "to" or read.tag(index + 4) != "VB":
        return None
    two, participle = read.low[index : index + 2], read.word(index + 2)
    if two == ("you", "are") and participle in ("asked", "requested", "advised", "required", "urged"):
        return Told(index, index + 4, "to")
    if two == ("it", "is") and participle in ("forbidden", "prohibited"):
        return Told(index, index + 4, "not to")
    return None


def _important(read: Syntax, index: int) -> Told | None:
    """ "It is important to keep the exits clear"."""
    if read.low[index : index + 2] != ("it", "is") or read.word(index + 3) != "to":
        return None
    if {"perhaps", "maybe"} & {*read.low[:index]}:
        return None
    known = read.word(index + 2) in (
        "important",
        "necessary",
        "essential",
        "vital",
        "best",
        "advisable",
        "crucial",
    )
    return Told(index, index + 4, "to") if known and read.tag(index + 4) == "VB" else None
