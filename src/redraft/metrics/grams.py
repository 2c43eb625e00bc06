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
_SOURCE, _PREDICTION, _REFERENCE = 0, 1, 2
_BITS = 63


@dataclass(frozen=True, slots=True)
class Grams:
    """The distinct n-grams of each sample of a block, of one order."""

    samples: Ints
    """Which sample each n-gram belongs to."""
    source: Ints
    """How often it stands in the source."""
    prediction: Ints
    """How often it stands in the prediction."""
    gram: Ints
    """For every pair of an n-gram and a reference that has it: the n-gram, …"""
    reference: Ints
    """… which of the sample's references, …"""
    count: Ints
    """… and how often it stands there."""


def count_grams(
    tokens: Ints, lengths: Ints, references: Ints, orders: int = ORDERS, *, pool: bool = False
) -> Iterator[Grams]:
    """The n-grams of a block of samples, order by order from one.

    The texts follow one another: source, prediction and references of the first sample, of the second, …
    `lengths` are their numbers of tokens, `references` how many references each sample has; `pool` counts
    a sample's references as if they were one.
    """
    widths = references + 2
    tokens, token_bits = _renumber(tokens)
    slot_of = np.arange(len(lengths)) - np.repeat(np.cumsum(widths) - widths, widths)
    if pool:
        slot_of = np.minimum(slot_of, _REFERENCE)
    slot_bits = int(slot_of.max()).bit_length()
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
        yield _tally((keys << slot_bits) | slots[at], slot_bits, tail_bits, owner)


def _renumber(tokens: Ints) -> tuple[Ints, int]:
    """The same tokens numbered from 0 without gaps, and the bits that such a number needs."""
    if not len(tokens):
        return tokens, 1
    used = np.zeros(int(tokens.max()) + 1, dtype=np.int64)
    used[tokens] = 1
    numbers = np.cumsum(used) - 1
    return numbers[tokens], int(numbers[-1] + 1).bit_length()


def _tally(packed: Ints, slot_bits: int, tail_bits: int, owner: Ints) -> Grams:
    packed.sort()
    starts = np.flatnonzero(np.concatenate(([True], packed[1:] != packed[:-1]))) if len(packed) else packed
    counts = np.diff(starts, append=len(packed))
    kinds = packed[starts]
    keys, slots = kinds >> slot_bits, kinds & ((1 << slot_bits) - 1)
    fresh = np.concatenate(([True], keys[1:] != keys[:-1])) if len(keys) else keys.astype(bool)
    gram = np.cumsum(fresh) - 1
    samples = owner[keys[fresh] >> tail_bits]
    source, prediction = np.zeros((2, len(samples)), dtype=np.int64)
    here = slots == _SOURCE
    source[gram[here]] = counts[here]
    here = slots == _PREDICTION
    prediction[gram[here]] = counts[here]
    here = slots >= _REFERENCE
    return Grams(samples, source, prediction, gram[here], slots[here] - _REFERENCE, counts[here])
