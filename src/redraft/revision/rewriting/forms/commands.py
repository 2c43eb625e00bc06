"""A sentence that tells what is to be done as a command: "the label should be read" as "read the label"."""

from __future__ import annotations

import re
from typing import Final

from redraft.revision.rewriting.edits import Edit, applied, capitalised, sound
from redraft.revision.rewriting.forms.addressees import are_others_between
from redraft.revision.rewriting.voice.active_verbs import conjugated
from redraft.revision.rewriting.voice.subjects import clause_start, subject_start
from redraft.revision.rewriting.voice.voice import SETS, forms_of, object_text
from redraft.text import (
    BY_FORM,
    HANDLED_VERBS,
    NOUN,
    SUBORDINATORS,
    PassiveVerb,
    Syntax,
    Told,
    analyse_syntax,
    is_main,
    passive_verbs,
    told_verbs,
)

_DENIALS: Final = frozenset({"not", "n't", "never"})
_HELPERS: Final = frozenset({
    "must", "should", "shall", "ought", "has", "have", "needs", "need", "to", "be", "is", "are", "can", "may",
    "cannot", "ca", "do", "been",
})  # fmt: skip
_SOME: Final = frozenset({
    "no", "few", "only", "some", "most", "many", "several", "other", "not", "even", "certain", "half",
})  # fmt: skip
"""Of these among a group the reader need not be one."""
_YOURS: Final = {"their": "your", "them": "you"}
_PLURAL: Final = frozenset({"NNS", "NNPS"})
_INVERTED: Final = re.compile(
    r"(?i)\b(?:never|under no circumstances|at no time|on no account) (?:should|must|may|can) "
    r"(?P<what>(?:the|your|a|an|this|any)(?: \w+){1,4}) be (?P<done>\w+)"
)


def commanded(sentence: str) -> str | None:
    """The sentence with commands for what is told; None where none can be put so.

    >>> commanded("The care label should be read, and pockets must not be forgotten.")
    'Read the care label, and do not forget pockets.'
    """
    now = _INVERTED.sub(_uninverted, sentence)
    read = analyse_syntax(now)
    told = {one.first: one for one in told_verbs(read)}
    passives = {one.first: one for one in passive_verbs(read, states=True)}
    chosen: list[Edit] = []
    for first in sorted({*told, *passives}):
        edits = _edits(read, told.get(first), passives.get(first), passives)
        apart = all(one.end <= other.start or other.end <= one.start for one in edits for other in chosen)
        if apart:
            chosen += edits
    made = applied(now, chosen)
    if made == sentence:
        return None
    opens = sentence[:1].isupper() or sentence[:1].isdigit()
    made = capitalised(made) if opens else made
    return made if sound(sentence, made) else None


def _uninverted(found: re.Match[str]) -> str:
    forms = forms_of(found["done"].lower(), "VBN")
    opening = found[0].split()[0]
    never = "never" if opening.islower() else "Never"
    return found[0] if forms is None else f"{never} {forms.base} {found['what']}"


def _edits(
    read: Syntax, told: Told | None, passive: PassiveVerb | None, passives: dict[int, PassiveVerb]
) -> list[Edit]:
    if told is None:
        return _left_or_when(read, passive) if passive is not None else []
    if told.kind in ("to", "not to"):
        asks = read.low[told.first + 2] in ("asked", "requested")
        new = "do not " if told.kind == "not to" else "please " if asks else ""
        return [Edit(read.words[told.first].start, read.words[told.verb].end, new + read.low[told.verb])]
    if told.kind == "active":
        return _addressed(read, told)
    if told.kind == "let":
        start = subject_start(read, told.first)
        people = read.word(told.first - 1) in SETS["readers"] | {"they"}
        if start is None or people:
            return []
        new = f"{_opening(list(read.low[told.first : told.verb]))}let {object_text(read, start, told.first)}"
        return [Edit(read.words[start].start, read.words[told.verb - 1].end, new)]
    assert passive is not None
    return _ordered(read, passive)


