"""One long sentence as two or more shorter ones; the places to cut are found in `splitting/`."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.edits import distinct, is_balanced
from redraft.revision.rewriting.splitting import coordination, last_resort, subordination
from redraft.revision.rewriting.splitting.coordination import Split, at_questions
from redraft.text import PLACEHOLDER, read_clauses

MOST_SPLITS: Final = 16
"""Candidates at most."""

_USUAL: Final = coordination.RULES + subordination.RULES
_LENGTHS: Final = (24, 19, 14, 11)
_WIDTH: Final = 6
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_UNENDED: Final = re.compile(
    r"(?i)\b(?:and|but|or|nor|of|the|an?|which|who|because|than|he|she|they|we|i)\.$"
)
_PAIRS: Final = (("(", ")"), ("“", "”"))
_DASH: Final = re.compile(r"\s[-–]\s|—|--")
_DENIAL: Final = re.compile(r"(?i)\b(?:not|no|never|none|nor|neither|without|cannot)\b|n['’]t\b")


class _Pieces(NamedTuple):
    """A sentence in pieces: how many words too many they have, what the cuts cost, and why they were made."""

    over: int
    cost: float
    texts: tuple[str, ...]
    whys: tuple[str, ...]


def splits(sentence: str, longest: int | None = None) -> list[Candidate]:
    """Ways to write a sentence as two or more, best first; pieces of at most `longest` words are wanted.

    >>> splits("He was old, but he ran.")[0].text
    'He was old. However, he ran.'
    """
    return _candidates(sentence, longest, last=False)


def breaks(sentence: str, longest: int | None = None) -> list[Candidate]:
    """The same for bounds that must hold: pieces that a writer would not choose are among them."""
    return _candidates(sentence, longest, last=True)


def _candidates(sentence: str, longest: int | None, *, last: bool) -> list[Candidate]:
    once = [
        _Pieces(_over((one.first, one.second), longest or 0), one.cost, (one.first, one.second), (one.why,))
        for one in single_splits(" ".join(sentence.split()), last)
    ]
    lengths = _LENGTHS if longest is None else (longest, *(n for n in _LENGTHS if n < longest))
    fitted = [_fitted(" ".join(sentence.split()), length, last) for length in lengths]
    if longest is None:
        found = sorted([*once[: MOST_SPLITS - len(_LENGTHS)], *fitted], key=lambda one: one.cost)
    else:
        found = sorted([*fitted, *once], key=lambda one: (_over(one.texts, longest), one.cost))
    return distinct(_joined(one) for one in found if len(one.texts) > 1)[:MOST_SPLITS]


def _joined(pieces: _Pieces) -> Candidate:
    reason = Reason("split", detail=", ".join(dict.fromkeys(pieces.whys)))
    return Candidate(" ".join(pieces.texts), "split", (reason,))


@lru_cache(maxsize=8192)
def single_splits(sentence: str, last: bool) -> tuple[Split, ...]:
    """The ways to cut a sentence once, best first: nothing is lost, and each piece is whole."""
    reading = read_clauses(sentence)
    patterns = (at_questions,) if "?" in reading.end else _USUAL + last_resort.RULES * last
    found = {
        (one.first, one.second): one
        for pattern in patterns
        for one in pattern(reading)
        if _sound(sentence, one)
    }
    return tuple(sorted(found.values(), key=lambda one: one.cost))


@lru_cache(maxsize=8192)
def _fitted(sentence: str, longest: int, last: bool) -> _Pieces:
    """The sentence in pieces of at most so many words, as far as that can be had, at the least cost."""
    whole = _Pieces(_over((sentence,), longest), 0.0, (sentence,), ())
    if not whole.over:
        return whole
    best = whole
    for one in single_splits(sentence, last)[: _WIDTH * (1 + last)]:
        if not best.over and one.cost >= best.cost:
            break
        first, second = (_fitted(part, longest, last) for part in (one.first, one.second))
        pieces = _Pieces(
            first.over + second.over,
            one.cost + first.cost + second.cost,
            first.texts + second.texts,
            (one.why, *first.whys, *second.whys),
        )
        if pieces[:2] < best[:2]:
            best = pieces
    return best


def _over(texts: tuple[str, ...], longest: int) -> int:
    return sum(max(len(text.split()) - longest, 0) for text in texts)


def _sound(sentence: str, one: Split) -> bool:
    """Whether the two pieces keep what the sentence says, and every mark its other half."""
    text = f"{one.first} {one.second}"
    return (
        PLACEHOLDER.findall(text) == PLACEHOLDER.findall(sentence)
        and Counter(_NUMBER.findall(text)) == Counter(_NUMBER.findall(sentence))
        and len(_DENIAL.findall(text)) == len(_DENIAL.findall(sentence))
        and all(is_balanced(piece, _PAIRS) for piece in (one.first, one.second))
        and not _UNENDED.search(one.first)
        and not (len(_DASH.findall(sentence)) == 2 and len(_DASH.findall(one.first)) == 1)
        and not any(piece[:1].islower() for piece in (one.first, one.second))
        and max(len(one.first.split()), len(one.second.split())) < len(sentence.split())
    )
