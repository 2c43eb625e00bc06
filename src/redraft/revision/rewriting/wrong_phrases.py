"""Phrases that are errors wherever they stand, with what is right: `data/wrong-phrases.txt`.

They were written, and found in pairs of wrong and right texts, and each that occurs in 34 MB of prose without
errors was left out (`benchmarks/phrases.py`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from redraft.text import Span, list_lines

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")
_ARROW: Final = " -> "


@dataclass(frozen=True, slots=True)
class _Phrase:
    line: str
    wrong: tuple[str, ...]
    right: tuple[str, ...]


def wrong_phrases(sentence: str) -> Iterator[tuple[Span, str, str]]:
    """Where a phrase of the list stands, from left to right, the longest first; what is right; its line."""
    words = list(_WORD.finditer(sentence))
    low = [word[0].lower().replace("’", "'") for word in words]
    at = 0
    while at < len(words):
        for phrase in _phrases().get(low[at], ()):
            end = at + len(phrase.wrong)
            if tuple(low[at:end]) == phrase.wrong and _is_unbroken(sentence, words[at:end]):
                yield (
                    Span(words[at].start(), words[end - 1].end()),
                    _in_case_of([word[0] for word in words[at:end]], phrase),
                    phrase.line,
                )
                at = end - 1
                break
        at += 1


def _is_unbroken(sentence: str, words: list[re.Match[str]]) -> bool:
    """Whether nothing but single spaces stands between the words, and no hyphen joins them to another."""
    around = sentence[max(words[0].start() - 1, 0) : words[0].start()] + sentence[words[-1].end() :][:1]
    return "-" not in around and all(
        sentence[one.end() : other.start()] == " " for one, other in pairwise(words)
    )


def _in_case_of(written: list[str], phrase: _Phrase) -> str:
    """What is right, with the words that stay as they were written, and a capital where there was one."""
    own = {word.lower(): word for word in written[1:]}
    right = [own.get(word.lower(), word) if word.islower() else word for word in phrase.right]
    first = written[0]
    if right and right[0].islower() and first[:1].isupper() and (first != "I" or len(written) == 1):
        right[0] = right[0][:1].upper() + right[0][1:]
    return " ".join(right)


@cache
def _phrases() -> Mapping[str, tuple[_Phrase, ...]]:
    """The phrases of the list, by their first words, the longest first."""
    found: defaultdict[str, list[_Phrase]] = defaultdict(list)
    for line in list_lines(__package__, "wrong-phrases.txt"):
        wrong, right = line.split(_ARROW)
        words = tuple(wrong.lower().split())
        found[words[0]].append(_Phrase(line, words, tuple(right.split())))
    return {first: tuple(sorted(own, key=lambda one: -len(one.wrong))) for first, own in found.items()}
