"""How much the candidates of a pool differ, from one another and from their sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from redraft.editor import overlap
from redraft.metrics import levenshtein
from redraft.simplification.base import Candidate


@dataclass(frozen=True, slots=True)
class Habits:
    """What one system does to a source, on average."""

    candidates: int
    copies: float
    """The share of its candidates that are the source itself."""
    words: float
    """Words of the candidate over words of the source."""
    compression: float
    """The same in characters, as EASSE reports it."""
    levenshtein: float
    """How alike candidate and source are: 1 less the characters to change over those of the longer."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """What a pool has to choose from."""

    sources: int
    distinct: float
    """The mean share of a source's candidates that no other repeats; 1 where all differ."""
    alike: float
    """The share of sources whose candidates are all one text."""
    copies: float
    dissimilarity: float
    """The mean of 1 less the overlap (words, pairs of words, 4-grams) of any two candidates of a source."""
    systems: dict[str, Habits]


def plain(text: str) -> str:
    """What makes a text the same as another: case and spaces do not count."""
    return " ".join(text.lower().split())


def diversity(pools: Iterable[tuple[str, Sequence[Candidate]]]) -> Diversity:
    """Measure what systems made of sources; those without two candidates say nothing of the pool."""
    distinct: list[float] = []
    alike: list[float] = []
    apart: list[float] = []
    pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for source, candidates in pools:
        texts = [candidate.text for candidate in candidates]
        for candidate in candidates:
            pairs[candidate.by].append((source, candidate.text))
        if len(texts) > 1:
            different = len(set(map(plain, texts)))
            distinct.append(different / len(texts))
            alike.append(float(different == 1))
            apart.append(1 - float(overlap(texts, [1] * len(texts)).mean()))
    every = [pair for found in pairs.values() for pair in found]
    return Diversity(
        sources=len(distinct),
        distinct=_mean(distinct),
        alike=_mean(alike),
        copies=_mean([float(plain(one) == plain(other)) for one, other in every]),
        dissimilarity=_mean(apart),
        systems={name: _habits(found) for name, found in sorted(pairs.items())},
    )


def _habits(pairs: Sequence[tuple[str, str]]) -> Habits:
    return Habits(
        candidates=len(pairs),
        copies=_mean([float(plain(source) == plain(text)) for source, text in pairs]),
        words=_mean([len(text.split()) / max(1, len(source.split())) for source, text in pairs]),
        compression=_mean([len(text) / max(1, len(source)) for source, text in pairs]),
        levenshtein=_mean(
            [1 - levenshtein(source, text) / max(len(source), len(text), 1) for source, text in pairs]
        ),
    )


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 4) if values else 0.0
