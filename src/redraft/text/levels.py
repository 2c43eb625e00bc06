"""How difficult a word is: how often it is met, and the CEFR level at which learners know it.

The data is built by `benchmarks/levels.py`; each line has a word, its Zipf frequency, and how difficult it
is, in hundredths, as each part of speech that a dictionary has it as.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, get_args

import numpy as np

from redraft.text.inflection import VERB_FORMS, bases

Level = Literal["A1", "A2", "B1", "B2", "C1", "C2"]
LEVELS: tuple[Level, ...] = get_args(Level)

_KINDS: Final = {
    **dict.fromkeys(("NN", "NNS"), "n"),
    **dict.fromkeys(VERB_FORMS, "v"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "a"),
    **dict.fromkeys(("RB", "RBR", "RBS"), "r"),
}
_COMPARED: Final = {"RBR": "JJR", "RBS": "JJS"}
_POINTS: Final = ((0.0, 2.3, 2.9, 3.5, 4.1, 4.6, 5.1, 5.6), (6.0, 5.8, 5.3, 4.6, 3.75, 2.8, 1.8, 1.0))
"""Zipf frequencies of a word in all its forms, and how difficult a word of that frequency is."""
_EASIEST: Final = ("NN", "NNS", "VBN", "JJ", "RB")
_ENTRY: Final = re.compile(r"([nvar])(\d+)")


def zipf(word: str) -> float:
    """How often a word is met in this form: the logarithm of its number in a billion words; 0 if unknown.

    >>> zipf("the") > zipf("house") > zipf("edifice")
    True
    """
    entry = _entries().get(_plain(word))
    return float(entry.partition(" ")[0]) if entry else 0.0


def common_words(least: float) -> Iterator[str]:
    """The words of the dictionary that are at least so common."""
    return (word for word, entry in _entries().items() if " " in entry.strip() and zipf(word) >= least)


def level(word: str, tag: str) -> Level | None:
    """The level of a word with a Penn tag; None for names, numbers, marks, clitics and words of grammar.

    >>> level("coin", "NN"), level("coined", "VBD"), level("the", "DT")
    ('A2', 'B2', None)
    """
    return LEVELS[int(difficulty(word, tag) + 0.5) - 1] if _has_level(word, tag) else None


@lru_cache(maxsize=65536)
def difficulty(word: str, tag: str) -> float:
    """How difficult a word with a Penn tag is, from 1 (A1) to 6 (C2); 1 for whatever has no level."""
    if not _has_level(word, tag):
        return 1.0
    low = _plain(word)
    kind = _KINDS[tag]
    candidates = [(base, kind) for base in (*bases(low, _COMPARED.get(tag, tag)), low)]
    if kind in "na" and low.endswith(("ed", "en", "ing")):
        candidates += [(base, "v") for base in bases(low, "VBN")]
    for base, known in candidates:
        if (found := _levels(base).get(known)) is not None:
            return found
    for base, _ in candidates:  # no dictionary has it as this: the tag may be wrong
        if entry := _levels(base):
            return min(entry.values())
    parts = [part for part in low.split("-") if part]
    if len(parts) > 1:
        return min(6.0, 0.5 + max(map(easiest, parts)))
    return difficulty_by_frequency(zipf(low), low)


def difficulty_by_frequency(zipf: float, word: str) -> float:
    """How difficult a word is likely to be, from how often it is met and how long it is."""
    longer = min(0.6, max(-0.6, 0.12 * (len(word) - 7)))
    return min(6.0, max(1.0, float(np.interp(zipf, *_POINTS)) + longer))


def _has_level(word: str, tag: str) -> bool:
    return tag in _KINDS and word[:1].isalpha() and "'" not in word and "’" not in word


def _plain(word: str) -> str:
    """The word as the data has it: in small letters, without accents."""
    low = word.lower()
    return low if low.isascii() else unicodedata.normalize("NFKD", low).encode("ascii", "ignore").decode()


@lru_cache(maxsize=65536)
def easiest(word: str) -> float:
    """How difficult a word is as the part of speech that is easiest; 1 for a clitic or a number."""
    return min(difficulty(word, tag) for tag in _EASIEST)


@lru_cache(maxsize=65536)
def is_in_dictionary(word: str) -> bool:
    """Whether a dictionary has the word, in any of its forms; few names are there.

    >>> is_in_dictionary("Houses"), is_in_dictionary("Kubernetes")
    (True, False)
    """
    low = _plain(word)
    tags = ("NNS", "VBZ", "VBD", "VBN", "VBG", "JJR", "JJS")
    return any(_levels(base) for base in (low, *(one for tag in tags for one in bases(low, tag))))


def kinds_of_word(word: str) -> dict[str, float]:
    """What a dictionary has a word as, (n)oun, (v)erb, (a)djective or adve(r)b, and how difficult it is then.

    >>> sorted(kinds_of_word("cover"))
    ['n', 'v']
    """
    return _levels(_plain(word))


@lru_cache(maxsize=65536)
def _levels(word: str) -> dict[str, float]:
    return {kind: int(hundredths) / 100 for kind, hundredths in _ENTRY.findall(_entries().get(word, ""))}


@lru_cache(maxsize=1)
def _entries() -> dict[str, str]:
    packed = (files("redraft.text") / "data" / "levels.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode("ascii").split("\n")
    return dict(line.split(" ", 1) for line in lines)
