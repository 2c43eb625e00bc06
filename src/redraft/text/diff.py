"""What changed between two texts, word by word, as edits and for a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, Literal

from redraft.text.align import increasing
from redraft.text.words import Span, words

Op = Literal["equal", "insert", "delete", "replace"]

_BETWEEN: Final = re.compile(r"\s+|\S")
_LONG: Final = 500  # words and marks on a side, past which a quadratic comparison takes too long
_WINDOW: Final = 150  # of them compared at a time where nothing rare holds two long stretches together


@dataclass(frozen=True, slots=True)
class Edit:
    """One step from the first text to the second, with its place and its wording in both."""

    op: Op
    original: Span
    revised: Span
    before: str
    after: str


def diff_words(original: str, revised: str) -> tuple[Edit, ...]:
    """The steps that turn one text into the other: joined, their `after` is the revised text."""
    left, right = _tokens(original), _tokens(revised)
    left_words = [original[span.start : span.end] for span in left]
    right_words = [revised[span.start : span.end] for span in right]
    edits: list[tuple[bool, int, int, int, int]] = []
    for step in _steps(left_words, right_words):
        equal, _, k, _, m = step
        if edits and edits[-1][0] == equal:
            _, i, _, j, _ = edits.pop()
            edits.append((equal, i, k, j, m))
        else:
            edits.append(step)
    return tuple(
        _edit(equal, original, revised, _cover(left, i, k, len(original)), _cover(right, j, m, len(revised)))
        for equal, i, k, j, m in _readable(edits, left_words)
    )


def _edit(equal: bool, original: str, revised: str, left: Span, right: Span) -> Edit:
    before, after = original[left.start : left.end], revised[right.start : right.end]
    op: Op = "equal" if equal else "replace" if before and after else "delete" if before else "insert"
    return Edit(op, left, right, before, after)


def _tokens(text: str) -> list[Span]:
    """Words, single marks and runs of white space: together, the whole text."""
    tokens: list[Span] = []
    position = 0
    for span in [*words(text), Span(len(text), len(text))]:
        tokens += (Span(*match.span()) for match in _BETWEEN.finditer(text, position, span.start))
        if span.end > span.start:
            tokens.append(span)
        position = span.end
    return tokens


def _cover(tokens: list[Span], first: int, last: int, length: int) -> Span:
    start = tokens[first].start if first < len(tokens) else length
    return Span(start, tokens[last - 1].end if last > first else start)


def _steps(left: list[str], right: list[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Equal and unequal stretches.

    Words and marks are compared; white space is equal where it stands beside an equal word: a comparison that
    takes it for a word finds it everywhere.
    """
    i = j = 0
    for k, m in [*_pairs(left, right), (len(left), len(right))]:
        start, first, end, last = i, j, k, m
        if start < end and first < last and left[start].isspace() and left[start] == right[first]:
            yield True, start, start + 1, first, first + 1
            start, first = start + 1, first + 1
        spaced = start < end and first < last and left[end - 1].isspace() and left[end - 1] == right[last - 1]
        if spaced:
            end, last = end - 1, last - 1
        if start < end or first < last:
            yield False, start, end, first, last
        if spaced:
            yield True, end, k, last, m
        if k < len(left) and m < len(right):
            yield True, k, k + 1, m, m + 1
        i, j = k + 1, m + 1


def _pairs(left: list[str], right: list[str]) -> Iterator[tuple[int, int]]:
    """The places of equal words and marks, in order on both sides."""
    left_places = [i for i, token in enumerate(left) if not token.isspace()]
    right_places = [j for j, token in enumerate(right) if not token.isspace()]
    one, other = [left[i] for i in left_places], [right[j] for j in right_places]
    i = j = 0
    for k, m in [*_anchors(one, other), (len(one), len(other))]:
        for a, b, c, d in _windows(i, k, j, m):
            matcher = SequenceMatcher(None, one[a:b], other[c:d], autojunk=False)
            for e, g, size in matcher.get_matching_blocks():
                for step in range(size):
                    yield left_places[a + e + step], right_places[c + g + step]
        if k < len(one) and m < len(other):
            yield left_places[k], right_places[m]
        i, j = k + 1, m + 1


def _anchors(one: list[str], other: list[str]) -> list[tuple[int, int]]:
    """Words that occur once on both sides, in order, where the texts are long."""
    if max(len(one), len(other)) <= _LONG:
        return []
    once = {token for token, count in Counter(one).items() if count == 1}
    once &= {token for token, count in Counter(other).items() if count == 1}
    places = {token: j for j, token in enumerate(other) if token in once}
    return increasing([(i, places[token]) for i, token in enumerate(one) if token in once])


def _windows(i: int, k: int, j: int, m: int) -> Iterator[tuple[int, int, int, int]]:
    """A pair of stretches, in as many parts as keep each comparison short."""
    parts = 1 if max(k - i, m - j) <= _LONG else -(-max(k - i, m - j) // _WINDOW)
    for part in range(parts):
        yield (
            i + (k - i) * part // parts,
            i + (k - i) * (part + 1) // parts,
            j + (m - j) * part // parts,
            j + (m - j) * (part + 1) // parts,
        )


def _readable(
    edits: list[tuple[bool, int, int, int, int]], left: list[str]
) -> list[tuple[bool, int, int, int, int]]:
    """Joins two changes that only white space parts: "the old man" to "a young boy" is one change."""
    joined: list[tuple[bool, int, int, int, int]] = []
    for place, edit in enumerate(edits):
        equal, i, k, j, m = edit
        between = equal and 0 < place < len(edits) - 1 and not "".join(left[i:k]).strip()
        if joined and not joined[-1][0] and (between or not equal):
            _, start, _, first, _ = joined.pop()
            i, j, equal = start, first, False
        joined.append((equal, i, k, j, m))
    return joined


if TYPE_CHECKING:
    from rich.text import Text


def diff_terminal(edits: Iterable[Edit]) -> Text:
    """Edits for a terminal, red and green, and marked as `wdiff` does: they read without colours too."""
    from rich.text import Text  # noqa: PLC0415  a page needs no terminal library

    shown = Text()
    for edit in edits:
        if edit.op == "equal":
            shown.append(edit.before)
            continue
        if edit.before:
            shown.append(f"[-{edit.before}-]", style="red")
        if edit.after:
            shown.append(f"{{+{edit.after}+}}", style="green")
    return shown
