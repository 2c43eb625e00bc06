"""What a verb claims: that something will happen, may happen or happened; and verbs that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from redraft.quality.base import MeaningChange
from redraft.quality.reading import SETS, stem
from redraft.quality.roles import lemma, parts_of, spelled
from redraft.text import FINITE, VERB, Syntax, align_words, analyse_syntax

_HEDGES: Final = SETS["verbs.hedges"]
_COPULAS: Final = SETS["verbs.copulas"]
_FUTURE: Final = frozenset({"will", "'ll", "wo"})
_UNSURE: Final = frozenset({"may", "might"})
_LONGEST: Final = 1500
_LEAST: Final = 3
"""Letters of a verb: "m" for "am" is none."""
_Claim = Literal["future", "past", "present", "unsure", "other"]


@dataclass(frozen=True, slots=True)
class _Group:
    """A finite verb with its auxiliaries: what it claims, and its words."""

    claim: _Claim
    words: str


def verb_changes(source: str, text: str) -> Iterator[MeaningChange]:
    """Verbs that speak of another time, with another certainty, or that no longer say anything."""
    if max(len(source), len(text)) > _LONGEST:
        return
    before, after = _groups(source), _groups(text)
    hedged = {word for word in analyse_syntax(source).low if word in _HEDGES}
    hedged_after = {word for word in analyse_syntax(text).low if word in _HEDGES}
    for verb, old in before.items():
        new = after.get(verb)
        if new is None or new.claim == old.claim:
            continue
        claims = {old.claim, new.claim}
        if claims == {"future", "past"}:
            yield MeaningChange("tense", old.words, new.words)
        elif (old.claim == "unsure" and new.claim in ("past", "present") and not hedged_after) or (
            new.claim == "unsure" and old.claim in ("past", "present") and not hedged
        ):
            yield MeaningChange("modal", old.words, new.words)
    yield from _emptied(source, text)


@lru_cache(maxsize=2048)
def _groups(text: str) -> dict[str, _Group]:
    """The groups by their main verbs; of a verb that occurs more than once, none."""
    syntax = analyse_syntax(text)
    found: dict[str, _Group | None] = {}
    place = 0
    while place < syntax.stop:
        if syntax.tags[place] not in VERB:
            place += 1
            continue
        verbs = [place]
        end = place + 1
        while syntax.tag(end) in VERB or (syntax.tag(end) == "RB" and syntax.tag(end + 1) in VERB):
            if syntax.tags[end] in VERB:
                verbs.append(end)
            end += 1
        main = lemma(syntax, verbs[-1])
        known = main in found or syntax.tags[place] not in FINITE
        found[main] = None if known else _Group(_claimed(syntax, verbs), syntax.phrase_text(place, end))
        place = end
    return {verb: group for verb, group in found.items() if group and verb not in ("be", "have", "do")}


def _claimed(syntax: Syntax, verbs: list[int]) -> _Claim:
    first = syntax.low[verbs[0]]
    if first in _FUTURE:
        return "future"
    if first in _UNSURE:
        return "unsure"
    if syntax.tags[verbs[0]] == "MD":
        return "other"
    perfect = first in ("has", "have", "'ve") and len(verbs) > 1
    return "past" if syntax.tags[verbs[0]] == "VBD" or perfect else "present"


def _emptied(source: str, text: str) -> Iterator[MeaningChange]:
    """A verb that became a mere "is" between the same subject and the same object."""
    before, after = parts_of(source), parts_of(text)
    said = {stem(word) for word in analyse_syntax(text).low}
    for subject, parts in before.items():
        for relation, verb in parts:
            if relation != "subject" or verb in _COPULAS or len(verb) < _LEAST or stem(verb) in said:
                continue
            objects = [word for word, own in before.items() if ("object", verb) in own]
            linked = [
                copula
                for other in objects
                for relation_after, copula in after.get(other, ())
                if copula in _COPULAS and (relation_after, copula) in after.get(subject, ())
            ]
            if linked and not _replaced(source, text, verb):
                yield MeaningChange("verb", spelled(source, verb), spelled(text, linked[0]))


def _replaced(source: str, text: str, verb: str) -> bool:
    """Whether a word that is no mere "is" took the verb's place."""
    left, right = analyse_syntax(source), analyse_syntax(text)
    return any(
        lemma(left, i) == verb and lemma(right, j) not in _COPULAS
        for i, j in align_words(left.low, right.low)
    )
