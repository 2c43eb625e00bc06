"""Which statements of a text its revision leaves out, turns round or changes, and which are new.

Sentences are aligned first, then the words of those that differ. A statement is left out where few of its
telling words have become anything, and nothing else in the text says it: neither another sentence nor, where
it was divided, several in a row. What became of the others is compared by
the checks of `meaning.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, Protocol

from redraft.quality.base import MeaningChange
from redraft.quality.meaning import compare_meaning
from redraft.quality.reading import FUNCTION, stem
from redraft.quality.statements import Statement, statements
from redraft.text import Document, Link, align, align_words, is_english, tagged, word_likeness

_GONE: Final = 0.35
"""The share of its telling words below which a statement has surely gone."""
_KEPT: Final = 0.6
"""The share above which it is surely there; between the two a judge is asked."""
_DIVIDED: Final = 0.75
"""The share by which several sentences together still make it."""
_RUN: Final = 3
"""How many sentences one is divided into at most."""
_LEAST_STEMS: Final = 4
"""Telling words of a statement that can be divided: fewer come together by chance."""
_SURE: Final = 0.5
"""How sure a judge must be that a statement is still made."""
_REVERSING: Final = frozenset({"negation", "opposite"})
_TELLING: Final = ("N", "V", "J", "C", "F")


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """A statement that a revision does not make as its source did.

    `sentence` counts from 1, in the source, and in the text for what is new. What is minor only says who
    said something, gives an example, or is said elsewhere too. `changes` tells what in a statement changed.
    """

    kind: Literal["left out", "reversed", "changed", "new"]
    sentence: int
    before: str = ""
    after: str = ""
    minor: bool = False
    changes: tuple[MeaningChange, ...] = ()

    def __str__(self) -> str:
        if self.changes:
            return f"{self.kind}: {self.before} ({'; '.join(map(str, self.changes))})"
        return f"{self.kind}: {self.before or self.after}"


class SamenessJudge(Protocol):
    """Tells how likely it is that a text says what another says."""

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """For each statement and text, from 0 to 1, whether the text makes the statement."""


def claim_changes(source: Document | str, text: Document | str) -> tuple[ClaimChange, ...]:
    """The statements that are left out, reversed, changed or new, by rule; in doubt nothing is told."""
    return tuple(_Comparison(_document(source), _document(text)).sure)


async def judged_claim_changes(
    source: Document | str, text: Document | str, judge: SamenessJudge
) -> tuple[ClaimChange, ...]:
    """The same, with a judge for the statements that the rules leave in doubt."""
    found = _Comparison(_document(source), _document(text))
    scores = await judge.sameness([doubt.pair for doubt in found.doubts]) if found.doubts else ()
    gone = [doubt.change for doubt, score in zip(found.doubts, scores, strict=True) if score < _SURE]
    return tuple(sorted([*found.sure, *gone], key=_order))


def _order(change: ClaimChange) -> tuple[bool, int]:
    return change.kind == "new", change.sentence


def _document(text: Document | str) -> Document:
    return Document(text) if isinstance(text, str) else text


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A statement, the text that may make it, and what is to be told if it does not."""

    pair: tuple[str, str]
    change: ClaimChange

    @property
    def place(self) -> tuple[int, str]:
        """The sentence and the statement."""
        return self.change.sentence, self.change.before


@dataclass(slots=True)
class _Side:
    """The sentences of one side of a link, and the words of all of them."""

    document: Document
    numbers: tuple[int, ...]
    sentences: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.sentences = [" ".join(self.document.sentence(number).text.split()) for number in self.numbers]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


