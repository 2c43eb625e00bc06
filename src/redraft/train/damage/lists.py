"""The word lists of the damage, and its small sets of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.text import list_lines, word_sets


def lines(name: str) -> Iterator[str]:
    """The lines of a word list of this package, without comments."""
    return list_lines(__package__, name)


_SETS: Final = word_sets(__package__)


def word_set(name: str) -> frozenset[str]:
    """A set of words by its name in sets.txt."""
    return _SETS[name]
