"""Passives of which nobody says by whom, where English has a word for that: nobody, somebody, they, you."""

from __future__ import annotations

import re
from typing import Final

from redraft.revision.rewriting.edits import Edit
from redraft.revision.rewriting.voice.active_verbs import conjugated
from redraft.revision.rewriting.voice.subjects import subject_start
from redraft.revision.rewriting.voice.voice import OBJECTS, SETS, forms_of, object_text
from redraft.text import PassiveVerb, Syntax

_ADVISED: Final = re.compile(
    r"\b(?P<verb>suggest(?:s|ed)?|propose[sd]?|recommend(?:s|ed)?) that "
    r"(?P<what>(?:[a-z\d]+ ){1,5})be (?P<done>[a-z]+)\b(?! (?:and|or|but)\b)(?![^.;]* by\b)"
)
_NO_OBJECT: Final = frozenset({"not", "never", "only", "always", "and", "or", "that", "what", "who", "which"})
_PAST: Final = frozenset({"was", "were", "has", "have", "had"})
_PEOPLE: Final = frozenset({"i", "we", "he", "she", "they"})


def advice(sentence: str) -> str:
    """ "She suggested that offers be obtained" as "she suggested obtaining offers"."""

    def turned(found: re.Match[str]) -> str:
        forms = forms_of(found["done"], "VBN")
        what = found["what"].strip()
        if forms is None or _NO_OBJECT & {*what.split()}:
            return found[0]
        return f"{found['verb']} {forms.gerund} {OBJECTS.get(what, what)}"

    return _ADVISED.sub(turned, sentence)


def unsaid_edits(read: Syntax, verb: PassiveVerb, *, addressed: bool = False) -> list[Edit]:
    """What turns such a passive round; nothing where no such word would do.

    Who is `addressed` by a complaint is who did what is complained of.
    """
    forms = forms_of(read.low[verb.participle], "VBN")
    start = subject_start(read, verb.first)
    asks = forms is not None and forms.base in SETS["told_acts"]
    if asks and forms is not None and read.tag(verb.first - 1) == "CC":
        return _asked_too(read, verb, forms.base, addressed=addressed)
    if forms is None or start is None or "by" in read.low[verb.participle + 1 :]:
        return []
    if read.low[verb.first] not in _PAST or (read.tag(verb.participle + 1) in ("CC", "TO") and not asks):
        return []
    subject = read.phrase_text(start, verb.first).lower()
    helpers = read.low[verb.first : verb.participle]
    denied = {"not", "n't", "never"} & {*helpers} or subject == "nothing"
    if denied and forms.base in SETS["nobody_acts"]:
        return _nobody(read, verb, start, forms.base)
    if denied:
        return []
    if subject in _PEOPLE and forms.base in SETS["told_acts"]:
        who = "you" if addressed else "they"
    elif (
        forms.base in SETS["somebody_acts"]
        and read.low[verb.first] in ("was", "were")
        and subject not in _PEOPLE
    ):
        who = "someone"
    else:
        return []
    made = conjugated(read, verb, forms.base, many=who != "someone")
    return [_edit(read, verb, start, f"{who} {made} {object_text(read, start, verb.first)}")] if made else []


def _asked_too(read: Syntax, verb: PassiveVerb, base: str, *, addressed: bool) -> list[Edit]:
    """ "I got one and was asked to wait" as "I got one, and they asked me to wait"."""
    joint = verb.first - 1
    subjects = {*read.low[:joint]} & _PEOPLE
    made = conjugated(read, verb, base, many=True)
    if len(subjects) != 1 or not made or "by" in read.low[verb.participle + 1 :]:
        return []
    who = "you" if addressed else "they"
    said = OBJECTS[subjects.pop()]
    mark = "" if read.tag(joint - 1) == "," else ","
    new = f"{mark} {read.low[joint]} {who} {made} {said}"
    return [Edit(read.words[joint - 1].end, read.words[verb.participle].end, new)]


def _nobody(read: Syntax, verb: PassiveVerb, start: int, base: str) -> list[Edit]:
    """ "It has never been written down" as "nobody has ever written it down"."""
    made = conjugated(read, verb, base, many=False, affirmed=True).replace("never", "ever")
    said = object_text(read, start, verb.first)
    said = "anything" if said == "nothing" else said
    return [_edit(read, verb, start, f"nobody {made} {said}")] if made else []


def _edit(read: Syntax, verb: PassiveVerb, start: int, new: str) -> Edit:
    return Edit(read.words[start].start, read.words[verb.participle].end, new)
