"""Negations, quantifiers, modal verbs and opposites: small words whose loss turns a sentence round.

A change is reported only where what the word governs is still there: a sentence that was left out as a
whole, or said in other words, is not called changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from redraft.quality.base import MeaningChange
from redraft.quality.opposites import DENIALS, NEGATIONS, opposites, other_parties, turned_prepositions
from redraft.quality.reading import SETS, Cue, Reading, overlap, read, stem
from redraft.text import antonyms


def listed(words: str) -> frozenset[str]:
    """The words of a list that is easy to read."""
    return frozenset(words.split())


PREFIX: Final = re.compile(r"(un|in|im|il|ir|dis|non|non-)(?=[a-z]{4})")
SURE_PREFIXES: Final = frozenset({"un", "non", "non-"})
DENIED_ENDINGS: Final = ("able", "ible", "ably", "ibly", "ent", "ant", "ently", "antly", "al", "ally")
QUANTIFIERS: Final = {name: SETS[f"quantifier.{name}"] for name in ("all", "most", "some", "few", "none")}
MODALS: Final = {name: SETS[f"modal.{name}"] for name in ("must", "should", "may")}
HINTING: Final = SETS["verbs.hinting"]
PROVING: Final = SETS["verbs.proving"]
LATER: Final = frozenset({"once", "after", "when", "as-soon-as"})
ONLY: Final = SETS["polarity.only"]
ONLY_TOO: Final = ONLY | SETS["polarity.limits"]
HARDLY: Final = SETS["polarity.hardly"]
CONDITIONS: Final = SETS["polarity.conditions"]
CONDITIONS_TOO: Final = CONDITIONS | SETS["polarity.conditions_too"]

_ALIKE: Final = 0.75
_THIRD: Final = 1 / 3
_CLOSE: Final = 10


def polarity_changes(source: str, text: str) -> Iterator[MeaningChange]:
    """What such small words say otherwise in the revision of a sentence."""
    before, after = read(source), read(text)
    if before.words == after.words:
        return
    turned = list(turned_prepositions(before, after)) if overlap(before, after) >= _THIRD else []
    yield from (MeaningChange(_kind_of(pair), *(word.replace("-", " ") for word in pair)) for pair in turned)
    yield from (MeaningChange("role", *pair) for pair in other_parties(before, after))
    contrary = opposites(before, after)
    negated = list(_negation_changes(before, after, len(contrary) + len(turned)))
    yield from negated
    yield from (MeaningChange("negation", before=word) for word in _hardly_lost(before, after))
    yield from (MeaningChange("negation", after=word) for word in _hardly_lost(after, before))
    yield from _swapped("quantifier", QUANTIFIERS, before, after)
    yield from _swapped("modal", MODALS, before, after)
    yield from _proved(before, after)
    yield from (MeaningChange("only", before=word) for word in _only_lost(before, after))
    yield from (MeaningChange("only", after=word) for word in _only_lost(after, before))
    yield from (MeaningChange("condition", before=word) for word in _condition_lost(before, after, turned))
    yield from (MeaningChange("condition", after=word) for word in _condition_lost(after, before, turned))
    if not negated and _negations(before, after) == _negations(after, before):
        yield from (
            MeaningChange("opposite", old.replace("-", " "), new.replace("-", " ")) for old, new in contrary
        )


def _kind_of(pair: tuple[str, str]) -> Literal["negation", "condition", "opposite"]:
    if "without" in pair:
        return "negation"
    return "condition" if {"unless", "until", "till"}.intersection(pair) else "opposite"


def added_negations(source: str, text: str) -> tuple[int, float]:
    """How many more negations a revision has than its source, below 0 for fewer; and how alike they are.

    Other words that deny are allowed for on both sides. Unlike `polarity_changes`, this does not ask what the
    negations govern: in other words the same may be said without them.
    """
    before, after = read(source), read(text)
    more = _negations(after, before) - _negations(before, after)
    contrary = len(opposites(before, after))
    more = max(more - contrary, 0) if more > 0 else min(more + contrary, 0)
    denied = after.count(DENIALS) - before.count(DENIALS)
    surplus = max(more - max(-denied, 0), 0) if more > 0 else min(more + max(denied, 0), 0)
    return surplus, overlap(before, after)


def _negation_changes(before: Reading, after: Reading, told: int) -> Iterator[MeaningChange]:
    """Negations beyond those that opposites make up for: "not bad" is "good"."""
    for here, there in ((before, after), (after, before)):
        surplus = _negations(here, there) - _negations(there, here)
        # Another word may have taken over the negation, in either text.
        surplus -= max(there.count(DENIALS) - here.count(DENIALS), 0) + told
        if surplus < 1:
            continue
        cues = [*here.cues(NEGATIONS), *(Cue(word, (stem(rest),)) for word, rest in _affixed(here, there))]
        denied = {head for cue in there.cues(NEGATIONS | DENIALS) for head in cue.heads}
        alike = overlap(here, there) >= _ALIKE
        turned = [
            cue.word
            for cue in cues
            if (alike and not cue.heads)
            or (set(cue.heads[:2]) & there.stems and not set(cue.heads[:1]) & denied)
        ]
        for word in turned[:surplus]:
            lost = here is before
            yield MeaningChange("negation", *((word, "") if lost else ("", word)))


def _negations(here: Reading, there: Reading) -> int:
    """Negations, with "unhappy" where the other text has "happy"; "not unhappy" is none."""
    affixed = dict(_affixed(here, there))
    count = here.count(NEGATIONS) + len(affixed)
    doubled = sum(
        1
        for i, word in enumerate(here.words)
        if word in NEGATIONS and set(here.words[i + 1 : i + 3]) & affixed.keys()
    )
    return count - 2 * doubled - _limited(here, there)


def _limited(here: Reading, there: Reading) -> int:
    """Negations that the other says otherwise: "not without" is "only with", "not until" is "once"."""
    words: set[str] = set()
    if there.count(ONLY) > here.count(ONLY):
        words |= {"without", "unless", "until", "till"}
    if there.count(LATER) > here.count(LATER):
        words |= {"until", "till"}
    for place, word in enumerate(here.words):
        if word in words and NEGATIONS & set(here.words[max(place - _CLOSE, 0) : place]):
            return 2 if word == "without" else 1
    return 0


def _affixed(here: Reading, there: Reading) -> Iterator[tuple[str, str]]:
    for word in here.words:
        prefix = PREFIX.match(word)
        rest = word[prefix.end() :] if prefix else ""
        if prefix and rest in there.vocabulary and rest not in here.vocabulary:
            apart = f"{prefix[1]} {rest}" in " ".join(there.words)
            if not apart and (
                prefix[1] in SURE_PREFIXES
                or rest.endswith(DENIED_ENDINGS)
                or rest in antonyms().get(word, ())
            ):
                yield word, rest


def _swapped(
    what: Literal["quantifier", "modal"],
    classes: dict[str, frozenset[str]],
    before: Reading,
    after: Reading,
) -> Iterator[MeaningChange]:
    """A word of one class where there was one of another, before the same words."""
    lost = {name for name, words in classes.items() if before.count(words) > after.count(words)}
    gained = {name for name, words in classes.items() if after.count(words) > before.count(words)}
    for name in sorted(lost):
        for other in sorted(gained):
            pairs = (
                (cue.word, new.word)
                for cue in before.cues(classes[name])
                for new in after.cues(classes[other])
                if set(cue.heads[:2]) & set(new.heads[:2]) and not _both_forbid(cue, new)
            )
            if pair := next(pairs, None):
                yield MeaningChange(what, *pair)


def _both_forbid(old: Cue, new: Cue) -> bool:
    """Whether neither allows anything: "must not" and "may not"."""
    forbidding = MODALS["must"] | MODALS["may"]
    return {old.word, new.word} <= forbidding and "not" in old.following[:1] and "not" in new.following[:1]


def _proved(before: Reading, after: Reading) -> Iterator[MeaningChange]:
    """What was only suggested, and is now shown; or the other way round."""
    for old, new in ((HINTING, PROVING), (PROVING, HINTING)):
        if before.count(old) > after.count(old) and after.count(new) > before.count(new):
            for cue in before.cues(old):
                there = [one for one in after.cues(new) if set(cue.heads[:2]) & set(one.heads[:2])]
                yield from (MeaningChange("verb", cue.word, one.word) for one in there[:1])


def _only_lost(here: Reading, there: Reading) -> list[str]:
    if (
        there.count(ONLY_TOO) >= here.count(ONLY_TOO)
        or overlap(here, there) < _ALIKE
        or _limited(there, here)
    ):
        return []
    return [cue.word for cue in here.cues(ONLY) if set(cue.heads[:1]) & there.stems][:1]


def _hardly_lost(here: Reading, there: Reading) -> list[str]:
    denying = DENIALS | NEGATIONS
    if there.count(denying) >= here.count(denying) or there.count(HARDLY):
        return []
    return [cue.word for cue in here.cues(HARDLY) if set(cue.heads[:2]) & there.stems][:1]


def _condition_lost(here: Reading, there: Reading, turned: list[tuple[str, str]]) -> list[str]:
    """An exception that is gone, or new, in what else is said in much the same words."""
    if turned or there.count(CONDITIONS_TOO) >= here.count(CONDITIONS_TOO):
        return []
    words = [word for word in here.words if word in CONDITIONS]
    return words[:1] if len(there.stems - here.stems) * 4 <= len(there.stems) else []
