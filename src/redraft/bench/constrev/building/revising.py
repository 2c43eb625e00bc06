"""Revising the texts of a build: by the embedded engine, or by any model that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.bench.constrev.building.goals import Goal
from redraft.constraints import parse_call
from redraft.models import Models, Usage
from redraft.revision import SMALL, ReviseOptions, Strategy, arevise, run_baseline

_IMPROVE: Final = "Improve the fluency, grammar and coherence of the text."


async def revised(text: str, name: str, calls: Sequence[str], models: Models, seed: int) -> tuple[str, Usage]:
    """The text revised towards its goal by the reviser of the settings, and what that took."""
    reviser = models.for_role("reviser")
    goal = Goal(name, tuple(parse_call(call) for call in calls))
    if reviser.spec not in SMALL:
        wish = f"{_IMPROVE} {goal.words(seed)}".strip()
        answer = await run_baseline("direct", text, wish, reviser, seed=seed)
        return answer.text.strip(), answer.usage
    # Repair does what constraints call for and no more; a text that has none is searched for improvements.
    strategy: Strategy = "search" if goal.is_open else "repair"
    how = ReviseOptions(strategy=strategy, effort="low", best_effort=True, seed=seed)
    found = await arevise(text, "", goal.constraints, models=models, options=how, format="text")
    if (problem := found.failure or found.spent) is not None:
        raise problem
    return found.text.strip(), found.usage
