"""Named sentences that are gone, have become one or several, or have changed places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Changes, Demand, Finding, Impossible, Phrased, Swaps
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading, plain
from redraft.constraints.kinds.arrangement import ALIKE
from redraft.constraints.kinds.parts import is_place, named_part, part_spans
from redraft.constraints.kinds.sentences import besides, joined, suffix
from redraft.errors import CallError
from redraft.text import Sentence, Span, similarity, spellings

_HELD: Final = 0.5
"""The share of its words that a sentence brings into the one that it was combined into."""
_WANTED: Final = {
    "delete": "gone",
    "combine": "combined into one",
    "swap": "in each other's place",
    "split": "split into several",
}
_MUST: Final = {"delete": "go", "combine": "be combined with another", "split": "be split"}


@dataclass(frozen=True)
class SentenceEdit(Phrased):
    """Named sentences of the original are gone, have become one or several, or stand in each other's place.

    They are numbered from 1, or from the end: -1 is the last; in the whole text, or `within` a part of it.
    """

    edit: Literal["delete", "combine", "swap", "split"]
    sentences: tuple[int, ...]
    within: str = ""

    name = "sentence_edit_check"

    def __post_init__(self) -> None:
        numbers = tuple(sorted(set(self.sentences), key=lambda number: (number < 0, number)))
        if 0 in numbers:
            raise CallError(f"{self.name}: sentences are counted from 1, or from the end with -1; 0 is named")
        if not numbers:
            raise CallError(f"{self.name}: name at least one sentence")
        if self.edit == "combine" and len(numbers) < 2:
            raise CallError(f"{self.name}: it takes two sentences at least to combine them")
        if self.edit == "swap" and len(numbers) != 2:
            raise CallError(f"{self.name}: it takes two sentences to swap, and {len(numbers)} are named")
        if self.within and not is_place(self.within):
            raise CallError(
                f'{self.name}: no part "{self.within}"; known are "paragraph 2", "last paragraph" …'
            )
        object.__setattr__(self, "sentences", numbers)

    @property
    def needs_original(self) -> bool:
        """The sentences are the original's."""
        return True

    def places(self, original: Reading) -> tuple[int, ...]:
        """The places of the named sentences among all of a text, from 0: a greeting is not counted."""
        counted = self._counted(original)
        return tuple(sorted({counted[one - 1 if one > 0 else one].number - 1 for one in self.sentences}))

    def _counted(self, original: Reading) -> Sequence[Sentence]:
        """The sentences among which they are numbered."""
        if not self.within:
            return original.counted
        spans = part_spans(self.within, original.document)
        return [one for one in original.counted if any(span.start <= one.start < span.end for span in spans)]

    def missing(self, original: Reading) -> str | None:
        """Why it cannot be done to this original, if it cannot."""
        count = len(self._counted(original))
        has = f"{self.within or 'the text'} has {plural(count, 'sentence')}{besides(original)}"
        if beyond := [one for one in self.sentences if abs(one) > count]:
            return f"{_named(beyond[0])} is named, but {has}"
        places = self.places(original)
        if len(places) < len(self.sentences) and self.edit != "delete":
            return f"{self._said} are the same one: {has}"
        if self.edit == "delete" and len(places) == len(original.counted):
            return f"nothing would be left: {has}"
        return None

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the sentences in the revision."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        wanted = f"{self._said} {_WANTED[self.edit]}"
        if reason := self.missing(original):
            return Finding(self, False, [], wanted, reason, float(len(self.sentences)))
        if self.edit == "delete":
            wrong, found, message = self._deleted(original, revised)
        elif self.edit == "combine":
            wrong, found, message = self._combined(original, revised)
        elif self.edit == "split":
            wrong, found, message = self._split(original, revised)
        else:
            wrong, found, message = self._swapped(original, revised)
        spans = tuple(Span(one.start, one.end) for one in found)
        return Finding(
            self, not wrong, wrong, wanted, (message or wanted) + besides(original), float(len(wrong)), spans
        )

    def _deleted(self, original: Reading, revised: Reading) -> _Found:
        wrong: list[int] = []
        found: list[Sentence] = []
        for place in self.places(original):
            if there := self._standing(original, revised, place) or self._reworded(original, revised, place):
                wrong.append(original.sentences[place].counted)
                found += there
        return wrong, found, f"{_listed(wrong)} still there" if wrong else ""

    def _combined(self, original: Reading, revised: Reading) -> _Found:
        places = self.places(original)
        standing = {place: self._standing(original, revised, place) for place in places}
        wrong = [original.sentences[place].counted for place, there in standing.items() if there]
        if wrong:
            found = [one for there in standing.values() for one in there]
            return wrong, found, f"{_listed(wrong)} still by {'itself' if len(wrong) == 1 else 'themselves'}"
        parts = [_words(original.sentences[place].text) for place in places]
        if any(_holds(_words(one.text), parts) for one in revised.sentences):
            return [], [], ""
        numbers = [original.sentences[place].counted for place in places]
        return numbers, [], f"no sentence says what {_listed(numbers)} said"

    def _split(self, original: Reading, revised: Reading) -> _Found:
        known = {plain(one.text) for one in original.sentences}
        new = [one for one in revised.sentences if plain(one.text) not in known]
        wrong: list[int] = []
        for place in self.places(original):
            whole = _words(original.sentences[place].text)
            pieces = [one for one in new if _holds(whole, [_words(one.text)])]
            if self._standing(original, revised, place) or len(pieces) < 2:
                wrong.append(original.sentences[place].counted)
        return wrong, [], f"{_listed(wrong)} not split" if wrong else ""

    def _swapped(self, original: Reading, revised: Reading) -> _Found:
        first, second = self.places(original)
        before, after = ([plain(one.text) for one in reading.sentences] for reading in (original, revised))
        expected = list(before)
        expected[first], expected[second] = before[second], before[first]
        if after == expected:
            return [], [], ""
        places = [self._places(original, revised, place) for place in (first, second)]
        numbers = [original.sentences[place].counted for place in (first, second)]
        lost = [number for number, there in zip(numbers, places, strict=True) if not there]
        if lost:
            return lost, [], f"{_listed(lost)} nowhere"
        earlier, later = max(places[1]), min(places[0])
        between = [after.index(text) for text in before[first + 1 : second] if text in after]
        if after != before and earlier < later and all(earlier < place < later for place in between):
            return [], [], ""
        found = [revised.sentences[place] for there in places for place in there]
        return numbers, found, f"{_listed(numbers)} not in each other's place"

    def _standing(self, original: Reading, revised: Reading, place: int) -> list[Sentence]:
        """Where a sentence stands more often in the revision than it would if the named ones were gone."""
        text = plain(original.sentences[place].text)
        if original.counting == "constrev":
            text = original.sentences[place].text
            named = sum(original.sentences[one].text == text for one in self.places(original))
            left = original.text.count(text) - named
            still = bool(text) and revised.text.count(text) > left
            return [one for one in revised.sentences if text in one.text] if still else []
        same = [number for number, one in enumerate(original.sentences) if plain(one.text) == text]
        left = len(set(same) - set(self.places(original)))
        there = [one for one in revised.sentences if plain(one.text) == text]
        return there if len(there) > left else []

    def _reworded(self, original: Reading, revised: Reading, place: int) -> list[Sentence]:
        """What says a sentence in other words, and is nearer to it than to any that may stay."""
        gone = self.places(original)
        text = original.sentences[place].text
        others = [one.text for number, one in enumerate(original.sentences) if number not in gone]
        known = {plain(other) for other in others}
        found: list[Sentence] = []
        for one in revised.sentences:
            alike = similarity(text, one.text)
            is_new = alike >= ALIKE and plain(one.text) not in known
            if is_new and all(similarity(other, one.text) < alike for other in others):
                found.append(one)
        return found

    def _places(self, original: Reading, revised: Reading, place: int) -> list[int]:
        """Where a sentence stands, or else what is most like it."""
        text = plain(original.sentences[place].text)
        there = [number for number, one in enumerate(revised.sentences) if plain(one.text) == text]
        if there:
            return there
        alike = [(similarity(text, one.text), -number) for number, one in enumerate(revised.sentences)]
        most, number = max(alike, default=(0.0, 0))
        return [-number] if most >= ALIKE else []

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The sentences that do not stand as they are, or not where they are."""
        if original is None:
            return
        if reason := self.missing(original):
            yield Impossible(reason)
            return
        named = tuple(original.sentences[place] for place in self.places(original))
        if original.counting != "default":
            return
        if self.edit == "swap":
            yield Swaps(*named)
        else:
            yield Changes(named, _MUST[self.edit])

    @property
    def phrased_as(self) -> str:
        """Each edit is said in its own way."""
        return f"sentences {self.edit}"

    def parts(self) -> dict[str, str]:
        """The sentences."""
        return {"named": self._said}

    @property
    def _said(self) -> str:
        return _listed(self.sentences) + (f" of {named_part(self.within)}" if self.within else "")


_Found = tuple[list[int], list[Sentence], str]
"""The sentences that are not as wanted, where they stand, and a message."""


def _words(text: str) -> frozenset[str]:
    return frozenset(spellings(text.lower()))


def _holds(whole: frozenset[str], parts: Sequence[frozenset[str]]) -> bool:
    return all(len(part & whole) >= _HELD * len(part) for part in parts)


def _named(number: int) -> str:
    """What to call a sentence: "sentence 3", "the last sentence", "the 2nd-to-last sentence"."""
    if number > 0:
        return f"sentence {number}"
    return "the last sentence" if number == -1 else f"the {-number}{suffix(-number)}-to-last sentence"


def _listed(numbers: Sequence[int]) -> str:
    from_start = [number for number in numbers if number > 0]
    head = f"sentences {joined(list(map(str, from_start)))}" if len(from_start) > 1 else ""
    names = [head] if head else [_named(number) for number in from_start]
    return joined([*names, *(_named(number) for number in numbers if number < 0)])
