"""`redraft simplify --batch`: many texts, each line of a file a job."""

from __future__ import annotations

from functools import partial

from redraft.cli.batch import Files, work_through
from redraft.runs import Engine, SimplifyOptions, open_batch_worker, simplify_text
from redraft.settings import Settings


def simplify_batch(
    files: Files, instruction: str, calls: list[str], how: SimplifyOptions, settings: Settings, engine: Engine
) -> None:
    """Simplify every text of a file by one policy."""
    facts = {
        "policy": how.policy.name,
        "policy_hash": how.policy.hash,
        "effort": how.effort,
        "best_effort": how.best_effort,
        "seed": how.seed,
        "reviser": settings.spec_for("reviser"),
        "counting": settings.counting,
        "format": settings.format,
    }
    opening = partial(open_batch_worker, partial(simplify_text, how))
    work_through(files, "simplified", instruction, calls, facts, opening, settings, engine)
