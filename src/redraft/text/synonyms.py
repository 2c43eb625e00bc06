"""Words that mean nearly the same, wider ones, and opposites, from WordNet.

`benchmarks/thesaurus.py` makes the list: each line has a word, its part of speech (n, v, a, r), its synonyms
with the most usual first, and after a semicolon one or two wider words.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

from redraft.text.word_lists import list_lines


@cache
def thesaurus() -> dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]:
    """The synonyms and the wider words of each word and part of speech; words of a phrase have spaces."""
    packed = (files("redraft.text") / "data" / "thesaurus.txt.gz").read_bytes()
    found = {}
    for line in gzip.decompress(packed).decode("ascii").splitlines():
        word, kind, listed = line.split(" ")
        close, wide = listed.replace("_", " ").split(";")
        found[word.replace("_", " "), kind] = (
            tuple(filter(None, close.split(","))),
            tuple(filter(None, wide.split(","))),
        )
    return found


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """The words that WordNet calls the opposite of each word, in dictionary form."""
    found: dict[str, set[str]] = {}
    for line in list_lines("redraft.text", "antonyms.txt"):
        _, one, other = line.split()
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}
