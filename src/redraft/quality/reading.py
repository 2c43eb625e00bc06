"""A sentence as the small words that can turn it round, and what each of them governs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from redraft.text import list_lines, word_sets

SETS: Final = word_sets("redraft.quality")
IDIOM: Final = re.compile(
    r"\b(?:not only|not just|not merely|not simply|no doubt|no wonder|whether or not|if not|no matter"
    r"|no\.? ?\d+|why not|not to mention|nothing but|none other than"
    r"|(?:can|could) not help (?:but|\w+ing)|do not (?:forget|hesitate|worry)|or not)\b"
)
REWRITES: Final = tuple(
    (re.compile(pattern), new.replace("_", " "))
    for pattern, _, new in (line.partition(" => ") for line in list_lines("redraft.quality", "rewrites.txt"))
)
TOKEN: Final = re.compile(r"[a-z]+(?:-[a-z]+)*|[.,;:!?()]|--|—")
BREAK: Final = frozenset(".,;:!?()—") | {"--", "but", "because", "although", "though", "while", "and", "or"}
FUNCTION: Final = SETS["polarity.function_words"]

_REACH: Final = 3
_NEXT: Final = 2
_FAR: Final = 12


@dataclass(frozen=True, slots=True)
class Cue:
    """A small word, and the stems of the words that it governs."""

    word: str
    heads: tuple[str, ...]
    following: tuple[str, ...] = ()
    """The words right after it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence as its words, with what stands for a negation written as one."""

    words: tuple[str, ...]
    stems: frozenset[str]
    vocabulary: frozenset[str]

    def cues(self, words: frozenset[str]) -> list[Cue]:
        """The words of a set, each with what it governs."""
        return [
            Cue(word, self._heads(i), self.words[i + 1 : i + 1 + _NEXT])
            for i, word in enumerate(self.words)
            if word in words
        ]

    def count(self, words: Iterable[str]) -> int:
        """How often words of a set occur."""
        return sum(self.words.count(word) for word in words)

    def _heads(self, place: int) -> tuple[str, ...]:
        heads: list[str] = []
        first = self._past_insertion(place + 1)
        for word in self.words[first : first + _FAR]:
            if len(heads) == _REACH or (word in BREAK and (heads or not word.isalpha())):
                break
            if word[0].isalpha() and word not in FUNCTION:
                heads.append(stem(word))
        return tuple(heads)

    def _past_insertion(self, place: int) -> int:
        """Where a sentence goes on after what stands between two commas: "shall, on request, pay"."""
        if self.words[place : place + 1] == (",",) and "," in self.words[place + 1 :]:
            return self.words.index(",", place + 1) + 1
        return place


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """The reading of a sentence."""
    plain = text.lower().replace("’", "'")
    for pattern, replacement in REWRITES:
        plain = pattern.sub(replacement, plain)
    words = tuple(TOKEN.findall(IDIOM.sub("idiom", plain)))
    content = [word for word in words if word[0].isalpha() and word not in FUNCTION]
    return Reading(words, frozenset(map(stem, content)), frozenset(words))


def stem(word: str) -> str:
    """The beginning that the forms of a word share."""
    for ending in ("ing", "ied", "ies", "ed", "es", "ly", "s", "d", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word.removesuffix(ending)
            break
    return word[:6]


def overlap(one: Reading, other: Reading) -> float:
    """The share of telling words that two sentences have in common, from 0 to 1."""
    total = len(one.stems) + len(other.stems)
    return 2 * len(one.stems & other.stems) / total if total else 1.0
