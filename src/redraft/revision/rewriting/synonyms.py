"""Synonyms inflected like the word that they replace, from a thesaurus made of WordNet.

The data is built by `benchmarks/thesaurus.py`; each line has a word, its part of speech, its synonyms with
the most usual first, and after a semicolon one or two wider words.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib.resources import files
from typing import Final

from redraft.revision.rewriting.lists import SETS
from redraft.text import VERB_FORMS, bases, inflected

_KINDS: Final = {"NN": "n", "NNS": "n", "JJ": "a", "JJR": "a", "JJS": "a", "RB": "r"}
_NEVER: Final = SETS["synonyms.never"]


@lru_cache(maxsize=1)
def _thesaurus() -> dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]:
    packed = (files(__package__) / "data" / "thesaurus.txt.gz").read_bytes()
    found = {}
    for line in gzip.decompress(packed).decode("ascii").splitlines():
        word, kind, listed = line.split(" ")
        close, wide = listed.replace("_", " ").split(";")
        found[word, kind] = tuple(filter(None, close.split(","))), tuple(filter(None, wide.split(",")))
    return found


def synonyms(word: str, tag: str, *, wider: bool = True) -> tuple[str, ...]:
    """Words that may stand for a word with a Penn tag, in its form and case, the most usual first.

    The word may be a phrase of two words; wider words come last, where they are wanted. Names, pronouns and
    auxiliaries have none.
    """
    low = word.lower()
    if low in _NEVER or (tag not in _KINDS and tag not in VERB_FORMS):
        return ()
    return _cased_like(word, _inflected(low, tag, wider))


@lru_cache(maxsize=4096)
def _inflected(low: str, tag: str, wider: bool) -> tuple[str, ...]:
    kind = _KINDS.get(tag, "v")
    found: dict[str, None] = {}
    for base in bases(low, tag):
        close, wide = _thesaurus().get((base.replace(" ", "_"), kind), ((), ()))
        for other in (*close, *wide) if wider else close:
            form = inflected(other, tag)
            if form and form != low and form not in _NEVER:
                found.setdefault(form)
        if found:
            break
    return tuple(sorted(found, key=lambda form: form.count(" ")))


def _cased_like(word: str, found: tuple[str, ...]) -> tuple[str, ...]:
    if word.isupper() and len(word) > 1:
        return tuple(one.upper() for one in found)
    if word[:1].isupper():
        return tuple(one[:1].upper() + one[1:] for one in found)
    return found
