"""Pairs for the active voice: passives whose agent is named, turned round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from redraft.revision import make_active, make_passive
from redraft.train.pairs.material import Pair, Record, passages, record_text

_LIKELY: Final = re.compile(r"\b(?:is|are|was|were|been|being|be) (?:\w+ly )?\w+ by \b")


def active_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Passages in which a passive with its agent becomes active; what else they say stays."""
    named = (record for record in records if _LIKELY.search(record_text(record)))
    for passage in passages(named, (1, 1, 2)):
        made = [make_active(sentence) for sentence in passage.sentences]
        if any(made):
            together = zip(made, passage.sentences, strict=True)
            yield passage.pair("active", " ".join(new or old for new, old in together))


def passive_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """The other way round: a sentence of prose is the target, and its passive the input."""
    for passage in passages(records, (1, 1, 2)):
        made = [make_passive(sentence) for sentence in passage.sentences]
        if any(made):
            together = zip(made, passage.sentences, strict=True)
            before = " ".join(new or old for new, old in together)
            yield Pair("active", before, str(passage), passage.source, passage.text)
