"""Exact match of the whole text, and of its single edits (EditEval, section 4)."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache, partial

from redraft.metrics.base import Mean, Sample

Edit = tuple[str, str]
"""A piece of the source, and what became of it."""


def exact_match() -> Mean:
    """EM: the share of predictions that equal one of their references, in percent."""
    return Mean("em", _match, ("case:mixed",), needs=frozenset({"references"}))


def exact_match_of_edits() -> Mean:
    """EM-diff: the share of edits that the prediction has in common with its best reference, in percent.

    |diff(I, R) ∩ diff(I, O)| / max(|diff(I, R)|, |diff(I, O)|), with EditEval's edits. As there, a prediction
    that rightly changes nothing scores 0.
    """
    return Mean("em_diff", partial(_match_of_edits, unchanged=0.0), ("diff:difflib", "noop:0"))


def exact_match_of_edits_or_none() -> Mean:
    """EM-diff in which a prediction that rightly changes nothing scores 100."""
    measure = partial(_match_of_edits, unchanged=1.0)
    return Mean("em_diff_noop", measure, ("diff:difflib", "noop:1"))


def _match(sample: Sample) -> tuple[float]:
    return (100.0 * (sample.prediction in sample.references),)


def _match_of_edits(sample: Sample, unchanged: float) -> tuple[float]:
    done = text_edits(sample.source, sample.prediction)
    best = 0.0
    for reference in sample.references:
        wanted = text_edits(sample.source, reference)
        longest = max(len(done), len(wanted))
        best = max(best, len(set(done).intersection(wanted)) / longest if longest else unchanged)
    return (100.0 * best,)


@lru_cache(maxsize=2**14)
def text_edits(source: str, target: str) -> tuple[Edit, ...]:
    """The edits from one text to another as EditEval takes them: difflib's, widened to whole words.

    An edit grows to the right, word by word, until its piece of the source occurs nowhere else there; edits
    that touch become one.
    """
    groups: list[tuple[int, int, list[tuple[int, int, int, int]]]] = []
    for tag, *span in SequenceMatcher(None, source, target).get_opcodes() if source != target else ():
        if tag == "equal":
            continue
        start, end, new_start, new_end = span
        left, right = _widen(source, start, end)
        if groups and left <= groups[-1][1]:
            left, _, spans = groups.pop()
        else:
            spans = []
        groups.append((left, right, [*spans, (start, end, new_start, new_end)]))
    return tuple((source[group[0] : group[1]], _changed(source, target, *group)) for group in groups)


def _widen(source: str, start: int, end: int) -> tuple[int, int]:
    left = min(start, len(source) - 1)
    while left >= 0 and not source[left].isspace():
        left -= 1
    left += 1
    right = end
    while right < len(source) and not (source[right].isspace() and source.count(source[left:right]) == 1):
        right += 1
    return left, right


def _changed(source: str, target: str, left: int, right: int, spans: list[tuple[int, int, int, int]]) -> str:
    pieces = []
    done = left
    for start, end, new_start, new_end in spans:
        pieces += [source[done:start], target[new_start:new_end]]
        done = end
    return "".join([*pieces, source[done:right]])
