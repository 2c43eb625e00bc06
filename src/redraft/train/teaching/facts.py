"""What a rewrite must leave as it is: numbers, names, negations, quotations, who speaks, and what is said."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from redraft.quality import MeaningChange, compare_meaning
from redraft.text import BY_FORM, CARDINALS, ORDINALS, citations, links, quotations, word_sets
from redraft.train.teaching.passage import Passage

_SIGNS: Final = word_sets(__package__, "signs.txt")
_PEOPLE: Final = {
    "I": frozenset({"i", "me", "my", "mine"}),
    "we": frozenset({"we", "us", "our"}),
    "you": frozenset({"you", "your"}),
}
_HE, _SHE = frozenset({"he", "him", "his"}), frozenset({"she", "her", "hers"})
_THEY: Final = frozenset({"they", "them", "their"})
_AMOUNTS: Final = frozenset({*CARDINALS, *ORDINALS, *_SIGNS["fractions"]}) - {"one", "first", "second"}
LIGHT: Final = _SIGNS["light"]
_ENDING: Final = re.compile(
    r"(?:ization|isation|ations?|ments?|ities|ity|ness|ies|ied|ing|ers?|est|es|ed|ly|al|s|y|e)\Z"
)
_LEAST_ARTICLES: Final = 0.75
"""What must be left of the share of articles, but for one of them; with fewer it reads like a telegram."""
_LEAST_STEM: Final = 3
_CUT: Final = re.compile(r"[,;:()—–]|\b(?:which|who|that|and|but|or|because|although|while|as|if|when)\b")


@dataclass(frozen=True, slots=True)
class Faith:
    """How much of a passage's content a control must keep, and how much of an answer's may be new."""

    kept: float
    new: float
    addresses: tuple[str, ...] = ()
    """Who may come in: "you", "we"."""
    allows: frozenset[str] = frozenset()
    """Kinds of change that the control asks for."""
    drops: bool = False
    """Whether a name or a number may go with its clause."""
    free: int = 1
    """So many words may be lost, and as many be new, however short the passage is."""


_MODAL: Final = frozenset({"modal"})
FAITH: Final = {
    "fluency": Faith(0.75, 0.25),
    "shorten": Faith(0.0, 0.15, drops=True),
    "split": Faith(0.88, 0.12),
    "merge": Faith(0.88, 0.1),
    "with_word": Faith(0.75, 0.3),
    "without_word": Faith(0.75, 0.25),
    "simpler": Faith(0.5, 0.4),
    "plain": Faith(0.5, 0.4, ("you",)),
    "active": Faith(0.85, 0.1, ("we",), free=0),
    "past": Faith(0.9, 0.1, allows=_MODAL),
    "present": Faith(0.9, 0.1, allows=_MODAL),
    "formal": Faith(0.5, 0.4),
    "friendly": Faith(0.85, 0.15, free=0),
    "polite": Faith(0.75, 0.15, ("you",), allows=_MODAL, free=0),
    "concise": Faith(0.65, 0.15),
}


def lost_fact(task: str, before: Passage, after: Passage) -> str:
    """What an answer lost or added, in a word; empty where it is faithful."""
    faith = FAITH[task]
    if negations(before) != negations(after):
        return "negation"
    if _is_person_changed(faith, before, after):
        return "person"
    if not faith.drops and _amounts(before) != _amounts(after):
        return "number"
    if _articles(before) / before.words * _LEAST_ARTICLES > (_articles(after) + 1) / after.words:
        return "articles"
    if _marked(before.text) != _marked(after.text):
        return "quotation"
    source, text = content(before), content(after)
    if sum((source & text).values()) < faith.kept * source.total() - faith.free:
        return "dropped"
    known = set(source) | {stem(word) for word in before.low | _SIGNS["courteous"]}
    new = sum(count for word, count in text.items() if word not in known)
    if new > faith.new * text.total() + faith.free:
        return "added"
    changes = compare_meaning(before.text, after.text)
    lost = (change for change in changes if change.kind not in faith.allows)
    if faith.drops:
        lost = (change for change in lost if not _is_dropped(change, before.text, text))
    found = next(lost, None)
    return found.kind if found else ""


def _is_person_changed(faith: Faith, before: Passage, after: Passage) -> bool:
    """Whether somebody comes in who was not there, or one is taken for another."""
    came = {name for name, words in _PEOPLE.items() if words & after.low and not words & before.low}
    gone = any(name.lower() in before.low and name.lower() not in after.low for name in _PEOPLE)
    swapped = any(_is_swapped(one, other, before, after) for one, other in ((_HE, _SHE), (_SHE, _HE)))
    others = gone and (came or _THEY & after.low - before.low)
    return bool(came.difference(faith.addresses) or swapped or others)


def _is_swapped(one: frozenset[str], other: frozenset[str], before: Passage, after: Passage) -> bool:
    """Whether he may be named where she was; one who is gone with a clause counts too."""
    new = one & after.low and not one & before.low
    gone = other & before.low and not other & after.low
    return bool((new and other & before.low) or (gone and one & after.low))


def _amounts(passage: Passage) -> Counter[str]:
    """Numbers and shares in words."""
    return Counter(word for word in passage.spelt if word in _AMOUNTS)


def _articles(passage: Passage) -> int:
    return sum(word in _SIGNS["articles"] for word in passage.spelt)


def negations(passage: Passage) -> int:
    """How many words deny something, "unable" and "lacks" among them."""
    return sum(word in _SIGNS["deny"] for word in passage.spelt)


def content(passage: Passage) -> Counter[str]:
    """The stems of the words that carry content."""
    return Counter(stem(word) for word in passage.spelt if word not in LIGHT)


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
