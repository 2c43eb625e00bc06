"""Words that learners and typists put for one another, and what else may stand where they stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from redraft.text import BY_FORM, PLURALS, UNCOUNTED, Tagged, list_lines, plural, singular, tagged

Sort = Literal["article", "preposition", "agreement", "verb", "number", "word", "joined", "spelling", "rule"]
"""What an edit touches. `spelling` and `rule` are Harper's; the others are found here."""


@dataclass(frozen=True, slots=True)
class Swap:
    """An edit of one place: `after` stands for `text[start:end]`."""

    start: int
    end: int
    after: str
    sort: Sort

    def apply(self, text: str) -> str:
        """The text with the edit made."""
        return text[: self.start] + self.after + text[self.end :]


_ARTICLES: Final = ("a", "an", "the")
_PREPOSITIONS: Final = ("in", "on", "at", "to", "for", "of", "with", "by", "from", "about")
_INSERTED: Final = ("to", "of", "in", "for")
_BE: Final = (("is", "are", "am"), ("was", "were"), ("be", "been", "being", "is", "are"))
_DETERMINERS: Final = frozenset({"DT", "PRP$", "CD", "POS", "WDT", "WP$", "PDT"})
_NOUNS: Final = frozenset({"NN", "NNS"})
_VERBS: Final = frozenset({"VB", "VBP", "VBZ", "VBD", "VBN", "VBG"})
_OPENERS: Final = frozenset({"NN", "NNS", "JJ", "JJS", "RBS"})
_PHRASE: Final = 4
"""Words that a phrase of the list may have."""


def swaps(sentence: str) -> list[Swap]:
    """The edits of one word, or of none (something put in), that may mend a sentence; each once."""
    words = tagged(sentence)
    found = dict.fromkeys(_found(sentence, words))
    return [swap for swap in found if swap.apply(sentence) != sentence]


def _found(sentence: str, words: Sequence[Tagged]) -> Iterator[Swap]:
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        after = words[at + 1] if at + 1 < len(words) else None
        low = word.text.lower()
        yield from _forms(word, low)
        # A name keeps its article and its preposition, and so does the head of a sentence.
        if before is None:
            continue
        if low in _ARTICLES and after is not None and after.text.islower():
            yield from _instead(word, [_indefinite(after.text)] if low != "the" else [], "article")
            yield from _left_out(word, after, "article")
        elif (
            low in _PREPOSITIONS
            and word.tag in ("IN", "TO", "RP")
            and after is not None
            and after.text.islower()
        ):
            yield from _instead(word, _PREPOSITIONS, "preposition")
            yield from _left_out(word, after, "preposition")
        elif word.text.islower() and before.end < word.start:
            if word.tag in _OPENERS and before.tag not in _DETERMINERS | _OPENERS:
                yield from _put_in(word, _articles_for(low), "article")
            if before.tag in _VERBS and word.tag not in ("IN", "TO", "RP", "VBN", "VBG"):
                yield from _put_in(word, ("to",) if word.tag in _VERBS else _INSERTED, "preposition")
    yield from _listed(sentence, words)


def _articles_for(low: str) -> tuple[str, ...]:
    return ("the",) if low in PLURALS or low in UNCOUNTED else (_indefinite(low), "the")


def _indefinite(low: str) -> str:
    return "an" if low[:1] in tuple("aeiou") else "a"


def _forms(word: Tagged, low: str) -> Iterator[Swap]:
    for group in _BE:
        if low in group:
            yield from _instead(word, group, "agreement")
    if low in ("has", "have", "had"):
        yield from _instead(word, ("has", "have", "had"), "agreement")
    elif low in ("do", "does", "did", "don't", "doesn't", "didn't"):
        ending = "n't" if low.endswith("n't") else ""
        yield from _instead(word, [form + ending for form in ("do", "does", "did")], "agreement")
    elif low in BY_FORM and word.tag in _VERBS:
        forms = BY_FORM[low]
        bare = {forms.base, forms.third}
        for form in dict.fromkeys(forms):
            yield from _instead(word, [form], "agreement" if {low, form} <= bare else "verb")
    if word.tag in _NOUNS and low.isalpha() and len(low) > 2:
        other = singular(low) or (plural(low) if low not in PLURALS else None)
        if other is not None:
            yield from _instead(word, [other], "number")


def _listed(sentence: str, words: Sequence[Tagged]) -> Iterator[Swap]:
    """What the list of confusions has for each run of words."""
    known = _confusions()
    for at, first in enumerate(words):
        for last in words[at : at + _PHRASE]:
            found = sentence[first.start : last.end]
            for other in known.get(found.lower(), ()):
                several = " " in other or " " in found
                yield Swap(first.start, last.end, _cased(other, found), "joined" if several else "word")


@cache
def _confusions() -> Mapping[str, tuple[str, ...]]:
    known: dict[str, list[str]] = defaultdict(list)
    for line in list_lines(__package__, "confusions-words.txt"):
        group = line.split(";") if ";" in line else line.split()
        for one in group:
            known[one] += [other for other in group if other != one]
    return {one: tuple(dict.fromkeys(others)) for one, others in known.items()}


def _instead(word: Tagged, others: Iterable[str], sort: Sort) -> Iterator[Swap]:
    for other in others:
        if other != word.text.lower():
            yield Swap(word.start, word.end, _cased(other, word.text), sort)


def _left_out(word: Tagged, after: Tagged, sort: Sort) -> Iterator[Swap]:
    if after.start > word.end:
        yield Swap(word.start, after.end, after.text, sort)


def _put_in(word: Tagged, others: Iterable[str], sort: Sort) -> Iterator[Swap]:
    for other in others:
        yield Swap(word.start, word.end, f"{other} {word.text}", sort)


def _cased(word: str, like: str) -> str:
    """A word with the capital that another one has."""
    return word[0].upper() + word[1:] if like[:1].isupper() and word else word
