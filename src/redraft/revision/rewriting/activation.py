"""Passives turned round clause by clause, in sentences of any length, wherever it is said by whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import Edit, applied, capitalised, sound
from redraft.revision.rewriting.voice import (
    OBJECTS,
    SETS,
    Passive,
    agent_text,
    find_passive,
    is_common,
    make_active,
    verb_text,
)
from redraft.text import NOUN, QUESTION_WORD, SUBORDINATORS, VERB, Syntax, analyse_syntax

_OPENED_BY: Final = frozenset({",", "CC", ":", "WRB"})
_PLACES: Final = frozenset({"in", "at", "on", "from", "with", "near", "behind", "under", "of", "for"})
_PERSONAL: Final = re.compile(r"\w{2,}(?:er|or|ant|(?<!m)ent|ist|ee|man)|person|child|party")
"""Nouns that may be somebody, who is not "it"."""


def active_versions(sentence: str) -> list[str]:
    """The sentence with its passives turned round, as many as can be, then with one of them.

    >>> active_versions("The law was passed by Parliament because it was supported by farmers.")[0]
    'Parliament passed the law because farmers supported it.'
    """
    read = analyse_syntax(sentence)
    if read.quoted or "by" not in read.low:
        return []
    turns = {turn.verb: turn for by in _places(read) if (turn := _turn(read, by))}
    sure = [turn for turn in turns.values() if _is_whole(turn, turns)]
    alone = [turn for turn in sure if turn.also is None and not turn.shares]
    choices = (sure, *([one] for one in alone))
    made = [applied(sentence, [one.edit for one in chosen]) for chosen in choices if chosen]
    strict = make_active(sentence) if len(turns) < 2 and not any(one.also for one in turns.values()) else None
    found = dict.fromkeys([*([strict] if strict else []), *made])
    return [one for one in found if one != sentence and sound(sentence, one)]


class _Turn(NamedTuple):
    """How a passive is turned round."""

    verb: int
    edit: Edit
    also: int | None
    """A verb behind it that has the same subject, and would get another one."""
    shares: bool
    """Whether its subject is that of the verb before."""


def _is_whole(turn: _Turn, turns: Mapping[int, _Turn]) -> bool:
    """Whether every verb that shares a subject is turned round with it."""
    if turn.also is not None and turn.also not in turns:
        return False
    return not turn.shares or any(
        one.also == turn.verb and _is_whole_but(one, turns) for one in turns.values()
    )


def _is_whole_but(turn: _Turn, turns: Mapping[int, _Turn]) -> bool:
    return not turn.shares and turn.also in turns


def _places(read: Syntax) -> Iterator[int]:
    for index in range(2, read.stop - 1):
        if read.low[index] == "by" and not read.depth[index]:
            yield index


def _turn(read: Syntax, by: int) -> _Turn | None:
    """What turns one passive round: nothing where subject, agent or what follows are in doubt."""
    found = find_passive(read, by, loose=True)
    if found is None:
        return None
    start = _subject(read, found.verb)
    verb = verb_text(read, found)
    end = _with_apposition(read, found.end)
    if end is None or verb is None or start is None or not _may_follow(read, found, end):
        return None
    agent = agent_text(read, found) if end == found.end else read.phrase_text(found.agent, end)
    also = _also(read, end)
    if start == found.verb:
        joint = found.verb - 1
        said = _pronoun(read, joint)
        before = read.words[joint - 1]
        mark = "" if before.text == "," else ","
        new = f"{mark} {read.low[joint]} {agent} {verb} {said}"
        edit = Edit(before.end, read.words[end - 1].end, new)
        return _Turn(found.verb, edit, also, shares=True) if said else None
    said = read.phrase_text(start, found.verb)
    said = OBJECTS.get(said.lower(), said)
    if start == 0:
        said = said[:1].lower() + said[1:] if is_common(read) else said
        agent = capitalised(agent)
    return _Turn(found.verb, _edit(read, start, end, f"{agent} {verb} {said}"), also, shares=False)


def _also(read: Syntax, end: int) -> int | None:
    """The verb behind a conjunction that has no subject of its own."""
    for index in range(end, read.stop):
        if read.tags[index] in QUESTION_WORD or read.low[index] in SUBORDINATORS:
            return None
        if read.tags[index] == "CC":
            verb = index + 1
            while read.tag(verb) == "RB":
                verb += 1
            if read.tag(verb) in VERB:
                return verb
            if read.subject_and_verb(index + 1):
                return None
    return None


def _edit(read: Syntax, start: int, end: int, new: str) -> Edit:
    return Edit(read.words[start].start, read.words[end - 1].end, new)


def _subject(read: Syntax, verb: int) -> int | None:
    """Where the subject begins; the verb itself where it is that of a verb before, None where in doubt."""
    if read.tag(verb - 1) == "CC":
        return verb
    start = read.phrase_start(verb)
    while start < verb and start > 1 and read.word(start - 1) == "of":
        start = read.phrase_start(start - 1)
    if start == verb or read.tag(start) in ("EX", "WP", "WDT"):
        return None
    opened = start == 0 or read.tag(start - 1) in _OPENED_BY or read.word(start - 1) in SUBORDINATORS
    return start if opened else None


def _pronoun(read: Syntax, joint: int) -> str:
    """ "it" or "them" for the subject of the clause before a conjunction."""
    for index in range(joint - 1, 0, -1):
        if read.low[index] in ("is", "was", "are", "were", "shall", "must", "will", "has", "have"):
            start, head = _subject(read, index), index - 1
            if start is None or start == index or read.tag(head) not in ("NN", "NNS"):
                return ""
            if read.tag(head) == "NNS":
                return "them"
            return "" if _PERSONAL.fullmatch(read.low[head]) else "it"
    return ""


def _with_apposition(read: Syntax, end: int) -> int | None:
    """The end of the agent with a name between commas behind it; None where commas leave it in doubt."""
    if read.tag(end) != ",":
        return end
    named = read.noun_phrase(end + 1)
    if named > end + 1 and read.tag(end + 1) in ("NNP", "NNPS") and read.tag(named) == ",":
        return named + 1
    follows = read.tag(end + 1)
    if read.subject_and_verb(end + 1):
        return end
    return end if follows in ("CC", "IN", "WRB", "RB") and read.word(end + 1) not in ("or", "who") else None


def _may_follow(read: Syntax, found: Passive, end: int) -> bool:
    """Whether what stands behind the agent says nothing of it."""
    low, tag = read.word(end), read.tag(end)
    if end == read.stop or tag in (",", ":", "RB", "TO", "WRB"):
        return True
    if low == "and":
        return read.tag(end + 1) in ("MD", "VBZ", "VBD", "VBP") or read.subject_and_verb(end + 1)
    if tag == "DT":
        return read.word(read.noun_phrase(end) - 1) in SETS["times"]
    if tag != "IN" or low in ("that", "who"):
        return False
    if low in _PLACES and read.tag(end + 1) in ("DT", "PRP$", "NN", "NNS", "JJ"):
        head = read.noun_phrase(end + 1) - 1
        return read.word(head) in SETS["times"] and read.tag(head) in NOUN
    return True
