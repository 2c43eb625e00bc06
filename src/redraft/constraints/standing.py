"""Which sentences of an original still stand in a revision, word for word and in order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

_MOST_PAIRS = 1_000_000


@dataclass(frozen=True)
class Touched:
    """How a revision departs from "only change these sentences"; sentences are named by number."""

    same: tuple[int, ...] = ()
    """Named, and not changed."""
    changed: tuple[int, ...] = ()
    """Not named, and changed."""
    inserted: tuple[int, ...] = ()
    """Not named, with new text before it; one more than the last for new text at the end."""


def only_changed(before: Sequence[str], after: Sequence[str], named: frozenset[int]) -> Touched:
    """Compare with "only change these": the others stand, and new text only where a named one stood."""
    new = _replacements(before, after, named)
    if new is not None:
        return Touched(same=tuple(n for n in sorted(named) if before[n - 1] in new))
    others = [n for n in range(1, len(before) + 1) if n not in named]
    kept = longest_common([before[n - 1] for n in others], after)
    left = set(range(len(after))) - set(kept.values())
    standing = {after[index] for index in left}
    places = [(0, -1), *((others[i], kept[i]) for i in sorted(kept)), (len(before) + 1, len(after))]
    # Whatever is gone may have been replaced by what stands in its place now.
    gone = named | {n for i, n in enumerate(others) if i not in kept}
    return Touched(
        same=tuple(n for n in sorted(named) if before[n - 1] in standing),
        changed=tuple(sorted(gone - named)),
        inserted=tuple(
            n for (m, at), (n, to) in pairwise(places) if to - at > 1 and gone.isdisjoint(range(m + 1, n))
        ),
    )


def _replacements(before: Sequence[str], after: Sequence[str], named: frozenset[int]) -> set[str] | None:
    """What stands in the places of the named sentences, if the others stand around them untouched.

    Each different sentence becomes a letter, so that a run of sentences is a string and finding it is fast.
    """
    letters: dict[str, str] = {}
    texts = [letters.setdefault(text, chr(len(letters) + 1)) for text in (*before, *after)]
    old, new = texts[: len(before)], "".join(texts[len(before) :])
    runs = ["".join(old[n - 1] for n in run) for run in _runs(len(before), named)]
    first, *middle, last = runs
    if not new.startswith(first) or not new.endswith(last) or len(first) + len(last) > len(new):
        return None
    at, end = len(first), len(new) - len(last)
    found = ""
    for run in middle:
        place = new.find(run, at, end)
        if place < 0:
            return None
        found += new[at:place]
        at = place + len(run)
    found += new[at:end]
    spelt = {letter: text for text, letter in letters.items()}
    return {spelt[letter] for letter in found}


def _runs(count: int, named: frozenset[int]) -> Iterator[list[int]]:
    """The numbers between the named ones: one run before the first, one after the last, each maybe empty."""
    groups = [(key, list(run)) for key, run in groupby(range(1, count + 1), key=named.__contains__)]
    if not groups or groups[0][0]:
        yield []
    yield from (run for key, run in groups if not key)
    if groups and groups[-1][0]:
        yield []


def longest_common(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Index pairs of a longest common subsequence (Hunt and Szymanski): fast where repeats are few.

    Equal beginnings and ends are paired at once. With very many repeats, the first that fits is taken.
    """
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    pairs = {index: index for index in range(start)}
    pairs |= {len(before) - 1 - index: len(after) - 1 - index for index in range(end)}
    inner = _common(before[start : len(before) - end], after[start : len(after) - end])
    return pairs | {start + one: start + other for one, other in inner.items()}


def _common(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    places: dict[str, list[int]] = {}
    for index, item in enumerate(after):
        places.setdefault(item, []).append(index)
    if sum(len(places.get(item, ())) for item in before) > _MOST_PAIRS:
        return _greedy(before, places)
    tails: list[int] = []
    chains: list[tuple[int, int, Any]] = []
    for index, item in enumerate(before):
        for place in reversed(places.get(item, ())):
            slot = bisect_left(tails, place)
            link = (index, place, chains[slot - 1] if slot else None)
            if slot == len(tails):
                tails.append(place)
                chains.append(link)
            elif place < tails[slot]:
                tails[slot], chains[slot] = place, link
    pairs: dict[int, int] = {}
    chain: Any = chains[-1] if chains else None
    while chain is not None:
        pairs[chain[0]] = chain[1]
        chain = chain[2]
    return pairs


def _greedy(before: Sequence[str], places: dict[str, list[int]]) -> dict[int, int]:
    pairs: dict[int, int] = {}
    at = 0
    for index, item in enumerate(before):
        found = places.get(item, [])
        slot = bisect_left(found, at)
        if slot < len(found):
            pairs[index] = found[slot]
            at = found[slot] + 1
    return pairs
