"""Write a piece: the loop, opened on models and on a folder that keeps it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from redraft.composition.actions import Limits
from redraft.composition.brief import Brief, read_brief
from redraft.composition.casting import check_language
from redraft.composition.composition import Composition
from redraft.composition.journal import Journal, Kept, read_kept
from redraft.composition.protocols import Protocol, Way
from redraft.composition.running import Approve, Heard, Run
from redraft.constraints import Constraint, parse_call
from redraft.errors import InputError
from redraft.models import Models, check_prices
from redraft.settings import Settings, load_settings

__all__ = ["Approve", "Way", "acompose", "compose", "resumed"]


def compose(
    topic: str,
    style: str = "",
    constraints: Iterable[Constraint | str] = (),
    *,
    settings: Settings | None = None,
    protocol: Protocol = "fixed",
    limits: Limits | None = None,
    guarded: bool = True,
    seed: int = 0,
    folder: Path | None = None,
) -> Composition:
    """Write a piece on a topic, by a style guide; `folder` keeps the work, and resumes it."""
    chosen = settings or load_settings()
    way = Way(protocol, limits or Limits(), guarded, seed)

    async def run() -> Composition:
        async with Models(chosen) as models:
            return await acompose(
                read_brief(topic, style), constraints, models=models, way=way, folder=folder
            )

    return asyncio.run(run())


async def acompose(
    brief: Brief,
    constraints: Iterable[Constraint | str] = (),
    *,
    models: Models,
    way: Way | None = None,
    folder: Path | None = None,
    heard: Heard = lambda _step, _state: None,
    stop: asyncio.Event | None = None,
    approve: Approve | None = None,
) -> Composition:
    """The same with models that are open; `heard` is told every step, `stop` ends the work early."""
    calls = [parse_call(one) if isinstance(one, str) else one for one in constraints]
    for call in calls:
        if call.needs_original:
            raise InputError(f"{call.call} compares with an original, and a new piece has none")
    check_language(brief, models.settings)
    run = Run(brief, calls, models.with_own_ledger(), way or Way(), heard, approve)
    settings = models.settings
    check_prices(settings, run.specs.values())
    # Constraints are seen to by those who revise.
    others = {role: settings.spec_for(role) for role in ("planner", "reviser") if calls}
    kept = Kept(
        brief,
        tuple(call.call for call in calls),
        asdict(run.way),
        {**run.specs, **others},
        settings.counting,
    )
    with contextlib.nullcontext() if folder is None else Journal(folder, kept) as journal:
        if journal is not None:
            journal.begin()
            run.resume(journal)
        return await run.composition(stop or asyncio.Event())


def resumed(folder: Path) -> tuple[Kept, Way]:
    """What a folder was begun with, and the way of it."""
    kept = read_kept(folder)
    try:
        way = Way(**{**kept.way, "limits": Limits(**kept.way["limits"])})
    except (KeyError, TypeError):
        raise InputError(f"{folder} was begun by another version: begin the piece anew") from None
    return kept, way
