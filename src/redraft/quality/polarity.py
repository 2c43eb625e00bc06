"""Negations, quantifiers, modal verbs and opposites: small words whose loss turns a sentence round.

A change is reported only where what the word governs is still there: a sentence that was left out as a
whole, or said in other words, is not called changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from redraft.quality.base import MeaningChange
from redraft.text import list_lines, word_sets


def listed(words: str) -> frozenset[str]:
    """The words of a list that is easy to read."""
    return frozenset(words.split())


_SETS: Final = word_sets("redraft.quality")
NEGATIONS: Final = _SETS["polarity.negations"]
DENIALS: Final = _SETS["polarity.denials"]
"""These may say what a negation said: "did not win" is "failed to win"."""
PREFIX: Final = re.compile(r"(?:un|in|im|il|ir|dis|non|non-)(?=[a-z]{4})")
IDIOM: Final = re.compile(
    r"\b(?:not only|not just|not merely|not simply|no doubt|no wonder|whether or not|if not|no matter"
    r"|no\.? ?\d+|why not|not to mention|no longer than|nothing but|none other than"
    r"|cannot help|no less than|or not)\b"
)
REWRITES: Final = tuple(
    (re.compile(pattern), new.replace("_", " "))
    for pattern, _, new in (line.partition(" => ") for line in list_lines("redraft.quality", "rewrites.txt"))
)
TOKEN: Final = re.compile(r"[a-z]+(?:-[a-z]+)*|[.,;:!?()]|--|—")
BREAK: Final = frozenset(".,;:!?()—") | {"--", "but", "because", "although", "though", "while", "and", "or"}
FUNCTION: Final = _SETS["polarity.function_words"]
QUANTIFIERS: Final = {name: _SETS[f"quantifier.{name}"] for name in ("all", "most", "some", "few")}
MODALS: Final = {name: _SETS[f"modal.{name}"] for name in ("must", "may")}
ONLY: Final = _SETS["polarity.only"]
ONLY_TOO: Final = ONLY | _SETS["polarity.limits"]
OPPOSITES: Final = tuple(
    tuple(frozenset(side.split()) for side in line.split("|"))
    for line in list_lines("redraft.quality", "opposites.txt")
)

_ALIKE: Final = 0.75
_REACH: Final = 3
_FAR: Final = 12


@dataclass(frozen=True, slots=True)
class _Cue:
    """A small word, and the stems of the words that it governs."""

    word: str
    heads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A sentence as its words, for these checks."""

    words: tuple[str, ...]
    stems: frozenset[str]
    vocabulary: frozenset[str]

    def cues(self, words: frozenset[str]) -> list[_Cue]:
        return [_Cue(word, self._heads(i)) for i, word in enumerate(self.words) if word in words]

    def count(self, words: Iterable[str]) -> int:
        return sum(self.words.count(word) for word in words)

    def _heads(self, place: int) -> tuple[str, ...]:
        heads: list[str] = []
        for word in self.words[place + 1 : place + 1 + _FAR]:
            if len(heads) == _REACH or (word in BREAK and (heads or not word.isalpha())):
                break
            if word[0].isalpha() and word not in FUNCTION:
                heads.append(_stem(word))
        return tuple(heads)


@lru_cache(maxsize=4096)
def _read(text: str) -> _Reading:
    plain = text.lower().replace("’", "'")
    for pattern, replacement in REWRITES:
        plain = pattern.sub(replacement, plain)
    words = tuple(TOKEN.findall(IDIOM.sub("idiom", plain)))
    content = [word for word in words if word[0].isalpha() and word not in FUNCTION]
    return _Reading(words, frozenset(map(_stem, content)), frozenset(words))


