"""A text that proves an instruction feasible (the revision, or a mix of it and the source), and its keywords.

An instruction that names sentences decides how much of the revision may stand: "only change 4" leaves the
source but for one sentence, "do not change 4" gives one sentence of the source back. So the sentences are
chosen first, and all other features are read off the mixed text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from random import Random
from typing import Final, Literal

from redraft.constraints import Constraint, Reading, read
from redraft.constraints.kinds import SentenceModification
from redraft.text import Document, Link, Sentence, align, count_words, tagged, word_sets

_CONTENT: Final = frozenset({"NN", "NNS", "NNP", "JJ"})
_DULL: Final = word_sets("redraft.constraints")["dull"]
_WORD: Final = re.compile(r"[A-Za-z]{4,14}")


@dataclass(frozen=True, slots=True)
class Term:
    """A content word as it is best written, and how often it occurs."""

    word: str
    count: int


def terms(reading: Reading) -> tuple[Term, ...]:
    """The content words of a text that no longer word of it contains, in the order of their first use."""
    written: dict[str, Counter[str]] = {}
    for sentence in reading.sentences:
        # What begins a sentence is written large and often taken for a name: "Keep it dry."
        for token in [token for token in tagged(sentence.text) if token.text[0].isalnum()][1:]:
            if token.tag in _CONTENT and _WORD.fullmatch(token.text) and token.text.lower() not in _DULL:
                written.setdefault(token.text.lower(), Counter())[token.text] += 1
    found = (Term(_spelling(forms), occurrences(reading, word) or 0) for word, forms in written.items())
    return tuple(term for term in found if term.count)


def occurrences(reading: Reading, word: str) -> int | None:
    """How often a word occurs in a text, where the conventions agree on it; None where they do not."""
    anywhere = reading.text.lower().count(word.lower())
    return anywhere if not anywhere or anywhere == len(reading.occurrences(word)) else None


def _spelling(forms: Counter[str]) -> str:
    """A name as it is written; a word that also stands in lower case, in lower case."""
    lower = [form for form in forms if form.islower()]
    return lower[0] if lower else forms.most_common(1)[0][0]


CONVENTIONS: Final = ("default", "constrev")
_SHORTEST: Final = 5
"""The fewest words of a sentence that an instruction names; a shorter one may stand anywhere."""
_TRIES: Final = 12
"""So many choices of sentences are tried for one instruction."""


class Pair:
    """A source and its revision, and which sentence became what."""

    def __init__(self, source: str, revision: str) -> None:
        self.source = source
        self.revision = revision
        self.before = tuple(read(source, counting) for counting in CONVENTIONS)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The content words of the source."""
        return terms(self.before[0])

    @cached_property
    def _revised(self) -> Document:
        return Document(self.revision)

    @cached_property
    def _links(self) -> Mapping[int, Link]:
        """Of each sentence of the source that went its own way, what became of it."""
        found = align(self.before[0].document, self._revised)
        return {link.original[0]: link for link in found if len(link.original) == 1}

    @cached_property
    def _named(self) -> tuple[Sentence, ...]:
        """The sentences that both conventions give the same number."""
        ours, theirs = (reading.sentences for reading in self.before)
        return tuple(
            one
            for one, other in zip(ours, theirs, strict=False)
            if (one.start, one.end) == (other.start, other.end)
            and one.counted == other.number
            and count_words(one.text) >= _SHORTEST
        )

    @cached_property
    def keepable(self) -> tuple[int, ...]:
        """Sentences of the source that stand in the revision, or can be put back."""
        return tuple(
            sentence.number
            for sentence in self._named
            if (link := self._links.get(sentence.number)) is not None
            and (link.kind == "kept" or self._own_words(link))
        )

    @cached_property
    def changeable(self) -> tuple[int, ...]:
        """Sentences of the source whose revised words can stand in their place."""
        return tuple(
            sentence.number
            for sentence in self._named
            if (link := self._links.get(sentence.number)) is not None
            and self._own_words(link)
            and sentence.text.rstrip(".!?") not in self._new(link)
        )

    def _own_words(self, link: Link) -> bool:
        numbers = link.revised
        return link.kind in ("changed", "split") and numbers[-1] - numbers[0] + 1 == len(numbers)

    def _place(self, link: Link) -> tuple[int, int]:
        first, last = (self._revised.sentence(link.revised[index]) for index in (0, -1))
        return first.start, last.end

    def _new(self, link: Link) -> str:
        start, end = self._place(link)
        return self.revision[start:end]

    def keeping(self, numbers: Sequence[int]) -> str:
        """The revision with these sentences as they were."""
        sentences = (self.before[0].sentences[number - 1] for number in numbers)
        return _swapped(self.revision, [(*self._place(self._links[s.number]), s.text) for s in sentences])

    def changing(self, numbers: Sequence[int]) -> str:
        """The source with these sentences as they were revised."""
        sentences = (self.before[0].sentences[number - 1] for number in numbers)
        return _swapped(self.source, [(s.start, s.end, self._new(self._links[s.number])) for s in sentences])


def _swapped(text: str, swaps: Sequence[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(swaps, reverse=True):
        text = text[:start] + new + text[end:]
    return text


@dataclass(frozen=True)
class Witness:
    """A text that meets what an instruction says of sentences, and what of it was decided by that."""

    pair: Pair
    text: str
    constraint: SentenceModification | None = None
    fixed: tuple[str, ...] = ()
    """The sentences that must stand as they are."""

    @property
    def before(self) -> tuple[Reading, ...]:
        """The source as each convention sees it."""
        return self.pair.before

    @cached_property
    def after(self) -> tuple[Reading, ...]:
        """The text as each convention sees it."""
        return tuple(read(self.text, counting) for counting in CONVENTIONS)

    def meets(self, constraints: Sequence[Constraint]) -> bool:
        """Whether the text obeys under both conventions."""
        pairs = zip(self.before, self.after, strict=True)
        return all(one.check(before, after).met for before, after in pairs for one in constraints)

    def met_by_source(self, constraints: Sequence[Constraint]) -> int:
        """Under how many of the conventions the source itself obeys."""
        return sum(all(one.check(source, source).met for one in constraints) for source in self.before)


def witnesses(
    pair: Pair, relation: Literal["change", "unchange"] | None, count: int, choose: Random
) -> Iterator[Witness]:
    """Texts that meet an instruction about so many sentences, few of the many there may be.

    Each differs from the source. Without a relation there is one: the revision.
    """
    if relation is None:
        if pair.revision != pair.source:
            yield Witness(pair, pair.revision)
        return
    numbers = list(pair.keepable if relation == "unchange" else pair.changeable)
    choose.shuffle(numbers)
    for chosen in islice(combinations(numbers, count), _TRIES):
        constraint = SentenceModification(chosen, relation)
        text = pair.keeping(chosen) if relation == "unchange" else pair.changing(chosen)
        fixed = tuple(
            sentence.text
            for sentence in pair.before[0].sentences
            if (sentence.number in chosen) is (relation == "unchange")
        )
        witness = Witness(pair, text, constraint, fixed)
        if text != pair.source and witness.meets([constraint]):
            yield witness
