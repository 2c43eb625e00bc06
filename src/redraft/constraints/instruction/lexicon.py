"""The words and phrases that instructions are made of, each with a one-letter tag: those of `lexicon.txt`.

The rules match regular expressions against strings of tags, so a rule sees "do not alter the 3rd sentence"
as `v!AdR` and need not know which of forty verbs was used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import product

_SECTION = re.compile(r"^\[(?P<tag>.)\] .*$", re.MULTILINE)
_ALTERNATIVES = re.compile(r"\(([^)]*)\)")


def longest(words: list[str], at: int) -> tuple[int, str]:
    """How many words the longest phrase at a place takes, and its tag."""
    for length in _LENGTHS.get(words[at], ()):
        phrase = tuple(words[at : at + length])
        if phrase in _TAGS:
            return len(phrase), _TAGS[phrase]
    return 1, "x"


def _load() -> dict[tuple[str, ...], str]:
    text = files(__package__).joinpath("lexicon.txt").read_text(encoding="utf-8")
    _, *sections = _SECTION.split(text)
    tags: dict[tuple[str, ...], str] = {}
    for tag, listed in zip(sections[::2], sections[1::2], strict=True):
        for entry in " ".join(listed.split()).split(";"):
            for phrase in _expanded(entry.strip()):
                # Hyphens inside words are taken for spaces ("off-limits"); a lone one is a word.
                words = tuple(phrase.split()) if phrase == "-" else tuple(phrase.replace("-", " ").split())
                tags.setdefault(words, tag)
    return tags


def _expanded(entry: str) -> Iterator[str]:
    """The phrases that an entry stands for."""
    if entry.startswith("*"):
        yield from _forms(entry[1:])
        return
    parts = _ALTERNATIVES.split(entry)
    for choice in product(*(part.split("|") if index % 2 else [part] for index, part in enumerate(parts))):
        yield "".join(choice)


def _forms(verb: str) -> list[str]:
    """Every form of a regular verb."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return [verb, verb[:-1] + "ies", verb + "ing", verb[:-1] + "ied"]
    stem = verb.removesuffix("e")
    third = verb + ("es" if verb.endswith(("ch", "sh", "ss", "x")) else "s")
    return [verb, third, stem + "ing", stem + "ed"]


_TAGS = _load()
_LENGTHS: dict[str, list[int]] = {}
for _words in _TAGS:
    _LENGTHS[_words[0]] = sorted({*_LENGTHS.get(_words[0], ()), len(_words)}, reverse=True)
