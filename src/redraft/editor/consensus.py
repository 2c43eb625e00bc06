"""How well each candidate agrees with the others: minimum-Bayes-risk decoding.

A candidate that is like most of what the model drew is one that the model would defend; a slip stands alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from redraft.metrics import Sample, load_metric, sample_scores, tokens_13a, words_13a

Column = NDArray[np.float64]

_CHARACTERS = 4


def overlap(texts: Sequence[str], votes: Sequence[int]) -> Column:
    """The mean overlap (0 to 1) of each text with every other vote: F1 of words, word pairs and 4-grams.

    A text with several votes stands beside itself as often as that, less one.
    """
    counts = _counts(texts)
    shared = np.minimum(counts[:, None], counts[None]).sum(axis=-1)
    sizes = np.maximum(counts.sum(axis=-1), 1)
    alike = 2 * shared / (sizes[:, None] + sizes[None])
    others = np.asarray(votes) - np.eye(len(texts))
    total = sum(votes) - 1
    agreed: Column = (alike * others).sum(axis=-1) / total if total else np.ones(len(texts))
    return agreed


def agreed_sari(source: str, texts: Sequence[str], votes: Sequence[int]) -> Column:
    """SARI (0 to 1) of each text, with every other vote for a reference."""
    if sum(votes) < 2:
        return np.ones(len(texts))
    cast = [[text] * count for text, count in zip(texts, votes, strict=True)]
    samples = [
        Sample(source, text, tuple(chain(*cast[:at], cast[at][1:], *cast[at + 1 :])))
        for at, text in enumerate(texts)
    ]
    return sample_scores(load_metric("sari"), samples) / 100


def _counts(texts: Sequence[str]) -> NDArray[np.int64]:
    """How often each n-gram that occurs stands in each text."""
    numbers: dict[tuple[str, ...] | str, int] = {}
    counted = [Counter(_grams(text)) for text in texts]
    for gram in chain(*counted):
        numbers.setdefault(gram, len(numbers))
    counts = np.zeros((len(texts), len(numbers)), dtype=np.int64)
    for row, grams in zip(counts, counted, strict=True):
        row[[numbers[gram] for gram in grams]] = list(grams.values())
    return counts


def _grams(text: str) -> list[tuple[str, ...] | str]:
    words = [token for word in words_13a(text) for token in tokens_13a(word)]
    joined = " ".join(words)
    pieces = [joined[at : at + _CHARACTERS] for at in range(len(joined) - _CHARACTERS + 1)]
    return [*((word,) for word in words), *pairwise(words), *pieces]
