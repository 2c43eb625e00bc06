"""BLEU (Papineni et al., 2002) and iBLEU (Sun and Zhou, 2012)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from redraft.errors import InputError, MissingExtra
from redraft.metrics.base import (
    BLOCK,
    Need,
    Rows,
    Sample,
    batched,
    make_signature,
    ratio,
    references_of,
    sample_blocks,
    texts_of,
)
from redraft.metrics.tokens import ORDERS, Vocabulary, count_ngrams, treebank_words

ALPHA = 0.9
"""The weight of the references in iBLEU, as EditEval sets it."""


@dataclass(frozen=True)
class Bleu:
    """BLEU as sacrebleu computes it (counted by sacrebleu itself): cased, 13a, exponential smoothing."""

    name: ClassVar[str] = "bleu"
    components: ClassVar[tuple[str, ...]] = ("brevity",)
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    @property
    def signature(self) -> str:
        return make_signature(self.name, *_SACREBLEU, f"sacrebleu:{_sacrebleu().__version__}")

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        for block in batched(samples, BLOCK):
            yield np.array([_counts(sample.prediction, sample.references) for sample in block])

    def score(self, sums: Rows) -> Rows:
        return np.stack(_smoothed_bleu(sums), axis=-1)


def bleu(variant: str = "") -> Bleu | NmtBleu:
    """`bleu`, or `bleu:nmt`, EditEval's."""
    if variant not in {"", "nmt"}:
        raise InputError(f'there is no "bleu:{variant}"; there are bleu and bleu:nmt')
    return NmtBleu() if variant else Bleu()


@dataclass(frozen=True)
class NmtBleu:
    """BLEU as EditEval computes it, with that of TensorFlow's NMT tutorial.

    Treebank words, cased, up to four at a time, not smoothed: an order without a match makes it zero. The
    brevity penalty looks at the shortest reference of each sample.
    """

    name: ClassVar[str] = "bleu:nmt"
    components: ClassVar[tuple[str, ...]] = ("brevity",)
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    @property
    def signature(self) -> str:
        return make_signature(self.name, *_NMT)

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        return _nmt_counts(samples)

    def score(self, sums: Rows) -> Rows:
        return np.stack([_against_references(sums), _brevity(sums[..., 0], sums[..., 1])], axis=-1)


@dataclass(frozen=True)
class IBleu:
    """iBLEU as EditEval computes it: 0.9 · BLEU(O, R) - 0.1 · BLEU(O, I), times 100, both `bleu:nmt`."""

    name: ClassVar[str] = "ibleu"
    components: ClassVar[tuple[str, ...]] = ("references", "source")
    needs: ClassVar[frozenset[Need]] = frozenset({"source", "references"})

    @property
    def signature(self) -> str:
        return make_signature(self.name, f"alpha:{ALPHA}", "bleu:nmt", *_NMT)

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        return _nmt_counts(samples)

    def score(self, sums: Rows) -> Rows:
        bleu, total = _against_references(sums), sums[..., 3 : 3 + ORDERS]
        copied = _plain_bleu(sums[..., 3 + 2 * ORDERS :], total, sums[..., 0], sums[..., 2])
        return np.stack([ALPHA * bleu - (1 - ALPHA) * copied, bleu, copied], axis=-1)


@dataclass(frozen=True)
class IBleuSacrebleu:
    """iBLEU with sacrebleu's BLEU: the closest reference's length, 13a tokens, exponential smoothing."""

    name: ClassVar[str] = "ibleu_sacrebleu"
    components: ClassVar[tuple[str, ...]] = ("references", "source")
    needs: ClassVar[frozenset[Need]] = frozenset({"source", "references"})

    @property
    def signature(self) -> str:
        return make_signature(
            self.name, f"alpha:{ALPHA}", *_SACREBLEU, f"sacrebleu:{_sacrebleu().__version__}"
        )

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        for block in batched(samples, BLOCK):
            yield np.array(
                [_counts(s.prediction, s.references) + _counts(s.prediction, (s.source,)) for s in block]
            )

    def score(self, sums: Rows) -> Rows:
        half = sums.shape[-1] // 2
        bleu, copied = _smoothed_bleu(sums[..., :half])[0], _smoothed_bleu(sums[..., half:])[0]
        return np.stack([ALPHA * bleu - (1 - ALPHA) * copied, bleu, copied], axis=-1)


