"""What an edit did to its source, word by word and sentence by sentence: measures that need no reference.

Words are compared in lower case and in order; one that only stands elsewhere has been moved, and is kept.
Where words of the source are gone and others stand in their place, as many as there are on both sides are
replaced; what is left over is deleted or added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache, partial

from redraft.metrics.base import BLOCK, Mean, Need, Sample
from redraft.text import LEVELS, Document, level, reading_grade, spellings, tagged

_SOURCE: frozenset[Need] = frozenset({"source"})
_EASY = LEVELS.index("B1")


@dataclass(frozen=True, slots=True)
class Changes:
    """How many words of a source there are, and what became of them."""

    words: int
    kept: int = 0
    replaced: int = 0
    deleted: int = 0
    added: int = 0
    """Words of the edit that stand for none of the source."""

    def share(self, name: str) -> float:
        """The words that were replaced, deleted or added, in per cent of the source's."""
        count: int = getattr(self, name)
        return 100 * count / max(self.words, 1)


@lru_cache(maxsize=4 * BLOCK)
def word_changes(source: str, edited: str) -> Changes:
    """What became of the words of a source."""
    before, after = spellings(source.lower()), spellings(edited.lower())
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    gaps = [(before[i:j], after[k:m]) for name, i, j, k, m in steps if name != "equal"]
    moved = Counter(word for gone, _ in gaps for word in gone) & Counter(w for _, new in gaps for w in new)
    kept = len(before) - sum(len(gone) for gone, _ in gaps) + moved.total()
    replaced = deleted = added = 0
    left, right = moved.copy(), moved.copy()
    for gone, new in gaps:
        lost, won = len(_less(gone, left)), len(_less(new, right))
        replaced += min(lost, won)
        deleted += max(lost - won, 0)
        added += max(won - lost, 0)
    return Changes(len(before), kept, replaced, deleted, added)


def _less(words: list[str], moved: Counter[str]) -> list[str]:
    """The words without those that stand elsewhere, which are counted off."""
    rest = []
    for word in words:
        if moved[word]:
            moved[word] -= 1
        else:
            rest.append(word)
    return rest


def replaced() -> Mean:
    """The share of the source's words that others stand for."""
    return _share_of("replaced")


def deleted() -> Mean:
    """The share of the source's words that nothing stands for."""
    return _share_of("deleted")


def added() -> Mean:
    """Words that stand for none of the source, in per cent of its words."""
    return _share_of("added")


def split() -> Mean:
    """The share of texts that have more sentences than their sources."""
    return Mean("split", _split, ("of:texts",), needs=_SOURCE)


def copied() -> Mean:
    """The share of texts that are their sources, but for white space."""
    return Mean("copied", _copied, ("of:texts",), needs=_SOURCE)


def difficult_words() -> Mean:
    """The share of words above the level B1 in the predictions; and how far it is from the sources'."""
    return Mean("difficult_words", _difficult, ("above:B1",), ("change",), needs=_SOURCE)


def _share_of(name: str) -> Mean:
    return Mean(name, partial(_share, name), ("of:words", "case:lower", "moved:kept"), needs=_SOURCE)


def _share(name: str, sample: Sample) -> tuple[float]:
    return (word_changes(sample.source, sample.prediction).share(name),)


def _split(sample: Sample) -> tuple[float]:
    before, after = (len(Document(text).sentences) for text in (sample.source, sample.prediction))
    return (100.0 * (after > before),)


def _copied(sample: Sample) -> tuple[float]:
    return (100.0 * (sample.prediction.split() == sample.source.split()),)


def _difficult(sample: Sample) -> tuple[float, float]:
    share = difficult_share(sample.prediction)
    return share, share - difficult_share(sample.source)


@lru_cache(maxsize=4 * BLOCK)
def difficult_share(text: str) -> float:
    """Words above the level B1, in per cent of all; names, numbers and words of grammar never are."""
    document = Document(text)
    above = sum(
        LEVELS.index(found) > _EASY
        for sentence in document.sentences
        for word in tagged(sentence.text)
        if (found := level(word.text, word.tag))
    )
    return 100 * above / max(document.words, 1)


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
