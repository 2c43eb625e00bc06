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
    forms_of,
    is_common,
    make_active,
    verb_text,
)
from redraft.text import FINITE, NOUN, QUESTION_WORD, SUBORDINATORS, VERB, Syntax, analyse_syntax

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
    is_relative = _is_relative(read, found)
    start = found.verb if is_relative else _subject(read, found.verb)
    verb = verb_text(read, found)
    end = found.end if is_relative else _with_apposition(read, found.end)
    if end is None or not verb or start is None or _has_another(read, end):
        return None
    if not (_ends_relative(read, end) if is_relative else _may_follow(read, found, end)):
        return None
    agent = agent_text(read, found) if end == found.end else read.phrase_text(found.agent, end)
    if agent.startswith("any "):
        if not {"not", "n't"} & {*read.low[found.verb : found.participle]}:
            return None
        agent, verb = f"no {agent[4:]}", _affirmed(verb)
        if not verb:
            return None
    tail = read.phrase_text(found.participle + 1, found.by)
    tail = tail and f" {tail}"
    also = _also(read, end)
    if is_relative:
        edit = _edit(read, found.verb, end, f"{agent} {verb}{tail}")
        return _Turn(found.verb, edit, None, shares=False)
    if start == found.verb:
        joint = found.verb - 1
        said = _pronoun(read, joint)
        before = read.words[joint - 1]
        mark = "" if before.text == "," else ","
        new = f"{mark} {read.low[joint]} {agent} {verb} {said}{tail}"
        edit = Edit(before.end, read.words[end - 1].end, new)
        return _Turn(found.verb, edit, also, shares=True) if said else None
    said = read.phrase_text(start, found.verb)
    said = OBJECTS.get(said.lower(), said)
    if start == 0:
        said = said[:1].lower() + said[1:] if is_common(read) else said
    elif read.tag(start - 1) == ":" and said[:1].isupper() and read.tag(start) not in ("NNP", "NNPS"):
        said = said[:1].lower() + said[1:]
    agent = capitalised(agent) if read.words[start].text[:1].isupper() and _opens(read, start) else agent
    return _Turn(found.verb, _edit(read, start, end, f"{agent} {verb} {said}{tail}"), also, shares=False)


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
    before = read.tag(start - 1)
    if (before == "CC" and not FINITE & {*read.tags[: start - 1]}) or read.word(start) in ("many", "much"):
        return None  # "the box and its lid": one subject; "how many"
    opened = start == 0 or before in _OPENED_BY or read.word(start - 1) in SUBORDINATORS
    return start if opened or _follows_adverbial(read, start) else None


def _opens(read: Syntax, start: int) -> bool:
    return start == 0 or read.tag(start - 1) == ":"


def _has_another(read: Syntax, end: int) -> bool:
    """Whether somebody else did it too: "sometimes by him, sometimes by her"."""
    return any(
        read.low[at] == "by" and read.tag(at - 1) in (",", "CC", "RB") for at in range(end + 1, read.stop)
    )


def _ends_relative(read: Syntax, end: int) -> bool:
    """Whether a relative clause surely ends behind its agent."""
    return end == read.stop or read.tag(end) in (",", *FINITE)


def _is_relative(read: Syntax, found: Passive) -> bool:
    """Whether it is "that was signed by them" behind a noun, which becomes "that they signed"."""
    opens = found.verb - 1
    noun = opens - 1 - (read.tag(opens - 1) == ",")
    return read.word(opens) in ("that", "which") and read.tag(noun) in NOUN


def _follows_adverbial(read: Syntax, start: int) -> bool:
    """Whether only a phrase of time or place stands before a subject: "until then the house"."""
    if read.tag(start) not in ("DT", "PRP", "PRP$"):
        return False
    first = start
    while first > 0 and read.tag(first - 1) not in _OPENED_BY:
        first -= 1
    opens = read.tag(first) in ("IN", "RB") or read.word(first) in ("last", "next", "this", "every", "each")
    ends = read.tag(start - 1) in NOUN | {"RB", "CD"}
    return opens and ends and read.word(first) != "that" and not VERB & {*read.tags[first:start]}


def _affirmed(verb: str) -> str:
    """The verbs of an active without their "not": "did not see" as "saw"; empty where it is not known how."""
    words = verb.replace("n't", " not").replace("cannot", "can not").split()
    words.remove("not")
    if words[0] not in ("did", "do", "does"):
        return " ".join(words)
    forms = forms_of(words[-1], "VB") if len(words) == 2 else None
    if forms is None:
        return ""
    return {"did": forms.past, "do": forms.base, "does": forms.third}[words[0]]


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
    if end == read.stop or tag in (",", ":", "RB", "WRB"):
        return True
    if tag == "TO":  # "a wish to go" is one thing
        return read.tag(end - 1) in ("NNS", "NNP", "NNPS") or bool(_PERSONAL.fullmatch(read.low[end - 1]))
    if low == "of":
        return False
    if low == "and":
        return read.tag(end + 1) in ("MD", "VBZ", "VBD", "VBP") or read.subject_and_verb(end + 1)
    if tag == "DT":
        return read.word(read.noun_phrase(end) - 1) in SETS["times"]
    if low == "that":
        return read.low[found.participle] in SETS["telling"]
    if tag != "IN" or low == "who":
        return False
    if low in _PLACES and read.tag(end + 1) in ("DT", "PRP$", "NN", "NNS", "JJ"):
        head = read.noun_phrase(end + 1) - 1
        return read.word(head) in SETS["times"] and read.tag(head) in NOUN
    return True
