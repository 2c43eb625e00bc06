"""Word lists that packages carry as data."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Final


def list_lines(package: str, name: str) -> Iterator[str]:
    """The lines of a list in a package's data folder, without comments."""
    for line in (files(package) / "data" / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def word_sets(package: str) -> dict[str, frozenset[str]]:
    """The small sets of words in a package's sets.txt, by their names."""
    pairs = (line.split(": ") for line in list_lines(package, "sets.txt"))
    return {name: frozenset(words.split()) for name, words in pairs}


WORDY: Final = {
    line.split("|")[0].strip(): tuple(one.strip() for one in line.split("|")[1].split(";"))
    for line in list_lines(__package__, "wordy.txt")
}
"""The wordy phrases for each plain word."""
