"""Who speaks and who is spoken to: "we" that became "I", and a party to a rule that became "you"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.quality.base import MeaningChange
from redraft.quality.reading import SETS, Reading, read
from redraft.text import Document, Syntax, analyse_syntax, passive_verbs

_FORMS: Final = {name: SETS[f"persons.{name}"] for name in ("i", "we", "you", "he", "she")}
_RIVALS: Final = (frozenset({"i", "we", "you"}), frozenset({"he", "she"}))
"""Of these, one that came in for another speaks of somebody else."""
_GENERAL: Final = SETS["persons.general"]
"""Whom "you" may stand for."""
_OWN: Final = SETS["persons.own"]
"""What the writers call themselves, where they do not say "we"."""
_BE: Final = SETS["roles.be"]
_REQUEST: Final = re.compile(r"(?i)\A\W*(?:so |then |and )?please\b|\b(?:could|would|can|will) you\b")
_ASKED: Final = re.compile(r"(?i)\A\W*(?:could|would|will|can) you\b")
_LEAVE: Final = re.compile(r"(?i)\A\W*you (?:can|may|could|might)\b")
_NO_DEED: Final = re.compile(
    r"(?i)\b(?:note|find|see|remember|be (?:aware|assured|advised)|keep in mind|bear in mind|accept|let"
    r"|rest assured|(?:do not|don['’]t) (?:forget|worry|hesitate))\b"
)
_DUTY: Final = re.compile(
    r"(?i)\b(?:you|your|must|shall|should|ought|needs?|ha(?:ve|s) to|(?:is|are) to|can|may|could|might|due"
    r"|only|please|requir\w+|request\w*|ask\w*|oblig\w+|expect\w*|remind\w*|advis\w+|urg\w+|invit\w+"
    r"|encourag\w+|allow\w*|permit\w*|prohibit\w*|forbid\w*|welcome|necessary|important|essential"
    r"|mandatory|compulsory|want\w*|wish\w*|hop\w+|appreciat\w+|grateful|recommend\w*|suggest\w*"
    r"|no|not|never|forgot\w*|wait\w*)\b|n['’]t\b"
)
"""By these a statement may ask for something: "payment is due", "you were to call", "I am waiting"."""


def person_changes(source: str, text: str) -> Iterator[MeaningChange]:
    """The persons that took the place of others; courtesies such as "could you please" bring nobody in."""
    before, after = read(source), read(text)
    gone, come = _persons(before) - _persons(after), _persons(after) - _persons(before)
    told = False
    if _is_other_speaker(before, after):
        told = True
        yield MeaningChange("person", before.words[0], after.words[0])
    for rivals in _RIVALS:
        for one in sorted(gone & rivals):
            for other in sorted(come & rivals & after.vocabulary):
                told = True
                yield MeaningChange("person", one, other)
    if not told and "you" in come & after.vocabulary and (party := _bound_party(source)):
        yield MeaningChange("person", party, "you")


def asked_of_reader(source: str, text: str) -> Iterator[MeaningChange]:
    """What is told as done, and has become a request: "The fee is returned" as "Please return the fee"."""
    before, after = _orders(source), _orders(text)
    if before or not after:
        return
    if _LEAVE.search(source) and (asked := [one for one in after if _ASKED.search(one)]):
        yield MeaningChange("person", source.rstrip(".!"), asked[0])  # what one may do, nobody is asked for
    if _DUTY.search(source):
        return
    for sentence in Document(source, "text").sentences:
        syntax = analyse_syntax(sentence.text)
        if syntax.main is not None and (syntax.tags[syntax.main] == "VBD" or passive_verbs(syntax)):
            yield MeaningChange("person", sentence.text.rstrip(".!"), after[0])
            return


def _orders(text: str) -> list[str]:
    """The sentences that ask for something or command it; to take note of what is said is no deed."""
    return [
        sentence.text
        for sentence in Document(text, "text").sentences
        if not _NO_DEED.search(sentence.text)
        and (_REQUEST.search(sentence.text) or _commands(analyse_syntax(sentence.text)))
    ]


def _commands(syntax: Syntax) -> bool:
    return syntax.main is not None and syntax.main == syntax.opening() and syntax.tags[syntax.main] == "VB"


def _is_other_speaker(before: Reading, after: Reading) -> bool:
    """Whether "I" opens what "we" opened, or the other way round, and not for a mere "I think"."""
    old, new = before.words[:1], after.words[:1]
    fewer, more = before.count(old) > after.count(old), after.count(new) > before.count(new)
    return {*old, *new} == {"i", "we"} and fewer and more


def are_rivals(one: str, other: str) -> bool:
    """Whether two subjects are persons of whom one is not the other."""
    return one != other and any({one, other} <= rivals for rivals in _RIVALS)


def _persons(reading: Reading) -> set[str]:
    found = {name for name, forms in _FORMS.items() if forms & reading.vocabulary}
    return found | ({"we"} if _OWN & reading.vocabulary else set())


def _bound_party(source: str) -> str:
    """Whom a rule binds that speaks to nobody; empty where "you" may be whoever is meant."""
    found = ""
    for sentence in Document(source, "text").sentences:
        syntax = analyse_syntax(sentence.text)
        if syntax.main is None or syntax.main == syntax.opening() or _GENERAL.intersection(syntax.low):
            return ""
        found = found or _subject_of_modal(syntax)
    return found


def _subject_of_modal(syntax: Syntax) -> str:
    """The noun of which a sentence says what it must or may do; of what is done to it, none."""
    for place in range(1, syntax.stop):
        if syntax.tags[place] == "MD" and syntax.tag(place - 1) in ("NN", "NNS", "NNP", "NNPS"):
            is_passive = _BE.intersection(syntax.low[place + 1 : place + 3])
            return "" if is_passive else syntax.words[place - 1].text
    return ""
