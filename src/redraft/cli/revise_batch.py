"""`redraft revise --batch`: many texts, on the runner of benchmarks and its engines."""

from __future__ import annotations

from functools import partial

from redraft.bench import Engine, Record, open_doing, revised
from redraft.cli.batch import Files, work_through
from redraft.revision import ReviseOptions
from redraft.settings import Settings


def revise_batch(
    files: Files, instruction: str, calls: list[str], how: ReviseOptions, settings: Settings, engine: Engine
) -> None:
    """Revise every text of a file."""
    opening = partial(open_doing, partial(revised, how))
    work_through(files, "revised", instruction, calls, _facts(how, settings), opening, settings, engine)


def _facts(how: ReviseOptions, settings: Settings) -> Record:
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
