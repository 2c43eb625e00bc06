"""Errors that a few words tell by themselves, and what is right in their place.

The patterns stand in `data/slips.txt`, which says how they are written; phrases that are wrong as they are in
`data/wrong-phrases.txt`. Each is narrow: what it finds is an error in nearly any text, and is mended without
asking a model. `benchmarks/slips.py` counts what they find in prose without errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from redraft.revision.corrections.slip_words import FORMS_OF_WORDS, is_in, listed, verb_of
from redraft.revision.corrections.wrong_phrases import wrong_phrases
from redraft.revision.rewriting.edits import cased_like
from redraft.text import Span, Tagged, borrowed_spans, list_lines, tagged

_PLACE: Final = re.compile(r"(?P<ask>.+?)(?P<often>[?*+])?")
_CLITIC: Final = re.compile(r"'(?:s|m|re|ve|ll|d)\Z")
_MOST: Final = {"*": 3, "+": 6}
"""Words that a place with such a mark may stand for; none is enough."""
_MARKS: Final = frozenset('.,;:!?…)”"')
_CLAUSE_MARKS: Final = frozenset({",", ";", ":", "(", "—", "–", "-", "“", '"'})
_GROUPS: Final = {
    "V": ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG"),
    "N": ("NN", "NNS", "NNP", "NNPS"),
}
_ROUNDS: Final = 3
"""How often a mended sentence is looked at again: a mended word may show another error."""


@dataclass(frozen=True, slots=True)
class Slip:
    """An error at `text[start:end]`, what is right, and the pattern that found it."""

    start: int
    end: int
    right: str
    pattern: str


Test = Callable[[Sequence[Tagged], int], bool]


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of a pattern: what stands there, how often, and whether it is replaced.

    `looks` is what is added to the place that is looked at where nothing is taken: 0 is the next word, -1 the
    last.
    """

    test: Test
    least: int
    most: int
    wrong: bool
    looks: int | None = None


@dataclass(frozen=True, slots=True)
class _Pattern:
    line: str
    places: tuple[_Place, ...]
    right: tuple[str, ...]
    needed: frozenset[str] | None
    """Words, or base forms of verbs, of which one must be there."""
    last: bool

    def at(
        self, words: Sequence[Tagged], at: int, number: int = 0, wrong: tuple[int, int] | None = None
    ) -> tuple[int, int] | None:
        """The words that are wrong where the pattern fits from a word on."""
        if number == len(self.places):
            return wrong
        place = self.places[number]
        if place.looks is not None:
            return self.at(words, at, number + 1, wrong) if place.test(words, at + place.looks) else None
        fits = 0
        while fits < place.most and at + fits < len(words) and place.test(words, at + fits):
            fits += 1
        for count in range(fits, place.least - 1, -1):
            now = (wrong[0] if wrong else at, at + count) if place.wrong else wrong
            if found := self.at(words, at + count, number + 1, now):
                return found
        return None


def slips(sentence: str, *, last: bool = True) -> list[Slip]:
    """The errors of a sentence that the patterns find, from left to right; none in quotations and code.

    Without `last`, those are left that an editor mends better, as it sees which tense is meant.
    """
    return list(_slips(sentence, last))


@lru_cache(maxsize=4096)
def _slips(sentence: str, last: bool) -> tuple[Slip, ...]:
    words = [word._replace(text=word.text.replace("’", "'")) for word in tagged(sentence)]
    kept = borrowed_spans(sentence)
    lows = {word.text.lower() for word in words}
    lows |= {verb_of(low) for low in lows}
    patterns = [
        one for one in _patterns() if (last or not one.last) and (one.needed is None or one.needed & lows)
    ]
    found: list[Slip] = []
    for start in range(len(words) + 1):
        for pattern in patterns:
            if span := pattern.at(words, start):
                slip = _slip(sentence, words, span, pattern)
                if slip is not None and _is_free(slip, found, kept):
                    found.append(slip)
    phrases = [Slip(there.start, there.end, right, line) for there, right, line in wrong_phrases(sentence)]
    found += [slip for slip in phrases if _is_free(slip, found, kept)]
    return tuple(sorted(found, key=lambda one: one.start))


def without_slips(sentence: str, quoted: Sequence[str] = (), *, last: bool = True) -> str:
    """The sentence with what the patterns find put right; `quoted` are stretches that stay as they are."""
    for _ in range(_ROUNDS):
        places = [(sentence.find(one), len(one)) for one in quoted]
        kept = [Span(start, start + length) for start, length in places if start >= 0]
        found = [slip for slip in slips(sentence, last=last) if _is_free(slip, (), kept)]
        if not found:
            break
        for slip in reversed(found):
            sentence = _put(sentence, slip)
    return sentence


