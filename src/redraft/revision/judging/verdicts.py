"""What a judge says of passages beside those that they would replace; no sentence is judged twice."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from redraft.quality import Judge, MeaningChange, compare_meaning, grammar_findings, lost_conditions, weight
from redraft.revision.draft import ordered_stems
from redraft.revision.rewriting.cuts.compressions import tightened
from redraft.revision.rewriting.splits.conditions import with_conditions
from redraft.revision.tuning import (
    CLEAR_IMPROVEMENT,
    CLEARLY_WORSE,
    CUT_LENGTH,
    LEAST_SAMENESS,
    SOUND,
    SURELY_SOUND,
)
from redraft.text import Document, Format, is_english, spellings

_LEAST_WORDS: Final = 2
"""Words of a sentence that can be judged."""
_BETWEEN: Final = re.compile(r"[;:—]|\s–\s|[.!?]\s")
_JOINING: Final = r"(?:because|since|although|though|whereas|while)"
_WHETHER: Final = re.compile(r", whether [^,;]+,")
_LEAST_SPACES: Final = 3
_TURNED: Final = frozenset({"negation", "opposite", "person", "modal", "verb"})
"""Kinds of change that make another statement: the contrary, of somebody else, or more or less certain."""

_Item = TypeVar("_Item", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of a passage, beside the one that it came from."""

    soundness: float = 1.0
    """Of the worst of its sentences that are new."""
    before: float = 1.0
    """Of the worst sentence that it came from."""
    worst: str = ""
    bad: int = 0
    """How many of them read badly."""
    sameness: float = 1.0
    """That it says what the source says; 1 for what was only cut, which says less and nothing else."""
    turned: tuple[str, ...] = ()
    """What is turned round, or stated of somebody else or with another certainty, in words."""

    @property
    def broken(self) -> bool:
        """Whether a sentence reads badly that did not: an author's own odd sentence is no fault of ours."""
        return self.bad > 0

    @property
    def reversed(self) -> bool:
        """Whether it says something else, or the contrary."""
        return bool(self.turned) or self.sameness < LEAST_SAMENESS


def reads_badly(soundness: float, before: float) -> bool:
    """Whether a sentence is broken, and clearly worse than what it came from."""
    return soundness < SOUND and soundness < before - CLEARLY_WORSE


