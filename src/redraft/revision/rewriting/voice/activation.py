"""Passives turned round clause by clause, in sentences of any length, wherever it is said by whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import Edit, applied, capitalised, sound
from redraft.revision.rewriting.voice.subjects import subject_start
from redraft.revision.rewriting.voice.voice import (
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
from redraft.text import (
    FINITE,
    NOUN,
    QUESTION_WORD,
    SUBORDINATORS,
    VERB,
    Forms,
    Syntax,
    analyse_syntax,
    passive_verbs,
)

_OPENED_BY: Final = frozenset({",", "CC", ":", "WRB"})
_PLACES: Final = frozenset({"in", "at", "on", "from", "with", "near", "behind", "under", "of", "for"})
_ABBREVIATED_END: Final = re.compile(r"\b([ap]\.m\.)\.(?=\Z|\s)")
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
    turns |= {turn.verb: freed for turn in turns.values() if (freed := _freed(read, turn, turns))}
    sure = [turn for turn in turns.values() if _is_whole(turn, turns)]
    alone = [turn for turn in sure if turn.also is None]
    choices = (sure, *([one] for one in alone))
    edited = (
        applied(sentence, [edit for one in chosen for edit in one.edits]) for chosen in choices if chosen
    )
    made = [_ABBREVIATED_END.sub(r"\1", one) for one in edited]
    strict = make_active(sentence) if len(turns) < 2 and not any(one.also for one in turns.values()) else None
    found = dict.fromkeys([*([strict] if strict else []), *made])
    return [one for one in found if one != sentence and sound(sentence, one)]


_NEAR_BY: Final = 10
"""Words behind a passive within which its own agent is named."""


class _Turn(NamedTuple):
    """How a passive is turned round."""

    verb: int
    edits: tuple[Edit, ...]
    also: int | None
    """A verb behind it that has the same subject, and would get another one."""
    shares: bool
    """Whether its subject is that of the verb before."""


def _freed(read: Syntax, turn: _Turn, turns: Mapping[int, _Turn]) -> _Turn | None:
    """A turn whose other verb is not turned and gets a subject of its own: "…, and they must be worn".

    A passive of the same tense is done by the same: "holds the deposit and returns it".
    """
    if turn.also is None or turn.also in turns or read.tag(turn.also) not in FINITE:
        return None
    joint = turn.also - 1
    while read.tag(joint) != "CC":
        joint -= 1
    said = _pronoun(read, joint)
    if not said:
        return None
    first, low = read.low[turn.verb], read.low[turn.also]
    same = next((one for one in passive_verbs(read) if one.first == turn.also), None)
    own = same is not None and "by" in read.low[same.participle + 1 : same.participle + _NEAR_BY]
    if same is not None and not own and low == first in ("is", "are", "was", "were"):
        found = find_passive_of(read, turn.verb)
        forms = forms_of(read.low[same.participle], "VBN")
        if found is not None and forms is not None and same.participle == turn.also + 1:
            new = f"{_as_agent(read, found, forms)} {said}"
            edit = _edit(read, same.first, same.participle + 1, new)
            return turn._replace(edits=(*turn.edits, edit), also=None)
    before = read.words[joint - 1]
    mark = "" if before.text == "," else ","
    subject = "they" if said == "them" else said
    new = f"{mark} {read.low[joint]} {subject} "
    edit = Edit(before.end, read.words[turn.also].start, new)
    return turn._replace(edits=(*turn.edits, edit), also=None)


def find_passive_of(read: Syntax, verb: int) -> Passive | None:
    """The passive whose verbs begin at a place, with who did it."""
    found = (find_passive(read, by, loose=True) for by in _places(read))
    return next((one for one in found if one is not None and one.verb == verb), None)


def _as_agent(read: Syntax, found: Passive, forms: Forms) -> str:
    """A verb that agrees with the agent of a passive, in its tense."""
    if read.low[found.verb] in ("was", "were"):
        return forms.past
    many = read.tag(read.noun_phrase(found.agent) - 1) in ("NNS", "NNPS")
    return forms.base if many else forms.third


def _is_whole(turn: _Turn, turns: Mapping[int, _Turn]) -> bool:
    """Whether every verb that shares a subject is turned round with it."""
    return turn.also is None or turn.also in turns


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
    end = found.end if is_relative else _with_apposition(read, found.end)
    longer = None if end is None or is_relative else _whole_agent(read, found, end)
    verb = verb_text(read, found, together=longer is not None and read.word(found.end) == "and")
    end = end if longer is None else longer
    if end is None or not verb or start is None or _has_another(read, end) or "/" in read.low[end - 1]:
        return None
    named_twice = end > found.end  # "by the guard, Mr Sobel, in the hall": no more is said of him
    follows = _ends_relative(read, end) if is_relative else named_twice or _may_follow(read, found, end)
    if not follows:
        return None
    agent = agent_text(read, found) if end == found.end else read.phrase_text(found.agent, end)
    if read.word(end) in ("a", "per") and read.word(end + 1) in SETS["times"]:  # "140 people a day"
        end += 2
        agent = read.phrase_text(found.agent, end)
    if read.word(found.end + 1) in ("who", "which") and end > found.end and not agent.endswith(","):
        agent = f"{agent},"
    if read.low[found.by - 1] == "only":
        agent = f"only {agent}"
    if agent.startswith("any "):
        if not {"not", "n't"} & {*read.low[found.verb : found.participle]}:
            return None
        agent, verb = f"no {agent[4:]}", _affirmed(verb)
        if not verb:
            return None
    if found.by == found.participle + 2 and read.tag(found.by - 1) == "IN":  # "was paid for by"
        verb, stranded = f"{verb} {read.low[found.by - 1]}", True
    else:
        stranded = False
    stop = found.by - stranded - (read.low[found.by - 1] == "only")
    tail = read.phrase_text(found.participle + 1, stop) if stop > found.participle + 1 else ""
    tail = tail and f" {tail}"
    also = _also(read, end)
    if is_relative:
        edit = _edit(read, found.verb, end, f"{agent} {verb}{tail}")
        return _Turn(found.verb, (edit,), None, shares=False)
    if start == found.verb:
        joint = found.verb - 1
        said = _pronoun(read, joint)
        before = read.words[joint - 1]
        mark = "" if before.text == "," else ","
        new = f"{mark} {read.low[joint]} {agent} {verb} {said}{tail}"
        edit = Edit(before.end, read.words[end - 1].end, new)
        return _Turn(found.verb, (edit,), also, shares=True) if said else None
    said = read.phrase_text(start, found.verb)
    said = OBJECTS.get(said.lower(), said)
    if start == 0:
        said = said[:1].lower() + said[1:] if is_common(read) else said
    elif read.tag(start - 1) == ":" and said[:1].isupper() and read.tag(start) not in ("NNP", "NNPS"):
        said = said[:1].lower() + said[1:]
    agent = capitalised(agent) if read.words[start].text[:1].isupper() and _opens(read, start) else agent
    edit = _edit(read, start, end, f"{agent} {verb} {said}{tail}")
    return _Turn(found.verb, (edit,), also, shares=False)


def _whole_agent(read: Syntax, found: Passive, end: int) -> int | None:
    """Where an agent ends that goes on: "the county and the railway", "devices on standby"; else None."""
    further = read.noun_phrase(end + 1)
    if further == end + 1:
        return None
    closes = further >= read.stop or read.tag(further) in (",", ":")
    if read.word(end) == "and" and read.tag(end + 1) in ("DT", "NNP", "NNS", "PRP$"):
        timed = read.tag(further) == "IN" and read.word(read.noun_phrase(further + 1) - 1) in SETS["times"]
        return further if closes or timed else None
    loose = read.tag(found.agent) in ("NNS", "JJ") or read.low[found.agent] in ("a", "an")
    is_place = (
        read.word(end) in ("in", "on", "at", "from", "with") and read.word(further - 1) not in SETS["times"]
    )
    is_number = any(tag == "CD" for tag in read.tags[end + 1 : further])
    return further if loose and is_place and closes and not is_number else None


def _also(read: Syntax, end: int) -> int | None:
    """The verb behind a conjunction that has no subject of its own."""
    inner = False
    for index in range(end, read.stop):
        if read.low[index] == ";":  # what follows has a subject of its own
            return None
        inner = inner or read.tags[index] in QUESTION_WORD or read.low[index] in SUBORDINATORS
        if read.tags[index] == "CC":
            verb = index + 1
            while read.tag(verb) == "RB":
                verb += 1
            # "planted by him when he was ten and was cut down": whose verb it is, is in doubt.
            if read.tag(verb) in VERB and (not inner or read.low[verb] in ("was", "were", "is", "are")):
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
    sure = _plain_subject(read, verb)
    return subject_start(read, verb) if sure is None else sure


def _plain_subject(read: Syntax, verb: int) -> int | None:
    start = read.phrase_start(verb)
    while start < verb and start > 1 and read.word(start - 1) == "of":
        start = read.phrase_start(start - 1)
    if start == verb or read.tag(start) in ("EX", "WP", "WDT") or read.word(start) == "of":
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
    for at in range(end, read.stop):
        if read.low[at] == "by" and (read.tag(at - 1) in (",", "CC", "RB") or read.tag(at - 1) in NOUN):
            shares = read.tag(at + 1) == "CD" or read.tag(at + 1) == "VBG"  # "by nine votes", "by adding"
            if not shares and not any(read.tags[between] in FINITE for between in range(end, at)):
                return True
        if read.tags[at] == "CC" and read.tag(at + 1) in ("VBN", "VBD") and read.word(at + 2) == "by":
            return True  # "run by her and paid by him"
    return False


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
            is_thing = read.low[head] in SETS["things"] or not _PERSONAL.fullmatch(read.low[head])
            return "it" if is_thing else ""
    return ""


def _with_apposition(read: Syntax, end: int) -> int | None:
    """The end of the agent with a name between commas behind it; None where commas leave it in doubt."""
    if read.tag(end) != ",":
        return end
    named = read.noun_phrase(end + 1)
    if named > end + 1 and read.tag(end + 1) in ("NNP", "NNPS") and read.tag(named) == ",":
        return named + 1
    if read.word(end + 1) in ("who", "which"):  # it is said of the agent, and goes with it
        comma = next((at for at in range(end + 1, read.stop) if read.tag(at) == ","), None)
        return read.stop if comma is None else comma + 1
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
    if tag in ("DT", "CD"):
        return read.word(read.noun_phrase(end) - 1) in SETS["times"]
    if low == "that":
        return read.low[found.participle] in SETS["telling"]
    if tag != "IN" or low == "who" or read.tag(end + 1) in QUESTION_WORD:
        return False
    names = read.tag(end - 1) in ("NNP", "NNPS") and read.tag(end + 1) in ("NNP", "NNPS")
    if (
        names and low in ("for", "of", "in", "on") and read.word(end + 1) not in SETS["times"]
    ):  # "the Centre for Irish Studies"
        return False
    if low in _PLACES and read.tag(end + 1) in ("DT", "PRP$", "NN", "NNS", "JJ"):
        head = read.noun_phrase(end + 1) - 1
        return read.word(head) in SETS["times"] and read.tag(head) in NOUN
    return True
