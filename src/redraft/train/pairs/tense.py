"""Pairs for the past and the present tense: every finite verb of a simple sentence in the other one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from redraft.revision import to_past, to_present
from redraft.train.pairs.material import Pair, Record, passages


def tense_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Passages of one or two sentences in the present put into the past, and the other way round."""
    for passage in passages(records, (1, 1, 2)):
        for task, change in (("past", to_past), ("present", to_present)):
            made = [change(sentence) for sentence in passage.sentences]
            if all(made):
                yield passage.pair(task, " ".join(filter(None, made)))