def _addressed(read: Syntax, told: Told) -> list[Edit]:
    """ "You should then attach it" as "then attach it"; the beans, for which you soak them, come first."""
    start = clause_start(read, told.first)
    subject = next((at for at in range(told.first - 1, start - 1, -1) if read.tags[at] not in ("RB",)), None)
    if subject is None or _SOME & {*read.low[start:subject]}:
        return []
    first = subject
    while first > start and read.tag(first - 1) in ("DT", "PRP$", "JJ", "NN"):
        first -= 1
    said = [*read.low[subject + 1 : told.first], *read.low[told.first : told.verb]]
    new = _opening(said)
    lead = "," if first > start and read.tag(start) == "IN" and read.tag(first - 1) != "," else ""
    begin = read.words[first - 1].end if lead else read.words[first].start
    space = " " if lead else ""
    edit = Edit(begin, read.words[told.verb].end, f"{lead}{space}{new}{read.words[told.verb].text}")
    if read.low[subject] in ("you", "we"):
        return [edit]
    theirs = [at for at in range(told.verb + 1, read.stop) if read.low[at] == "their" or _is_with(read, at)]
    if any(are_others_between(read, told.verb + 1, at) for at in theirs):
        return []
    own = [Edit(read.words[at].start, read.words[at].end, _YOURS[read.low[at]]) for at in theirs]
    return [edit, *own]


def _is_with(read: Syntax, place: int) -> bool:
    return read.low[place] == "them" and read.low[place - 1] == "with"


def _opening(helpers: list[str]) -> str:
    """What stands before the verb of a command: "do not", "never", "then"."""
    adverbs = [word for word in helpers if word not in _HELPERS | {"not", "n't"}]
    denied = {"not", "n't"} & {*helpers} or "cannot" in helpers
    said = [*(["do not"] if denied else []), *adverbs]
    if denied and adverbs and adverbs[0] in ("then", "also", "therefore"):
        said = [adverbs[0], "do not", *adverbs[1:]]
    return "".join(f"{word} " for word in said)


def _ordered(read: Syntax, verb: PassiveVerb) -> list[Edit]:
    forms = forms_of(read.low[verb.participle], "VBN")
    if forms is None or _goes_on(read, verb.participle):
        return []
    helpers = list(read.low[verb.first : verb.participle])
    opening = _opening(helpers)
    if read.tag(verb.first - 1) == "CC" or (
        read.tag(verb.first - 1) == "RB" and read.tag(verb.first - 2) == "CC"
    ):
        thing = _thing(read, verb.first)  # "… and must not be used": of what was spoken of before
        return [_edit(read, verb.first, verb.participle + 1, f"{opening}{forms.base} {thing}")]
    start = subject_start(read, verb.first)
    if start is None:
        return []
    said = object_text(read, start, verb.first)
    if said == "it" and read.word(verb.participle + 1) == "that":  # "it should be noted that"
        said = ""
    end, made = _with_particle(read, verb.participle, forms.base, said)
    lead = _lead_comma(read, start)
    begin = read.words[start - 1].end if lead else read.words[start].start
    edits = [Edit(begin, read.words[end - 1].end, f"{lead}{opening}{made}")]
    for place in _shared(read, verb.participle):
        other = forms_of(read.low[place], "VBN")
        if other is None:
            return []
        it = "them" if _is_many(read, verb.first) else "it"
        denied = read.low[place - 1] == "not"  # "closed but not locked"
        new = f"do not {other.base} {it}" if denied else f"{other.base} {it}"
        edits.append(_edit(read, place - denied, place + 1, new))
    return edits


def _lead_comma(read: Syntax, start: int) -> str:
    """A comma behind "in winter", where a command follows it."""
    first = clause_start(read, start)
    is_phrase = read.tag(first) == "IN" and first < start and read.tag(start - 1) != ","
    return ", " if is_phrase else ""


