"""Passives that name nobody, where the text itself says who does this very thing: elsewhere, or as "we"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import Edit
from redraft.revision.rewriting.voice.active_verbs import conjugated, is_deadline, subject_nouns
from redraft.revision.rewriting.voice.subjects import clause_start, subject_start
from redraft.revision.rewriting.voice.voice import (
    OBJECTS,
    SETS,
    agent_text,
    find_passive,
    forms_of,
    is_common,
)
from redraft.text import (
    CARDINALS,
    HANDLED_VERBS,
    NOUN,
    PassiveVerb,
    Syntax,
    analyse_syntax,
    find_person,
    passive_verbs,
    quotations,
    singular,
)

_US: Final = re.compile(r"\b(?:[Ww]e|us|[Oo]ur)\b")
_SOMEBODY_ELSE: Final = re.compile(r"\b(?:I|[Mm]y|[Hh]e|[Ss]he|[Tt]he (?:authors?|reviewers?|manuscript))\b")
"""Where these act too, it is a story, and "we" need not have done it."""
_ACTOR: Final = re.compile(r"\b(?:shall|by (?:the|an?|our|your|their|his|her) [a-z]+|by [A-Z][a-z]+)\b")
"""Where somebody is bound by a contract, or named, it is not the reader who does it."""
_DUTIES: Final = frozenset(
    {"must", "should", "can", "may", "cannot", "has", "have", "needs", "need", "ought"}
)
_NO_THINGS: Final = frozenset(
    {*CARDINALS, *OBJECTS, "it", "you", "this", "that", "which", "who", "one", "none"}
)
"""What names nothing by itself."""
_COMPLAINT: Final = re.compile(
    r"(?i)\b(?:(?:writing|write|wish|want|would like) to complain|(?:my|this|our|a) (?:\w+ )?complaint)\b"
)
_ORDERS: Final = 2
"""So many orders make a text one that tells its reader what to do."""


class Actor(NamedTuple):
    """Who does something, as a subject, and whether they are many."""

    text: str
    many: bool


@dataclass(frozen=True)
class Telling:
    """What a text says of who does what."""

    ours: bool = False
    """Whether the writers speak of themselves as "we"."""
    reader: bool = False
    """Whether it tells its reader what to do, and speaks of nobody else."""
    addressed: bool = False
    """Whether it speaks to its reader."""
    complains: bool = False
    """Whether it is a letter to those of whom it complains."""
    known: Mapping[tuple[str, str], Actor | None] = field(default_factory=dict)
    """Who does something to a thing, by verb and noun; None where several do."""

    @classmethod
    def of(cls, sentences: Sequence[str]) -> Telling:
        """What sentences say."""
        text = " ".join(map(_unquoted, sentences))
        reads = [analyse_syntax(one) for one in sentences]
        orders = sum(read.main is not None and read.tag(read.main) == "VB" for read in reads)
        known: dict[tuple[str, str], Actor | None] = {}
        for read in reads:
            for base, nouns, actor in (*_passives(read), *_actives(read)):
                for noun in nouns:
                    same = known.get((base, noun), actor)
                    known[base, noun] = actor if same == actor else None
        ours = _US.search(text) is not None and not _SOMEBODY_ELSE.search(text)
        orders += sum(_is_duty(read) for read in reads)
        reader = orders >= _ORDERS and not find_person(text, "first") and not _ACTOR.search(text)
        addressed = bool(find_person(text, "second")) and not any(read.quoted for read in reads)
        complains = addressed and _COMPLAINT.search(text) is not None
        return cls(ours and not any(read.quoted for read in reads), reader, addressed, complains, known)


def _is_duty(read: Syntax) -> bool:
    """Whether it says what should be done with a thing, and not by whom: "the filter should be changed"."""
    passives = passive_verbs(read)
    return any(
        read.low[one.first] in _DUTIES
        and read.tag(one.first) == "MD"
        and (forms := forms_of(read.low[one.participle], "VBN")) is not None
        and forms.base in HANDLED_VERBS
        for one in passives
    )


def _unquoted(sentence: str) -> str:
    text = list(sentence)
    for one in quotations(sentence):
        text[one.start : one.end] = " " * (one.end - one.start)
    return "".join(text)


def _passives(read: Syntax) -> Iterator[tuple[str, set[str], Actor]]:
    for by in (at for at in range(2, read.stop - 1) if read.low[at] == "by"):
        found = find_passive(read, by, loose=True)
        if found is None or read.tag(found.agent) == "PRP":
            continue
        forms = forms_of(read.low[found.participle], "VBN")
        if forms is not None:
            many = read.tag(found.end - 1) in ("NNS", "NNPS")
            nouns = _nouns(subject_nouns(read, found.verb))
            yield forms.base, nouns, Actor(agent_text(read, found), many)


def _actives(read: Syntax) -> Iterator[tuple[str, set[str], Actor]]:
    """The subject, the verb and the object of a plain clause: "The Tenant shall pay the rent"."""
    for index in range(1, read.stop):
        tag = read.tags[index]
        verb = index
        if tag == "MD":
            verb += 1
            while read.tag(verb) == "RB":
                verb += 1
        if tag not in ("MD", "VBZ", "VBP", "VBD") or read.tag(verb) not in ("VB", "VBZ", "VBP", "VBD"):
            continue
        end = read.noun_phrase(verb + 1)
        start = read.phrase_start(index)
        forms = forms_of(read.low[verb], read.tags[verb])
        named = start < index and read.tag(start) not in ("PRP", "EX", "WP", "WDT", "CD")
        if end == verb + 1 or forms is None or not named or read.tag(index - 1) not in NOUN:
            continue
        many = read.tag(index - 1) in ("NNS", "NNPS")
        said = read.phrase_text(start, index)
        said = said[:1].lower() + said[1:] if start == 0 and is_common(read) else said
        nouns = {low for low, tag in zip(read.low, read.tags, strict=True) if tag in NOUN}
        objects = nouns & {*read.low[verb + 1 : end]}
        yield forms.base, _nouns(objects), Actor(said, many)


def _nouns(words: set[str]) -> set[str]:
    return {singular(word) or word for word in words if word.isalpha()} - _NO_THINGS


def actor_edits(read: Syntax, verb: PassiveVerb, telling: Telling) -> list[Edit]:
    """What turns a passive round where the text says who acts; nothing where it does not.

    A participle that shares its "be" gets a pronoun: "samples were taken and stored" as "we took samples and
    stored them".
    """
    forms = forms_of(read.low[verb.participle], "VBN")
    start = subject_start(read, verb.first)
    rest = range(verb.participle + 1, min(verb.participle + 5, read.stop))
    by_whom = any(read.low[at] == "by" and not _is_means(read, at) for at in rest)
    says = read.word(verb.participle + 1) in ("that", "whether", "how", "to")
    if forms is None or start is None or by_whom or (says and read.low[start] == "it"):
        return []
    actor = _actor(read, verb, forms.base, telling)
    if actor is None:
        return []
    made = conjugated(read, verb, forms.base, many=actor.many)
    shared = _shared(read, verb.participle)
    if not made or shared is None or (shared and actor.text != "we"):
        return []
    said = read.phrase_text(start, verb.first)
    if said.lower() == actor.text:
        return []
    said = OBJECTS.get(said.lower(), said)
    said = said[:1].lower() + said[1:] if start == 0 and is_common(read) else said
    end, particle = verb.participle + 1, ""
    stranded = read.tag(end) == "IN" and (
        end + 1 >= read.stop or read.tag(end + 1) in ("IN", ",", "CC", "RB")
    )
    if read.tag(end) == "RP" or stranded:
        particle, end = f" {read.low[end]}", end + 1
    object_ = (
        f"{said}{particle}"
        if (said in OBJECTS.values() or said == "it") and not stranded
        else f"{particle} {said}".strip()
    )
    edits = [Edit(read.words[start].start, read.words[end - 1].end, f"{actor.text} {made} {object_}")]
    many = read.low[verb.first] in ("were", "are", "have") or read.tag(verb.first - 1) in ("NNS", "NNPS")
    for place in shared:
        other = forms_of(read.low[place], "VBN")
        if other is None:
            return []
        helper = read.low[verb.first]
        plain = other.past if helper in ("was", "were") else other.base if helper in ("is", "are") else ""
        plain = plain or (
            other.participle if "been" in read.low[verb.first : verb.participle] else other.base
        )
        word = read.words[place]
        edits.append(Edit(word.start, word.end, f"{plain} {'them' if many else 'it'}"))
    return edits


def _actor(read: Syntax, verb: PassiveVerb, base: str, telling: Telling) -> Actor | None:
    nouns = _nouns(subject_nouns(read, verb.first))
    named = {actor for noun in nouns if (actor := telling.known.get((base, noun)))}
    if len(named) == 1:
        return named.pop()
    possible = read.low[verb.first] in ("can", "could", "may", "might", "cannot", "must")
    reported = read.word(clause_start(read, verb.first) - 1) == "that" and not {"we", "our"} & {*read.low}
    if telling.ours and base in SETS["our_acts"] and not possible and not reported:
        return Actor("we", many=True)
    if telling.reader and read.low[verb.first] in _DUTIES:
        return Actor("you", many=True)
    if telling.addressed and read.low[verb.first] in ("can", "may") and base in SETS["reader_acts"]:
        return Actor("you", many=True)
    return None


def _is_means(read: Syntax, by: int) -> bool:
    """Whether a "by" says by when or by what way, and not by whom: "by Friday", "by email"."""
    return is_deadline(read, by) or read.word(read.noun_phrase(by + 1) - 1) in SETS["media"]


def _shared(read: Syntax, participle: int) -> list[int] | None:
    """The participles behind "and" that share the "be"; None where another verb shares the subject."""
    found: list[int] = []
    for index in range(participle + 1, read.stop):
        if read.tags[index] not in ("CC", ","):
            continue
        place = index + 1
        while read.tag(place) == "RB":
            place += 1
        if read.tag(place) in ("VBN", "VBD") and read.tag(place + 1) in NOUN:
            break  # "written consent was …": another subject
        if read.tag(place) in ("VBN", "VBD") and read.low[place] not in ("was", "were", "had"):
            found.append(place)
        elif read.tag(place) in ("VBZ", "VBD", "VBP", "MD"):
            return None
    return found
