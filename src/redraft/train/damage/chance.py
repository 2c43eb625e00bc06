"""Draws from a seeded generator that are the same under every version of Python.

Only `random()` is promised to stay the same; so everything else is made from it here.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def pick(items: Sequence[T], rng: random.Random) -> T:
    """One of the items, each as likely as the other."""
    return items[int(rng.random() * len(items))]


def weighted(items: Sequence[T], heaped: Sequence[float], rng: random.Random) -> T:
    """One of the items; `heaped` are their weights added up one after the other."""
    return items[min(bisect_right(heaped, rng.random() * heaped[-1]), len(items) - 1)]


def poisson(mean: float, rng: random.Random) -> int:
    """How many events there are where `mean` are expected."""
    bound, count, product = math.exp(-min(mean, 50.0)), 0, rng.random()
    while product > bound:
        count += 1
        product *= rng.random()
    return count
