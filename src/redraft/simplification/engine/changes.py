"""A single change to a sentence, and where changes come from that need no model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from redraft.revision import Parts, Reason, synonyms
from redraft.simplification.policy import Operation
from redraft.text import LEVELS, VERB_FORMS, bases, difficulty, inflected, is_counted, level, list_lines

_LONGEST: Final = 5
"""Words of a phrase in the list, at most."""
_EASIER: Final = 0.7
"""Levels that a word of the thesaurus must be easier by: it knows nothing of the sense that is meant."""
_MOST: Final = 5
_JOINING: Final = frozenset({"but", "so", "and"})
_OPENING: Final = frozenset({"but", "so"})
"""What says what "however" and "thus" say at the beginning of a sentence, and not within one."""
_PAST: Final = ("VBD", "VBN")
_PARTICLES: Final = frozenset({"apart", "away", "back", "down", "off", "on", "out", "over", "together", "up"})
_OF_ONE: Final = frozenset({"a", "an", "one", "each", "every", "another"})
_BEFORE_NOUNS: Final = frozenset({"DT", "PRP$", "POS"})
_MANY: Final = frozenset({"many", "several"})
_MUCH: Final = frozenset({"more", "most", "enough", "some", "too much", "not enough"})
_KINDS: Final = {
    "NN": "n",
    "NNS": "n",
    "JJ": "a",
    "JJR": "a",
    "JJS": "a",
    "RB": "r",
    **dict.fromkeys(VERB_FORMS, "v"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of a sentence, and what may stand there instead."""

    start: int
    end: int
    said: str
    new: str
    operation: Operation
    by: str
    """`list`, `thesaurus`, `editor` or `rules`."""
    why: Reason
    votes: float = 0.0
    """The share of the editor's answers that have it."""


def listed(parts: Parts) -> Iterator[Change]:
    """Words and phrases that a list has simpler ones for, whatever their level."""
    for first in range(len(parts)):
        for end in range(min(first + _LONGEST, len(parts)), first, -1):
            if any(parts.held[first:end]):
                continue
            found = list(_from_list(parts, first, end))
            yield from found
            if found:
                break


def _from_list(parts: Parts, first: int, end: int) -> Iterator[Change]:
    said, tag = parts.said(first, end), parts.tags[first]
    low = said.lower().replace("’", "'")
    known = _simpler()
    for new in known.get((low, "w"), ()):
        whole = low.endswith(" of") and new in _MANY | _MUCH and parts.tag(end) in ("DT", "PRP", "PRP$")
        yield _change(parts, first, end, f"{new} of" if whole else new)
    kind = _KINDS.get(tag)
    # A verb before a preposition is one with it: "consist of".
    if kind is None or (end - first > 1 and kind != "v"):
        return
    for base in bases(low, tag):
        if (base, kind) in known:
            # "commenced" may be taken for either form, and "began" and "begun" are two: both are weighed.
            other_past = [one for one in _PAST if tag in _PAST and low == inflected(base, one)]
            tags = dict.fromkeys([tag, *other_past])
            forms = (inflected(other, one) for other in known[base, kind] for one in tags)
            for form in dict.fromkeys(forms):
                if form and _fits(parts, first, end, form):
                    yield _change(parts, first, end, form)
            return


def _fits(parts: Parts, first: int, end: int, new: str) -> bool:
    """Whether a word suits what stands around it: there is no "an enough", "a laws" or "give up it"."""
    before, tag = parts.word(first - 1), parts.tag(first - 1)
    if new in _OPENING:
        return first == 0
    if new in _MUCH:
        return tag not in _BEFORE_NOUNS or before in ("any", "no", "some")
    if parts.tag(end) == "PRP" and " " in new:
        return new.rpartition(" ")[2] not in _PARTICLES
    if parts.tags[end - 1] != "NN":
        return before not in _OF_ONE or new not in _MANY
    while tag in ("JJ", "NN", "RB"):
        first -= 1
        before, tag = parts.word(first - 1), parts.tag(first - 1)
    if is_counted(new):
        return True
    singular = before in ("this", "that") or parts.tag(end) == "VBZ" or parts.word(end) == "was"
    return before not in _OF_ONE and not (singular and (new[-1] == "s" or new == "people"))


def _change(parts: Parts, first: int, end: int, new: str) -> Change:
    start, stop = parts.words[first].start, parts.words[end - 1].end
    said = parts.text[start:stop]
    if new in _JOINING and parts.word(end) == ",":
        stop = parts.words[end].end  # "However, it" is "But it"
    new = _written_like(said, new)
    return Change(start, stop, said, new, "replace", "list", easier(said, parts.tags[first], new))


def _written_like(said: str, new: str) -> str:
    """The new words in capitals, or with one, where what they stand for is."""
    if len(said) > 1 and said.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if said[:1].isupper() else new


def from_thesaurus(parts: Parts, above: float) -> Iterator[Change]:
    """Easier synonyms of the words that are above a level."""
    for index, word in enumerate(parts.words):
        tag = parts.tags[index]
        hard = difficulty(word.text, tag)
        if parts.held[index] or hard < above:
            continue
        found = [
            new
            for new in synonyms(word.text, tag, wider=False)
            if hardest(new, tag) <= hard - _EASIER and _fits(parts, index, index + 1, new)
        ]
        for new in (_written_like(word.text, one) for one in found[:_MOST]):
            why = easier(word.text, tag, new)
            yield Change(word.start, word.end, word.text, new, "replace", "thesaurus", why)


def hardest(phrase: str, tag: str) -> float:
    """How difficult the hardest word of a phrase is, if its words are what the tag says."""
    return max((difficulty(word, tag) for word in phrase.split()), default=1.0)


def easier(said: str, tag: str, new: str) -> Reason:
    """Why a word or phrase may stand for another: with the levels of both, where they differ."""
    old = level(said, tag) if " " not in said else None
    then = LEVELS[int(hardest(new, tag) + 0.5) - 1]
    return Reason("replace", said, new, f"{old} → {then}" if old and old != then else "")


@lru_cache(maxsize=1)
def _simpler() -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for line in list_lines(__package__, "simpler.txt"):
        said, _, new = line.partition(" | ")
        phrase, _, kind = said.rpartition(" ")
        found[phrase, kind] = tuple(new.split("; "))
    return found
