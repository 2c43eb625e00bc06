"""Quality by the embedded models, Harper and rules: no reference, no network, no key.

Of whole texts, or sentence by sentence, so that of many revisions of one text no sentence is scored twice.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from redraft.models import Embedder, FloatArray, LogProbs, Scorer
from redraft.quality.base import Meaning, Quality
from redraft.quality.grammar import grammar_findings, grammar_score
from redraft.quality.meaning import kept_share, meaning_changes
from redraft.text import Document, EntityFinder, Format, RuleFinder, align

_Item = TypeVar("_Item", bound=Hashable)
Pairs = list[tuple[str, str]]
"""Texts, each with its source."""


def paired(texts: Sequence[str], sources: Sequence[str]) -> Pairs:
    """Each text with its source; as many of one as of the other."""
    if len(texts) != len(sources):
        raise ValueError(f"{len(texts)} texts need as many sources, not {len(sources)}")
    return list(zip(texts, sources, strict=True))


def plain(text: str) -> str:
    """The text as the models take it: half of a surrogate pair is no character, and a line ends in \\n."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.strip().encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def distinct(items: Sequence[_Item]) -> list[_Item]:
    """Each item once, in order, without the empty ones."""
    return [item for item in dict.fromkeys(items) if item]


async def perplexities_of(texts: Sequence[str], scorer: Scorer) -> tuple[float, ...]:
    """How surprising a token of each text is on average; infinite where there is none."""
    asked = distinct([plain(text) for text in texts])
    scores = dict(zip(asked, await scorer.log_probs(asked), strict=True)) if asked else {}
    found = (scores.get(plain(text)) for text in texts)
    return tuple(each.perplexity if each is not None else math.inf for each in found)


async def likelihoods_of(pairs: Pairs, scorer: Scorer, context: str = "{source}") -> tuple[float, ...]:
    """The mean log-probability of a token of each text after its source, as the context puts it."""
    asked_for = [(plain(text), plain(source)) for text, source in pairs]
    asked = [pair for pair in distinct(asked_for) if pair[0]]
    if not asked:
        return (-math.inf,) * len(pairs)
    contexts = [context.format(source=source) for _, source in asked]
    found = await scorer.log_probs([text for text, _ in asked], contexts)
    scores = {pair: each.mean for pair, each in zip(asked, found, strict=True)}
    return tuple(scores.get(pair, -math.inf) for pair in asked_for)


async def meaning_of(pairs: Pairs, embedder: Embedder, finder: EntityFinder | None) -> tuple[Meaning, ...]:
    """How near each text is to its source, and which facts it changes."""
    asked = distinct([plain(text) for pair in pairs for text in pair])
    vectors = dict(zip(asked, await embedder.embed(asked), strict=True)) if asked else {}
    similarities = {
        (text, source): float(np.dot(vectors[plain(text)], vectors[plain(source)]))
        for text, source in pairs
        if plain(text) and plain(source)
    }
    return await meanings_of(pairs, similarities, finder)


async def meanings_of(
    pairs: Pairs, similarities: Mapping[tuple[str, str], float], finder: EntityFinder | None
) -> tuple[Meaning, ...]:
    """How near each text is to its source, from 0 to 1, and which facts it changes."""
    changes = await asyncio.to_thread(
        lambda: {pair: meaning_changes(pair[1], pair[0], finder) for pair in dict.fromkeys(pairs)}
    )
    found = []
    for pair in pairs:
        is_same = plain(pair[0]) == plain(pair[1])
        similarity = 1.0 if is_same else min(max(similarities.get(pair, 0.0), 0.0), 1.0)
        found.append(Meaning(similarity, changes[pair]))
    return tuple(found)


