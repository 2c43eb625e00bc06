"""Which sentence of a revision came from which sentence of the original.

Equal sentences that occur once on both sides anchor the alignment (the longest run of them in order, as in a
patience diff); equal neighbours extend the anchors; between anchors, sentences pair by the words they share,
found through an index of rare words, so that time grows with the text and not with its square. What pairs
out of order has moved; a sentence left over beside a pair joins it where it brings words of the other side: a
split or a merger.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.text.document import Document
from redraft.text.words import spellings

Kind = Literal["kept", "changed", "split", "merged", "inserted", "deleted", "moved"]

_COMMON: Final = 40  # a word in more sentences than this says little about which of them is meant
_PAIR: Final = 0.3  # the share of words that makes two sentences one and its revision
_NEIGHBOUR: Final = 0.15  # less is enough between two pairs
_MOVED: Final = 0.5  # and more is wanted of a sentence that stands elsewhere
_SMALL: Final = 400  # cells of a table that is cheap to fill
_MOST_PAIRS: Final = 1_000_000  # of equal sentences, past which a longest common subsequence takes too long
_PART: Final = 0.5  # the share of a sentence's words that it has from another it was split from


@dataclass(frozen=True, slots=True)
class Link:
    """Sentences of the original and what became of them, by their numbers on each side."""

    kind: Kind
    original: tuple[int, ...]
    revised: tuple[int, ...]


def align(original: Document | str, revised: Document | str) -> tuple[Link, ...]:
    """How the revision's sentences come from the original's; each sentence is in exactly one link."""
    left, right = (Document(text) if isinstance(text, str) else text for text in (original, revised))
    return align_passages([one.text for one in left.sentences], [one.text for one in right.sentences])


def align_passages(original: Sequence[str], revised: Sequence[str]) -> tuple[Link, ...]:
    """The same for passages that stand by themselves, numbered from 1."""
    return _Alignment(original, revised).links()


def similarity(one: str, other: str) -> float:
    """The share of words that two texts have in common, from 0 to 1 (Dice, over distinct words)."""
    return _dice(_vocabulary(one), _vocabulary(other))


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(spellings(text.lower()))


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


class _Alignment:
    """Pairs of 0-based sentence numbers, found step by step."""

    def __init__(self, original: Sequence[str], revised: Sequence[str]) -> None:
        self.left = [" ".join(text.split()) for text in original]
        self.right = [" ".join(text.split()) for text in revised]
        self.left_words = [_vocabulary(text) for text in self.left]
        self.right_words = [_vocabulary(text) for text in self.right]
        self.pairs: dict[int, int] = {}  # in order on both sides
        self.taken: set[int] = set()
        self.moved: dict[int, int] = {}
        self._keep()
        self._move_equal()
        self._pair_by_words()
        for low, high, first, last in self._blocks():
            self._pair_neighbours(low, high, first, last)

    def _pair(self, i: int, j: int) -> None:
        self.pairs[i] = j
        self.taken.add(j)

    def _keep(self) -> None:
        """Pairs equal sentences: those that occur once, then their neighbours."""
        once = {text for text, count in Counter(self.left).items() if count == 1}
        once &= {text for text, count in Counter(self.right).items() if count == 1}
        places = {text: j for j, text in enumerate(self.right) if text in once}
        for i, j in increasing([(i, places[text]) for i, text in enumerate(self.left) if text in once]):
            self._pair(i, j)
        for low, high, first, last in self._blocks():
            i, j = low, first
            while i < high and j < last and self.left[i] == self.right[j]:
                self._pair(i, j)
                i, j = i + 1, j + 1
            k, m = high - 1, last - 1
            while i <= k and j <= m and self.left[k] == self.right[m]:
                self._pair(k, m)
                k, m = k - 1, m - 1
        for low, high, first, last in self._blocks():
            if (high - low) * (last - first) <= _SMALL:
                for i, j in longest_common(self.left[low:high], self.right[first:last]).items():
                    self._pair(low + i, first + j)

    def _move_equal(self) -> None:
        """Sentences that stand elsewhere, word for word."""
        places: dict[str, list[int]] = {}
        for j in range(len(self.right) - 1, -1, -1):
            if j not in self.taken:
                places.setdefault(self.right[j], []).append(j)
        for i, text in enumerate(self.left):
            if i not in self.pairs and places.get(text):
                self._move(i, places[text].pop())

    def _move(self, i: int, j: int) -> None:
        self.moved[i] = j
        self.taken.add(j)

    def _pair_by_words(self) -> None:
        """Pairs sentences that are each other's nearest by the words they share."""
        free = [i for i in range(len(self.left)) if i not in self.pairs and i not in self.moved]
        open_ = [j for j in range(len(self.right)) if j not in self.taken]
        index: dict[str, list[int]] = {}
        for j in open_:
            for word in self.right_words[j]:
                index.setdefault(word, []).append(j)
        nearest: dict[int, tuple[float, int]] = {}
        for i in free:
            shared: Counter[int] = Counter()
            for word in self.left_words[i]:
                places = index.get(word, ())
                if len(places) <= _COMMON:
                    shared.update(places)
            for j, _ in shared.most_common(3):
                score = _dice(self.left_words[i], self.right_words[j])
                if score >= _PAIR and score > nearest.get(j, (0.0, 0))[0]:
                    nearest[j] = (score, i)
        best: dict[int, tuple[float, int]] = {}
        for j, (score, i) in nearest.items():
            if score > best.get(i, (0.0, 0))[0]:
                best[i] = (score, j)
        fixed = set(self.pairs.items())
        candidates = sorted(fixed | {(i, j) for i, (_, j) in best.items()})
        in_order = set(increasing(candidates))
        if not fixed <= in_order:  # an anchor is worth more than a pair that crosses it
            in_order = set(_between(fixed, candidates))
        for i, (score, j) in best.items():
            if (i, j) in in_order:
                self._pair(i, j)
            elif score >= _MOVED:
                self._move(i, j)

    def _pair_neighbours(self, low: int, high: int, first: int, last: int) -> None:
        """Pairs what is left between two pairs, by words where it is little, else by place."""
        free = [i for i in range(low, high) if i not in self.moved]
        open_ = [j for j in range(first, last) if j not in self.taken]
        if not free or not open_:
            return
        if len(free) * len(open_) <= _SMALL and len(free) != len(open_):
            for i, j in self._best_order(free, open_):
                self._pair(i, j)
        elif len(free) == len(open_):
            for i, j in zip(free, open_, strict=True):
                self._pair(i, j)

    def _best_order(self, free: list[int], open_: list[int]) -> list[tuple[int, int]]:
        """The pairs in order with the greatest sum of shared words."""
        rows, columns = len(free), len(open_)
        score = [[_dice(self.left_words[i], self.right_words[j]) for j in open_] for i in free]
        best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
        for row in range(rows - 1, -1, -1):
            for column in range(columns - 1, -1, -1):
                paired = score[row][column]
                best[row][column] = max(
                    best[row + 1][column],
                    best[row][column + 1],
                    best[row + 1][column + 1] + paired if paired >= _NEIGHBOUR else 0.0,
                )
        pairs: list[tuple[int, int]] = []
        row = column = 0
        while row < rows and column < columns:
            if best[row][column] == best[row + 1][column]:
                row += 1
            elif best[row][column] == best[row][column + 1]:
                column += 1
            else:
                pairs.append((free[row], open_[column]))
                row, column = row + 1, column + 1
        return pairs

    def _blocks(self) -> list[tuple[int, int, int, int]]:
        """The stretches between the pairs: from and to on the left, from and to on the right."""
        blocks = []
        low = first = 0
        for i, j in [*sorted(self.pairs.items()), (len(self.left), len(self.right))]:
            if i > low or j > first:
                blocks.append((low, i, first, j))
            low, first = i + 1, j + 1
        return blocks

    def links(self) -> tuple[Link, ...]:
        """Every sentence in one link, in the order of the revision; a deleted one after its forerunner."""
        lefts = {i: [i] for i in self.pairs}
        rights = {i: [j] for i, j in self.pairs.items()}
        loose_left = set(range(len(self.left))) - self.pairs.keys() - self.moved.keys()
        loose_right = set(range(len(self.right))) - self.taken
        self._join_parts(lefts, rights, loose_left, loose_right)
        placed: list[tuple[int, int, Link]] = []
        for i in self.pairs:
            kind: Kind = "changed"
            if len(rights[i]) > 1:
                kind = "split"
            elif len(lefts[i]) > 1:
                kind = "merged"
            elif self.left[i] == self.right[self.pairs[i]]:
                kind = "kept"
            placed.append((rights[i][0], 0, _link(kind, lefts[i], rights[i])))
        placed += [(j, 0, _link("moved", [i], [j])) for i, j in self.moved.items()]
        placed += [(j, 0, _link("inserted", [], [j])) for j in loose_right]
        last = -1
        for i in range(len(self.left)):
            if i in self.pairs:
                last = self.pairs[i]
            elif i in loose_left:
                placed.append((last, i + 1, _link("deleted", [i], [])))
        return tuple(link for _, _, link in sorted(placed, key=lambda entry: entry[:2]))

    def _join_parts(
        self,
        lefts: dict[int, list[int]],
        rights: dict[int, list[int]],
        loose_left: set[int],
        loose_right: set[int],
    ) -> None:
        """Adds to each changed pair the neighbours that hold the rest of its words."""
        for i, j in sorted(self.pairs.items()):
            if self.left[i] == self.right[j]:
                continue
            for step in (1, -1):
                near = j + step
                while near in loose_right and self._is_part(
                    self.right_words[near], self.left_words[i], [self.right_words[k] for k in rights[i]]
                ):
                    rights[i].append(near)
                    loose_right.remove(near)
                    near += step
            if len(rights[i]) > 1:
                rights[i].sort()
                continue
            for step in (1, -1):
                near = i + step
                while near in loose_left and self._is_part(
                    self.left_words[near], self.right_words[j], [self.left_words[k] for k in lefts[i]]
                ):
                    lefts[i].append(near)
                    loose_left.remove(near)
                    near += step
            lefts[i].sort()

    @staticmethod
    def _is_part(part: frozenset[str], whole: frozenset[str], others: list[frozenset[str]]) -> bool:
        """Whether a sentence brings words of the whole that its other parts do not have."""
        rest = whole.difference(*others)
        return bool(part) and len(part & whole) >= _PART * len(part) and 3 * len(part & rest) >= len(rest) > 0