def _stem(word: str) -> str:
    for ending in ("ing", "ied", "ies", "ed", "es", "ly", "s", "d", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word.removesuffix(ending)
            break
    return word[:6]


def polarity_changes(source: str, text: str) -> Iterator[MeaningChange]:
    """What such small words say otherwise in the revision of a sentence."""
    before, after = _read(source), _read(text)
    if before.words == after.words:
        return
    negated = list(_negation_changes(before, after))
    yield from negated
    yield from _swapped("quantifier", QUANTIFIERS, before, after)
    yield from _swapped("modal", MODALS, before, after)
    yield from (MeaningChange("only", before=word) for word in _only_lost(before, after))
    yield from (MeaningChange("only", after=word) for word in _only_lost(after, before))
    if not negated and _negations(before, after) == _negations(after, before):
        yield from _opposite(before, after)


def added_negations(source: str, text: str) -> tuple[int, float]:
    """How many more negations a revision has than its source, below 0 for fewer; and how alike they are.

    Other words that deny are allowed for on both sides. Unlike `polarity_changes`, this does not ask what the
    negations govern: in other words the same may be said without them.
    """
    before, after = _read(source), _read(text)
    more = _negations(after, before) - _negations(before, after)
    denied = after.count(DENIALS) - before.count(DENIALS)
    surplus = max(more - max(-denied, 0), 0) if more > 0 else min(more + max(denied, 0), 0)
    return surplus, _overlap(before, after)


def _negation_changes(before: _Reading, after: _Reading) -> Iterator[MeaningChange]:
    for here, there in ((before, after), (after, before)):
        surplus = _negations(here, there) - _negations(there, here)
        # Another word may have taken over the negation, in either text.
        surplus -= max(there.count(DENIALS) - here.count(DENIALS), 0)
        if surplus < 1:
            continue
        cues = [*here.cues(NEGATIONS), *(_Cue(word, (_stem(rest),)) for word, rest in _affixed(here, there))]
        denied = {head for cue in there.cues(NEGATIONS | DENIALS) for head in cue.heads}
        alike = _overlap(here, there) >= _ALIKE
        turned = [
            cue.word
            for cue in cues
            if (alike and not cue.heads) or (set(cue.heads[:2]) & there.stems and not set(cue.heads) & denied)
        ]
        for word in turned[:surplus]:
            lost = here is before
            yield MeaningChange("negation", *((word, "") if lost else ("", word)))


def _negations(here: _Reading, there: _Reading) -> int:
    """Negations, with "unhappy" where the other text has "happy"; "not unhappy" is none."""
    affixed = dict(_affixed(here, there))
    count = here.count(NEGATIONS) + len(affixed)
    doubled = sum(
        1
        for i, word in enumerate(here.words)
        if word in NEGATIONS and set(here.words[i + 1 : i + 3]) & affixed.keys()
    )
    return count - 2 * doubled


def _affixed(here: _Reading, there: _Reading) -> Iterator[tuple[str, str]]:
    for word in here.words:
        rest = PREFIX.sub("", word, count=1)
        if rest != word and rest in there.vocabulary and rest not in here.vocabulary:
            yield word, rest


def _overlap(one: _Reading, other: _Reading) -> float:
    total = len(one.stems) + len(other.stems)
    return 2 * len(one.stems & other.stems) / total if total else 1.0


def _swapped(
    what: Literal["quantifier", "modal"],
    classes: dict[str, frozenset[str]],
    before: _Reading,
    after: _Reading,
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
                if set(cue.heads[:2]) & set(new.heads[:2])
            )
            if pair := next(pairs, None):
                yield MeaningChange(what, *pair)


def _only_lost(here: _Reading, there: _Reading) -> list[str]:
    if there.count(ONLY_TOO) >= here.count(ONLY_TOO) or _overlap(here, there) < _ALIKE:
        return []
    return [cue.word for cue in here.cues(ONLY) if set(cue.heads[:1]) & there.stems][:1]


def _opposite(before: _Reading, after: _Reading) -> Iterator[MeaningChange]:
    for pair in OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if (
                before.count(one) > after.count(one)
                and after.count(other) > before.count(other)
                and before.count(other) < after.count(other)
            ):
                old = next(word for word in before.words if word in one)
                new = next(word for word in after.words if word in other)
                yield MeaningChange("opposite", old, new)
