"""Word lists that packages carry as data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Final


def list_lines(package: str, name: str) -> Iterator[str]:
    """The lines of a list in a package's data folder, without comments."""
    for line in (files(package) / "data" / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def word_sets(
    package: str, name: str = "sets.txt", separator: str | None = None
) -> dict[str, frozenset[str]]:
    """Sets of words by their names: `name: word word`, and an indented line goes on with the set above it.

    White space parts the words, or `separator` where names have spaces of their own.
    """
    found: dict[str, list[str]] = {}
    for line in list_lines(package, name):
        words = line
        if not line.startswith(" "):
            title, words = line.split(": ", 1)
            found[title] = []
        found[title] += (word.strip() for word in words.split(separator) if word.strip())
    return {title: frozenset(words) for title, words in found.items()}


def wordings(package: str, name: str = "wordings.txt") -> dict[str, str]:
    """Lists of wordings by their names, each as one regular expression of alternatives.

    A name with a colon opens a list, and each indented line under it has alternatives; `{name}` in one of
    them stands for a list above.
    """
    found: dict[str, str] = {}
    for line in list_lines(package, name):
        if not line.startswith(" "):
            title = line.removesuffix(":")
            continue
        added = re.sub(r"\{([a-z_]+)\}", lambda match: f"(?:{found[match[1]]})", line.strip())
        found[title] = f"{found[title]}|{added}" if title in found else added
    return found


_NUMBERS: Final = [line.split() for line in list_lines(__package__, "numbers.txt")]
CARDINALS: Final = {words[0]: int(value) for value, *words in _NUMBERS}
"""The numbers that are one word, up to ninety, and their values in order."""
ORDINALS: Final = {words[1]: int(value) for value, *words in _NUMBERS if len(words) > 1}
"""The same for "first" to "ninetieth"."""
WORDY: Final = {
    line.split("|")[0].strip(): tuple(one.strip() for one in line.split("|")[1].split(";"))
    for line in list_lines(__package__, "wordy.txt")
}
"""The wordy phrases for each plain word."""
