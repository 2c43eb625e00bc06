"""What a candidate is worth beside the passage of the original that it would stand for.

The unit is the nat of the embedded language model. A passage gains by being less surprising than a text of
its length is on average, and by fewer errors; it loses by saying something else, or less.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from redraft.models import Embedder, FloatArray, Scorer
from redraft.quality import grammar_findings, listed, meaning_changes, weight
from redraft.text import Format, RuleFinder, spellings, tagged

ERROR: Final = 5.0
"""What an error costs."""
CHANGE: Final = 10.0
"""What a change of meaning costs: a number, a name, a negation."""
WORD: Final = 0.9
"""What a word of the original costs that is gone, meaning and all."""
CUT: Final = 0.7
"""The share of its meaning that a word takes along at least when it is cut from a passage."""
NAME: Final = 4.0
"""The words that a name, a date or a number in a passage counts for when the passage is left out."""
RELIEF: Final = 0.5
"""The share of what a passage is worth that its surprise can take off, at most, when it is left out."""
LENGTH: Final = 0.95
"""How much of its usual surprise a token is granted: at 1 a text could gain by mere padding."""
LIKE: Final = 0.8
"""How like the passage a rewriting must be that was asked for."""
NEAR: Final = 0.85
"""How like the passage an improvement of it must be."""
GONE: Final = 0.25
"""The share of its words of content that an improvement may do without."""
NEW: Final = 4.0
"""Nats that each new word of content has to bring, beside those that mend an error."""
_STEM: Final = 5
_EMPTY: Final = listed(
    """
    have been were this that these those with from which their they them there will would could should what
    when where does such very just than then into also some more most much many
    """
)
_SMALL_WORD: Final = 3
CLEAR: Final = 3.0
"""Nats that make an improvement clear where no error is mended."""
TOUCH: Final = 0.5
"""What any change costs: a reader has to look at it."""


@dataclass(frozen=True, slots=True)
class Worth:
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
        return self.fluency + ERROR * self.errors - WORD * self.loss - CHANGE * len(self.changes) - TOUCH

    @property
    def sound(self) -> bool:
        """Whether it says the same, with no more errors."""
        same = not self.changes and (self.errors > 0 or not self.tense)
        return self.errors >= 0 and same and self.likeness >= LIKE

    @property
    def better(self) -> bool:
        """Whether it is no worse in anything that can be measured, and clearly better in something."""
        if not self.sound or self.likeness < NEAR or self.gone > GONE:
            return False
        # What is said in new words may mean something else, and the model that scores it would not know.
        needed = NEW * max(self.new - self.errors, 0)
        return self.fluency > CLEAR + needed or (self.errors > 0 and self.fluency > needed)


class Appraiser:
    """Says what candidates are worth; whatever it has scored once is not scored again."""

    def __init__(self, scorer: Scorer, embedder: Embedder, format: Format = "text") -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._format: Format = format
        self._surprise: dict[str, tuple[float, int]] = {}
        self._vectors: dict[str, FloatArray] = {}
        self._errors: dict[str, float] = {}
        self._named: dict[str, int] = {}
        self._finder = RuleFinder()
        self.usual = 3.5
        """Nats a token of the original, on average."""

    async def open(self, passages: Sequence[str]) -> None:
        """Get to know the passages of the original."""
        await self.know(passages)
        known = [self._surprise[text] for text in passages if text.strip()]
        tokens = sum(count for _, count in known)
        if tokens:
            self.usual = sum(nats for nats, _ in known) / tokens

    def surprise(self, text: str) -> float:
        """Nats a token of a passage that has been scored."""
        nats, tokens = self._surprise[text]
        return nats / max(tokens, 1)

    async def worth(self, pairs: Sequence[tuple[str, str]]) -> list[Worth]:
        """The worth of each (passage of the original, candidate); an empty one leaves the passage out."""
        await self.know([text for pair in pairs for text in pair])
        return await asyncio.to_thread(lambda: [self._worth(*pair) for pair in pairs])

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
        return LENGTH * self.usual * tokens - nats

    def _weight(self, text: str) -> float:
        if text not in self._errors:
            self._errors[text] = weight(grammar_findings(text, self._format))
        return self._errors[text]

    def _names(self, text: str) -> int:
        if text not in self._named:
            self._named[text] = len({entity.text for entity in self._finder.find(text)})
        return self._named[text]

    def _worth(self, source: str, text: str) -> Worth:
        words = len(source.split())
        errors = self._weight(source) - self._weight(text)
        if not text.strip():
            loss = words + NAME * self._names(source)
            # What is hard to read is missed less, but to leave it out is never a gain by itself.
            return Worth(min(-self._fluency(source), RELIEF * WORD * loss), min(errors, 0.0), loss, ())
        if source.split() == text.split():
            return Worth(0.0, 0.0, 0.0, ())
        likeness = float(np.dot(self._vectors[text], self._vectors[source])) if source.strip() else 1.0
        # What is cut is gone, however alike the rest is.
        cut = max(words - len(text.split()), 0)
        loss = max(words * min(max(1.0 - likeness, 0.0), 1.0), CUT * cut)
        fluency = self._fluency(text) - self._fluency(source)
        old, new = _content(source), _content(text)
        gone = len(old - new) / max(len(old), 1)
        changes = meaning_changes(source, text)
        return Worth(fluency, errors, loss, changes, likeness, len(new - old), gone, _tense(source, text))


def _content(text: str) -> set[str]:
    """The words that say something, each by its first letters: forms of a word are the word."""
    found = (word.lower() for word in spellings(text) if len(word) > _SMALL_WORD)
    return {word[:_STEM] for word in found if word not in _EMPTY}


def _tense(source: str, text: str) -> bool:
    """Whether a verb of the present is one of the past in the other, or the other way round."""
    (present, past), (now, then) = _times(source), _times(text)
    return bool((present - past) & (then - now)) or bool((past - present) & (now - then))


@lru_cache(maxsize=8192)
def _times(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The beginnings of the verbs of the present and of the past."""
    verbs = [(word.text.lower()[:_STEM], word.tag) for word in tagged(text)]
    present = frozenset(verb for verb, tag in verbs if tag in ("VBZ", "VBP"))
    return present, frozenset(verb for verb, tag in verbs if tag == "VBD")