def _put(sentence: str, slip: Slip) -> str:
    before, after = sentence[: slip.start], sentence[slip.end :]
    if slip.right:
        return before + slip.right + after
    if not before.strip():
        after = after.lstrip()
        return before + after[:1].upper() + after[1:]
    return before.rstrip(" ") + after


def _is_free(slip: Slip, found: Sequence[Slip], kept: Sequence[Span]) -> bool:
    """Whether a slip lies apart from the others, and from what is not the writer's own."""
    others = [(one.start, one.end) for one in found]
    return all(slip.end <= start or slip.start >= end for start, end in others) and not any(
        slip.start < span.end and span.start < slip.end for span in kept
    )


def _slip(sentence: str, words: Sequence[Tagged], span: tuple[int, int], pattern: _Pattern) -> Slip | None:
    wrong = words[span[0] : span[1]]
    start, end = wrong[0].start, wrong[-1].end
    made: list[str] = []
    for part in pattern.right:
        number, _, form = part.partition(".")
        if not number.isdigit():
            made.append(part)
            continue
        word = wrong[int(number) - 1].text
        new = FORMS_OF_WORDS[form](word.lower()) if form else word
        if not new:
            return None
        made.append(new if not form or not word[:1].isupper() or int(number) > 1 else cased_like(word, new))
    right = re.sub(r" (?=n't|'s|'re)", "", " ".join(made))
    if _CLITIC.fullmatch(wrong[0].text) and right[:1].isalpha():
        right = f" {right}"
    if wrong[0].text[:1].isupper() and right and wrong[0].text != "I":
        right = right[:1].upper() + right[1:]
    names = [word.text for word in wrong if _is_name(word, words[0])]
    if right == sentence[start:end] or any(name not in right.split() for name in names):
        return None
    return Slip(start, end, right, pattern.line)


def _is_name(word: Tagged, first: Tagged) -> bool:
    return word.text[:1].isupper() and word.text != "I" and word.start > first.start


@cache
def _patterns() -> tuple[_Pattern, ...]:
    return tuple(_read(line) for line in list_lines(__package__, "slips.txt"))


def _read(line: str) -> _Pattern:
    last = line.startswith("~ ")
    left, right = line.removeprefix("~ ").split(" -> ")
    places: list[_Place] = []
    needed: list[frozenset[str]] = []
    inside = False
    for word in left.split():
        inside = inside or word.startswith("[")
        match = _PLACE.fullmatch(word.strip("[]"))
        assert match is not None
        ask, often = match["ask"], match["often"]
        looks = None
        if ask == "^":
            looks = 0
        elif not inside and (ask.startswith("!") or "$" in ask.split("|")):
            looks = 0 if places else -1
        places.append(_Place(_asked(ask), 0 if often else 1, _MOST.get(often or "", 1), inside, looks))
        if not often and looks is None and (words := _words(ask)):
            needed.append(words)
        inside = inside and not word.endswith("]")
    return _Pattern(
        line,
        tuple(places),
        () if right == "-" else tuple(right.split()),
        min(needed, key=len, default=None),
        last,
    )


def _words(ask: str) -> frozenset[str] | None:
    """All that may stand at a place, where that can be listed."""
    for part in ask.split("&"):
        names = [name.removeprefix(":") for name in part.removeprefix("=").split("|")]
        sets = [listed(name[1:]) for name in names if name[0] == "@"]
        if part[0] != "!" and not any(one is None for one in sets) and not any(map(str.isupper, names)):
            return frozenset(name for name in names if name[0] != "@").union(*(one for one in sets if one))
    return None


def _asked(ask: str) -> Test:
    """Whether a word is what a place asks for."""
    tests = [_one(part) for part in ask.split("&")]
    return lambda words, at: all(test(words, at) for test in tests)


def _one(part: str) -> Test:
    if part == "^":
        return lambda words, at: at == 0 or words[at - 1].text in _CLAUSE_MARKS
    if part.startswith("!"):
        inner = _one(part[1:])
        return lambda words, at: not inner(words, at)
    is_verb = part[0] == "="
    names = [name.removeprefix(":") for name in part.removeprefix("=").split("|")]
    tags = {tag for name in names if name.isupper() for tag in _GROUPS.get(name, (name,))}
    sets = [name[1:] for name in names if name[0] == "@"]
    ends = "$" in names

    def test(words: Sequence[Tagged], at: int) -> bool:
        if not 0 <= at < len(words):
            return ends
        low = words[at].text.lower()
        return (
            low in names
            or (is_verb and verb_of(low) in names)
            or words[at].tag in tags
            or (ends and low in _MARKS)
            or any(is_in(name, low) for name in sets)
        )

    return test
