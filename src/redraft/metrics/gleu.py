"""GLEU for grammatical error correction (Napoles et al., 2015; revised 2016)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError
from redraft.metrics.base import Need, Rows, Sample, blocks, ratio, references_of, sign, texts_of
from redraft.metrics.tokens import ORDERS, Ints, Vocabulary, count_grams, treebank_words

ITERATIONS = 500
_SHARED = 1 + ORDERS
"""Columns that do not depend on the reference: the prediction's tokens, and its n-grams of each order."""
_DRAWN = 1 + ORDERS
"""Columns that do: the reference's tokens, and the n-grams that count, of each order."""


@dataclass(frozen=True)
class Gleu:
    """GLEU as JFLEG's script and EditEval compute it: 0 to 100.

    Precision of n-grams up to four, less those that should have been changed and were not, with BLEU's
    brevity penalty. With several references, 500 corpus scores are averaged, each against one reference a
    sample, drawn with Python's generator seeded `101 · iteration`: the order of the samples matters. Cased.

    The number of references may differ from sample to sample, where the script knows but one number: the
    draw is then the one that the script would make if all samples had as many.
    """

    tokens: str = "treebank"
    """`treebank` splits words as EditEval does; `space` takes text that is tokenised, as the script does."""

    components: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[frozenset[Need]] = frozenset({"source", "references"})

    def __post_init__(self) -> None:
        if self.tokens not in _TOKENS:
            raise InputError(f'gleu knows the tokens {" and ".join(_TOKENS)}, not "{self.tokens}"')

    @property
    def name(self) -> str:
        return "gleu" if self.tokens == "treebank" else f"gleu:{self.tokens}"

    @property
    def signature(self) -> str:
        return sign("gleu", "order:4", f"draws:{ITERATIONS}", "case:mixed", f"tok:{_TOKENS[self.tokens]}")

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        draws: dict[int, Draws] = {}
        position = 0
        for shared, drawn, references in _counted(samples, self.tokens):
            picks = np.zeros((ITERATIONS, len(references)), dtype=np.int64)
            for many in np.unique(references):
                stream = draws.setdefault(int(many), Draws(int(many)))
                picked = stream.take(position, len(references))
                picks = np.where(references == many, picked, picks)
            position += len(references)
            chosen = drawn[np.arange(len(references))[:, None], picks.T]
            yield np.concatenate([shared, chosen.reshape(len(references), -1)], axis=1)

    def score(self, sums: Rows) -> Rows:
        shared, drawn = _parts(sums)
        mean: Rows = _gleu(shared, drawn).mean(axis=-1, keepdims=True)
        return mean

    def sample_scores(self, rows: Rows) -> NDArray[np.float64]:
        """The script's score of a sentence: counts of nothing are taken as one."""
        shared, drawn = _parts(rows)
        smoothed = _gleu(np.where(shared == 0, 1, shared), np.where(drawn == 0, 1, drawn))
        scores: NDArray[np.float64] = smoothed.mean(axis=-1)
        return scores


@dataclass(frozen=True)
class GleuMean:
    """GLEU with each sample's statistics averaged over its references: no draw, the order does not matter.

    Not the published number, though seldom far from it: the published one depends on a draw.
    """

    name: ClassVar[str] = "gleu_mean"
    components: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[frozenset[Need]] = frozenset({"source", "references"})

    @property
    def signature(self) -> str:
        return sign(self.name, "order:4", "multi:mean", "case:mixed", f"tok:{_TOKENS['treebank']}")

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        for shared, drawn, references in _counted(samples, "treebank"):
            yield np.concatenate([shared, drawn.sum(axis=1) / references[:, None]], axis=1)

    def score(self, sums: Rows) -> Rows:
        shared, drawn = _parts(sums)
        return _gleu(shared, drawn)


class Draws:
    """Which of `many` references each iteration draws for each sample, as `random.randint` would."""

    def __init__(self, many: int) -> None:
        self._many = many
        self._generators = [random.Random(101 * iteration) for iteration in range(ITERATIONS)]
        self._ahead = [np.zeros(0, dtype=np.int64)] * ITERATIONS
        self._position = 0

    def take(self, start: int, count: int) -> Ints:
        """The draws for samples from `start` on, one row an iteration; `start` never goes back."""
        skipped = start - self._position
        self._position = start + count
        picks = np.empty((ITERATIONS, count), dtype=np.int64)
        for iteration in range(ITERATIONS):
            ready = self._ahead[iteration]
            while len(ready) < skipped + count:
                ready = np.concatenate([ready, self._more(iteration, skipped + count - len(ready))])
            picks[iteration] = ready[skipped : skipped + count]
            self._ahead[iteration] = ready[skipped + count :]
        return picks

    def _more(self, iteration: int, count: int) -> Ints:
        # `randint` takes the high bits of 32-bit words, as few as hold the number of references, until they
        # are below that number; `getrandbits` hands out the same words, all at once.
        words = 32 * -(-count * 2 // 32) + 32
        drawn = self._generators[iteration].getrandbits(32 * words).to_bytes(4 * words, "little")
        values = np.frombuffer(drawn, dtype="<u4") >> (32 - self._many.bit_length())
        return values[values < self._many].astype(np.int64)


_TOKENS = {"treebank": "nltk3.7", "space": "none"}


def _counted(samples: Iterable[Sample], tokens: str) -> Iterator[tuple[Rows, Rows, Ints]]:
    """For a block: the shared columns, the columns for each reference, and the numbers of references."""
    split = treebank_words if tokens == "treebank" else str.split
    vocabulary = Vocabulary(lambda word: (word,))
    for block in blocks(samples):
        numbers, lengths = vocabulary.read(split(text) for text in texts_of(block))
        references = references_of(block)
        at = np.cumsum(references + 2) - references - 2
        predicted = lengths[at + 1]
        shared = np.maximum(predicted[:, None] - np.arange(-1, ORDERS), 0).astype(np.float64)
        shared[:, 0] = predicted
        drawn = np.zeros((len(block), int(references.max()), _DRAWN))
        has = np.arange(drawn.shape[1]) < references[:, None]
        drawn[has, 0] = np.delete(lengths, np.concatenate([at, at + 1]))
        for order, grams in enumerate(count_grams(numbers, lengths, references), start=1):
            # Counted: the n-grams shared with the reference, less those shared with the source alone.
            copied = np.minimum(grams.source, grams.prediction)[:, None]
            counted = np.minimum(grams.references, grams.prediction[:, None]) - copied * (
                grams.references == 0
            )
            present, first = np.unique(grams.samples, return_index=True)
            drawn[present, :, order] = np.maximum(np.add.reduceat(counted, first, axis=0), 0)
        yield shared, drawn, references


def _parts(sums: Rows) -> tuple[Rows, Rows]:
    """The shared columns, with room for iterations, and the drawn ones by iteration."""
    drawn = sums[..., _SHARED:]
    return sums[..., None, :_SHARED], drawn.reshape(*drawn.shape[:-1], -1, _DRAWN)


def _gleu(shared: Rows, drawn: Rows) -> Rows:
    """The score of summed statistics; nothing where any of them is nothing (Napoles et al., 2015, eq. 2)."""
    predicted, wanted = shared[..., 0], drawn[..., 0]
    brevity = np.exp(np.minimum(0, 1 - ratio(wanted, predicted)))
    precision = ratio(drawn[..., 1:].prod(axis=-1), shared[..., 1:].prod(axis=-1)) ** (1 / ORDERS)
    scores: Rows = np.where((predicted > 0) & (wanted > 0), 100 * brevity * precision, 0.0)
    return scores