class _Comparison:
    """A text held against its source."""

    def __init__(self, source: Document, text: Document) -> None:
        self._source, self._text = source, text
        self._english = is_english(source.text)
        self.doubts: list[_Doubt] = []
        links = align(source, text)
        self._alone = {
            "left out": {number for link in links if not link.original for number in link.revised},
            "new": {number for link in links if not link.revised for number in link.original},
        }
        """The sentences that come from no other, by what a statement is called that none of them makes."""
        found = [change for link in links for change in self._of_link(link)]
        self.sure = sorted(found, key=_order)

    def _of_link(self, link: Link) -> Iterator[ClaimChange]:
        if link.kind == "kept":
            return
        before, after = _Side(self._source, link.original), _Side(self._text, link.revised)
        if before.text == after.text:
            return
        if not self._english:
            yield from self._uncovered(before, after)
            return
        left_out = [*self._missing("left out", before, after, self._text)]
        new = [*self._missing("new", after, before, self._source)]
        yield from left_out
        yield from new
        if before.numbers and after.numbers:
            yield from self._altered(before, after, left_out, new)

    def _uncovered(self, before: _Side, after: _Side) -> Iterator[ClaimChange]:
        """Of a language without rules, only the sentences that came or went."""
        if not after.numbers:
            yield from (
                ClaimChange("left out", number, before=text)
                for number, text in zip(before.numbers, before.sentences, strict=True)
            )
        elif not before.numbers:
            yield from (
                ClaimChange("new", number, after=text)
                for number, text in zip(after.numbers, after.sentences, strict=True)
            )

    def _missing(
        self, kind: Literal["left out", "new"], here: _Side, there: _Side, document: Document
    ) -> Iterator[ClaimChange]:
        """The statements of one side that the other does not make."""
        for number, sentence in zip(here.numbers, here.sentences, strict=True):
            covered = _covered(sentence, there.text)
            for statement in statements(sentence):
                telling = [place for place in _telling(sentence) if statement.start <= place < statement.stop]
                if not telling:
                    continue
                share = len(covered.intersection(telling)) / len(telling)
                if share >= _KEPT:
                    continue
                elsewhere = self._elsewhere(statement, document, there.numbers)
                repeated = elsewhere and self._is_repeated(statement, kind, number)
                among = self._alone[kind].union(there.numbers)
                if not repeated and (elsewhere or _is_divided(statement.text, document, among)):
                    continue
                minor = statement.is_attribution or statement.is_example or repeated
                before, after = (statement.text, "") if kind == "left out" else ("", statement.text)
                change = ClaimChange(kind, number, before, after, minor)
                if share < _GONE:
                    yield change
                else:
                    self.doubts.append(_Doubt((statement.text, there.text), change))

    def _elsewhere(self, statement: Statement, document: Document, but: Sequence[int]) -> bool:
        """Whether another sentence makes the statement."""
        return any(
            _says(sentence.text, statement.text)
            for sentence in document.sentences
            if sentence.number not in but
        )

    def _is_repeated(self, statement: Statement, kind: str, number: int) -> bool:
        """Whether another sentence of its own text makes the statement too."""
        own = self._source if kind == "left out" else self._text
        return self._elsewhere(statement, own, (number,))

    def _altered(
        self, before: _Side, after: _Side, left_out: list[ClaimChange], new: list[ClaimChange]
    ) -> Iterator[ClaimChange]:
        """The statements that are still made, and not as they were."""
        gone, come = " ".join(one.before for one in left_out), " ".join(one.after for one in new)
        by_statement: dict[tuple[int, str], list[MeaningChange]] = {}
        for change in compare_meaning(before.text, after.text):
            if (change.before and not change.after and change.before in gone) or (
                change.after and not change.before and change.after in come
            ):
                continue
            by_statement.setdefault(_place(before, change), []).append(change)
        for (number, statement), changes in by_statement.items():
            reverses = any(change.kind in _REVERSING for change in changes)
            kind: Literal["reversed", "changed"] = "reversed" if reverses else "changed"
            yield ClaimChange(kind, number, statement, _counterpart(statement, after), changes=tuple(changes))
        told = {*by_statement, *((one.sentence, one.before) for one in left_out)}
        self.doubts += (doubt for doubt in _replaced(before, after) if doubt.place not in told)


def _replaced(before: _Side, after: _Side) -> Iterator[_Doubt]:
    """The statements in which a word stands for another that is not known to mean the same."""
    there = _words(after.text)
    for number, sentence in zip(before.numbers, before.sentences, strict=True):
        here, telling = _words(sentence), _telling(sentence)
        odd = [
            i
            for i, j in align_words([word for word, _ in here], [word for word, _ in there])
            if i in telling and not word_likeness(*_low(here[i]), *_low(there[j]))
        ]
        for statement in statements(sentence):
            if any(statement.start <= place < statement.stop for place in odd):
                other = _counterpart(statement.text, after)
                change = ClaimChange("changed", number, statement.text, other)
                yield _Doubt((statement.text, other), change)


def _low(word: tuple[str, str]) -> tuple[str, str]:
    return word[0].lower(), word[1]


def _place(side: _Side, change: MeaningChange) -> tuple[int, str]:
    """The sentence and the statement that a change is in; the first where it cannot be told."""
    words = change.before.lower().split()
    for number, sentence in zip(side.numbers, side.sentences, strict=True):
        for statement in statements(sentence):
            low = f" {statement.text.lower()} ".replace("n't", " not").replace("cannot", "can not")
            if words and all(word in low for word in words):
                return number, statement.text
    return side.numbers[0], side.sentences[0]


def _counterpart(statement: str, side: _Side) -> str:
    """The statement of the other side that has most words in common."""
    stems = _stems(statement)
    found = [one.text for sentence in side.sentences for one in statements(sentence)]
    return max(found, key=lambda text: len(stems & _stems(text)) / (1 + len(_stems(text))), default="")


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((word.text, word.tag) for word in tagged(text))


@lru_cache(maxsize=1024)
def _telling(text: str) -> tuple[int, ...]:
    """The places of the words that say something by themselves."""
    return tuple(
        place
        for place, (word, tag) in enumerate(_words(text))
        if tag[:1] in _TELLING and tag != "CC" and word[0].isalnum() and word.lower() not in FUNCTION
    )


def _covered(sentence: str, passage: str) -> set[int]:
    """The places of the words of a sentence that became words of a passage."""
    if not passage:
        return set()
    links = align_words([word for word, _ in _words(sentence)], [word for word, _ in _words(passage)])
    return {i for i, _ in links}


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    words = _words(text)
    return frozenset(stem(words[place][0].lower()) for place in _telling(text))


def _says(text: str, statement: str) -> bool:
    stems = _stems(statement)
    return bool(stems) and len(stems & _stems(text)) >= _KEPT * len(stems)


def _is_divided(statement: str, document: Document, among: Set[int]) -> bool:
    """Whether a few sentences in a row make a statement together, those among the numbers given."""
    stems = _stems(statement)
    if len(stems) < _LEAST_STEMS:
        return False
    shared = [stems & _stems(one.text) if one.number in among else frozenset() for one in document.sentences]
    runs = (frozenset().union(*shared[i : i + _RUN]) for i in range(len(shared)))
    return any(len(run) >= _DIVIDED * len(stems) for run in runs)
