"""Constraints drawn for a text, made as varied as people's: other words to name, other ends of bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from redraft.constraints import (
    CONVENTIONS,
    Constraint,
    Keyword,
    KeywordFrequency,
    SentenceCount,
    SentenceLength,
    WordCount,
    check,
)

_SHIFTED: Final = 0.35
"""How often the last number that a bound allows is the round one: "at most 300"."""
_RENAMED: Final = 0.35
"""How often another word is named than a content word: any word, or a phrase."""
_PHRASE: Final = re.compile(r"(?<![\w'’-])[A-Za-z]{2,}(?: [A-Za-z]{2,}){0,2}(?![\w'’-])")
_SHORTEST: Final = 3
_MOST: Final = 9
"""Occurrences of a word that an instruction asks for."""
_TRIES: Final = 8
_LOOSER: Final = {"less than": 1, "more than": -1}


def varied(
    constraints: Sequence[Constraint], source: str, final: str, choose: Random
) -> tuple[Constraint, ...]:
    """The constraints, or others of their kinds that the final text obeys too."""
    return tuple(_shifted(_renamed(one, source, final, choose), choose) for one in constraints)


def obeys(final: str, constraints: Sequence[Constraint], source: str) -> bool:
    """Whether a text obeys, whichever way it is counted."""
    return all(check(final, constraints, original=source, counting=counting).met for counting in CONVENTIONS)


def _shifted(one: Constraint, choose: Random) -> Constraint:
    if not isinstance(one, WordCount | SentenceCount | SentenceLength) or choose.random() > _SHIFTED:
        return one
    shift = _LOOSER.get(one.relation, 0)
    if isinstance(one, SentenceLength):
        return replace(one, length=one.length + shift)
    return replace(one, count=one.count + shift)


def _renamed(one: Constraint, source: str, final: str, choose: Random) -> Constraint:
    if not isinstance(one, Keyword | KeywordFrequency) or choose.random() > _RENAMED:
        return one
    removed = isinstance(one, Keyword) and one.relation == "remove"
    for keyword in _keywords(source, choose):
        if removed and keyword in final:
            continue
        other: Constraint = replace(one, keyword=keyword)
        if isinstance(one, KeywordFrequency):
            count = final.lower().count(keyword.lower())
            if not 2 <= count <= _MOST:
                continue
            other = KeywordFrequency(keyword, count + _LOOSER.get(one.relation, 0), one.relation)
        if obeys(final, [other], source):
            return other
    return one


def _keywords(text: str, choose: Random) -> Iterator[str]:
    """Some of the words and phrases of a text."""
    found = [match for match in _PHRASE.findall(text) if len(match) >= _SHORTEST]
    for phrase in choose.sample(found, min(_TRIES, len(found))):
        words = phrase.split()
        start = choose.randrange(len(words))
        keyword = " ".join(words[start : start + choose.choice((1, 1, 1, 2, 3))])
        if len(keyword) >= _SHORTEST:
            yield keyword
