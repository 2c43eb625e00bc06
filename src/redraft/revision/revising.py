"""Revise a text: read what is asked for, and run the revision here or on a server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from redraft.constraints import Constraint, Instruction, house_constraints, parse, parse_call
from redraft.errors import InputError
from redraft.models import Models
from redraft.revision.asking.requests import prompt
from redraft.revision.first.corrected import ERRORS_FIRST, has_many_errors
from redraft.revision.records import Node, Settled
from redraft.revision.revision import ReviseOptions, Revision, read_revision
from redraft.revision.running import Run
from redraft.revision.showing.trace import Trace
from redraft.revision.task import Task
from redraft.revision.wishes.understanding import read_instruction, understood_by
from redraft.settings import Settings, load_settings
from redraft.text import Format, guess_format

LONGEST: Final = 200_000
"""Characters of a text, some 33,000 words: half an hour of a core for the embedded models."""


def revise(
    text: str,
    instruction: str = "",
    constraints: Iterable[Constraint | str] = (),
    *,
    settings: Settings | None = None,
    options: ReviseOptions | None = None,
    documents: Sequence[str] = (),
    format: Format | None = None,
) -> Revision:
    """Revise a text so that it obeys an instruction, further constraints and the settings' house style."""
    chosen = settings or load_settings()
    house = house_constraints(chosen.house, chosen.origin("house"))
    if chosen.server:
        asked = [*map(_as_constraint, constraints), *house]
        found = _revised_by_server(
            text, instruction, asked, chosen, options or ReviseOptions(), documents, format
        )
        # The server cannot tell our house style from the rest of the calls.
        return replace(found, in_vain=_is_in_vain(parse(instruction), asked, chosen))

    async def run() -> Revision:
        async with Models(chosen) as models:
            return await arevise(
                text,
                instruction,
                [*constraints, *house],
                models=models,
                options=options,
                documents=documents,
                format=format,
            )

    return asyncio.run(run())


def _revised_by_server(
    text: str,
    instruction: str,
    constraints: Sequence[Constraint],
    settings: Settings,
    options: ReviseOptions,
    documents: Sequence[str],
    format: Format | None,
) -> Revision:
    """The revision that `settings.server` makes."""
    from redraft.remote import model_of, run_on_server  # noqa: PLC0415  few ask a server

    usual = ReviseOptions()
    for name in ("switches", "plan", "rounds", "iterations", "prompts", "scored"):
        if getattr(options, name) != getattr(usual, name):
            raise InputError(f"a server cannot be told the option {name}; revise without the setting server")
    found, failure = run_on_server(
        settings,
        "/v1/revise",
        {
            "text": text,
            "instruction": instruction,
            "calls": [one.call for one in constraints],
            "strategy": options.strategy,
            "effort": options.effort,
            "best_effort": options.best_effort,
            "seed": options.seed,
            "max_seconds": options.max_seconds,
            "sound": settings.sound if options.sound is None else options.sound,
            "sources": list(documents),
            "counting": settings.counting,
            "format": format or (None if settings.format == "auto" else settings.format),
            "model": model_of(settings),
            "house": False,  # it is the server's, and ours is among the calls
        },
    )
    return read_revision(found, failure)


async def arevise(
    text: str,
    instruction: str = "",
    constraints: Iterable[Constraint | str] = (),
    *,
    models: Models,
    options: ReviseOptions | None = None,
    documents: Sequence[str] = (),
    format: Format | None = None,
    reached: Callable[[Node], None] | None = None,
    settled: Callable[[Settled], None] | None = None,
    stop: asyncio.Event | None = None,
    trace: Path | None = None,
) -> Revision:
    """The same with models that are open; `reached` hears of every node, `stop` ends the search early.

    `settled` hears what becomes of the sentences: of those that must stay at once, of those with nothing to
    mend when they are judged, of others when the editor has answered or a better text is found, and in the
    end of all for good. Until then what it hears is the best so far. At low effort that is mostly what comes
    out; a search may change it again. The result is the same whether anybody listens or not.
    """
    if len(text) > LONGEST:
        raise InputError(
            f"the text has {len(text):,} characters, and at most {LONGEST:,} can be revised at once; "
            "revise it in parts, such as chapter by chapter"
        )
    settings = models.settings
    read = await asyncio.to_thread(read_instruction, instruction, settings)
    asked = [*map(_as_constraint, constraints)]
    marked = format or (guess_format(text) if settings.format == "auto" else settings.format)
    task = Task.of(
        text,
        read if instruction.strip() else None,
        asked,
        counting=settings.counting,
        format=marked,
        documents=documents,
    )
    options = options or ReviseOptions()
    if options.strategy == "search" and options.plan is None and await _has_errors(task, models):
        task = task.asking(ERRORS_FIRST)
    with (
        prompt.replaced_from(options.prompts),
        contextlib.nullcontext() if trace is None else Trace(trace) as kept,
    ):
        found = await Run(task, models, options, reached, stop, kept, settled).revision()
    return replace(found, in_vain=_is_in_vain(read, asked, settings))


async def _has_errors(task: Task, models: Models) -> bool:
    """Whether a text that is just to become better has errors all over: then these come first."""
    is_wished = task.is_open and not task.is_bounds_alone and (task.instruction or not task.constraints)
    return bool(is_wished) and await has_many_errors(task, models)


def _as_constraint(asked: Constraint | str) -> Constraint:
    return parse_call(asked) if isinstance(asked, str) else asked


def _is_in_vain(instruction: Instruction, constraints: Iterable[Constraint], settings: Settings) -> bool:
    """Whether an instruction is not understood, and nothing but the house style is asked for beside it."""
    house = house_constraints(settings.house, settings.origin("house"))
    if any(one not in house for one in constraints):
        return False
    return understood_by(settings, instruction).is_in_vain
