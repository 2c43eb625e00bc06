"""SARI: how well words were added, kept and deleted (Xu et al., 2016)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from redraft.metrics.base import BLOCK, Need, Rows, Sample, batched, ratio, sign
from redraft.metrics.grams import ORDERS, Grams, count_grams
from redraft.metrics.tokens import Vocabulary, tokens_13a, words_13a


@dataclass(frozen=True)
class Sari:
    """SARI as EASSE computes it, and with it EditEval: 0 to 100.

    Counts of the whole corpus; an F1 for each operation and n-gram order, deletion too; the mean over orders
    one to four, then over the operations. Lower-cased, 13a tokens. (EASSE's `corpus_sari`, which follows the
    authors' Java code; the equations of the paper average precision and recall first.)

    Keeping and deleting count by the share of the references that agree, so a sample with more references
    weighs no more than another; with the same number everywhere this is EASSE's value.
    """

    name: ClassVar[str] = "sari"
    components: ClassVar[tuple[str, ...]] = ("add", "keep", "delete")
    needs: ClassVar[frozenset[Need]] = frozenset({"source", "references"})

    @property
    def signature(self) -> str:
        return sign(self.name, "order:4", "level:corpus", "avg:macro", "del:f1", "case:lower", "tok:13a")

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        vocabulary = Vocabulary(tokens_13a)

        def read(text: str) -> list[int]:
            return vocabulary.read(words_13a(text.lower()))

        for block in batched(samples, BLOCK):
            vocabulary.trim()
            texts = [(read(s.source), read(s.prediction), [read(text) for text in s.references]) for s in block]
            yield _rows(block, count_grams(texts))

    def score(self, sums: Rows) -> Rows:
        correct, predicted, wanted = np.moveaxis(sums.reshape(*sums.shape[:-1], ORDERS, 3, 3), -1, 0)
        precision, recall = ratio(correct, predicted), ratio(correct, wanted)
        operations = 100 * ratio(2 * precision * recall, precision + recall).mean(axis=-2)
        return np.concatenate([operations.mean(axis=-1, keepdims=True), operations], axis=-1)


def _rows(block: Sequence[Sample], orders: Iterable[Grams]) -> Rows:
    """For each order and operation: n-grams handled correctly, by the prediction, by the references."""
    references = np.array([len(sample.references) for sample in block])
    rows = np.empty((len(block), ORDERS, 9))
    for order, grams in enumerate(orders):
        share = references[grams.samples]
        source = grams.source * share
        prediction = grams.prediction * share
        wanted = np.bincount(grams.gram, grams.count, len(share))

        new = grams.source == 0
        added, to_add = new & (grams.prediction > 0), new & (wanted > 0)
        kept, to_keep = np.minimum(source, prediction), np.minimum(source, wanted)
        deleted, to_delete = np.maximum(source - prediction, 0), np.maximum(source - wanted, 0)
        counts = (
            *(added & to_add, added, to_add),
            *(np.minimum(kept, to_keep) / share, kept / share, to_keep / share),
            *(np.minimum(deleted, to_delete) / share, deleted / share, to_delete / share),
        )
        for column, count in enumerate(counts):
            rows[:, order, column] = np.bincount(grams.samples, count, len(block))
    return rows.reshape(len(block), -1)
