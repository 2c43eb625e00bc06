"""Who does what to whom: the part that each word has in its sentence.

A word's part is a relation and the word that it depends on: subject or object of a verb, after a
preposition, before a noun. Voice does not matter: what stands after "by" is the subject of a passive. Without
a parser a phrase may belong to more than one word, so a word has a set of parts. Two words have changed
places where each has a part that only the other had: that is told, and nothing less certain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from redraft.quality.reading import stem
from redraft.text import (
    ADJECTIVE,
    BY_FORM,
    FINITE,
    VERB,
    VERBS,
    Syntax,
    align_words,
    analyse_syntax,
    bases,
    thesaurus,
    word_sets,
)

Part = tuple[str, str]
Parts = dict[str, frozenset[Part]]

_SETS: Final = word_sets("redraft.quality")
_SYMMETRIC: Final = _SETS["roles.symmetric"] | {"be"}
_BE: Final = _SETS["roles.be"]
_RELATIVES: Final = _SETS["roles.relatives"]
_AUXILIARIES: Final = {
    **dict.fromkeys(_BE, "be"),
    **dict.fromkeys(("has", "have", "had", "having"), "have"),
    **dict.fromkeys(("do", "does", "did", "done", "doing"), "do"),
}
_POINTING: Final = frozenset({"PRP", "DT", "EX", "WP", "WDT"})
_ENDING: Final = re.compile(r"(?<=\w\w\w)(?:ing|ed|es|s|e)$")
_OBJECTS: Final = frozenset({"DT", "PRP", "PRP$"})
_LONGEST: Final = 1500
_MOST_MOVED: Final = 16


_PERSONS: Final = {"me": "i", "us": "we", "him": "he", "her": "she", "them": "they", "you": "you"}
_TO_EACH_OTHER: Final = re.compile(
    r"(?i)\b(i|you|he|she|we|they)(?: (?:have|has|had|will|would|did|can|could|\w+ly|just))?"
    r" ([a-z]+) (me|you|him|her|us|them)\b"
)


def swapped_persons(source: str, text: str) -> Iterator[tuple[str, str]]:
    """Persons of whom each does what the other did: "the ladder you lent me" as "the ladder I lent you"."""
    before, after = (_done_to_each_other(one) for one in (source, text))
    for doer, verb, other in sorted(before):
        if (other, verb, doer) in after - before and (doer, verb, other) not in after:
            yield doer, other


def _done_to_each_other(text: str) -> set[tuple[str, str, str]]:
    found = (match.groups() for match in _TO_EACH_OTHER.finditer(text.lower()))
    return {(doer, stem(verb), _PERSONS[other]) for doer, verb, other in found}


def swapped_roles(source: str, text: str) -> Iterator[tuple[str, str]]:
    """Pairs of words that have changed places: each has a part that the other had."""
    before, after = parts_of(source), parts_of(text)
    told: set[str] = set()
    for pair in _turned(before, after):
        told |= set(pair)
        yield spelled(source, pair[0]), spelled(source, pair[1])
    if len(_moved(before, after)) < 2:
        return
    if renamed := _renamed(source, text, {head for parts in before.values() for _, head in parts}):
        after = {
            word: frozenset((relation, renamed.get(head, head)) for relation, head in parts)
            for word, parts in after.items()
        }
    moved = _moved(before, after)[:_MOST_MOVED]
    takes = {
        one: [
            other
            for other in moved
            if other != one and after[one] & before[other] and before[one].isdisjoint(before[other])
        ]
        for one in moved
    }
    for one in moved:
        for other in takes[one]:
            round_trip = one in takes[other] or any(one in takes[third] for third in takes[other])
            if round_trip and not {one, other} & told and not _alike(one, other):
                told |= {one, other}
                yield spelled(source, one), spelled(source, other)


def _turned(before: Parts, after: Parts) -> Iterator[tuple[str, str]]:
    """Subjects that became the object of the same verb, each with the object that became its subject."""
    shared = before.keys() & after.keys()
    for one in sorted(shared):
        for relation, verb in sorted(before[one] - after[one]):
            subject, object_ = ("subject", verb), ("object", verb)
            if relation != "subject" or object_ in before[one] or object_ not in after[one]:
                continue
            for other in sorted(shared):
                was = object_ in before[other] and subject not in before[other]
                if was and subject in after[other] and object_ not in after[other]:
                    yield one, other


def spelled(text: str, word: str) -> str:
    """A word as the text writes it."""
    syntax = analyse_syntax(text)
    return next(syntax.words[place].text for place in range(len(syntax)) if lemma(syntax, place) == word)


def _alike(one: str, other: str) -> bool:
    return any(other in close for kind in "nvar" for close in thesaurus().get((one, kind), ())[:1])


def _moved(before: Parts, after: Parts) -> list[str]:
    return [word for word in before if word in after and before[word].isdisjoint(after[word])]


def _renamed(source: str, text: str, heads: set[str]) -> dict[str, str]:
    """The words that are only in the revision, each with the word whose place it took."""
    left, right = analyse_syntax(source), analyse_syntax(text)
    old = heads | {lemma(left, place) for place in range(len(left))}
    new = {lemma(right, place) for place in range(len(right))}
    if new <= old or max(len(source), len(text)) > _LONGEST:
        return {}
    pairs = ((lemma(left, i), lemma(right, j)) for i, j in align_words(left.low, right.low))
    return {other: one for one, other in pairs if other not in old and one not in new}


@lru_cache(maxsize=2048)
def parts_of(text: str) -> Parts:
    """The parts of each word that occurs once."""
    if len(text) > _LONGEST:
        return {}
    syntax = analyse_syntax(text)
    counts = Counter(lemma(syntax, place) for place in range(len(syntax)))
    found = {
        lemma(syntax, place): frozenset(parts)
        for place, parts in _Reader(syntax).read().items()
        if syntax.tags[place] not in _POINTING
    }
    return {word: parts for word, parts in found.items() if parts and counts[word] == 1}


@lru_cache(maxsize=8192)
def _base(low: str, tag: str) -> str:
    if low in _AUXILIARIES:
        return _AUXILIARIES[low]
    if tag[:1] == "V":
        return next((one for one in bases(low, tag) if one in VERBS), _ENDING.sub("", low))
    return next(iter(bases(low, tag)), low) if tag == "NNS" else low


def lemma(syntax: Syntax, place: int) -> str:
    """The dictionary form of a word, as far as its tag tells."""
    return _base(syntax.low[place], syntax.tags[place])


class _Reader:
    """Goes through a sentence once, phrase by phrase."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._verbless = FINITE.isdisjoint(syntax.tags)
        self._found: dict[int, set[Part]] = {}
        self._first: dict[int, int] = {}  # of a list, or of a name and what explains it
        self._waiting: list[tuple[int, str]] = []  # phrases before their verb
        self._subject: int | None = None
        self._noun: int | None = None
        self._verb = ""
        self._main: int | None = None
        self._passive = False
        self._preposition = ""
        self._joined = False
        self._came_from: int | None = None
        self._verbs: dict[str, int] = {}

    def read(self) -> dict[int, set[Part]]:
        """The parts of the word at each place."""
        index = 0
        while index < self._syntax.stop:
            index = max(self._step(index), index + 1)
        for place, parts in list(self._found.items()):
            for relation, head in parts:
                if relation in ("subject", "object") and head in self._verbs:
                    self._add(self._verbs[head], (f"{relation} of", lemma(self._syntax, place)))
        for place, first in self._first.items():
            shared = self._found.get(first, set()) | self._found.get(place, set())
            self._add(place, *shared)
            self._add(first, *shared)
        return self._found

    def _step(self, index: int) -> int:
        syntax = self._syntax
        tag, low = syntax.tags[index], syntax.low[index]
        end = syntax.noun_phrase(index)
        if (
            self._verbless
            and end > index + 1
            and syntax.low[end - 1] in BY_FORM
            and syntax.tag(end) in _OBJECTS
        ):
            end -= 1  # "the dog bit the man": the tagger took the verb for a noun
            self._take_phrase(index, end)
            return self._take_verb(end)
        if end > index and tag not in ("EX", "WP"):
            self._take_phrase(index, end)
            return end
        if tag in VERB:
            return self._take_verb(index)
        if tag in ADJECTIVE and self._verb and not self._preposition:
            self._add(index, _argument("object", self._verb))
            return index + 1
        opens = syntax.subject_and_verb(index + 1)
        if tag in ("WDT", "WP", "WRB") or low in _RELATIVES:
            self._open_clause(self._noun if low in _RELATIVES and not opens else None)
        elif tag in ("IN", "TO"):
            if opens and low not in ("of", "by", "to", "with"):
                self._open_clause(None)
            else:
                self._preposition, self._joined = low, False
        elif tag == ":" or (tag in (",", "CC") and opens):
            self._open_clause(None)
        elif tag in (",", "CC"):
            self._joined = True
        return index + 1

    def _ends_in_verb(self, end: int) -> bool:
        """Whether the tagger took the only verb for a noun: "the dog bit the man"."""
        syntax = self._syntax
        return self._verbless and syntax.low[end - 1] in BY_FORM and syntax.tag(end) in _OBJECTS

    def _open_clause(self, subject: int | None) -> None:
        self._subject = subject
        self._verb, self._preposition = "", ""
        self._passive = self._joined = False

    def _take_phrase(self, first: int, end: int) -> None:
        syntax = self._syntax
        owner = next((place for place in range(first, end) if syntax.tags[place] == "POS"), None)
        if owner is not None and first < owner < end - 1:
            self._describe(first, owner)
            self._add(owner - 1, ("of", lemma(syntax, end - 1)))
            first = owner + 1
        self._describe(first, end)
        self._place(end - 1)
        self._noun, self._preposition, self._joined = end - 1, "", False

    def _describe(self, first: int, end: int) -> None:
        """The words before a noun."""
        for place in range(first, end - 1):
            if self._syntax.tags[place] not in ("DT", "PDT", "PRP$", "CC", ","):
                self._add(place, ("before", lemma(self._syntax, end - 1)))

    def _place(self, head: int) -> None:
        """Gives a noun its part, or lets it wait for the verb."""
        noun, verb, relation = self._noun, self._verb, self._preposition
        if relation == "by" and self._passive:
            self._add(head, _argument("subject", verb))
        elif relation:
            if noun is not None:
                self._add(head, (relation, lemma(self._syntax, noun)))
                if relation == "to" and self._came_from == noun:
                    self._add(head, ("to", "from"))
                    self._add(noun, ("from", "to"))
            if relation == "from":
                self._came_from = head
            if verb:
                self._add(head, (relation, verb))
            else:
                self._waiting.append((head, relation))
        elif self._joined and noun is not None:
            self._first[head] = self._first.get(noun, noun)
        elif verb:
            self._add(head, _argument("object", verb))
        elif self._subject is None:
            self._subject = head

    def _take_verb(self, index: int) -> int:
        syntax = self._syntax
        verbs = [index]
        for place in range(index + 1, syntax.stop):
            if syntax.tags[place] in VERB:
                verbs.append(place)
            elif syntax.tags[place] != "RB" and not (
                syntax.tags[place] == "TO" and syntax.tag(place + 1) == "VB"
            ):
                break
        main = verbs[-1]
        reduced = self._noun == index - 1 and syntax.tags[index] in ("VBN", "VBG")
        helped = any(syntax.low[place] in _BE for place in verbs[:-1])
        self._passive = (syntax.tags[main] in ("VBN", "VBD") and helped) or (
            reduced and syntax.tags[main] == "VBN"
        )
        if self._main is not None and index == self._main + 2 and syntax.tags[index - 1] == "CC":
            self._first[main] = self._first.get(self._main, self._main)
        verb = BY_FORM.get(syntax.low[main]) if self._verbless else None
        self._verb, self._main = verb.base if verb else lemma(syntax, main), main
        self._verbs[self._verb] = main
        subject = self._noun if reduced else self._subject
        if subject is not None:
            self._add(subject, _argument("object" if self._passive else "subject", self._verb))
        for head, relation in self._waiting:
            self._add(head, (relation, self._verb))
        self._waiting = []
        self._noun, self._preposition, self._joined = None, "", False
        return main + 1

    def _add(self, place: int, *parts: Part) -> None:
        self._found.setdefault(place, set()).update(parts)


def _argument(relation: str, verb: str) -> Part:
    """Of "be", and of what is mutual, subject and object are one."""
    return ("either" if verb in _SYMMETRIC else relation, verb)