async def combined(
    texts: Sequence[str],
    pairs: Pairs | None,
    found: Sequence[tuple[float, float | None, float | None]],
    meanings: Sequence[Meaning],
    finder: EntityFinder | None,
    format: Format | None,
) -> tuple[Quality, ...]:
    """Perplexity, likelihood and SOME of each text with its grammar and, beside a source, its meaning."""
    grammar = await asyncio.to_thread(
        lambda: {text: (grammar_score(text, format), grammar_findings(text, format)) for text in set(texts)}
    )
    if pairs is None:
        return tuple(
            Quality(perplexity, None, *grammar[text], None, None, some)
            for text, (perplexity, _, some) in zip(texts, found, strict=True)
        )
    entities = finder or RuleFinder()
    shares = await asyncio.to_thread(
        lambda: {pair: kept_share(pair[1], pair[0], entities) for pair in dict.fromkeys(pairs)}
    )
    return tuple(
        Quality(perplexity, likelihood, *grammar[pair[0]], meaning, shares[pair], some)
        for pair, (perplexity, likelihood, some), meaning in zip(pairs, found, meanings, strict=True)
    )


_OPENING = 4
"""Tokens at the beginning of a sentence that say little where nothing is read before it."""
_SMALL = 1e-9

# What comes after it is likelier, the more it says the same; chosen by `benchmarks/quality.py`.
CONTEXT = "{source}\n\nIn other words:\n"


