"""ROUGE (Lin, 2004), equal to Google's rouge-score, and UpdateROUGE (Logan IV et al., 2022)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from redraft.errors import InputError
from redraft.metrics.base import Mean, Sample
from redraft.metrics.tokens import rouge_tokens

Prf = tuple[float, float, float]
"""F1, precision and recall, in percent."""
Compare = Callable[[str, str, bool], Prf]
"""A way of comparing a reference with a prediction, stemmed or not."""

T = TypeVar("T")

_NOTHING = (0.0, 0.0, 0.0)


def rouge1(option: str = "") -> Mean:
    """ROUGE-1: words in common with the best reference; `rouge1:stem` compares stems."""
    return _rouge("rouge1", _unigrams, option)


def rouge2(option: str = "") -> Mean:
    """ROUGE-2: pairs of words in common with the best reference."""
    return _rouge("rouge2", _bigrams, option)


def rouge_l(option: str = "") -> Mean:
    """ROUGE-L: the longest common subsequence with the best reference."""
    return _rouge("rougeL", _longest, option)


def rouge_lsum(option: str = "") -> Mean:
    """ROUGE-Lsum: ROUGE-L of summaries, a sentence a line (Lin, 2004, section 3.2)."""
    return _rouge("rougeLsum", _union, option)


def update_rouge1() -> Mean:
    """UpdateROUGE-1: ROUGE-1 of what is new against the source."""
    return _update("update_rouge1", _unigrams)


def update_rouge2() -> Mean:
    """UpdateROUGE-2: ROUGE-2 of what is new against the source."""
    return _update("update_rouge2", _bigrams)


def update_rouge_l() -> Mean:
    """UpdateROUGE-L: ROUGE-Lsum of what is new against the source, as EditEval has it."""
    return _update("update_rougeL", _union)


def _rouge(name: str, compare: Compare, option: str) -> Mean:
    if option not in ("", "stem"):
        raise InputError(f'{name} knows the option "stem" only, not "{option}"')
    stem = option == "stem"

    def measure(sample: Sample) -> Prf:
        return max((compare(reference, sample.prediction, stem) for reference in sample.references), key=_f1)

    details = ("case:lower", "tok:rouge", f"stem:{'porter' if stem else 'no'}", "multi:best")
    asked = f"{name}:stem" if stem else name
    return Mean(asked, measure, details, ("precision", "recall"), needs=frozenset({"references"}))


def _f1(score: Prf) -> float:
    return score[0]


def _update(name: str, compare: Compare) -> Mean:
    def measure(sample: Sample) -> Prf:
        new = added_text(sample.source, sample.prediction)
        scores = []
        for reference in sample.references:
            wanted = added_text(sample.source, reference)
            scores.append(compare(wanted, new, False) if wanted or new else (100.0, 100.0, 100.0))
        f1, precision, recall = (sum(column) / len(scores) for column in zip(*scores, strict=True))
        return f1, precision, recall

    return Mean(name, measure, ("case:lower", "tok:rouge", "stem:no", "multi:mean"), ("precision", "recall"))


def added_text(source: str, text: str) -> str:
    """What a text adds: those of its pieces, ending at full stops, that the source does not hold."""
    return " ".join(piece.strip() for piece in re.findall(r"[^.]+\.?", text) if piece not in source).strip()


def _unigrams(reference: str, prediction: str, stem: bool) -> Prf:
    return _overlap(rouge_tokens(reference, stem=stem), rouge_tokens(prediction, stem=stem))


def _bigrams(reference: str, prediction: str, stem: bool) -> Prf:
    wanted, found = rouge_tokens(reference, stem=stem), rouge_tokens(prediction, stem=stem)
    return _overlap(tuple(pairwise(wanted)), tuple(pairwise(found)))


def _overlap(wanted: Sequence[T], found: Sequence[T]) -> Prf:
    there = Counter(found)
    hits = sum([min(count, there[item]) for item, count in Counter(wanted).items() if item in there])
    return _prf(hits, len(found), len(wanted))


def _longest(reference: str, prediction: str, stem: bool) -> Prf:
    wanted, found = rouge_tokens(reference, stem=stem), rouge_tokens(prediction, stem=stem)
    return _prf(Subsequences(wanted, found).length(len(wanted), len(found)), len(found), len(wanted))


def _union(reference: str, prediction: str, stem: bool) -> Prf:
    wanted = [rouge_tokens(line, stem=stem) for line in reference.split("\n") if line]
    found = [rouge_tokens(line, stem=stem) for line in prediction.split("\n") if line]
    if len(wanted) == len(found) == 1:
        return _longest(reference, prediction, stem)
    ours, theirs = Counter(t for line in found for t in line), Counter(t for line in wanted for t in line)
    found_total, wanted_total = ours.total(), theirs.total()
    hits = 0
    for line in wanted:
        # The union of the common subsequences with all lines; a token counts as often as both texts have it.
        for at in sorted({at for other in found for at in Subsequences(line, other).places()}):
            token = line[at]
            if ours[token] and theirs[token]:
                hits += 1
                ours[token] -= 1
                theirs[token] -= 1
    return _prf(hits, found_total, wanted_total)


def _prf(hits: int, found: int, wanted: int) -> Prf:
    if not hits:
        return _NOTHING
    precision, recall = hits / found, hits / wanted
    return 200 * precision * recall / (precision + recall), 100 * precision, 100 * recall


@dataclass(frozen=True, init=False)
class Subsequences:
    """The table of longest common subsequences, a bit a cell (Hyyrö, 2004).

    Row i is an integer whose clear bits mark where the length grows: the length for the first i tokens of one
    text and the first j of the other is the number of clear bits among the lowest j of row i.
    """

    one: Sequence[str]
    other: Sequence[str]
    rows: Sequence[int]

    def __init__(self, one: Sequence[str], other: Sequence[str]) -> None:
        marks: dict[str, int] = {}
        for place, token in enumerate(other):
            marks[token] = marks.get(token, 0) | 1 << place
        row = full = (1 << len(other)) - 1
        rows = [row]
        for token in one:
            shared = row & marks.get(token, 0)
            row = ((row + shared) | (row - shared)) & full
            rows.append(row)
        object.__setattr__(self, "one", one)
        object.__setattr__(self, "other", other)
        object.__setattr__(self, "rows", rows)

    def length(self, i: int, j: int) -> int:
        """The length of the longest common subsequence of the first i and the first j tokens."""
        return j - (self.rows[i] & ((1 << j) - 1)).bit_count()

    def places(self) -> list[int]:
        """Where one longest common subsequence stands in the first text: the one that rouge-score finds."""
        i, j = len(self.one), len(self.other)
        found = []
        while i and j:
            if self.one[i - 1] == self.other[j - 1]:
                i, j = i - 1, j - 1
                found.append(i)
            elif self.length(i, j - 1) > self.length(i - 1, j):
                j -= 1
            else:
                i -= 1
        return found
