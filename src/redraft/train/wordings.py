"""Small errors of wording learnt from corrections, and made again in other sentences."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

_LONGEST: Final = 4
"""Words of a wording, at most."""
_MOST: Final = 25
"""Sentences with the same wrong wording, at most."""
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


def with_wrong_wordings(
    sentences: Sequence[str], known: Mapping[str, str], rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Sentences with one of their wordings as others get it wrong, each beside the sentence as it is.

    A wording that is wrong in one place and stands in these sentences as well is left alone: "in a" for
    "in the". None comes too often.
    """
    used = {phrase for sentence in sentences for phrase, _, _ in _phrases(sentence)}
    wrong = {right: other for right, other in known.items() if other not in used}
    left = Counter(dict.fromkeys(wrong, _MOST))
    for sentence in sentences:
        found = [place for place in _phrases(sentence) if left[place[0]] > 0]
        if not found:
            continue
        phrase, start, end = rng.choice(found)
        left[phrase] -= 1
        put = wrong[phrase][0].upper() + wrong[phrase][1:] if sentence[start].isupper() else wrong[phrase]
        yield f"{sentence[:start]}{put}{sentence[end:]}", sentence


def _phrases(sentence: str) -> Iterator[tuple[str, int, int]]:
    """The wordings of a sentence, in small letters, with their places."""
    words = list(_WORD.finditer(sentence))
    for first, word in enumerate(words):
        for last in words[first : first + _LONGEST + 1]:
            start, end = word.start(), last.end()
            yield sentence[start:end].lower(), start, end