def _link(kind: Kind, left: list[int], right: list[int]) -> Link:
    return Link(kind, tuple(i + 1 for i in left), tuple(j + 1 for j in right))


def increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, sorted by their first, in which the second grows too.

    Where several pairs have the same first, those with the larger second come first.
    """
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        before.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(j)
            ends.append(place)
        elif j < tails[at]:
            tails[at] = j
            ends[at] = place
    run: list[tuple[int, int]] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        run.append(pairs[place])
        place = before[place]
    return run[::-1]


def _between(fixed: set[tuple[int, int]], candidates: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The fixed pairs with the longest runs of candidates that cross none of them."""
    kept: list[tuple[int, int]] = []
    block: list[tuple[int, int]] = []
    floor = -1
    for pair in [*candidates, (1 << 60, 1 << 60)]:
        if pair in fixed or pair[0] == 1 << 60:
            kept += increasing([(i, j) for i, j in block if floor < j < pair[1]])
            kept.append(pair)
            block, floor = [], pair[1]
        else:
            block.append(pair)
    return kept[:-1]


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
    places: dict[str, list[int]] = {}
    for j in range(start, len(after) - end):
        places.setdefault(after[j], []).append(j)
    found = [(i, places.get(before[i], [])) for i in range(start, len(before) - end)]
    if sum(len(there) for _, there in found) <= _MOST_PAIRS:
        return pairs | dict(increasing([(i, j) for i, there in found for j in reversed(there)]))
    free = 0
    for i, there in found:
        if (slot := bisect_left(there, free)) < len(there):
            pairs[i] = there[slot]
            free = there[slot] + 1
    return pairs
