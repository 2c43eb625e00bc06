"""Quality sentence by sentence, so that of many revisions of one text no sentence is scored twice.

A sentence that a revision keeps says nothing of it: where there are many, a few of them stand for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from redraft.models import Embedder, FloatArray, LogProbs, Scorer
from redraft.quality.base import Quality
from redraft.quality.embedded import CONTEXT, combined, distinct, log_probs_of, meanings_of, paired, plain
from redraft.text import Document, Format, align

_OPENING = 4
"""Tokens at the beginning of a sentence that say little where nothing is read before it."""
_SMALL = 1e-9
_Item = TypeVar("_Item")


def spread(items: Sequence[_Item], most: int | None) -> list[_Item]:
    """At most so many items, from the whole length of them."""
    if most is None or len(items) <= most:
        return list(items)
    return [items[place * len(items) // most] for place in range(most)]


@dataclass(frozen=True, slots=True)
class _Passages:
    """What a text made of a passage of its source; one of them may be empty."""

    source: str
    text: str
    is_kept: bool


@dataclass(frozen=True, slots=True)
class _Compared:
    """The sentences that a text has of its source, and the passages that are not as they were."""

    kept: tuple[str, ...]
    read: tuple[str, ...]
    """Those of the kept ones that are read, and stand for all."""
    changed: tuple[_Passages, ...]

    @property
    def old(self) -> list[str]:
        return [one.source for one in self.changed if one.source]

    @property
    def new(self) -> list[str]:
        return [one.text for one in self.changed if one.text]

    @property
    def asked(self) -> tuple[str, ...]:
        """All that has to be known."""
        return (*self.read, *self.old, *self.new)

    @property
    def given_source(self) -> list[tuple[str, str]]:
        """The passages that are not as they were, each with a context that says what it was."""
        return [(one.text, CONTEXT.format(source=one.source)) for one in self.changed if one.text]


@dataclass(frozen=True, slots=True)
class _Level:
    """The log-probability of passages, and their tokens."""

    total: float
    tokens: float

    @property
    def mean(self) -> float:
        return self.total / self.tokens if self.tokens else -math.inf


class SentenceQuality:
    """A QualityScorer that remembers; what a sentence that was kept says is certain, given the source.

    It asks about sentences that were kept, and about passages that were not, by themselves, which a search
    has mostly asked about already. The likelihood, for which changed passages are read once more after what
    they were, may be left out. With `most`, so many of the sentences that a text keeps are read for all of
    them: how much better or worse it is than its source comes of the others, and how good both are is as
    exact as so many sentences can tell.
    """

    def __init__(
        self,
        scorer: Scorer,
        embedder: Embedder,
        *,
        format: Format = "text",
        likelihood: bool = True,
        most: int | None = None,
    ) -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._format: Format = format
        self._is_likely = likelihood
        self._most = most
        self._known: dict[tuple[str, str], LogProbs] = {}

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        if sources is None:
            own = [_Compared((sentences := self._sentences(text)), sentences, ()) for text in texts]
            await self._read(own)
            alone = [(self._perplexity(one), None, None) for one in own]
            return await combined(texts, None, alone, (), None, self._format)
        pairs = paired(texts, sources)
        own = [self._compared(*pair) for pair in pairs]
        given = [self._compared(source, source) for source in sources]
        await self._read([*own, *given])
        if self._is_likely:
            await self._learn([pair for one in own for pair in one.given_source])
        found = [
            (self._beside(one, source), self._likelihood(one) if self._is_likely else None, None)
            for one, source in zip(own, given, strict=True)
        ]
        alike = dict(zip(pairs, await self._similarities(own), strict=True))
        meanings = await meanings_of(pairs, alike, None)
        return await combined(texts, pairs, found, meanings, None, self._format)

    async def perplexity_within(self, text: str, source: str) -> tuple[float, float]:
        """How surprising a token of the source is, and one of the text, but for those that open a passage,
        which stands alone."""
        own, given = self._compared(text, source), self._compared(source, source)
        await self._read([own, given])
        return self._perplexity(given, _OPENING), self._beside(own, given, _OPENING)

    def _compared(self, text: str, source: str) -> _Compared:
        """What became of the source in a text."""
        links = self._linked(text, source)
        kept = tuple(one.text for one in links if one.is_kept and one.text)
        chosen = set(spread(self._sentences(source), self._most))
        read = [sentence for sentence in kept if sentence in chosen] or spread(kept, self._most)
        return _Compared(kept, tuple(read), tuple(one for one in links if not one.is_kept))

    def _linked(self, text: str, source: str) -> list[_Passages]:
        """What became of each passage of the source."""
        if text == source:
            return [_Passages(one, one, True) for one in self._sentences(source)]
        old, new = Document(source, self._format), Document(text, self._format)
        return [
            _Passages(
                plain(" ".join(old.sentence(number).text for number in link.original)),
                plain(" ".join(new.sentence(number).text for number in link.revised)),
                link.kind in ("kept", "moved"),
            )
            for link in align(old, new)
        ]

    def _sentences(self, text: str) -> tuple[str, ...]:
        return tuple(filter(None, (plain(each.text) for each in Document(text, self._format).sentences)))

    async def _read(self, compared: Iterable[_Compared]) -> None:
        await self._learn([(text, "") for one in compared for text in one.asked])

    async def _learn(self, pairs: Sequence[tuple[str, str]]) -> None:
        new = [pair for pair in dict.fromkeys(pairs) if pair[0] and pair not in self._known]
        self._known |= await log_probs_of(self._scorer, new)

    def _perplexity(self, compared: _Compared, opening: int = 0) -> float:
        mean = self._level(compared, compared.new, opening).mean
        return math.inf if math.isinf(mean) else math.exp(-mean)

    def _beside(self, compared: _Compared, given: _Compared, opening: int = 0) -> float:
        """The perplexity of a text as that of its source with what is new in the place of what is gone."""
        now, before = (self._level(compared, some, opening).mean for some in (compared.new, compared.old))
        whole = self._level(given, (), opening).mean
        if math.isinf(now) or math.isinf(before) or math.isinf(whole):
            return math.inf if math.isinf(now) else math.exp(-now)
        return math.exp(before - now - whole)

    def _level(self, compared: _Compared, others: Iterable[str], opening: int = 0) -> _Level:
        """The level of the sentences that are kept, as those that are read tell it, together with others."""
        kept, rest = self._sum(compared.read, opening), self._sum(others, opening)
        times = _size(compared.kept) / max(_size(compared.read), 1)
        return _Level(times * kept.total + rest.total, times * kept.tokens + rest.tokens)

    def _sum(self, passages: Iterable[str], opening: int) -> _Level:
        found = [self._known[passage, ""].values for passage in passages]
        counted = [value for values in found for value in values[min(opening, max(len(values) - 1, 0)) :]]
        return _Level(math.fsum(counted), len(counted))

    def _likelihood(self, compared: _Compared) -> float:
        tokens = self._level(compared, compared.new).tokens
        total = sum(self._known[pair].total for pair in compared.given_source)
        return total / tokens if tokens else -math.inf

    async def _similarities(self, compared: Sequence[_Compared]) -> list[float]:
        """How near each text is to its source, each the mean of its passages, which count by their words."""
        asked = distinct([text for one in compared for text in one.asked])
        known = dict(zip(asked, await self._embedder.embed(asked), strict=True)) if asked else {}

        def whole(texts: Iterable[str]) -> FloatArray:
            none = np.zeros(1, np.float32)
            mean: FloatArray = sum((len(one.split()) * known[one] for one in texts), none)
            return mean

        def likeness(one: _Compared) -> float:
            words, counted = (sum(len(text.split()) for text in some) for some in (one.kept, one.read))
            stayed = whole(one.read) * (words / max(counted, 1))
            sides = (stayed + whole(some) for some in (one.old, one.new))
            before, after = (side / max(float(np.linalg.norm(side)), _SMALL) for side in sides)
            return float(np.sum(before * after))

        return [likeness(one) for one in compared]


def _size(passages: Iterable[str]) -> int:
    return sum(map(len, passages))
