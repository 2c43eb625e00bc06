"""`redraft simplify --batch`: many texts, on the runner of benchmarks and its engines."""

from __future__ import annotations

from functools import partial

from redraft.bench.preferences.build import policy_hash
from redraft.bench.simplify_batch import Way, open_simplifier
from redraft.bench.work import Engine
from redraft.cli.batch import Files, work_through
from redraft.settings import Settings


def simplify_batch(
    files: Files, instruction: str, calls: list[str], way: Way, settings: Settings, engine: Engine
) -> None:
    """Simplify every text of a file by one policy."""
    facts = {
        "policy": way.policy.name,
        "policy_hash": policy_hash(way.policy),
        "effort": way.effort,
        "best_effort": way.best_effort,
        "seed": way.seed,
        "reviser": settings.spec_for("reviser"),
        "counting": settings.counting,
        "format": settings.format,
    }
    opening = partial(open_simplifier, way)
    work_through(files, "simplified", instruction, calls, facts, opening, settings, engine)
