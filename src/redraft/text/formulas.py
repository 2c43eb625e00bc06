"""Formulas of readability: what each counts in a text, and the score that comes of it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from redraft.text.document import Document
from redraft.text.levels import easiest, is_in_dictionary
from redraft.text.readability import syllables
from redraft.text.words import spellings

Amount = Literal["words", "sentences", "syllables", "letters", "long words", "complex words", "hard words"]
FormulaName = Literal["flesch-kincaid", "gunning fog", "smog", "coleman-liau", "ari", "dale-chall"]
"""The formulas that give a school grade, or a score that stands for one."""

_LONG: Final = 3
"""Syllables from which on a word is long."""
_FAMILIAR: Final = 2.2
"""How difficult a word may be that pupils of ten know."""
_HARD_SHARE: Final = 0.05
_ENDING: Final = re.compile(r"(?:es|ed|ing)\Z")


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two amounts, and what it is multiplied by."""

    factor: float
    over: Amount
    under: Amount


@dataclass(frozen=True, slots=True)
class Formula:
    """A sum of ratios and a constant; with `root`, its ratio counts by the root.

    Where more than a twentieth of the words are hard, `surcharge` is added.
    """

    ratios: tuple[Ratio, ...]
    constant: float
    root: bool = False
    surcharge: float = 0.0
    is_ease: bool = False
    """Whether what is easy to read has the higher score."""

    @property
    def amounts(self) -> tuple[Amount, ...]:
        """What has to be counted, the words and sentences first."""
        found: list[Amount] = ["words", "sentences"]
        found += (amount for ratio in self.ratios for amount in (ratio.over, ratio.under))
        return tuple(dict.fromkeys(found))

    def score(self, counts: Sequence[float]) -> float:
        """The score for the counts of `amounts`."""
        by_name = dict(zip(self.amounts, counts, strict=True))
        total = sum(ratio.factor * by_name[ratio.over] / by_name[ratio.under] for ratio in self.ratios)
        if self.root:
            total = math.sqrt(total)
        if self.surcharge and by_name["hard words"] > _HARD_SHARE * by_name["words"]:
            total += self.surcharge
        return total + self.constant

    def slopes(self, counts: Sequence[float]) -> list[float]:
        """How the score changes with each of the counts; all but the surcharge."""
        by_name = dict(zip(self.amounts, counts, strict=True))
        found = dict.fromkeys(self.amounts, 0.0)
        for ratio in self.ratios:
            over, under = by_name[ratio.over], by_name[ratio.under]
            found[ratio.over] += ratio.factor / under
            found[ratio.under] += -ratio.factor * over / under**2
        if self.root:
            level = math.sqrt(sum(one.factor * by_name[one.over] / by_name[one.under] for one in self.ratios))
            found = {name: slope / max(2 * level, 1.0) for name, slope in found.items()}
        return list(found.values())


FORMULAS: Final[dict[str, Formula]] = {
    # Kincaid et al., 1975
    "flesch-kincaid": Formula(
        (Ratio(0.39, "words", "sentences"), Ratio(11.8, "syllables", "words")), -15.59
    ),
    # Gunning, 1952
    "gunning fog": Formula((Ratio(0.4, "words", "sentences"), Ratio(40.0, "complex words", "words")), 0.0),
    # McLaughlin, 1969, with the constants for a text of any length: 1.043 · √(30 · long words per sentence)
    "smog": Formula((Ratio(1.043**2 * 30, "long words", "sentences"),), 3.1291, root=True),
    # Coleman and Liau, 1975
    "coleman-liau": Formula(
        (Ratio(5.88, "letters", "words"), Ratio(-29.6, "sentences", "words")), -15.8
    ),
    # Senter and Smith, 1967
    "ari": Formula((Ratio(4.71, "letters", "words"), Ratio(0.5, "words", "sentences")), -21.43),
    # Dale and Chall, 1948, as revised in 1995; the familiar words are ours
    "dale-chall": Formula(
        (Ratio(15.79, "hard words", "words"), Ratio(0.0496, "words", "sentences")), 0.0, surcharge=3.6365
    ),
    # Flesch, 1948
    "reading ease": Formula(
        (Ratio(-1.015, "words", "sentences"), Ratio(-84.6, "syllables", "words")), 206.835, is_ease=True
    ),
}  # fmt: skip
"""The formulas by name."""


def reading_score(document: Document, formula: str) -> float:
    """The score of a text, over the sentences that have words; 0.0 for a text without any."""
    known = FORMULAS[formula]
    sentences = sum(count > 0 for count in document.word_counts)
    if not sentences:
        return 0.0
    view = document.view
    found = [word for one in document.sentences for word in spellings(view[one.start : one.end])]
    return known.score(count_amounts(found, sentences, known.amounts))


def reading_grade(document: Document) -> float:
    """The Flesch-Kincaid grade: about the years of school that a reader of this text needs."""
    return reading_score(document, "flesch-kincaid")


def count_amounts(words: Sequence[str], sentences: int, amounts: Sequence[Amount]) -> tuple[int, ...]:
    """So much of each amount is in these words."""
    return tuple(_count(words, sentences, amount) for amount in amounts)


def _count(words: Sequence[str], sentences: int, amount: Amount) -> int:
    match amount:
        case "words":
            return len(words)
        case "sentences":
            return sentences
        case "syllables":
            return sum(map(syllables, words))
        case "letters":
            return sum(character.isalnum() for word in words for character in word)
        case "long words":
            return sum(syllables(word) >= _LONG for word in words)
        case "complex words":
            return sum(map(_is_complex, words))
        case "hard words":
            return sum(map(_is_hard, words))


@lru_cache(maxsize=65536)
def _is_complex(word: str) -> bool:
    """Whether it is long without its ending, and neither a name nor a compound of short words."""
    if _is_name(word):
        return False
    return any(_syllables_of_stem(part) >= _LONG for part in re.split("[-–]", word) if part)


def _syllables_of_stem(word: str) -> int:
    ending = _ENDING.search(word.lower())
    return min(syllables(word), syllables(word[: ending.start()]) if ending and ending.start() > 1 else 99)


@lru_cache(maxsize=65536)
def _is_hard(word: str) -> bool:
    """Whether pupils of ten may not know it; names and numbers are known."""
    if not word[:1].isalpha() or _is_name(word):
        return False
    return easiest(word) > _FAMILIAR


def _is_name(word: str) -> bool:
    return word[:1].isupper() and not is_in_dictionary(word)
