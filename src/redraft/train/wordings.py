"""Small errors of wording learnt from corrections, and made again in other sentences."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

_LONGEST: Final = 4
"""Words of a wording, at most."""
_WORD: Final = re.compile(r"[A-Za-z'’-]+")


def wordings(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What corrections put for what: by the right wording, of two words or more, the wrong one."""
    return {
        right: wrong for source, target in pairs for right, wrong in _wording(source.split(), target.split())
    }


def _wording(source: list[str], target: list[str]) -> Iterator[tuple[str, str]]:
    """The words that differ, with one beside them where they are one alone."""
    shorter = min(len(source), len(target))
    start = next((at for at in range(shorter) if source[at] != target[at]), shorter)
    rest = shorter - start
    end = next((at for at in range(rest) if source[-1 - at] != target[-1 - at]), rest)
    while len(target) - end - start < 2 and (start or end):
        start, end = (start - 1, end) if start else (start, end - 1)
    right, wrong = target[start : len(target) - end], source[start : len(source) - end]
    if 2 <= len(right) <= _LONGEST and wrong and all(_WORD.fullmatch(word) for word in right):
        yield " ".join(right).lower(), " ".join(wrong).lower()


def with_wrong_wording(sentence: str, known: Mapping[str, str], rng: random.Random) -> str | None:
    """The sentence with one of its wordings as others get it wrong, if it has any of those known."""
    words = list(_WORD.finditer(sentence))
    found = []
    for first in range(len(words)):
        for last in range(first + 1, min(first + _LONGEST, len(words))):
            start, end = words[first].start(), words[last].end()
            if wrong := known.get(sentence[start:end].lower()):
                found.append((start, end, wrong))
    if not found:
        return None
    start, end, wrong = rng.choice(found)
    if sentence[start].isupper():
        wrong = wrong[0].upper() + wrong[1:]
    return f"{sentence[:start]}{wrong}{sentence[end:]}"
