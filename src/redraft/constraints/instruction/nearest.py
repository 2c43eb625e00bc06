"""The nearest thing that is understood to words that are not: by the words that they share, and no model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from difflib import SequenceMatcher
from functools import lru_cache

from redraft.constraints.calls import parse_call
from redraft.errors import CallError
from redraft.text import list_lines, word_sets

from .parsing import parse

_WORD = re.compile(r"[^\W\d_]{2,}")
_NOT = re.compile(
    r"n['’]t\b"
    r"|\b(?:no(?! (?:more|fewer|less|longer))|never|less(?! than)|without|avoid\w*|nor|none|remove|omit)\b"
)
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_SMALL = word_sets("redraft.constraints")["small"]
_STEM = re.compile(r"(?<=\w{3})(?:ings?|ed|es|s|ly|er)\Z")
_ALIKE = 0.8
"""Two long words that are as like as this are one, with a slip in it."""
_LONG = 5
_CONTRARY = 0.3
"""What a likeness is worth where one forbids what the other does not."""
_NEAR = 0.25
"""What shares less than this with something is not near to it."""


def nearest(words: str, others: Iterable[str] = ()) -> str | None:
    """The wording nearest to some words, of the constraints or of `others`; None where none is near.

    >>> nearest("no semmicollans please")
    'Do not use semicolons.'
    """
    known = {**{other: _stems(other) for other in others}, **_phrasings()}
    counts = Counter(stem for stems in known.values() for stem in stems)
    rarest = math.log(len(known) + 1)
    weights = {stem: math.log((len(known) + 1) / count) for stem, count in counts.items()}
    asked = {_spelt_right(stem, weights): weights.get(stem, rarest) for stem in _stems(words)}

    def likeness(wording: str) -> float:
        stems = known[wording]
        shared = sum(weights[stem] for stem in stems if stem in asked)
        share = 2 * shared / (sum(asked.values()) + sum(weights[stem] for stem in stems) or 1.0)
        return share if ("not" in stems) is ("not" in asked) else share * _CONTRARY

    best = max(known, key=likeness)
    return best if likeness(best) >= _NEAR else None


def _spelt_right(stem: str, known: Mapping[str, float]) -> str:
    """The stem that is meant, where one is written with a slip."""
    if stem in known or len(stem) < _LONG:
        return stem
    close = [(SequenceMatcher(None, stem, other).ratio(), other) for other in known if len(other) >= _LONG]
    likeness, other = max(close, default=(0.0, stem))
    return other if likeness >= _ALIKE else stem


@lru_cache(maxsize=1)
def _phrasings() -> Mapping[str, frozenset[str]]:
    """Wordings of the kinds that are installed, each of which is read as a constraint, with their stems."""
    found: dict[str, frozenset[str]] = {}
    for call in list_lines("redraft.constraints", "examples.txt"):
        with suppress(CallError):  # of a kind, or a value, that is not installed
            constraint = parse_call(call)
            found |= {
                wording: _stems(wording)
                for wording in constraint.phrasings()
                if constraint in parse(wording).constraints
            }
    return found


def _stems(text: str) -> frozenset[str]:
    words = _WORD.findall(_NOT.sub(" not ", _QUOTED.sub("", text.lower())))
    return frozenset(_STEM.sub("", word) for word in words if word not in _SMALL)
