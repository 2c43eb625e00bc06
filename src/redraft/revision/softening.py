"""The largest, most important part of constraints that cannot all be met."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from redraft.constraints import (
    Bounds,
    Constraint,
    Keyword,
    KeywordFrequency,
    Occurs,
    SentenceModification,
    infeasible,
)
from redraft.revision.task import Task

_MOST: Final = 4
"""Constraints that are given up together, at most: beyond that the search is for nobody."""


def softened(task: Task) -> Task:
    """The task without what keeps it from being met, where that is a sentence or the contrary of another.

    Any other constraint that gives way stays in the task: it is then met as nearly as the rest allows.
    """
    for count in range(1, min(_MOST, len(task.constraints)) + 1):
        for dropped in combinations(sorted(task.constraints, key=_importance), count):
            rest = [constraint for constraint in task.constraints if constraint not in dropped]
            if infeasible(rest, original=task.original, counting=task.counting, format=task.format) is None:
                for constraint in dropped:
                    if isinstance(constraint, SentenceModification) or _crosses(task, constraint):
                        task = task.without(constraint)
                return task
    return task


def _crosses(task: Task, constraint: Constraint) -> bool:
    """Whether a bound leaves nothing of what another allows: no number is near to both."""
    return any(
        (isinstance(demand, Bounds) and task.bounds(demand.quantity).empty)
        or (isinstance(demand, Occurs) and task.frequencies[demand.keyword].empty)
        for demand in constraint.demands(task.before)
    )


def _importance(constraint: Constraint) -> int:
    """A sentence that must stay before a word that must, and that before a number."""
    if isinstance(constraint, SentenceModification):
        return 2
    return int(isinstance(constraint, Keyword | KeywordFrequency))
