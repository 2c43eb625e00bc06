"""Counting n-grams of many short texts at once, exactly, with nothing but sorts.

SARI, GLEU and BLEU all ask how often each n-gram of a sample stands in its source, its prediction and its
references. An n-gram is packed into one integer (sample, then token numbers), the text it stands in goes into
the low bits, and one sort of a block's integers answers the question for all its samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

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


Texts = tuple[Sequence[int], Sequence[int], Sequence[Sequence[int]]]
"""The tokens of a source, a prediction and the references, as numbers."""


def count_grams(block: Sequence[Texts], orders: int = ORDERS) -> Iterator[Grams]:
    """The n-grams of a block of samples, order by order from one."""
    texts = [text for source, prediction, references in block for text in (source, prediction, *references)]
    widths = np.array([2 + len(references) for _, _, references in block], dtype=np.int64)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    tokens, token_bits = _renumber(np.fromiter(chain.from_iterable(texts), np.int64, int(lengths.sum())))
    slot_bits = int(widths.max()).bit_length()
    slots = np.repeat(np.arange(len(texts)) - np.repeat(np.cumsum(widths) - widths, widths), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(tokens))

    # A key is a rank followed by the tokens since; `owner` knows the sample of each rank.
    owner = np.arange(len(block))
    keys = np.repeat(np.repeat(owner, widths), lengths)
    key_bits, tail_bits = len(block).bit_length(), 0
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
