"""Which word of a sentence became which word of its revision.

Words are alike when they are the same, forms of one word, synonyms, or spelled nearly alike. Of the pairs
that are alike those come first whose neighbours are alike too. The few words that are then left between two
links on both sides are linked with each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import product
from typing import Final

from redraft.text.inflection import bases
from redraft.text.synonyms import thesaurus
from redraft.text.tagging import tag
from redraft.text.word_lists import word_sets

# Chosen on the development parts of MultiMWA.
_FORM: Final = 0.9  # how alike forms of one word are
_SYNONYM: Final = 0.75
_SPELLED: Final = 0.7
_NEIGHBOURS: Final = 3  # on each side, that speak for a link
_FAR: Final = 0.3  # what a link from one end of the sentence to the other is worth less
_ALONE: Final = 0.05  # how alike the neighbours of a small word must be for it to be linked
_MOST_LEFT: Final = 4  # words between links, that are linked each with each
_MOST: Final = 40_000  # pairs of words, past which equal stretches are linked and nothing else

_TELLING: Final = frozenset("NVJRCF")
_SMALL: Final = word_sets("redraft.text", "syntax.txt")["word_alignment.small"]
_KINDS: Final = {"N": "n", "V": "v", "J": "a", "R": "r", "M": "v"}
_SPELLED_ALIKE: Final = 0.8
_Links = dict[int, int]


def align_words(before: Sequence[str], after: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Pairs of places of words that say the same, in the order of the first; each word is in one at most."""
    if len(before) * len(after) > _MOST:
        return tuple(_equal_stretches(before, after))
    left, right = _Words(before), _Words(after)
    links = _linked(left, right)
    return tuple(sorted([*links.items(), *_between(left, right, links)]))


class _Words:
    """Words in small letters with their tags, and whether each says something by itself."""

    def __init__(self, words: Sequence[str]) -> None:
        self.low = [word.lower().replace("’", "'") for word in words]
        self.tags = tag(list(words))
        self.telling = [_is_telling(*pair) for pair in zip(self.low, self.tags, strict=True)]

    def __len__(self) -> int:
        return len(self.low)


def _is_telling(low: str, tag: str) -> bool:
    return (
        tag[:1] in ("N", "V", "J", "R", "C", "F") and tag != "CC" and low not in _SMALL and low[0].isalnum()
    )


def _linked(left: _Words, right: _Words) -> _Links:
    like = {
        (i, j): found
        for i in range(len(left))
        for j in range(len(right))
        if (found := word_likeness(left.low[i], left.tags[i], right.low[j], right.tags[j]))
    }
    scored: list[tuple[float, int, int]] = []
    for (i, j), found in like.items():
        near = sum(
            like.get((i + step, j + step), 0.0) / abs(step)
            for step in range(-_NEIGHBOURS, _NEIGHBOURS + 1)
            if step
        ) / sum(2 / step for step in range(1, _NEIGHBOURS + 1))
        apart = abs(i / len(left) - j / len(right))
        score = found * (1 + near) - _FAR * apart
        telling = left.telling[i] or right.telling[j]
        if telling or near - _FAR * apart >= _ALONE:
            scored.append((-score, i, j))
    links: _Links = {}
    taken: set[int] = set()
    for _, i, j in sorted(scored):
        if i not in links and j not in taken:
            links[i] = j
            taken.add(j)
    return links


def _between(left: _Words, right: _Words, links: _Links) -> Iterator[tuple[int, int]]:
    """What is left on both sides between two links that follow each other."""
    taken = set(links.values())
    i = 0
    while i < len(left):
        if i in links:
            i += 1
            continue
        end = i
        while end < len(left) and end not in links:
            end += 1
        first = links[i - 1] + 1 if i else 0
        last = first
        while last < len(right) and last not in taken:
            last += 1
        follows = last == links[end] if end < len(left) else last == len(right)
        if first < last and follows:
            yield from _paired(left, right, range(i, end), range(first, last))
        i = end


def _paired(left: _Words, right: _Words, these: range, those: range) -> Iterator[tuple[int, int]]:
    if len(these) == len(those) == 1:
        if left.telling[these[0]] == right.telling[those[0]]:
            yield these[0], those[0]
        return
    if len(these) <= _MOST_LEFT and len(those) <= _MOST_LEFT:
        telling = [i for i in these if left.telling[i]], [j for j in those if right.telling[j]]
        yield from product(*telling)


@lru_cache(maxsize=65536)
def word_likeness(one: str, tag: str, other: str, tag2: str) -> float:
    """How alike two words in small letters are, from 0 to 1, given their tags."""
    if one == other:
        return 1.0
    if not (one[:1].isalpha() and other[:1].isalpha()):
        return 0.0
    forms, forms2 = _bases(one, tag), _bases(other, tag2)
    if forms & forms2:
        return _FORM
    kind, kind2 = _KINDS.get(tag[:1]), _KINDS.get(tag2[:1])
    if kind and kind2 and (_synonyms(forms, kind) & forms2 or _synonyms(forms2, kind2) & forms):
        return _SYNONYM
    if min(len(one), len(other)) >= 4 and _spelled_alike(one, other):
        return _SPELLED
    return 0.0


@lru_cache(maxsize=16384)
def _bases(low: str, tag: str) -> frozenset[str]:
    return frozenset({low, *bases(low, tag)})


def _synonyms(forms: frozenset[str], kind: str) -> frozenset[str]:
    return frozenset(word for form in forms for group in thesaurus().get((form, kind), ()) for word in group)


def _spelled_alike(one: str, other: str) -> bool:
    start = max(4, len(one) - 4, len(other) - 4)
    if one[:start] == other[:start]:
        return True
    return one[0] == other[0] and SequenceMatcher(None, one, other).ratio() >= _SPELLED_ALIKE


def _equal_stretches(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    matcher = SequenceMatcher(None, [word.lower() for word in before], [word.lower() for word in after])
    for i, j, size in matcher.get_matching_blocks():
        yield from ((i + step, j + step) for step in range(size))
