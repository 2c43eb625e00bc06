"""What a simplification says that its source does not say, or says once more: fluent, and of no use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.simplification.evidence import Alignment
from redraft.simplification.judging.counting import LIGHT, Count, forms, stand_ins
from redraft.text import Sentence, Tagged

_TELLING: Final = frozenset("NVJRC")
_FREE: Final = 1
"""Words that may be new, and that may be said again: nearly all human simplifications have no more."""
_FULL: Final = 2.0
"""New words that make one full change of meaning."""
_MOST: Final = 4.0
_ROW: Final = (1, 2, 3, 4)
_STEM: Final = 5
_IDLE: Final = 0.6
"""The share of a sentence that is new or said before from which it tells nothing of the source."""


@dataclass(frozen=True)
class Surplus:
    """The words that a candidate has too many, by their places in it."""

    alignment: Alignment
    invented: tuple[int, ...]
    """That stand for nothing in the source, and are no forms of its words."""
    repeated: tuple[int, ...]
    """That are there more often than in the source."""

    @classmethod
    def of(cls, alignment: Alignment) -> Surplus:
        """The surplus of the candidate of an alignment."""
        telling = [(place, word) for place, word in enumerate(alignment.target) if _tells(word)]
        known = {form for word in alignment.source for form in forms(word)}
        stems = {form[:_STEM] for form in known if len(form) >= _STEM}
        added = set(alignment.added).difference(
            *(stand_ins(alignment, place) for place in alignment.deleted if _tells(alignment.source[place]))
        )
        invented = tuple(
            place
            for place, word in telling
            if place in added and known.isdisjoint(forms(word)) and word.text.lower()[:_STEM] not in stems
        )
        left = Counter(_base(word) for word in alignment.source if _tells(word))
        said: set[str] = set()
        repeated = []
        for place, word in telling:
            base = _base(word)
            if left[base] <= 0 and base in said:
                repeated.append(place)
            left[base] -= 1
            said.add(base)
        return cls(alignment, invented, tuple(repeated))

    @property
    def weight(self) -> float:
        """How much of it there is beyond what is usual; 1 is one full change of meaning."""
        return (self._beyond(self.invented) + self._beyond(self.repeated)) / _FULL

    def counts(self) -> Iterator[Count]:
        """New words as a change of meaning."""
        if new := self._beyond(self.invented):
            told = f"{self._shown(self.invented)}: nothing in the source says so"
            yield Count("meaning_replaced", min(_MOST, new / _FULL), told)

    def idle(self) -> Iterator[Count]:
        """Words that are said again as an edit for nothing, and as a fault where that is in one breath."""
        if stammered := self._stammered():
            yield Count("harder_structure", 1.0, f"'{stammered}' stands twice in a row")
        if again := self._beyond(self.repeated):
            yield Count("idle_edit", min(_MOST, float(again)), f"{self._shown(self.repeated)}: said again")

    def telling(self, sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
        """The sentences of the candidate that tell something of the source for the first time."""
        surplus = {*self.invented, *self.repeated}
        found = []
        for sentence in sentences:
            places = [
                place
                for place, word in enumerate(self.alignment.target)
                if sentence.start <= word.start < sentence.end and _tells(word)
            ]
            if sum(place in surplus for place in places) <= _IDLE * len(places):
                found.append(sentence)
        return tuple(found or sentences)

    def _stammered(self) -> str:
        """The first words that stand twice in a row, and did not in the source."""
        before, words = (
            [word.lower() for word in of] for of in (self.alignment.source_words, self.alignment.words)
        )
        known = {tuple(before[start : start + 2 * length]) for length in _ROW for start in range(len(before))}
        for length in _ROW:
            for start in range(len(words) - 2 * length + 1):
                twice = tuple(words[start : start + 2 * length])
                if twice[:length] == twice[length:] and twice not in known:
                    return " ".join(twice[:length])
        return ""

    def _shown(self, places: Sequence[int]) -> str:
        return ", ".join(f"'{self.alignment.target[place].text}'" for place in places)

    @staticmethod
    def _beyond(places: Sequence[int]) -> int:
        return max(0, len(places) - _FREE)


def _tells(word: Tagged) -> bool:
    return (
        word.tag[0] in _TELLING
        and word.tag != "CC"
        and word.text[0].isalnum()
        and LIGHT.isdisjoint(forms(word))
    )


def _base(word: Tagged) -> str:
    return forms(word)[:2][-1]
