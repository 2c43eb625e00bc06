"""Selection: the best choice of options for the whole text.

It is a small integer programme: every unit is covered once, and what breaks a bound is paid for dearly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

import highspy
import numpy as np
from numpy.typing import NDArray

from redraft.constraints import Interval
from redraft.revision.draft import WRITER, Draft, Option, places_within, said_places, section_places
from redraft.revision.records import Reason
from redraft.revision.task import Task, Total
from redraft.revision.tuning import EMPTY_SECTION, GRADE_SLACK, NOTHING_LEFT, REPEATED_FILLER_COST
from redraft.text import FORMULAS, Formula, opening_word

_THREE_WORDS: Final = re.compile(r"\w+ \w+ \w")
_FAULT: Final = 10_000.0
"""What a unit of anything missing or too much counts for: more than any value, and many broken sentences."""
_GAP: Final = 1e-5
_MOST_NODES: Final = 1000
"""Far beyond what a text takes; the best choice so far is taken then. Seconds would depend on the machine."""


class Row(NamedTuple):
    """An amount of each option, and what the amounts of the chosen ones may add up to."""

    amounts: NDArray[np.float64]
    allowed: Interval
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class ScoreAmounts:
    """What a formula of readability counts in each option, and the scores that are allowed."""

    formula: Formula
    allowed: Interval
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, task: Task, texts: Sequence[str], name: str, allowed: Interval) -> ScoreAmounts:
        """Count in the texts of the options."""
        formula = FORMULAS[name]
        nothing = (0,) * len(formula.amounts)
        counts = np.array([task.reading_amounts(text, name) if text else nothing for text in texts])
        return cls(formula, allowed, counts)

    def row(self, at: Sequence[int]) -> Row:
        """The tangent at a choice: a ratio does not change with the length alone, so no constant is left."""
        totals = [max(float(total), 1.0) for total in self.counts[at].sum(axis=0)]
        level = self.formula.score(totals)
        row = self.counts @ np.array(self.formula.slopes(totals))
        now = float(row[at].sum())
        low, high = (
            now + self.allowed.low - level + GRADE_SLACK,
            now + self.allowed.high - level - GRADE_SLACK,
        )
        return Row(row, Interval(low, high), weight=10.0)


@dataclass(frozen=True, slots=True)
class OptionAmounts:
    """What each option adds to the totals that are bounded; scoring the options does not change it."""

    faults: Sequence[float]
    amounts: Sequence[NDArray[np.float64]]
    """Of each total of the task, what each option adds."""
    scores: Sequence[ScoreAmounts]
    """What the formulas of readability count that are asked for."""
    once: Sequence[Row]
    openings: Sequence[Row]
    """No two neighbours with the same first word, where none may be."""
    filled: Sequence[Row]
    """Something to say, wherever there has to be."""

    @classmethod
    def of(
        cls, task: Task, draft: Draft, options: Sequence[Option], faults: Sequence[float]
    ) -> OptionAmounts:
        """Measure the options; `faults` says how far each by itself is from obeying."""
        texts = [option.candidate.text for option in options]
        return cls(
            faults,
            [_added(task, draft, total, options) for total in task.totals],
            [ScoreAmounts.of(task, texts, formula, allowed) for formula, allowed in task.scores.items()],
            _once(options),
            _openings(task, options) if task.varied else (),
            _filled(task, draft, options),
        )

    def score_rows(self, options: Sequence[Option], chosen: Sequence[int]) -> list[Row]:
        """The scores of readability as linear rows: their tangents at the latest choice."""
        at = list(chosen) or [index for index, o in enumerate(options) if o.candidate.by == WRITER]
        return [one.row(at) for one in self.scores]


def _added(task: Task, draft: Draft, total: Total, options: Sequence[Option]) -> NDArray[np.float64]:
    """What each option adds to a total: nothing outside the part that it is counted in."""
    every = range(len(draft.units))
    places = frozenset(every) if total.part is None else places_within(draft, total.part, task.format)
    return np.array(
        [
            total.amount(option.candidate.text) if option.candidate.text and option.start in places else 0.0
            for option in options
        ]
    )


def _once(options: Sequence[Option]) -> list[Row]:
    """A row for each phrase that only fills a text up: it should not be used twice."""
    fillers: dict[Reason, list[int]] = {}
    for index, option in enumerate(options):
        for reason in option.candidate.why:
            longer = reason.kind == "replace" and _THREE_WORDS.match(reason.after)
            if longer or reason.kind == "open":
                fillers.setdefault(reason, []).append(index)
    rows: list[Row] = []
    for indices in fillers.values():
        amounts = np.zeros(len(options))
        amounts[indices] = 1
        rows.append(Row(amounts, Interval(high=1), weight=REPEATED_FILLER_COST))
    return rows


def _openings(task: Task, options: Sequence[Option]) -> list[Row]:
    """A row for each place and word: of the options that meet there, one at most may begin with it."""
    meeting: dict[tuple[int, str], list[int]] = {}
    for index, option in enumerate(options):
        if sentences := task.read(option.candidate.text).document.sentences:
            first, last = opening_word(sentences[0].text), opening_word(sentences[-1].text)
            meeting.setdefault((option.start, first), []).append(index)
            meeting.setdefault((option.stop, last), []).append(index)
    rows: list[Row] = []
    for (place, word), indices in meeting.items():
        ends = {options[index].stop == place for index in indices}
        if word and len(ends) > 1:
            amounts = np.zeros(len(options))
            amounts[indices] = 1
            rows.append(Row(amounts, Interval(high=1)))
    return rows


def _filled(task: Task, draft: Draft, options: Sequence[Option]) -> list[Row]:
    """A row for each stretch that may not be empty: to be shorter is not to be gone."""
    if all(option.candidate.text for option in options):
        return []
    parts = [places_within(draft, part, task.format) for part in task.part_lengths]
    said = said_places(draft, task.format)
    stretches = [(frozenset(said), NOTHING_LEFT), *((said & part or part, NOTHING_LEFT) for part in parts)]
    stretches += ((section & said, EMPTY_SECTION) for section in section_places(draft, task.format))
    rows: list[Row] = []
    for places, weight in stretches:
        if places:
            stays = [not places.isdisjoint(range(one.start, one.stop)) for one in options]
            there = [bool(one.candidate.text) and stay for one, stay in zip(options, stays, strict=True)]
            rows.append(Row(np.array(there, dtype=float), Interval(low=1), weight))
    return rows


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