class Verdicts:
    """Asks a judge about the sentences of a text and of its revisions, and remembers what it said."""

    def __init__(self, judge: Judge, original: str = "", format: Format = "text") -> None:
        self._judge = judge
        self._is_english = is_english(original)
        self._format: Format = format
        self._soundness: dict[str, float] = {}
        self._sameness: dict[tuple[str, str], float] = {}
        self._improvement: dict[tuple[str, str], float] = {}

    def sentences(self, passage: str) -> list[str]:
        """The sentences of a passage."""
        return [sentence.text for sentence in Document(passage, self._format).sentences]

    async def soundness(self, sentences: Sequence[str]) -> list[float]:
        """How sound each sentence is; one that the judge cannot know about is taken to be."""
        judged = [sentence for sentence in sentences if self._can_be_judged(sentence)]
        await _learn(self._soundness, judged, self._judge.soundness)
        return [self._soundness.get(sentence, 1.0) for sentence in sentences]

    async def are_sound(self, passages: Sequence[str]) -> list[bool]:
        """Whether each passage has only sentences that are surely sound, and no error is found in it."""
        sentences = [self.sentences(passage) for passage in passages]
        await self.soundness([one for own in sentences for one in own])
        return [
            min((self._soundness.get(one, 1.0) for one in own), default=1.0) >= SURELY_SOUND
            and not weight(grammar_findings(passage, self._format))
            for passage, own in zip(passages, sentences, strict=True)
        ]

    def believe(self, sure: Mapping[tuple[str, str], float]) -> None:
        """Take the word of who knows better how surely revisions say what their sources say."""
        self._sameness.update(sure)

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """How surely each revision says what its source says."""
        judged = [pair for pair in pairs if all(map(self._can_be_judged, pair))]
        await _learn(self._sameness, judged, self._judge.sameness)
        return [self._sameness.get(pair, 1.0) for pair in pairs]

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """How surely each revision is better than its source."""
        await _learn(self._improvement, pairs, self._judge.improvement)
        return [self._improvement[pair] for pair in pairs]

    async def are_needless(self, pairs: Sequence[tuple[str, str]]) -> list[bool]:
        """Whether each revision is of a passage with nothing wrong in it, and not clearly better."""
        sound = await self.are_sound([source for source, _ in pairs])
        asked = [pair for pair, is_sound in zip(pairs, sound, strict=True) if is_sound]
        better = dict(zip(asked, await self.improvement(asked), strict=True))
        return [better.get(pair, 1.0) < CLEAR_IMPROVEMENT for pair in pairs]

    async def of(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        complete: bool = False,
        by_rule: Container[tuple[str, str]] = (),
        beside: Container[tuple[str, str]] = (),
    ) -> list[Verdict]:
        """The verdict on each (passage of the original, revision of it); on what is gone there is none.

        Whether what is broken says the same is not asked, nor of what was only cut, but where it is to be
        `complete`; nor of what a rule made `by_rule` of the passage's own words in their order. How sound the
        passage itself is matters where the revision may not be, and for those that are held `beside` it.
        """
        read = [self._read(*pair) for pair in pairs]
        await self.soundness([sentence for _, new in read for sentence in new])
        doubtful = [
            own
            for pair, (own, new) in zip(pairs, read, strict=True)
            if pair in beside or any(self._soundness.get(one, 1.0) < SURELY_SOUND for one in new)
        ]
        await self.soundness([sentence for own in doubtful for sentence in own])
        found = [self._verdict(*parts) for parts in read]
        asked = [
            pair
            for pair, one in zip(pairs, found, strict=True)
            if one.worst
            and not one.broken
            and (complete or not _is_cut(*pair))
            and not (pair in by_rule and _is_in_order(*pair))
        ]
        await self.sameness(asked)
        return [self._compared(pair, one) for pair, one in zip(pairs, found, strict=True)]

    def assumed(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """The same by what is known, without asking: what is not known is taken to be good."""
        return [self._compared(pair, self._verdict(*self._read(*pair))) for pair in pairs]

    def _compared(self, pair: tuple[str, str], found: Verdict) -> Verdict:
        """A verdict on how a passage reads with what is known of what it says."""
        if not found.worst:
            return found
        return replace(found, sameness=self._sameness.get(pair, 1.0), turned=_turned(*pair))

    def _read(self, source: str, text: str) -> tuple[list[str], list[str]]:
        """The sentences of the source, and those of the revision that it does not have."""
        if not text.strip() or source.split() == text.split():
            return [], []
        own = self.sentences(source)
        return own, [sentence for sentence in self.sentences(text) if sentence not in own]

    def _verdict(self, own: Sequence[str], new: Sequence[str]) -> Verdict:
        if not new:
            return Verdict()
        sound = {sentence: self._soundness.get(sentence, 1.0) for sentence in (*own, *new)}
        before = min((sound[sentence] for sentence in own), default=1.0)
        clauses = {_spelt(clause) for sentence in own for clause in _BETWEEN.split(sentence)}
        # A clause that the writer set apart is as sound by itself as it was there.
        sound |= {one: max(sound[one], before) for one in new if _spelt(one) in clauses}
        sound |= {one: max(sound[one], before) for one in new if any(is_clause_of(one, each) for each in own)}
        worst = min(new, key=sound.__getitem__)
        return Verdict(sound[worst], before, worst, sum(reads_badly(sound[one], before) for one in new))

    def _can_be_judged(self, sentence: str) -> bool:
        """Whether it is an English sentence at all."""
        return self._is_english and is_english(sentence) and len(sentence.split()) >= _LEAST_WORDS


def is_clause_of(sentence: str, source: str) -> bool:
    """Whether a sentence is a clause of the source, to the word, from what joined it to where that ends."""
    words = re.escape(sentence.rstrip(".!?"))
    found = re.search(rf"(?i)\b{_JOINING} {words}(?=[.!?;]|, |\Z)", source)
    return found is not None and sentence.count(" ") >= _LEAST_SPACES


def _spelt(text: str) -> str:
    return " ".join(spellings(text.lower()))


def _turned(source: str, text: str) -> tuple[str, ...]:
    """What the rules see stated otherwise, in words."""
    text = with_conditions(text)
    if tight := tightened(source):
        source = tight.text  # what is said in fewer words is the same
    if "whether" not in text:
        source = _WHETHER.sub("", source)  # it made no condition: the contrary holds too
    found = (str(one) for one in compare_meaning(source, text) if _makes_another(one))
    return (*found, *(f"condition lost: {words}" for words in lost_conditions(source, text)))


def _makes_another(change: MeaningChange) -> bool:
    """Whether a statement is another one for a change; a condition that is only gone is looked at apart."""
    if change.kind == "condition":
        return bool(change.before and change.after)
    return change.kind in _TURNED


def _is_cut(source: str, text: str) -> bool:
    """Whether a passage is shorter than its source and says it in the words of that."""
    return len(text.split()) <= CUT_LENGTH * len(source.split()) and _is_in_order(source, text)


def _is_in_order(source: str, text: str) -> bool:
    """Whether the words of a passage stand in its source, in their order, but for one part that has moved.

    "Within a week, he left" is "he left within a week", while what is put together anew can say anything.
    """
    rest = iter(ordered_stems(source) * 2)
    return all(stem in rest for stem in ordered_stems(text))


async def _learn(
    known: dict[_Item, float],
    items: Iterable[_Item],
    ask: Callable[[Sequence[_Item]], Awaitable[tuple[float, ...]]],
) -> None:
    new = [item for item in dict.fromkeys(items) if item not in known]
    if new:
        known.update(zip(new, await ask(new), strict=True))
