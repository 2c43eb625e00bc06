"""Which examples go into which batch: in a seeded order, as many as its tokens hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Literal

from redraft.errors import InputError

Layout = Literal["packed", "padded"]
"""Examples one after the other in a row, or padded beside others of about their length."""

BUCKET = 64
"""Batches whose examples are sorted by length together; more would make neighbours ever the same."""
FEWEST_TOKENS = 32
"""A batch holds no more examples than if each had so many: attention pays for all that it might hold."""


def plan(
    lengths: Sequence[int], budget: int, layout: Layout, seed: int, most: int | None = None
) -> list[list[int]]:
    """The numbers of the examples of each batch, at most `budget` tokens each, in a seeded order.

    Nor are there more than `most` in a batch.
    """
    most = min(max(1, budget // FEWEST_TOKENS), most or budget)
    order = list(range(len(lengths)))
    shuffler = random.Random(seed)
    shuffler.shuffle(order)
    too_long = next((number for number in order if lengths[number] > budget), None)
    if too_long is not None:
        raise InputError(f"an example has {lengths[too_long]} tokens, but a batch holds only {budget}")
    if layout == "packed":
        return _filled(order, lambda total, count, length: total + length <= budget and count < most, lengths)
    window = BUCKET * max(1, budget // max(1, sum(lengths) // max(1, len(lengths))))
    batches = []
    for start in range(0, len(order), window):
        near = sorted(order[start : start + window], key=lambda number: lengths[number])
        batches += _filled(
            near, lambda _, count, length: (count + 1) * length <= budget and count < most, lengths
        )
    shuffler.shuffle(batches)
    return batches


def _filled(
    order: list[int], fits: Callable[[int, int, int], bool], lengths: Sequence[int]
) -> list[list[int]]:
    batches: list[list[int]] = []
    total = 0
    for number in order:
        if not batches or not fits(total, len(batches[-1]), lengths[number]):
            batches.append([])
            total = 0
        batches[-1].append(number)
        total += lengths[number]
    return batches