def _with_particle(read: Syntax, participle: int, base: str, said: str) -> tuple[int, str]:
    """The verb with its object, and the particle or preposition that goes before it: "look at the label"."""
    after = participle + 1
    following = read.tag(after + 1)
    stranded = read.tag(after) == "IN" and (after + 1 >= read.stop or following in (",", "CC", ".", "RB"))
    if read.tag(after) == "RP" or stranded:
        particle = read.low[after]
        is_short = said in ("it", "them", "him", "her", "this") and not stranded
        return after + 1, f"{base} {said} {particle}" if is_short else f"{base} {particle} {said}"
    return after, f"{base} {said}".rstrip()


def _thing(read: Syntax, verb: int) -> str:
    """ "it" or "them" for the subject of the clause before."""
    return "them" if _is_many(read, verb) else "it"


def _is_many(read: Syntax, verb: int) -> bool:
    start = clause_start(read, verb)
    place = start if start < verb else 0
    end = read.with_complements(place)
    while end > place and read.word(end) in ("and", ","):
        return True
    head = read.noun_phrase(place) - 1
    return read.tag(head) in _PLURAL or read.word(head) in ("they", "these", "those", "both")


def _goes_on(read: Syntax, participle: int) -> bool:
    """Whether a thing to which something is to be done also does something: "and goes in the box"."""
    for index in range(participle + 1, read.stop):
        if read.tags[index] == "CC" and not read.subject_and_verb(index + 1):
            place = index + 1
            while read.tag(place) == "RB":
                place += 1
            if read.tag(place) == "VBZ" and read.word(place) not in ("is", "has"):
                return True
    return False


def _shared(read: Syntax, participle: int) -> list[int]:
    """The participles behind "and" that share the "be": "put in water and then drained"."""
    found: list[int] = []
    for index in range(participle + 1, read.stop):
        if read.tags[index] == "CC":
            place = index + 1
            while read.tag(place) == "RB":
                place += 1
            if read.subject_and_verb(index + 1):
                break
            forms = forms_of(read.low[place], "VBN") if place < read.stop else None
            same = forms is not None and forms.participle == forms.base == read.low[place] != "let"  # "cut"
            # "and eaten", "and hung", which the tagger takes for a base form or a noun
            taken = (
                read.tag(place) in ("VB", "NN") and read.tag(place + 1) not in NOUN and _is_sure(read, place)
            )
            if forms is not None and (read.tag(place) in ("VBN", "VBD") or same or taken):
                found.append(place)
    return found


def _is_sure(read: Syntax, place: int) -> bool:
    """Whether a word can be nothing but a participle."""
    forms = BY_FORM.get(read.low[place])
    return forms is not None and forms.participle == read.low[place] != forms.base


def _left_or_when(read: Syntax, verb: PassiveVerb) -> list[Edit]:
    """What may be done as "you can", and what is done "before it is opened" as "before you open it"."""
    forms = forms_of(read.low[verb.participle], "VBN")
    start = subject_start(read, verb.first)
    by = "by" in read.low[verb.participle + 1 : verb.participle + 7]
    if forms is None or start is None or by or read.held[verb.first] or read.low[start] in ("you", "we", "i"):
        return []
    opener = read.word(start - 1)
    leave = read.low[verb.first] in ("can", "may") and is_main(read, verb.first)
    if leave and not (forms.base in HANDLED_VERBS or forms.base in ("give", "make", "obtain", "buy")):
        return []
    timed = opener in SUBORDINATORS & {"before", "after", "until", "once"}
    if not leave and not (timed and forms.base not in SETS["intransitive"]):
        return []
    made = conjugated(read, verb, forms.base, many=True)
    if not made:
        return []
    said = object_text(read, start, verb.first)
    end, _ = _with_particle(read, verb.participle, forms.base, said)
    particle = f" {read.low[end - 1]}" if end > verb.participle + 1 else ""
    whole = f"{made} {said}{particle}" if said in ("it", "them") else f"{made}{particle} {said}"
    lead = _lead_comma(read, start) if leave else ""
    begin = read.words[start - 1].end if lead else read.words[start].start
    return [Edit(begin, read.words[end - 1].end, f"{lead}you {whole}")]


def _edit(read: Syntax, start: int, end: int, new: str) -> Edit:
    return Edit(read.words[start].start, read.words[end - 1].end, new)
