"""What a rewrite must leave as it is: numbers, names, negations, quotations, who speaks, and what is said."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from redraft.quality import MeaningChange, compare_meaning
from redraft.text import BY_FORM, citations, links, quotations, word_sets
from redraft.train.teaching.passage import Passage

_SIGNS: Final = word_sets(__package__, "signs.txt")
_SPEAKERS: Final = tuple(frozenset(group.split()) for group in ("i me my mine", "we us our", "you your"))
_LIGHT: Final = _SIGNS["light"]
_ENDING: Final = re.compile(
    r"(?:ization|isation|ations?|ments?|ities|ity|ness|ies|ied|ing|ers?|est|es|ed|ly|al|s|y|e)\Z"
)
_FREE: Final = 1
"""So many words may be lost, and as many be new, however short the passage is."""
_LEAST_STEM: Final = 3
_CUT: Final = re.compile(r"[,;:()—–]|\b(?:which|who|that|and|but|or|because|although|while|as|if|when)\b")


@dataclass(frozen=True, slots=True)
class Faith:
    """How much of a passage's content a control must keep, and how much of an answer's may be new."""

    kept: float
    new: float
    addresses: bool = False
    """Whether "you", "we" or "I" may come in."""
    allows: frozenset[str] = frozenset()
    """Kinds of change that the control asks for."""
    drops: bool = False
    """Whether a name or a number may go with its clause."""


_MODAL: Final = frozenset({"modal"})
FAITH: Final = {
    "fluency": Faith(0.75, 0.25),
    "shorten": Faith(0.0, 0.15, drops=True),
    "split": Faith(0.88, 0.12),
    "merge": Faith(0.85, 0.12),
    "with_word": Faith(0.75, 0.3),
    "without_word": Faith(0.7, 0.3),
    "simpler": Faith(0.4, 0.5),
    "plain": Faith(0.35, 0.5, addresses=True),
    "active": Faith(0.8, 0.2, addresses=True),
    "past": Faith(0.9, 0.1, allows=_MODAL),
    "present": Faith(0.9, 0.1, allows=_MODAL),
    "formal": Faith(0.4, 0.5),
    "friendly": Faith(0.45, 0.5, addresses=True),
    "polite": Faith(0.45, 0.5, addresses=True, allows=_MODAL),
    "concise": Faith(0.45, 0.2),
}


def lost_fact(task: str, before: Passage, after: Passage) -> str:
    """What an answer lost or added, in a word; empty where it is faithful."""
    faith = FAITH[task]
    if negations(before) != negations(after):
        return "negation"
    if not faith.addresses and any(group & after.low and not group & before.low for group in _SPEAKERS):
        return "person"
    if _marked(before.text) != _marked(after.text):
        return "quotation"
    source, text = content(before), content(after)
    if sum((source & text).values()) < faith.kept * source.total() - _FREE:
        return "dropped"
    known = set(source) | {stem(word) for word in before.low}
    if sum(count for word, count in text.items() if word not in known) > faith.new * text.total() + _FREE:
        return "added"
    changes = compare_meaning(before.text, after.text)
    lost = (change for change in changes if change.kind not in faith.allows)
    if faith.drops:
        lost = (change for change in lost if not _is_dropped(change, before.text, text))
    found = next(lost, None)
    return found.kind if found else ""


def negations(passage: Passage) -> int:
    """How many words deny something, "unable" and "lacks" among them."""
    return sum(word in _SIGNS["deny"] for word in passage.spelt)


def content(passage: Passage) -> Counter[str]:
    """The stems of the words that carry content."""
    return Counter(stem(word) for word in passage.spelt if word not in _LIGHT)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its ending: rough, but the same for its forms."""
    base = BY_FORM[word].base if word in BY_FORM else word
    short = _ENDING.sub("", base)
    return short if len(short) >= _LEAST_STEM else base


def _marked(text: str) -> tuple[list[str], ...]:
    """Quotations, citations and addresses, without case."""
    found = (quotations(text), citations(text), links(text))
    return tuple(sorted(one.value.lower() for one in each) for each in found)


def _is_dropped(change: MeaningChange, source: str, text: Counter[str]) -> bool:
    """Whether what is lost stood in a clause that is gone."""
    if change.after or change.kind not in ("name", "number"):
        return False
    clause = next((part for part in _CUT.split(source) if change.before in part), "")
    words = [stem(word) for word in re.findall(r"[a-z]{4,}", clause.replace(change.before, "").lower())]
    return sum(word in text for word in words) <= len(words) // 4
