"""Sentences that speak of nobody: without "I think", "we found" and "our results"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import capitalised, sound
from redraft.revision.rewriting.voice.into_passives import unnamed, was
from redraft.revision.rewriting.voice.voice import SETS, forms_of
from redraft.text import Person, find_person

_LEAD: Final = r"(?P<lead>^|(?<=, )|(?<=; )|(?<=\band )|(?<=\bbut )|(?<=\bthat )|(?<=\bbecause ))"
_ADVERB: Final = r"(?:(?:also|strongly|firmly|really|personally|still|now|therefore|thus|have|can) )?"
_SAYING: Final = (
    "think|believe|feel|find|found|show|showed|shown|conclude|concluded|observe|observed|note|noted|see|saw"
)
_FINITE: Final = "is|are|was|were|will|would|should|can|could|has|have"
_OPINION: Final = re.compile(
    rf"{_LEAD}(?:(?:I|[Ww]e) {_ADVERB}(?:{_SAYING}) that,? "
    rf"|(?:I|[Ww]e) (?:think|believe|feel)(?=(?: \w+){{1,4}} (?:{_FINITE})\b) "
    r"|[Ii]n (?:my|our) (?:humble |honest |own )?(?:opinion|view),? "
    r"|[Ff]rom (?:my|our) (?:point of view|perspective),? )"
)
_INSERTED: Final = re.compile(
    r", (?:I|we) (?:think|believe|feel|suppose|guess),(?= )|, (?:I|we) (?:think|believe|feel)(?=[.!])"
)
_OWN: Final = re.compile(
    r"\b(?P<our>[Oo]ur|[Mm]y)(?= (?:\w+ ){0,2}(?:results?|findings?|study|studies|data|analys[ie]s|methods?"
    r"|approach|models?|experiments?|work|paper|article|report|survey|samples?|hypothes[ie]s|aim|goal|objective"
    r"|conclusions?|observations?|measurements?|systems?|algorithms?|evaluation|dataset|investigation|thesis"
    r"|framework|simulations?|calculations?|tests?|estimates?|research)\b)"
)
_RELATIVE: Final = re.compile(
    r"\b(?!(?:at|in|on|to|with|from|for|of|by|through|under|over|about|into) )"
    r"(?P<noun>[a-z]+)(?P<comma>,? )(?P<that>which|that) (?:I|we) (?P<verb>[a-z]+)"
    r"(?=[.,;]| (?:in|on|at|from|with|for)\b)"
)
_SUBJECTS: Final[dict[Person, frozenset[str]]] = {
    "first": frozenset({"i", "we"}),
    "first singular": frozenset({"i"}),
    "second": frozenset({"you"}),
}


def impersonal(sentence: str, person: Person, *, passive: bool = True) -> list[str]:
    """The sentence in ways that do without a person, the least changed first.

    Without `passive`, none of them is a passive.

    >>> impersonal("I think that the plan is good.", "first")
    ['The plan is good.']
    >>> impersonal("We measured the flow in May.", "first")
    ['The flow was measured in May.']
    """
    found = [one for one in _ways(sentence, person, passive) if one != sentence and sound(sentence, one)]
    return list(dict.fromkeys(found))


def _ways(sentence: str, person: Person, passive: bool) -> Iterator[str]:
    plain = sentence if person == "second" else _without_opinion(sentence)
    if plain != sentence:
        yield plain
    if person == "first":
        owned = _OWN.sub(lambda found: "The" if found["our"][0].isupper() else "the", plain)
        yield owned
        plain = owned
    related = _RELATIVE.sub(_of_relative, plain) if passive and person != "second" else plain
    if related != plain:
        yield related
        plain = related
    if passive and find_person(plain, person) and (turned := unnamed(plain, _SUBJECTS[person])):
        yield turned


def _of_relative(found: re.Match[str]) -> str:
    """ "the samples that we collected" as "the samples that were collected"."""
    low = found["verb"]
    past = forms_of(low, "VBD")
    is_past = past is not None and past.past == low != past.base
    forms = past if is_past else forms_of(low, "VBP")
    if forms is None or forms.base in SETS["intransitive"] or found["noun"] in ("day", "time", "way", "year"):
        return found[0]
    be = was(is_past, found["noun"].endswith("s") and not found["noun"].endswith("ss"))
    return f"{found['noun']}{found['comma']}{found['that']} {be} {forms.participle}"


def _without_opinion(sentence: str) -> str:
    text = _OPINION.sub("", _INSERTED.sub("", sentence))
    return capitalised(text) if text != sentence and sentence[:1].isupper() else text
