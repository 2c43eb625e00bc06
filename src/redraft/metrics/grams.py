"""Counting n-grams of many short texts at once, exactly, with nothing but sorts.

SARI, GLEU and BLEU all ask how often each n-gram of a sample stands in its source, its prediction and its
references. An n-gram is packed into one integer (sample, then token numbers), the text it stands in goes into
the low bits, and one sort of a block's integers answers the question for all its samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from redraft.metrics.tokens import Ints

ORDERS = 4
_BITS = 63


@dataclass(frozen=True, slots=True)
class Grams:
    """The distinct n-grams of each sample of a block, of one order, sample by sample."""

    samples: Ints
    """Which sample each n-gram belongs to."""
    counts: Ints
    """How often it stands in the source, in the prediction, and in each reference: a column each."""

    @property
    def source(self) -> Ints:
        return self.counts[:, 0]

    @property
    def prediction(self) -> Ints:
        return self.counts[:, 1]

    @property
    def references(self) -> Ints:
        return self.counts[:, 2:]


def count_grams(
    tokens: Ints, lengths: Ints, references: Ints, orders: int = ORDERS, *, pool: bool = False
) -> Iterator[Grams]:
    """The n-grams of a block of samples, order by order from one.

    The texts follow one another: source, prediction and references of the first sample, of the second, …
    `lengths` are their numbers of tokens, `references` how many references each sample has; `pool` counts
    a sample's references together, as if they were one.
    """
    widths = references + 2
    tokens, token_bits = _renumber(tokens)
    slot_of = np.arange(len(lengths)) - np.repeat(np.cumsum(widths) - widths, widths)
    if pool:
        slot_of = np.minimum(slot_of, 2)
    width = int(slot_of.max()) + 1
    slot_bits = (width - 1).bit_length()
    slots = np.repeat(slot_of, lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(tokens))

    # A key is a rank followed by the tokens since; `owner` knows the sample of each rank.
    owner = np.arange(len(widths))
    keys = np.repeat(np.repeat(owner, widths), lengths)
    key_bits, tail_bits = len(widths).bit_length(), 0
    at = np.arange(len(tokens))
    for order in range(1, orders + 1):
        alive = left[at] >= order
        at, keys = at[alive], keys[alive]
        if key_bits + token_bits + slot_bits > _BITS:
            ranks, keys = np.unique(keys, return_inverse=True)
            owner = owner[ranks >> tail_bits]
            key_bits, tail_bits = len(ranks).bit_length(), 0
        keys = (keys << token_bits) | tokens[at + order - 1]
        key_bits, tail_bits = key_bits + token_bits, tail_bits + token_bits
        yield _tally((keys << slot_bits) | slots[at], width, owner, tail_bits)


def _renumber(tokens: Ints) -> tuple[Ints, int]:
    """The same tokens numbered from 0 without gaps, and the bits that such a number needs."""
    if not len(tokens):
        return tokens, 1
    used = np.zeros(int(tokens.max()) + 1, dtype=np.int64)
    used[tokens] = 1
    numbers = np.cumsum(used) - 1
    return numbers[tokens], int(numbers[-1] + 1).bit_length()


def _tally(packed: Ints, width: int, owner: Ints, tail_bits: int) -> Grams:
    packed.sort()
    slot_bits = (width - 1).bit_length()
    keys = packed >> slot_bits
    fresh = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    distinct = keys[fresh]
    cells = (np.cumsum(fresh) - 1) * width + (packed & ((1 << slot_bits) - 1))
    counts = np.bincount(cells, minlength=len(distinct) * width).reshape(-1, width)
    return Grams(owner[distinct >> tail_bits], counts)
