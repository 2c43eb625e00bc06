"""`redraft revise --batch`: many texts, each line of a file a job."""

from __future__ import annotations

from functools import partial

from redraft.cli.batch import Files, work_through
from redraft.revision import How
from redraft.runs import Engine, Record, open_batch_worker, revise_text
from redraft.settings import Settings


def revise_batch(
    files: Files, instruction: str, calls: list[str], how: How, settings: Settings, engine: Engine
) -> None:
    """Revise every text of a file."""
    opening = partial(open_batch_worker, partial(revise_text, how))
    work_through(files, "revised", instruction, calls, _facts(how, settings), opening, settings, engine)


def _facts(how: How, settings: Settings) -> Record:
    """What decides the revisions beside the texts themselves."""
    return {
        "strategy": how.strategy,
        "effort": how.effort,
        "best_effort": how.best_effort,
        "without": list(how.switches.off),
        "seed": how.seed,
        "max_seconds": how.max_seconds,
        "planner": settings.spec_for("planner"),
        "reviser": settings.spec_for("reviser"),
        "quality": settings.quality,
        "counting": settings.counting,
        "format": settings.format,
    }
