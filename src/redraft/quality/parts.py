"""The parts of a score that every provider takes from here: grammar, meaning, and the names that are kept."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

from redraft.models import Embedder, Scorer
from redraft.quality.base import Meaning
from redraft.quality.grammar import GrammarFinding, grammar_findings, grammar_score
from redraft.quality.meaning import meaning_changes
from redraft.quality.names import kept_share
from redraft.text import EntityFinder, Format

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


async def grammar_of(
    texts: Sequence[str], format: Format | None
) -> dict[str, tuple[float, tuple[GrammarFinding, ...]]]:
    """The grammar score and the findings of each text."""
    return await asyncio.to_thread(
        lambda: {text: (grammar_score(text, format), grammar_findings(text, format)) for text in set(texts)}
    )


async def meaning_of(pairs: Pairs, embedder: Embedder, finder: EntityFinder | None) -> tuple[Meaning, ...]:
    """How near each text is to its source, and which facts it changes."""
    asked = distinct([plain(text) for pair in pairs for text in pair])
    vectors = dict(zip(asked, await embedder.embed(asked), strict=True)) if asked else {}
    changes = await asyncio.to_thread(
        lambda: {pair: meaning_changes(pair[1], pair[0], finder) for pair in dict.fromkeys(pairs)}
    )
    found = []
    for text, source in pairs:
        one, other = plain(text), plain(source)
        cosine = float(np.dot(vectors[one], vectors[other])) if one in vectors and other in vectors else 0.0
        similarity = 1.0 if one == other else min(max(cosine, 0.0), 1.0)
        found.append(Meaning(similarity, changes[text, source]))
    return tuple(found)


async def shares_of(pairs: Pairs, finder: EntityFinder) -> dict[tuple[str, str], float]:
    """The share of each source's named entities that its text still has."""
    return await asyncio.to_thread(
        lambda: {pair: kept_share(pair[1], pair[0], finder) for pair in dict.fromkeys(pairs)}
    )
