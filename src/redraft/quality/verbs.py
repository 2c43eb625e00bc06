"""What a verb claims: that something will happen, may happen or happened; and verbs that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from redraft.quality.base import MeaningChange
from redraft.quality.persons import are_rivals
from redraft.quality.reading import SETS, stem
from redraft.quality.roles import lemma
from redraft.text import BY_FORM, FINITE, VERB, Syntax, analyse_syntax

_HEDGES: Final = SETS["verbs.hedges"]
_COPULAS: Final = SETS["verbs.copulas"]
_AMOUNTS: Final = SETS["verbs.amounts"]
"""Verbs that say of a figure no more than that it is so much."""
_REACH: Final = 4
"""How far before a figure its verb may stand."""
_FUTURE: Final = frozenset({"will", "'ll", "wo"})
_ABLE: Final = frozenset({"can", "could", "ca"})
_UNSURE: Final = frozenset({"may", "might"})
_CERTAIN: Final = frozenset({"past", "present", "future"})
_SEEMING: Final = frozenset({"seem", "appear"})
_LONGEST: Final = 1500
_LEAST: Final = 3
"""Letters of a verb: "m" for "am" is none."""
_Claim = Literal["future", "past", "present", "unsure", "able", "other"]


@dataclass(frozen=True, slots=True)
class _Group:
    """A finite verb with its auxiliaries: what it claims, its words, and the word before them."""

    claim: _Claim
    words: str
    subject: str


def verb_changes(source: str, text: str) -> Iterator[MeaningChange]:
    """Verbs that speak of another time, with another certainty, or that no longer say anything."""
    if max(len(source), len(text)) > _LONGEST:
        return
    before, after = _groups(source), _groups(text)
    hedged = {word for word in analyse_syntax(source).low if word in _HEDGES}
    hedged_after = {word for word in analyse_syntax(text).low if word in _HEDGES}
    for verb, old in before.items():
        new = after.get(verb)
        if new is not None and are_rivals(old.subject, new.subject):
            yield MeaningChange("person", old.subject, new.subject)
        if new is None or new.claim == old.claim or new.subject != old.subject:
            continue
        claims = {old.claim, new.claim}
        if claims == {"future", "past"} and not _alike_in_the_past(verb):
            yield MeaningChange("tense", old.words, new.words)
        surer = old.claim == "unsure" and new.claim in _CERTAIN and not hedged_after
        less_sure = new.claim == "unsure" and old.claim in _CERTAIN and not hedged
        if surer or less_sure or claims == {"able", "future"}:
            yield MeaningChange("modal", old.words, new.words)
    yield from _emptied(source, text)


def _alike_in_the_past(verb: str) -> bool:
    """Whether its form does not tell the past: "cut"."""
    return verb in BY_FORM and BY_FORM[verb].past == verb


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
        verb = _after_seeming(syntax, verbs[-1], end)
        if verb is not None:
            verbs.append(verb)
            end = verb + 1
        main = lemma(syntax, verbs[-1])
        subject = _word_before(syntax, place)
        if main == "be":
            main = f"be after {subject}"
        known = main in found or syntax.tags[place] not in FINITE
        claim = "unsure" if verb is not None else _claimed(syntax, verbs)
        own = _Group(claim, syntax.phrase_text(place, end), subject)
        found[main] = None if known else own
        place = end
    return {verb: group for verb, group in found.items() if group and verb not in ("have", "do")}


def _after_seeming(syntax: Syntax, verb: int, end: int) -> int | None:
    """The verb of what only seems to be so: "appears to rise", "is likely to rise"."""
    if lemma(syntax, verb) == "be" and syntax.word(end) == "likely":
        end += 1
    elif lemma(syntax, verb) not in _SEEMING:
        return None
    return end + 1 if syntax.tag(end) == "TO" and syntax.tag(end + 1) in VERB else None


def _word_before(syntax: Syntax, place: int) -> str:
    before = place - 1
    while syntax.tag(before) == "RB":
        before -= 1
    return syntax.word(before)


def _claimed(syntax: Syntax, verbs: list[int]) -> _Claim:
    first = syntax.low[verbs[0]]
    if first in _FUTURE:
        return "future"
    if first in _UNSURE:
        return "unsure"
    if first in _ABLE:
        return "able"
    if syntax.tags[verbs[0]] == "MD":
        return "other"
    perfect = first in ("has", "have", "'ve") and len(verbs) > 1
    return "past" if syntax.tags[verbs[0]] == "VBD" or perfect else "present"


def _emptied(source: str, text: str) -> Iterator[MeaningChange]:
    """A verb that became a mere "is" between the same words."""
    left, right = analyse_syntax(source), analyse_syntax(text)
    said = {stem(word) for word in right.low}
    places = {
        _around(right, place): place
        for place in range(1, right.stop)
        if right.tags[place] in FINITE and lemma(right, place) == "be"
    }
    for place in range(1, left.stop):
        verb = lemma(left, place)
        if left.tags[place] in FINITE and verb not in _COPULAS and stem(left.low[place]) not in said:
            new = places.get(_around(left, place))
            if new is not None and len(verb) >= _LEAST:
                yield MeaningChange("verb", left.words[place].text, right.words[new].text)
                return
    figures = _figures(right)
    for figure, place in _figures(left).items():
        verb, now = lemma(left, place), figures.get(figure)
        if now is None or lemma(right, now) != "be" or verb in _COPULAS | _AMOUNTS:
            continue
        if stem(left.low[place]) not in said and len(verb) >= _LEAST:
            yield MeaningChange("verb", left.words[place].text, right.words[now].text)
            return


def _figures(syntax: Syntax) -> dict[str, int]:
    """The numbers of a sentence, each with the place of the verb that tells it: "rose by about 12"."""
    found: dict[str, int] = {}
    for place in range(1, syntax.stop):
        if syntax.tags[place] == "CD":
            verb = place - 1
            while verb > place - _REACH and syntax.tag(verb) in ("RB", "IN", "TO", "$", "JJR"):
                verb -= 1
            if syntax.tag(verb) in VERB:
                found.setdefault(syntax.low[place], verb)
    return found


def _around(syntax: Syntax, place: int) -> tuple[str, str, str]:
    return syntax.word(place - 1), syntax.word(place + 1), syntax.word(place + 2)
