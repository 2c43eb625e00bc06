"""Revising the texts of a build: by the embedded engine, or by any model that is asked."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.bench.constrev.building.goals import Goal
from redraft.constraints import parse_call
from redraft.models import Models, Usage
from redraft.revise.asking.baselines import run_baseline
from redraft.revise.revising import arevise
from redraft.revise.revision import How
from redraft.revise.steps import SMALL

_IMPROVE = "Improve the fluency, grammar and coherence of the text."


@dataclass(frozen=True, slots=True)
class Given:
    """A text and its goal, as plain data that can be sent to a worker."""

    text: str
    goal: str
    calls: tuple[str, ...]
    seed: int


async def revised(given: Given, models: Models) -> tuple[str, Usage]:
    """The text revised towards its goal by the reviser of the settings, and what that took."""
    reviser = models.for_role("reviser")
    goal = Goal(given.goal, tuple(parse_call(call) for call in given.calls))
    if reviser.spec not in SMALL:
        wish = f"{_IMPROVE} {goal.words(given.seed)}".strip()
        answer = await run_baseline("direct", given.text, wish, reviser, seed=given.seed)
        return answer.text.strip(), answer.usage
    # Repair does what constraints call for and no more; a text that has none is searched for improvements.
    strategy = "search" if goal.name.startswith("better") else "repair"
    how = How(strategy=strategy, effort="low", best_effort=True, seed=given.seed)
    found = await arevise(given.text, "", goal.constraints, models=models, how=how, format="text")
    if found.failure is not None:
        raise found.failure
    return found.text.strip(), found.usage
