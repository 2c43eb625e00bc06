"""The solver against a library's, and what must hold of any plan."""

from __future__ import annotations

import numpy as np
import ot
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from redraft.simplification.judging.alignment import scaled, unbalanced

COSTS = arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.floats(0, 1))


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (12, 5), (30, 40)])
@pytest.mark.parametrize(("tau", "regularisation"), [(0.88, 0.05), (0.88, 0.1), (0.1, 0.5), (3.0, 0.2)])
def test_the_plan_is_that_of_a_well_kept_library(
    shape: tuple[int, int], tau: float, regularisation: float
) -> None:
    cost = np.random.default_rng(sum(shape)).random(shape)
    rows, columns = np.ones(shape[0]), np.ones(shape[1])
    wanted = ot.unbalanced.sinkhorn_unbalanced(
        rows, columns, cost, regularisation, tau, method="sinkhorn", numItermax=50_000, stopThr=1e-12
    )
    assert unbalanced(cost, tau=tau, regularisation=regularisation) == pytest.approx(wanted, abs=1e-6)


def test_a_tiny_regularisation_does_not_overflow() -> None:
    plan = unbalanced(np.array([[0.0, 1.0], [1.0, 0.0]]), tau=0.88, regularisation=0.001)
    assert plan == pytest.approx(np.eye(2), abs=1e-3)


def test_what_is_far_from_all_stays() -> None:
    """Moving costs 1 and staying less: the last row gives up most of its mass."""
    plan = unbalanced(np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), tau=0.2, regularisation=0.05)
    kept = plan.sum(axis=1)
    assert kept[2] < 0.1
    assert kept[0] > 0.8


@settings(max_examples=40, deadline=None)
@given(COSTS, st.floats(0.05, 3), st.floats(0.02, 1), st.randoms(use_true_random=False))
def test_order_does_not_matter(cost: np.ndarray, tau: float, regularisation: float, random) -> None:
    plan = unbalanced(cost, tau=tau, regularisation=regularisation)
    assert np.isfinite(plan).all()
    assert (plan >= 0).all()
    order = list(range(cost.shape[0]))
    random.shuffle(order)
    shuffled = unbalanced(cost[order], tau=tau, regularisation=regularisation)
    assert shuffled == pytest.approx(plan[order], abs=1e-6)
    turned = unbalanced(cost.T, tau=tau, regularisation=regularisation).T
    assert turned == pytest.approx(plan, abs=1e-6)


def test_scaled() -> None:
    assert scaled(np.array([[2.0, 4.0], [3.0, 2.0]])).tolist() == [[0, 1], [0.5, 0]]
    assert scaled(np.array([[0.3]])).tolist() == [[1]]
