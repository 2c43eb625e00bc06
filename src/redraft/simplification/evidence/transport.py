"""Unbalanced optimal transport with entropy, by scaling: what is far from everything may stay where it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

_ITERATIONS = 10_000
_CLOSE = 1e-8


def unbalanced(cost: Matrix, *, tau: float, regularisation: float) -> Matrix:
    """How much of the mass of each row goes to each column; every row and column has mass 1.

    The plan P that makes ⟨P, cost⟩ + regularisation · KL(P | 1) + tau · (KL(P1 | 1) + KL(Pᵀ1 | 1)) least
    (Chizat et al., 2018). Each step brings the logarithms of both scalings closer by the factor
    tau / (tau + regularisation), whatever the costs are.
    """
    kernel = -cost / regularisation
    strength = tau / (tau + regularisation)
    columns = np.zeros(cost.shape[1])
    for _ in range(_ITERATIONS):
        rows = -strength * _log_sum(kernel + columns, axis=1)
        before, columns = columns, -strength * _log_sum(kernel + rows[:, None], axis=0)
        if np.abs(columns - before).max(initial=0) < _CLOSE:
            break
    plan: Matrix = np.exp(rows[:, None] + kernel + columns)
    return plan


def scaled(values: Matrix) -> Matrix:
    """The values from 0 to 1; 1 where all are the same."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.ones_like(values)


def _log_sum(values: Matrix, axis: int) -> Matrix:
    largest = values.max(axis=axis, keepdims=True)
    total: Matrix = np.log(np.exp(values - largest).sum(axis=axis)) + largest.squeeze(axis)
    return total
