"""Phrases that are errors wherever they stand, with what is right: `data/wrong-phrases.txt`.

They were written, and found in pairs of wrong and right texts, and each that occurs in 34 MB of prose without
errors was left out (`benchmarks/phrases.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Final

from redraft.text import Span, list_lines

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")
_ARROW: Final = " -> "


def wrong_phrases(sentence: str) -> Iterator[tuple[Span, str, str]]:
    """Where a phrase of the list stands, from left to right, the longest first; what is right; its line."""
    words = list(_WORD.finditer(sentence))
    low = [word[0].lower().replace("’", "'") for word in words]
    known = _phrases()
    longest = max(map(len, known))
    at = 0
    while at < len(words):
        for end in range(min(at + longest, len(words)), at, -1):
            line = known.get(tuple(low[at:end]))
            if line and _is_unbroken(sentence, words[at:end]):
                right = line.split(_ARROW)[1].split()
                there = Span(words[at].start(), words[end - 1].end())
                yield there, _in_case_of([word[0] for word in words[at:end]], right), line
                at = end - 1
                break
        at += 1


def _is_unbroken(sentence: str, words: list[re.Match[str]]) -> bool:
    """Whether nothing but single spaces stands between the words, and no hyphen joins them to another."""
    around = sentence[max(words[0].start() - 1, 0) : words[0].start()] + sentence[words[-1].end() :][:1]
    return "-" not in around and all(
        sentence[one.end() : other.start()] == " " for one, other in pairwise(words)
    )


def _in_case_of(written: list[str], put: list[str]) -> str:
    """What is right, with the words that stay as they were written, and a capital where there was one."""
    own = {word.lower(): word for word in written[1:]}
    right = [own.get(word.lower(), word) if word.islower() else word for word in put]
    first = written[0]
    if right and right[0].islower() and first[:1].isupper() and (first != "I" or len(written) == 1):
        right[0] = right[0][:1].upper() + right[0][1:]
    return " ".join(right)


@cache
def _phrases() -> Mapping[tuple[str, ...], str]:
    """The lines of the list, by the words that are wrong."""
    lines = list_lines(__package__, "wrong-phrases.txt")
    return {tuple(line.split(_ARROW)[0].lower().split()): line for line in lines}
