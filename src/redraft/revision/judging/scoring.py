"""What a candidate is worth beside the passage of the original that it would replace.

The unit is the nat of the embedded language model. A passage gains by being less surprising than a text of
its length is on average, and by having fewer errors; it loses by saying something else, or less.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from redraft.models import Embedder, FloatArray, Scorer
from redraft.quality import grammar_findings, meaning_changes, spread, weight
from redraft.revision.draft import content_stems
from redraft.revision.rewriting.cuts.compressions import tightened
from redraft.revision.rewriting.splits.conditions import with_conditions
from redraft.revision.tuning import (
    ANY_CHANGE_COST,
    CLEAR_GAIN,
    CUT_WORD_SHARE,
    ERROR_COST,
    IMPROVEMENT_LIKENESS,
    LEAST_LIKENESS,
    LENGTH_ALLOWANCE,
    LOST_WORD_COST,
    MEANING_CHANGE_COST,
    MOST_WORDS_GONE,
    NAME_WEIGHT,
    NEW_WORD_COST,
    RELIEF_SHARE,
)
from redraft.text import Format, RuleFinder, Tense, diff_words, tagged

_STEM: Final = 5
_CUT_WORDS: Final = 4
"""Words that go at one place, from which on an error among them went with what it said."""


@dataclass(frozen=True, slots=True)
class PassageScore:
    """The parts of a candidate's worth, each beside the passage that it would stand for; more is better."""

    fluency: float
    errors: float
    """Fewer errors, in errors."""
    loss: float
    """The share of the meaning that is gone, 0 to 1, as the words of the passage that it amounts to."""
    changes: tuple[str, ...]
    likeness: float = 1.0
    new: int = 0
    """Words of content that the passage does not have."""
    gone: float = 0.0
    """The share of the passage's words of content that are not in it."""
    tense: bool = False
    """Whether a verb tells of another time."""

    @property
    def value(self) -> float:
        """All in one."""
        return (
            self.fluency
            + ERROR_COST * self.errors
            - LOST_WORD_COST * self.loss
            - MEANING_CHANGE_COST * len(self.changes)
            - ANY_CHANGE_COST
        )

    @property
    def sound(self) -> bool:
        """Whether it says the same, with no more errors."""
        same = not self.changes and (self.errors > 0 or not self.tense)
        return self.errors >= 0 and same and self.likeness >= LEAST_LIKENESS

    @property
    def better(self) -> bool:
        """Whether it is no worse in anything that can be measured, and clearly better in something."""
        if not self.sound or self.likeness < IMPROVEMENT_LIKENESS or self.gone > MOST_WORDS_GONE:
            return False
        # What is said in new words may mean something else, and the model that scores it would not know.
        needed = NEW_WORD_COST * max(self.new - self.errors, 0)
        return self.fluency > CLEAR_GAIN + needed or (self.errors > 0 and self.fluency > needed)


