"""Quality sentence by sentence, for comparing many revisions of one text: no sentence is scored twice.

The numbers differ a little from those of the whole text, in which each sentence is read after the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from redraft.models import Embedder, Scorer
from redraft.quality.base import Quality
from redraft.quality.embedded import CONTEXT
from redraft.quality.parts import grammar_of, meaning_of, paired, plain, shares_of
from redraft.text import Document, Format, RuleFinder, align


class SentenceQuality:
    """A QualityScorer that remembers; what a sentence that was kept says is certain, given the source."""

    def __init__(self, scorer: Scorer, embedder: Embedder, *, format: Format = "text") -> None:
        self._scorer = scorer
        self._embedder = embedder
        self._format: Format = format
        self._known: dict[tuple[str, str], tuple[float, int]] = {}

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
        grammar = await grammar_of(texts, self._format)
        alone = [[(plain(s.text), "") for s in Document(text, self._format).sentences] for text in texts]
        changed = [self._changed(*pair) for pair in paired(texts, sources)] if sources is not None else []
        await self._score([pair for pairs in (*alone, *changed) for pair in pairs])
        perplexities = [self._perplexity(pairs) for pairs in alone]
        if sources is None:
            return tuple(
                Quality(perplexity, None, *grammar[text], None, None)
                for text, perplexity in zip(texts, perplexities, strict=True)
            )
        pairs = paired(texts, sources)
        meanings = await meaning_of(pairs, self._embedder, None)
        shares = await shares_of(pairs, RuleFinder())
        return tuple(
            Quality(perplexity, self._likelihood(own, new), *grammar[pair[0]], meaning, shares[pair])
            for pair, perplexity, own, new, meaning in zip(
                pairs, perplexities, alone, changed, meanings, strict=True
            )
        )

    def _changed(self, text: str, source: str) -> list[tuple[str, str]]:
        """The passages that are not as they were, each with what it was."""
        if text == source:
            return []
        old, new = Document(source, self._format), Document(text, self._format)
        return [
            (
                plain(" ".join(new.sentence(number).text for number in link.revised)),
                CONTEXT.format(source=plain(" ".join(old.sentence(n).text for n in link.original))),
            )
            for link in align(old, new)
            if link.kind not in ("kept", "moved") and link.revised
        ]

    async def _score(self, pairs: Sequence[tuple[str, str]]) -> None:
        new = [pair for pair in dict.fromkeys(pairs) if pair[0] and pair not in self._known]
        self._known |= await likelihoods(self._scorer, new)

    def _sum(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, int]:
        found = [self._known.get(pair, (0.0, 0)) for pair in pairs]
        return sum(total for total, _ in found), sum(count for _, count in found)

    def _perplexity(self, pairs: Sequence[tuple[str, str]]) -> float:
        total, count = self._sum(pairs)
        return math.exp(-total / count) if count else math.inf

    def _likelihood(self, own: Sequence[tuple[str, str]], changed: Sequence[tuple[str, str]]) -> float:
        total, _ = self._sum(changed)
        _, count = self._sum(own)
        return total / count if count else -math.inf


async def likelihoods(
    scorer: Scorer, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], tuple[float, int]]:
    """The log-probability and the tokens of each text, given the context beside it where there is one."""
    known: dict[tuple[str, str], tuple[float, int]] = {}
    for given in (False, True):
        asked = [pair for pair in pairs if bool(pair[1]) is given]
        if asked:
            contexts = [context for _, context in asked] if given else None
            found = await scorer.log_probs([text for text, _ in asked], contexts)
            known |= {pair: (one.total, len(one.values)) for pair, one in zip(asked, found, strict=True)}
    return known
