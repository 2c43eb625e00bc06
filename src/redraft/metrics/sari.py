"""SARI: how well words were added, kept and deleted (Xu et al., 2016)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from redraft.metrics.base import Need, Rows, Sample, blocks, ratio, references_of, sign, texts_of
from redraft.metrics.tokens import ORDERS, Grams, Ints, Vocabulary, count_grams, tokens_13a, words_13a


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
        for block in blocks(samples):
            tokens, lengths = vocabulary.read(words_13a(text.lower()) for text in texts_of(block))
            references = references_of(block)
            yield _rows(references, count_grams(tokens, lengths, references, pool=True))

    def score(self, sums: Rows) -> Rows:
        correct, predicted, wanted = np.moveaxis(sums.reshape(*sums.shape[:-1], ORDERS, 3, 3), -1, 0)
        precision, recall = ratio(correct, predicted), ratio(correct, wanted)
        operations = 100 * ratio(2 * precision * recall, precision + recall).mean(axis=-2)
        return np.concatenate([operations.mean(axis=-1, keepdims=True), operations], axis=-1)


def _rows(references: Ints, orders: Iterable[Grams]) -> Rows:
    """For each order and operation: n-grams handled correctly, by the prediction, by the references."""
    rows = np.empty((len(references), ORDERS, 9))
    for order, grams in enumerate(orders):
        wanted = grams.references[:, 0]
        old = np.flatnonzero(grams.source)
        new = np.flatnonzero(grams.source == 0)
        add = grams.prediction[new] > 0
        to_add = wanted[new] > 0
        source = (grams.source * references[grams.samples])[old]
        keep = np.minimum(source, (grams.prediction * references[grams.samples])[old])
        to_keep = np.minimum(source, wanted[old])
        # What is not kept is deleted, so the last three follow from these and the source.
        delete, to_delete = source - keep, source - to_keep
        counted = (
            *((new, count) for count in (add & to_add, add, to_add)),
            *((old, count) for count in (np.minimum(keep, to_keep), keep, to_keep)),
            *((old, count) for count in (np.minimum(delete, to_delete), delete, to_delete)),
        )
        for column, (which, count) in enumerate(counted):
            rows[:, order, column] = np.bincount(grams.samples[which], count, len(references))
    rows[:, :, 3:] /= references[:, None, None]
    return rows.reshape(len(references), -1)
