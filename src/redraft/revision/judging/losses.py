"""What a shorter version of a passage no longer says: what a reader would miss, and what nobody would."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from redraft.revision.tuning import KEPT_WORD_COST, LOST_CONTENT_COST, NEW_FOR_OLD, SAID_ELSEWHERE
from redraft.text import tagged, word_sets

_STEM: Final = 5
_SETS: Final = word_sets(__package__)
_HOLLOW: Final = _SETS["losses.hollow"] | _SETS["concerns.hollow"]
_SLIGHT: Final = _SETS["losses.slight"]
_SLIGHT_WEIGHT: Final = 0.3
_TELLING: Final = _SETS["losses.telling"]
_CLASSIFYING: Final = ("ed", "al", "ic", "ary", "ive", "ous", "free", "proof")
"""How adjectives end that say which thing it is, and not how somebody likes it."""
_CLASS_WEIGHT: Final = 4.0
_NAME_WEIGHT: Final = 2.0
_DENIAL: Final = re.compile(r"(?i)\b(?:not|no|never|neither|nor|without|only)\b|n['’]t\b")
_DENIED_WEIGHT: Final = 2.0
"""What is denied, or holds of nothing else, is missed more."""


def cut_loss(source: str, text: str, elsewhere: Container[str] = ()) -> float:
    """What it costs, in nats, that words of a passage are gone, filler as good as nothing.

    `elsewhere` are the stems of what the rest of the text says: that is missed less.
    """
    lost = _lost_weight(source, text, frozenset(stem for stem, _ in _content(source) if stem in elsewhere))
    fewer = max(len(source.split()) - len(text.split()), 0)
    return LOST_CONTENT_COST * lost + KEPT_WORD_COST * fewer


@lru_cache(maxsize=16384)
def _lost_weight(source: str, text: str, elsewhere: frozenset[str]) -> float:
    old, new = _content(source), _content(text)
    stems = {stem for stem, _ in new} | _stems(text)
    lost: list[float] = []
    for stem, is_verb in old:
        # "the pump, and pump until": the one does not stand for the other.
        other = (stem, not is_verb)
        gone = stem not in stems or ((stem, is_verb) not in new and other in old and other in new)
        if gone:
            weight = old[stem, is_verb]
            lost.append(weight * (SAID_ELSEWHERE if stem in elsewhere else 1.0))
    added = sum(1 for stem, _ in new if stem not in {known for known, _ in old} | _stems(source))
    replaced = sorted(lost, reverse=True)[:added]
    return sum(lost) - (1.0 - NEW_FOR_OLD) * sum(replaced)


@lru_cache(maxsize=16384)
def _content(text: str) -> dict[tuple[str, bool], float]:
    """The words that say something, each by its stem and whether it is a verb, and how much that is."""
    found: dict[tuple[str, bool], float] = {}
    denied = _DENIED_WEIGHT if _DENIAL.search(text) else 1.0
    words = tagged(text)
    for place, word in enumerate(words):
        low, tag = word.text.lower(), word.tag
        joined = place and words[place - 1].text.lower() in ("and", "to", "then")
        if tag == "NN" and joined and words[place + 1 : place + 2]:
            # "attach the pump and pump until it is full"
            tag = "VB" if words[place + 1].tag in ("IN", "DT", "PRP", "PRP$") else tag
        if low in _HOLLOW or tag[:2] not in ("NN", "VB", "JJ", "CD", "RB") or not low[0].isalnum():
            continue
        weight = _SLIGHT_WEIGHT if low in _SLIGHT or tag == "RB" else 1.0
        if tag.startswith("NNP"):
            weight = _NAME_WEIGHT
        follows = words[place + 1].tag if place + 1 < len(words) else ""
        if tag == "VBN" and follows in ("NN", "NNS"):
            tag = "JJ"  # "at shared cost"
        if tag == "JJ" and weight == 1.0 and (low in _TELLING or low.endswith(_CLASSIFYING)):
            weight = _CLASS_WEIGHT
        found.setdefault((low[:_STEM], tag.startswith("VB")), weight * denied)
    return found


@lru_cache(maxsize=16384)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word.text.lower()[:_STEM] for word in tagged(text))


def said_stems(texts: Iterable[str]) -> Counter[str]:
    """The stems of all words of some texts, and in how many of them each stands."""
    return Counter(stem for text in texts for stem in _stems(text))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The stems of a text but for some of its passages, of all of which the stems are counted."""

    everywhere: Counter[str]
    here: Counter[str]

    def __contains__(self, stem: object) -> bool:
        return isinstance(stem, str) and self.everywhere[stem] > self.here[stem]
