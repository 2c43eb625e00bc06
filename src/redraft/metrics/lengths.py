"""How much a text was changed, shortened and made easier: measures that need no reference."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.metrics.base import Mean, Sample
from redraft.text import Document, reading_grade


def compression() -> Mean:
    """The prediction's length over the source's, in characters, as EASSE reports it; and in words."""
    return Mean("compression", _compression, ("unit:characters",), ("words",), needs=frozenset({"source"}))


def edit_distance() -> Mean:
    """Words inserted, deleted or replaced from source to prediction; and their share of the longer text."""
    details = ("unit:words", "tok:space")
    return Mean("edit_distance", _edit_distance, details, ("share",), needs=frozenset({"source"}))


def readability() -> Mean:
    """The Flesch-Kincaid grade of the predictions; and how far it is from the sources'."""
    details = ("formula:flesch-kincaid",)
    return Mean("reading_grade", _readability, details, ("change",), needs=frozenset({"source"}))


def _compression(sample: Sample) -> tuple[float, float]:
    words = len(sample.prediction.split()) / max(len(sample.source.split()), 1)
    return len(sample.prediction) / max(len(sample.source), 1), words


def _edit_distance(sample: Sample) -> tuple[float, float]:
    before, after = sample.source.split(), sample.prediction.split()
    distance = levenshtein(before, after)
    return distance, 100 * distance / max(len(before), len(after), 1)


def _readability(sample: Sample) -> tuple[float, float]:
    grade = reading_grade(Document(sample.prediction))
    return grade, grade - reading_grade(Document(sample.source))


def levenshtein(one: Sequence[str], other: Sequence[str]) -> int:
    """The fewest insertions, deletions and replacements from one sequence to the other.

    A column of the table is two integers, a bit a row, that say where it rises and where it falls (Myers,
    1999, in the form of Hyyrö, 2003).
    """
    if not one:
        return len(other)
    marks: dict[str, int] = {}
    for place, token in enumerate(one):
        marks[token] = marks.get(token, 0) | 1 << place
    full, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    rises, falls, distance = full, 0, len(one)
    for token in other:
        equal = marks.get(token, 0)
        diagonal = ((((equal & rises) + rises) ^ rises) | equal | falls) & full
        right_up, right_down = (falls | ~(diagonal | rises)) & full, rises & diagonal
        distance += bool(right_up & last) - bool(right_down & last)
        right_up, right_down = (right_up << 1 | 1) & full, right_down << 1 & full
        rises, falls = (right_down | ~(diagonal | right_up)) & full, right_up & diagonal
    return distance
