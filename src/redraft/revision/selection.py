"""The options of one repair and what they are worth: a guess at first, a score once one is called for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, cast

import highspy
import numpy as np
from numpy.typing import NDArray

from redraft.constraints import Interval
from redraft.revision.appraisal import WORD, Worth
from redraft.revision.draft import WRITER, Draft, Option

HOPE: Final = 1e-6
"""The value of a proposal before it is scored: it has to be better than what it would replace."""
GOAL: Final = 20.0
"""That of one which does what the instruction asks for: it has to be sound."""
_OUT: Final = -1e4

_SIBLINGS: Final = 4
"""Options for the same place that are scored with one that is about to be chosen."""

_GUESSES: Final = {"split": -4.0, "merge": -4.0, "extension": -3.0, "keyword": -6.0, "restored": 0.0}
"""What the work of a tool is worth, as a rule, where it is not yet scored; by its name."""
_CUT: Final = 0.5
"""What a word costs that a compression leaves out, of what the word is worth."""
_ORDER: Final = 0.2
"""How much less each further candidate of a tool is worth: they come best first."""


class Board:
    """The options for the units of a draft."""

    def __init__(self, draft: Draft, options: Sequence[Option]) -> None:
        self._draft = draft
        self.options = list(_distinct(options))
        self._scored = {index for index, option in enumerate(self.options) if self._own(option)}
        self._hopes = {
            index: option.value
            for index, option in enumerate(self.options)
            if option.value > 0 and index not in self._scored
        }
        self.proposals = list(self._hopes)
        self._places: dict[tuple[int, int], list[int]] = {}
        for index, option in enumerate(self.options):
            siblings = self._places.setdefault((option.start, option.stop), [])
            siblings.append(index)
            if index not in self._scored:
                guess = self._guess(option) - _ORDER * len(siblings)
                self.options[index] = replace(option, value=guess)

    def _own(self, option: Option) -> bool:
        """Whether it is the writer's own text, the measure of all others."""
        return option.candidate.by == WRITER and self._draft.units[option.start].by == WRITER

    def source(self, option: Option) -> str:
        """The passage of the original that an option stands for."""
        first, *rest = self._draft.units[option.start : option.stop]
        return first.source + "".join(unit.gap + unit.source for unit in rest)

    def pair(self, index: int) -> tuple[str, str]:
        """The passage and the candidate for it."""
        option = self.options[index]
        return self.source(option), option.candidate.text

    def present(self, index: int) -> tuple[str, str]:
        """What stands in the place now, and the candidate for it."""
        option = self.options[index]
        return self._draft.units[option.start].text, option.candidate.text

    def scored(self, index: int, worth: Worth, gate: Worth) -> None:
        """Take note of what an option is worth; a proposal that is no better is out of the question.

        It is held against what stands there now, which may have been cut. One that does what was asked for
        need only be sound, and has that to its credit.
        """
        hope = self._hopes.get(index)
        value = worth.value
        if hope is not None:
            goal = hope >= GOAL
            value = value + hope if (gate.sound if goal else gate.better) else _OUT
        self.options[index] = replace(self.options[index], value=value)
        self._scored.add(index)

    def unscored(self, chosen: Sequence[int]) -> list[int]:
        """Those of the chosen that are not scored yet, with some of the options for the same places."""
        found: list[int] = []
        for index in chosen:
            if index not in self._scored:
                option = self.options[index]
                rest = [i for i in self._places[option.start, option.stop] if i not in self._scored]
                near = sorted(
                    rest, key=lambda i: abs(len(self.options[i].candidate.text) - len(option.candidate.text))
                )
                found += [index, *(i for i in near if i != index)][: _SIBLINGS + 1]
        return list(dict.fromkeys(found))

    def _guess(self, option: Option) -> float:
        words = len(self.source(option).split())
        left = len(option.candidate.text.split())
        if not left:
            return -WORD * words
        if option.candidate.by == "compression":
            return -1.0 - _CUT * WORD * max(words - left, 0)
        return _GUESSES.get(option.candidate.by, 0.0) * (option.stop - option.start)


def _distinct(options: Sequence[Option]) -> list[Option]:
    found: dict[tuple[int, int, str], Option] = {}
    for option in options:
        found.setdefault((option.start, option.stop, option.candidate.text), option)
    return list(found.values())


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
