"""A sentence without its passives, by who the text says acts, or by an active verb of the same subject."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from redraft.revision.rewriting.edits import Edit, applied, capitalised, sound, uncapital
from redraft.revision.rewriting.voice.activation import active_versions
from redraft.revision.rewriting.voice.active_verbs import edits_of
from redraft.revision.rewriting.voice.actors import Telling, actor_edits
from redraft.revision.rewriting.voice.by_agents import turned_by_agents, turns_meaning
from redraft.revision.rewriting.voice.indefinite_actors import advice, unsaid_edits
from redraft.revision.rewriting.voice.subjects import subject_start
from redraft.revision.rewriting.voice.voice import SETS
from redraft.text import PassiveVerb, Syntax, analyse_syntax, find_marks, passive_verbs

_AGAIN: Final = re.compile(
    r"(?P<first>\b(?P<be>was|were) \w+ed )(?P<rest>(?:\w+ ){0,3}?)and (?P=be) (?P<two>\w+ed\b)(?! by)"
)
"""A second passive of the same subject: "was scanned and was compared"."""
_GREETED: Final = re.compile(
    r"(?i)\A(?:(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))\b[^,.!?;:]{0,40},\s+)+(?=\S)"
)
_PLACES: Final = frozenset(
    ["in", "on", "at", "under", "near", "behind", "beside", "inside", "below", "above"]
)


def without_passives(
    sentence: str, telling: Telling | None = None, spoken_of: Collection[str] = ()
) -> str | None:
    """The sentence with as few passives as can be; None where none can go.

    >>> without_passives("The alarm was not triggered.")
    'The alarm did not go off.'
    """
    telling = telling or Telling()
    greeted = _GREETED.match(sentence)  # "Dear all, the form was approved by the board"
    if greeted is None:
        return _told(sentence, telling, spoken_of)
    said = sentence[greeted.end() :]
    made = _told(said, telling, spoken_of)
    if made is None or said[0].isupper() or made.split()[0] in said:
        return made and greeted[0] + made
    return greeted[0] + uncapital(made, analyse_syntax(made).tags[0])


def _told(sentence: str, telling: Telling, spoken_of: Collection[str]) -> str | None:
    """The same of a sentence that greets nobody."""
    made = turned_by_agents(sentence)
    made = made if sound(sentence, made) else sentence
    made = made if turns_meaning(made) else next(iter(active_versions(made)), made)
    made = advice(made)
    joined = _AGAIN.sub(r"\g<first>\g<rest>and \g<two>", made) if telling.ours else made
    turned = _turned(joined, telling, spoken_of)
    made = made if turned is None else turned
    fewer = len(find_marks(made, "passive")) < len(find_marks(sentence, "passive"))
    return made if made != sentence and (fewer or turned) and sound(sentence, made) else None


def _turned(sentence: str, telling: Telling, spoken_of: Collection[str]) -> str | None:
    read = analyse_syntax(sentence)
    chosen: list[Edit] = []
    for verb in passive_verbs(read, states=True):
        if read.held[verb.first]:
            continue
        ways = [
            [one] if (one := _is_there(read, verb)) else [],
            *([one] for one in edits_of(read, verb, spoken_of)),
            actor_edits(read, verb, telling),
            [one] if (one := _there_is(read, verb)) else [],
            unsaid_edits(read, verb, addressed=telling.complains),
        ]
        for edits in ways:
            apart = all(one.end <= other.start or other.end <= one.start for one in edits for other in chosen)
            if edits and apart:
                chosen += edits
                break
    if not chosen:
        return None
    made = applied(sentence, chosen)
    return capitalised(made) if sentence[:1].isupper() else made


def _is_there(read: Syntax, verb: PassiveVerb) -> Edit | None:
    """ "The form can be found on the page" as "the form is on the page"."""
    placed = read.low[verb.participle] == "found" and read.word(verb.participle + 1) in _PLACES
    if not placed or [*read.low[verb.first : verb.participle]] != ["can", "be"] or not verb.first:
        return None
    start = subject_start(read, verb.first)
    subject = {*read.low[start : verb.first]} if start is not None else set()
    many = read.tag(verb.first - 1) in ("NNS", "NNPS") or bool(subject & {"and", "they", "these", "those"})
    said = "are" if many else "is"
    return Edit(read.words[verb.first].start, read.words[verb.participle].end, said)


def _there_is(read: Syntax, verb: PassiveVerb) -> Edit | None:
    """ "No changes were made" as "there were no changes"."""
    start = subject_start(read, verb.first)
    if start is None or read.low[start] != "no" or read.low[verb.participle] not in SETS["just_there"]:
        return None
    helpers = read.phrase_text(verb.first, verb.be + 1).lower()
    if read.tag(verb.first) == "MD":
        return None
    said = f"there {helpers} no {read.phrase_text(start + 1, verb.first)}"
    return Edit(read.words[start].start, read.words[verb.participle].end, said)
