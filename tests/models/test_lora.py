"""An adapter at a lower rank: the same where the rank suffices, else the nearest there is."""

from __future__ import annotations

import numpy as np
import pytest

from redraft.models.lora import Lora, average_adapters, reduce_rank
from tests.models.tiny_llama import random_pairs


def products(lora: Lora) -> list[np.ndarray]:
    return [lora.scale * b.astype(np.float64) @ a for a, b in lora.pairs.values()]


def test_nothing_is_lost_where_the_rank_suffices() -> None:
    narrow = random_pairs(0, rank=2)
    wide = {place: (np.vstack([a, a]), np.hstack([b, b / 2])) for place, (a, b) in narrow.items()}
    lora = Lora(2.0, wide)
    found, error = reduce_rank(lora, 2)
    assert (lora.rank, found.rank, found.scale) == (4, 2, 2.0)
    assert error < 1e-6
    for before, after in zip(products(lora), products(found), strict=True):
        assert np.allclose(before, after, atol=1e-6)


@pytest.mark.parametrize("rank", [1, 3])
def test_the_error_is_that_of_the_nearest(rank: int) -> None:
    lora = Lora(1.0, random_pairs(1, rank=4))
    found, error = reduce_rank(lora, rank)
    lost = sum(np.square(one - two).sum() for one, two in zip(products(lora), products(found), strict=True))
    whole = sum(np.square(one).sum() for one in products(lora))
    assert error == pytest.approx(np.sqrt(lost / whole), rel=1e-4)
    values = [np.linalg.svd(one, compute_uv=False) for one in products(lora)]
    least = sum(np.square(one[rank:]).sum() for one in values)
    assert lost == pytest.approx(least, rel=1e-4)


def test_an_adapter_that_changes_nothing_stays_so() -> None:
    pairs = {place: (a, np.zeros_like(b)) for place, (a, b) in random_pairs(2).items()}
    found, error = reduce_rank(Lora(1.0, pairs), 1)
    assert error == 0
    assert not any(one.any() for one in products(found))


@pytest.mark.parametrize("share", [0.0, 0.7, 1.0])
def test_the_mean_of_two_changes_a_model_by_the_mean_of_what_they_do(share: float) -> None:
    first, second = Lora(2.0, random_pairs(3, rank=4)), Lora(0.5, random_pairs(4, rank=2))
    mean = average_adapters(first, second, share)
    assert mean.rank == 6
    for one, two, found in zip(products(first), products(second), products(mean), strict=True):
        assert np.allclose(found, share * one + (1 - share) * two, atol=1e-5)
