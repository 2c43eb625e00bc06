"""The word lists of the damage, and its small sets of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.text import lists


def lines(name: str) -> Iterator[str]:
    """The lines of a word list of this package, without comments."""
    return lists.lines(__package__, name)


_SETS: Final = lists.word_sets(__package__)


def word_set(name: str) -> frozenset[str]:
    """A set of words by its name in sets.txt."""
    return _SETS[name]
