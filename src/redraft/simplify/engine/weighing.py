"""What speaks for a change: easier words, the language model, the meaning, the editor's answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from redraft.models import Embedder, Scorer
from redraft.quality import grammar_findings, meaning_changes
from redraft.quality.grammar import weight
from redraft.revise.rewriting.edits import Edit, applied
from redraft.simplify.engine.changes import Change
from redraft.text import syllables
from redraft.text.levels import difficulty
from redraft.text.tagging import tagged

_EASIER: Final = 0.15
"""Levels that make words easier, beyond doubt."""
_DOUBT: Final = 0.6
"""Levels by which a word of the list may seem harder than what it stands for: levels are no more exact."""
_MOST_NATS: Final = 6.0
"""A gain of more says that the model knows the new words better, not that they fit better."""
_LIKE: Final = 0.9
"""How like the sentence must stay with the change alone."""
_UNMISSED: Final = 0.97
"""The same for words that are left out though no answer of the editor does without them."""
_SAID: Final = {"list": 1.2, "thesaurus": 0.0, "editor": 0.4, "rules": 0.0}
"""What stands for a change by who proposes it: a list of simpler words was made for this."""
_NATS: Final = {"list": -9.0, "thesaurus": -3.0, "editor": -4.0, "rules": -4.0}
"""Nats that a change may cost in fluency, by who proposes it."""
_NEAR: Final = {"list": 0.0, "thesaurus": 0.4, "editor": 0.3, "rules": 0.0}
"""How near the new words must be to the old ones by themselves."""
_VOTED: Final = 0.25
"""The share of the editor's answers that stands for a change whatever its words are by themselves."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A change, and what is known of it."""

    change: Change
    text: str
    """The sentence with this change alone."""
    easing: float
    """Levels by which the hardest word is easier."""
    shorter: int
    """Syllables fewer."""
    fluency: float
    """Nats that the sentence gains."""
    likeness: float
    """How like the sentence is to what it was."""
    nearness: float
    """How near the new words are to the old ones, by themselves."""
    sound: bool
    """Whether no number, name, negation or the like is another."""

    @property
    def simpler(self) -> bool:
        """Whether the words are easier, or fewer and no harder; those of the list are, as a rule."""
        if self.change.by == "list":
            return self.easing > -_DOUBT
        return self.easing > _EASIER or (self.easing >= 0 and self.shorter > 0)

    @property
    def word_for_word(self) -> bool:
        """Whether it puts one word for one."""
        return " " not in self.change.new and " " not in self.change.said

    @property
    def accepted(self) -> bool:
        """Whether it may be made at all."""
        change = self.change
        if not self.sound or not self.simpler or self.fluency < _NATS[change.by] or self.likeness < _LIKE:
            return False
        if change.operation == "delete":
            return self.likeness >= _UNMISSED or change.votes > 0
        if change.votes >= _VOTED:
            return True
        return self.nearness >= _NEAR[change.by] and (change.by != "editor" or self.word_for_word)

    @property
    def value(self) -> float:
        """How much speaks for it."""
        change = self.change
        fluency = min(self.fluency, _MOST_NATS)
        return _SAID[change.by] + 3 * change.votes + 0.1 * fluency + 0.3 * self.easing


class Scale:
    """Weighs changes to sentences with a language model and an embedder."""

    def __init__(self, scorer: Scorer, embedder: Embedder) -> None:
        self._scorer = scorer
        self._embedder = embedder

    async def weighed(self, sentence: str, changes: Sequence[Change]) -> list[Weighed]:
        """What speaks for each change to a sentence."""
        if not changes:
            return []
        texts = [applied(sentence, [Edit(one.start, one.end, one.new)]) for one in changes]
        old, new = [one.said for one in changes], [one.new or "nothing" for one in changes]
        count = len(changes)
        log_probs, vectors = await asyncio.gather(
            self._scorer.log_probs([sentence, *texts]), self._embedder.embed([sentence, *texts, *old, *new])
        )
        whole, likeness = log_probs[0].total, vectors[1 : count + 1] @ vectors[0]
        nearness = np.einsum("ij,ij->i", vectors[count + 1 : 2 * count + 1], vectors[2 * count + 1 :])
        return [
            Weighed(
                change=change,
                text=text,
                easing=_hardest(sentence, change.start, change.end) - _hardest_new(text, change),
                shorter=_syllables(change.said) - _syllables(change.new),
                fluency=found.total - whole,
                likeness=float(like),
                nearness=float(near),
                sound=not meaning_changes(sentence, text),
            )
            for change, text, found, like, near in zip(
                changes, texts, log_probs[1:], likeness, nearness, strict=True
            )
        ]

    async def no_worse(self, before: str, after: str) -> bool:
        """Whether a sentence says the same after all its changes, with no more errors."""
        if meaning_changes(before, after) or weight(grammar_findings(after, "text")) > weight(
            grammar_findings(before, "text")
        ):
            return False
        one, other = await self._embedder.embed([before, after])
        return float(one @ other) >= _WHOLE


_WHOLE: Final = 0.85
"""How like a sentence must be to what it was, with all its changes."""


def _hardest(text: str, start: int, end: int) -> float:
    found = (
        difficulty(word.text, word.tag) for word in tagged(text) if word.start < end and word.end > start
    )
    return max(found, default=1.0)


def _hardest_new(text: str, change: Change) -> float:
    """How difficult the new words are where they stand; an article before them may have moved them."""
    start = text.find(change.new, max(0, change.start - 2)) if change.new else -1
    return _hardest(text, start, start + len(change.new)) if start >= 0 else 1.0


def _syllables(text: str) -> int:
    return sum(syllables(word.text) for word in tagged(text) if word.text[:1].isalpha())