_NMT = ("smooth:none", "len:shortest", "case:mixed", "tok:nltk3.7")


def _nmt_counts(samples: Iterable[Sample]) -> Iterator[Rows]:
    """Of each sample the lengths of the prediction, the shortest reference and the source, then by order the
    n-grams of the prediction, those that a reference has, and those that the source has."""
    vocabulary = Vocabulary(lambda word: (word,))
    for block in sample_blocks(samples):
        tokens, lengths = vocabulary.read(treebank_words(text) for text in texts_of(block))
        references = references_of(block)
        first = np.cumsum(references + 2) - references - 2
        rows = np.empty((len(block), 3 + 3 * ORDERS))
        rows[:, 0] = lengths[first + 1]
        spans = zip(first + 2, references, strict=True)
        rows[:, 1] = [lengths[at : at + many].min() for at, many in spans]
        rows[:, 2] = lengths[first]
        rows[:, 3 : 3 + ORDERS] = np.maximum(rows[:, :1] - np.arange(ORDERS), 0)
        for order, grams in enumerate(count_ngrams(tokens, lengths, references)):
            wanted = grams.references.max(axis=1)
            for against, column in ((wanted, 3 + ORDERS), (grams.source, 3 + 2 * ORDERS)):
                matched = np.minimum(grams.prediction, against)
                rows[:, column + order] = np.bincount(grams.samples, matched, len(block))
        yield rows


def _against_references(sums: Rows) -> Rows:
    total, correct = sums[..., 3 : 3 + ORDERS], sums[..., 3 + ORDERS : 3 + 2 * ORDERS]
    return _plain_bleu(correct, total, sums[..., 0], sums[..., 1])


_SACREBLEU = ("case:mixed", "eff:no", "tok:13a", "smooth:exp")


@lru_cache(maxsize=1)
def _sacrebleu() -> Any:
    try:
        import sacrebleu  # noqa: PLC0415  (only BLEU needs it)
    except ImportError:
        raise MissingExtra("BLEU", "bench") from None
    return sacrebleu


@lru_cache(maxsize=1)
def _counter() -> Any:
    # Counts of one sentence do not depend on the effective order; without it sacrebleu warns.
    return _sacrebleu().BLEU(effective_order=True)


def _counts(prediction: str, references: Sequence[str]) -> list[float]:
    found = _counter().sentence_score(prediction, references)
    return [found.sys_len, found.ref_len, *found.counts, *found.totals]


def _smoothed_bleu(sums: Rows) -> tuple[Rows, Rows]:
    """BLEU and its brevity penalty; the k-th order without a match counts as 1/2^k matches (mteval-v13a)."""
    predicted, wanted = sums[..., 0], sums[..., 1]
    correct, total = sums[..., 2 : 2 + ORDERS], sums[..., 2 + ORDERS :]
    missed = (correct == 0) & (total > 0)
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), correct)
    scores = np.where((total > 0).all(axis=-1) & (correct > 0).any(axis=-1), _geometric(smoothed, total), 0.0)
    brevity = _brevity(predicted, wanted)
    return 100 * brevity * scores, brevity


def _plain_bleu(correct: Rows, total: Rows, predicted: Rows, wanted: Rows) -> Rows:
    scores = np.where((correct > 0).all(axis=-1), _geometric(correct, total), 0.0)
    return 100 * _brevity(predicted, wanted) * scores


def _geometric(correct: Rows, total: Rows) -> Rows:
    precision = ratio(correct, total)
    mean: Rows = np.exp(np.log(np.where(precision > 0, precision, 1.0)).mean(axis=-1))
    return mean


def _brevity(predicted: Rows, wanted: Rows) -> Rows:
    penalty: Rows = np.where(predicted > 0, np.exp(np.minimum(0, 1 - ratio(wanted, predicted))), 0.0)
    return penalty
