"""A passage as the controls see it: its words and tags, passives and tenses, counted once."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from redraft.text import Document, Tagged, find_passives, reading_grade, tagged

_SPELT: Final = re.compile(r"n't\b|[^\W_]+(?:[-.][^\W_]+)*|'(?:s|re|m|ll|ve|d)\b")
_QUOTED: Final = re.compile(r"[\"“”«»„]|(?<!\w)[‘']|['’](?!\w)")
_SHORTENED: Final = re.compile(
    r"\b\w+(?:n['’]t|['’](?:ll|re|ve|m|d))\b|\b(?:it|that|there|here|let|what)['’]s\b", re.I
)


class Passage:
    """One to three sentences."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.document = Document(text)

    @cached_property
    def words(self) -> int:
        """How many words a reader counts."""
        return self.document.words

    @cached_property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.document.sentences)

    @cached_property
    def longest(self) -> int:
        """The words of the longest sentence."""
        return max(self.document.word_counts, default=0)

    @cached_property
    def grade(self) -> float:
        """The reading grade."""
        return reading_grade(self.document)

    @cached_property
    def tagged(self) -> tuple[Tagged, ...]:
        """The words and marks with their tags."""
        return tuple(tagged(self.text))

    @cached_property
    def spelt(self) -> tuple[str, ...]:
        """The words in small letters, "don't" being two."""
        return tuple(_SPELT.findall(self.text.lower().replace("’", "'").replace("n't", " n't")))

    @cached_property
    def low(self) -> frozenset[str]:
        """The different words."""
        return frozenset(self.spelt)

    @property
    def is_quoting(self) -> bool:
        """Whether anything stands in quotation marks, which no change of style may touch."""
        return _QUOTED.search(self.text) is not None

    @property
    def is_shortened(self) -> bool:
        """Whether there are short forms, such as "don't"."""
        return _SHORTENED.search(self.text) is not None

    @cached_property
    def passives(self) -> frozenset[str]:
        """The participles of passive verbs; "tired", "located" and the like are states."""
        spans = find_passives(self.text)
        return frozenset(self.text[one.start : one.end].split()[-1].lower() for one in spans)

    @cached_property
    def tenses(self) -> tuple[int, int]:
        """How many verbs stand in the present, and how many in the past."""
        tags = [word.tag for word in self.tagged]
        return sum(tag in ("VBZ", "VBP") for tag in tags), tags.count("VBD")
