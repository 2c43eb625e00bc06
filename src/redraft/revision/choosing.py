"""The best text that a pool of candidates holds: one small integer programme over all units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

import highspy
import numpy as np
from numpy.typing import NDArray

from redraft.constraints import Interval
from redraft.revision.draft import Option

_FAULT: Final = 1000.0
"""What a unit of anything missing or too much counts for: more than any value."""
_GAP: Final = 1e-4
_MOST_NODES: Final = 1000
"""Far beyond what a text takes; the best choice so far is taken then. Seconds would depend on the machine."""


class Row(NamedTuple):
    """An amount of each option, and what the amounts of the chosen ones may add up to."""

    amounts: NDArray[np.float64]
    allowed: Interval
    weight: float = 1.0


def choose(count: int, options: Sequence[Option], faults: Sequence[float], rows: Sequence[Row]) -> list[int]:
    """The indices of options that cover each of `count` units once and are worth most together.

    What is not allowed is paid for dearly, so there is always an answer if the options can cover the units,
    and it breaks the bounds as little as may be.
    """
    values = np.array([option.value for option in options]) - _FAULT * np.asarray(faults)
    model = highspy.HighsLp()
    size = len(options) + 2 * len(rows)
    model.num_col_, model.num_row_ = size, count + len(rows)
    model.col_cost_ = np.concatenate([-values, *([_FAULT * row.weight] * 2 for row in rows)])
    model.col_lower_ = np.zeros(size)
    model.col_upper_ = np.concatenate([np.ones(len(options)), np.full(2 * len(rows), highspy.kHighsInf)])
    model.row_lower_ = np.concatenate([np.ones(count), [_finite(row.allowed.low) for row in rows]])
    model.row_upper_ = np.concatenate([np.ones(count), [_finite(row.allowed.high) for row in rows]])
    _matrix(model, count, options, rows)
    whole, real = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
    model.integrality_ = [whole] * len(options) + [real] * (2 * len(rows))
    solver: Any = cast("Any", highspy.Highs)()
    for name, setting in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("mip_rel_gap", _GAP),
        ("mip_max_nodes", _MOST_NODES),
    ):
        solver.setOptionValue(name, setting)
    solver.passModel(model)
    solver.run()
    solution = np.asarray(solver.getSolution().col_value[: len(options)])
    return [int(index) for index in np.flatnonzero(solution > 0.5)]


def _matrix(model: highspy.HighsLp, count: int, options: Sequence[Option], rows: Sequence[Row]) -> None:
    """The coefficients, a column at a time; the last two columns of a row are what it lacks and exceeds."""
    starts, places, numbers = [0], [], []
    for index, option in enumerate(options):
        covered = list(range(option.start, option.stop))
        held = [(count + n, row.amounts[index]) for n, row in enumerate(rows) if row.amounts[index]]
        places += [*covered, *(place for place, _ in held)]
        numbers += [*([1.0] * len(covered)), *(amount for _, amount in held)]
        starts.append(len(places))
    for n in range(len(rows)):
        for sign in (1.0, -1.0):
            places.append(count + n)
            numbers.append(sign)
            starts.append(len(places))
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_ = np.array(starts, dtype=np.int32)
    matrix.index_ = np.array(places, dtype=np.int32)
    matrix.value_ = np.array(numbers)


def _finite(bound: float) -> float:
    """A bound as the solver takes it."""
    return float(np.clip(bound, -highspy.kHighsInf, highspy.kHighsInf))
