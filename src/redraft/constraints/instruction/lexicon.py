"""The tags of words and phrases, and the lexicon that says which phrase has which (`data/lexicon.txt`).

The rules match patterns of tags, so a rule sees "do not alter the 3rd sentence" as `AUX NOT CHANGE DET
REFERENCE` and need not know which of forty verbs was used. See `patterns` for how such patterns are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, islice, product

from redraft.text import list_lines, wordings

WORDINGS = wordings("redraft.constraints")
"""Wordings that rules look for, as regular expressions over words."""

_SECTION = re.compile(r"\[(?P<tag>[A-Z_]+)\] ")
_ALTERNATIVES = re.compile(r"\(([^)]*)\)")


class Tag:
    """What a chunk of an instruction is. Each value is one private character: a line is a string of tags."""

    _codes = map(chr, count(0xA1))

    # What is counted, how often, and how the number is bounded
    WORD, SENTENCE, PARAGRAPH, CHARACTER, TIMES, ONCE = islice(_codes, 6)
    FEWER, MORE, AT_MOST, AT_LEAST, EXACTLY, ABOUT, OR_FEWER, OR_MORE = islice(_codes, 8)
    LENGTH, PER_SENTENCE, PER_PART, BETWEEN, NUMBER_SIGN = islice(_codes, 5)
    # What is spoken of
    EDITS, LABEL, TEXT, PART, DETAIL, EVERYTHING, NOTHING, EACH, ONE, LAST = islice(_codes, 10)
    # What is demanded of it
    KEEP, REMAIN, UNCHANGED, OFF_LIMITS, CHANGE, IMPROVE, USE, SAY = islice(_codes, 8)
    AVOID, CUT, EXPAND, ADD, LIMIT, MATCH, START, END, WRITE, HAVE, OTHER_VERB = islice(_codes, 11)
    # Small words
    NOT, NO, WITHOUT, ONLY, EXCEPT, LIKEWISE, IF, ENSURE, AUX, DET, ADJ = islice(_codes, 11)
    WITH, TO, IN, AND, OR, BUT, COMMA, COLON, OTHER = islice(_codes, 9)
    # What tokens are, and what rules make of several chunks: a REFERENCE names sentences by their numbers,
    # DETAILS are kinds of detail to preserve, a FREQUENCY is a number of times, a BOUND one of words or so.
    NUMBER, RANGE, ORDINAL, QUOTATION, PATTERN = islice(_codes, 5)
    REFERENCE, KEYWORDS, DETAILS, FREQUENCY, BOUND, GRADE = islice(_codes, 6)


def longest(words: list[str], at: int) -> tuple[int, str]:
    """How many words the longest phrase at a place takes, and its tag."""
    for length in _LENGTHS.get(words[at], ()):
        phrase = tuple(words[at : at + length])
        if phrase in _TAGS:
            return len(phrase), _TAGS[phrase]
    return 1, Tag.OTHER


def phrases(tag: str) -> str:
    """The phrases that have a tag, as one regular expression of alternatives, the longest first."""
    found = (" ".join(words) for words, known in _TAGS.items() if known == tag)
    return "|".join(sorted(map(re.escape, found), key=len, reverse=True))


def _load() -> dict[tuple[str, ...], str]:
    listed: dict[str, str] = {}
    for line in list_lines("redraft.constraints", "lexicon.txt"):
        if section := _SECTION.match(line):
            tag = getattr(Tag, section["tag"])
            listed[tag] = ""
        else:
            listed[tag] += f" {line.strip()}"
    tags: dict[tuple[str, ...], str] = {}
    for tag, entries in listed.items():
        for entry in entries.split(";"):
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