class Appraiser:
    """Says what candidates are worth; whatever it has scored once is not scored again.

    A verb may go over to the `tense` that is asked for, and to no other.
    """

    def __init__(
        self, scorer: Scorer, embedder: Embedder, format: Format = "text", tense: Tense | None = None
    ) -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._format: Format = format
        self._asked = tense
        self._surprise: dict[str, tuple[float, int]] = {}
        self._vectors: dict[str, FloatArray] = {}
        self._errors: dict[str, float] = {}
        self._named: dict[str, int] = {}
        self._scores: dict[tuple[str, str], PassageScore] = {}
        self._stated: dict[tuple[str, str], tuple[float, tuple[str, ...]]] = {}
        self._finder = RuleFinder()
        self.usual = 3.5
        """Nats a token of the original, on average."""

    async def open(self, passages: Sequence[str], most: int | None = None) -> None:
        """Get to know the passages of the original, or so many of them."""
        read = [text for text in spread(passages, most) if text.strip()]
        await self.know(read)
        known = [self._surprise[text] for text in read]
        tokens = sum(count for _, count in known)
        if tokens:
            self.usual = sum(nats for nats, _ in known) / tokens

    def surprise(self, text: str) -> float:
        """Nats a token of a passage; as many as usual, where it has not been scored."""
        nats, tokens = self._surprise.get(text, (self.usual, 1))
        return nats / max(tokens, 1)

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[PassageScore]:
        """The worth of each (passage of the original, candidate); an empty one leaves the passage out."""
        await self.know([text for pair in pairs for text in pair])
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._scores]
        if new:
            found = await asyncio.to_thread(lambda: [self._score(*pair) for pair in new])
            self._scores.update(zip(new, found, strict=True))
        return [self._scores[pair] for pair in pairs]

    async def know(self, texts: Iterable[str]) -> None:
        """Score texts that are new."""
        new = [text for text in dict.fromkeys(texts) if text.strip() and text not in self._surprise]
        if not new:
            return
        found, vectors = await asyncio.gather(self._scorer.log_probs(new), self._embedder.embed(new))
        for text, probabilities, vector in zip(new, found, vectors, strict=True):
            self._surprise[text] = (-probabilities.total, len(probabilities.values))
            self._vectors[text] = vector

    def _fluency(self, text: str) -> float:
        nats, tokens = self._surprise.get(text, (0.0, 0))
        return LENGTH_ALLOWANCE * self.usual * tokens - nats

    def errors(self, text: str) -> float:
        """The errors of a passage, each by its weight."""
        if text not in self._errors:
            self._errors[text] = weight(grammar_findings(text, self._format))
        return self._errors[text]

    def stated(self, source: str, text: str) -> tuple[float, tuple[str, ...]]:
        """How many errors fewer a candidate has, and what it states otherwise: no model is asked."""
        if (source, text) not in self._stated:
            self._stated[source, text] = self._mended(source, text), _changes(source, text)
        return self._stated[source, text]

    def _mended(self, source: str, text: str) -> float:
        """How many errors fewer there are; one that went with the words around it is not mended."""
        left = self.errors(text)
        if not self.errors(source):
            return -left
        cuts = [
            edit.original
            for edit in diff_words(source, text)
            if len(edit.before.split()) - len(edit.after.split()) >= _CUT_WORDS
        ]
        stayed = (
            found
            for found in grammar_findings(source, self._format)
            if not any(cut.start <= found.start < cut.end for cut in cuts)
        )
        return weight(tuple(stayed)) - left

    def _names(self, text: str) -> int:
        if text not in self._named:
            self._named[text] = len({entity.text for entity in self._finder.find(text)})
        return self._named[text]

    def _score(self, source: str, text: str) -> PassageScore:
        words = len(source.split())
        if not text.strip():
            errors = self._mended(source, text)
            loss = words + NAME_WEIGHT * self._names(source)
            # What is hard to read is missed less, but to leave it out is never a gain by itself.
            return PassageScore(
                min(-self._fluency(source), RELIEF_SHARE * LOST_WORD_COST * loss), min(errors, 0.0), loss, ()
            )
        if source.split() == text.split():
            return PassageScore(0.0, 0.0, 0.0, ())
        likeness = float(np.dot(self._vectors[text], self._vectors[source])) if source.strip() else 1.0
        # What is cut is gone, however alike the rest is.
        cut = max(words - len(text.split()), 0)
        loss = max(words * min(max(1.0 - likeness, 0.0), 1.0), CUT_WORD_SHARE * cut)
        fluency = self._fluency(text) - self._fluency(source)
        old, new = content_stems(source), content_stems(text)
        gone = len(old - new) / max(len(old), 1)
        errors, changes = self.stated(source, text)
        return PassageScore(
            fluency, errors, loss, changes, likeness, len(new - old), gone, _tense(source, text, self._asked)
        )


def _changes(source: str, text: str) -> tuple[str, ...]:
    """What a text states otherwise than its source; what is said in fewer words is the same."""
    changes = meaning_changes(source, text)
    if not changes:
        return ()
    tight = tightened(source)
    return meaning_changes(tight.text if tight else source, with_conditions(text))


def _tense(source: str, text: str, asked: Tense | None = None) -> bool:
    """Whether a verb of the present is one of the past in the other, or the other way round, unasked."""
    (present, past), (now, then) = _times(source), _times(text)
    to_past, to_present = (present - past) & (then - now), (past - present) & (now - then)
    return bool(to_past and asked != "past") or bool(to_present and asked != "present")


@lru_cache(maxsize=8192)
def _times(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The beginnings of the verbs of the present and of the past."""
    verbs = [(word.text.lower()[:_STEM], word.tag) for word in tagged(text)]
    present = frozenset(verb for verb, tag in verbs if tag in ("VBZ", "VBP"))
    return present, frozenset(verb for verb, tag in verbs if tag == "VBD")