class EmbeddedQuality:
    """A QualityScorer; each score can be had alone, and each distinct text is scored once.

    White space around a text, a byte order mark and the kind of line ends count for nothing; findings have
    their places in the text as it was given. A text without words is the worst there is: its perplexity is
    infinite, its likelihood minus infinity. The format of a text is guessed where none is given.
    """

    def __init__(
        self,
        scorer: Scorer,
        embedder: Embedder,
        finder: EntityFinder | None = None,
        *,
        format: Format | None = None,
    ) -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._finder = finder
        self._format = format

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        pairs = None if sources is None else paired(texts, sources)
        perplexities = await self.perplexity(texts)
        somes = await self.some(texts, sources)
        likelihoods: Sequence[float | None] = [None] * len(texts)
        meanings: Sequence[Meaning] = ()
        if sources is not None:
            likelihoods = await self.likelihood(texts, sources)
            meanings = await self.meaning(texts, sources)
        found = list(zip(perplexities, likelihoods, somes, strict=True))
        return await combined(texts, pairs, found, meanings, self._finder, self._format)

    async def perplexity(self, texts: Sequence[str]) -> tuple[float, ...]:
        """How surprising a token of each text is on average, to the embedded language model."""
        return await perplexities_of(texts, self._scorer)

    async def likelihood(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[float, ...]:
        """The mean log-probability of a token of each text, where its source has been read before it."""
        return await likelihoods_of(paired(texts, sources), self._scorer, CONTEXT)

    async def meaning(self, texts: Sequence[str], sources: Sequence[str]) -> tuple[Meaning, ...]:
        """How near each text is to its source, and which facts it changes."""
        return await meaning_of(paired(texts, sources), self._embedder, self._finder)

    async def some(
        self, texts: Sequence[str], sources: Sequence[str] | None = None
    ) -> Sequence[float | None]:
        """SOME of each text; None where the models for it are not there."""
        return [None] * len(texts)


@dataclass(frozen=True, slots=True)
class _Passages:
    """What a text made of a passage of its source; one of them may be empty."""

    source: str
    text: str
    is_kept: bool


class SentenceQuality:
    """A QualityScorer that remembers; what a sentence that was kept says is certain, given the source.

    It asks about sentences and passages by themselves, which a search has mostly asked about already. The
    likelihood, for which changed passages are read once more after what they were, may be left out.
    """

    def __init__(
        self, scorer: Scorer, embedder: Embedder, *, format: Format = "text", likelihood: bool = True
    ) -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._format: Format = format
        self._is_likely = likelihood
        self._known: dict[tuple[str, str], LogProbs] = {}

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        pairs = None if sources is None else paired(texts, sources)
        alone = [self._sentences(text) for text in texts]
        linked = {pair: self._linked(*pair) for pair in dict.fromkeys(pairs or ())}
        compared = pairs if pairs is not None and self._is_likely else [None] * len(texts)
        changed = [None if pair is None else _changed(linked[pair]) for pair in compared]
        await self._score([pair for known in (*alone, *changed) for pair in known or ()])
        found = [
            (self._perplexity(own), None if new is None else self._likelihood(own, new), None)
            for own, new in zip(alone, changed, strict=True)
        ]
        meanings = await meanings_of(pairs, await self._similarities(linked), None) if pairs else ()
        return await combined(texts, pairs, found, meanings, None, self._format)

    def _linked(self, text: str, source: str) -> list[_Passages]:
        """What became of each passage of the source."""
        old, new = Document(source, self._format), Document(text, self._format)
        if text == source:
            return [_Passages(plain(one.text), plain(one.text), True) for one in old.sentences]
        return [
            _Passages(
                plain(" ".join(old.sentence(number).text for number in link.original)),
                plain(" ".join(new.sentence(number).text for number in link.revised)),
                link.kind in ("kept", "moved"),
            )
            for link in align(old, new)
        ]

    async def _similarities(
        self, linked: Mapping[tuple[str, str], Sequence[_Passages]]
    ) -> dict[tuple[str, str], float]:
        """How near each text is to its source, each the mean of its passages, which count by their words."""
        passages = [one for links in linked.values() for one in links]
        asked = distinct([text for one in passages for text in (one.source, one.text)])
        known = dict(zip(asked, await self._embedder.embed(asked), strict=True)) if asked else {}

        def whole(texts: Iterable[str]) -> FloatArray:
            none = np.zeros(1, np.float32)
            mean: FloatArray = sum((len(one.split()) * known[one] for one in texts if one), none)
            return mean / max(float(np.linalg.norm(mean)), _SMALL)

        return {
            pair: float(np.sum(whole(one.text for one in links) * whole(one.source for one in links)))
            for pair, links in linked.items()
        }

    async def _score(self, pairs: Sequence[tuple[str, str]]) -> None:
        new = [pair for pair in dict.fromkeys(pairs) if pair[0] and pair not in self._known]
        self._known |= await log_probs_of(self._scorer, new)

    async def perplexity_within(self, texts: Sequence[str]) -> tuple[float, ...]:
        """How surprising a token of each text is, but for those that open a sentence, which stands alone."""
        sentences = [self._sentences(text) for text in texts]
        await self._score([pair for own in sentences for pair in own])
        return tuple(self._perplexity(own, opening=_OPENING) for own in sentences)

    def _sentences(self, text: str) -> list[tuple[str, str]]:
        return [(plain(sentence.text), "") for sentence in Document(text, self._format).sentences]

    def _perplexity(self, pairs: Sequence[tuple[str, str]], opening: int = 0) -> float:
        found = [self._known[pair].values for pair in pairs if pair[0]]
        counted = [value for values in found for value in values[min(opening, len(values) - 1) :]]
        return math.exp(-math.fsum(counted) / len(counted)) if counted else math.inf

    def _likelihood(self, own: Sequence[tuple[str, str]], changed: Sequence[tuple[str, str]]) -> float:
        count = sum(len(self._known[pair].values) for pair in own if pair[0])
        return sum(self._known[pair].total for pair in changed) / count if count else -math.inf


def _changed(linked: Sequence[_Passages]) -> list[tuple[str, str]]:
    """The passages that are not as they were, each after what it was."""
    return [(one.text, CONTEXT.format(source=one.source)) for one in linked if one.text and not one.is_kept]


async def log_probs_of(scorer: Scorer, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], LogProbs]:
    """The log-probabilities of each text, given the context beside it where there is one."""
    known: dict[tuple[str, str], LogProbs] = {}
    for given in (False, True):
        asked = [pair for pair in pairs if bool(pair[1]) is given]
        if asked:
            contexts = [context for _, context in asked] if given else None
            known |= zip(asked, await scorer.log_probs([text for text, _ in asked], contexts), strict=True)
    return known


async def likelihoods(
    scorer: Scorer, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], tuple[float, int]]:
    """The log-probability of each text and its tokens, in the same way."""
    return {pair: (one.total, len(one.values)) for pair, one in (await log_probs_of(scorer, pairs)).items()}
