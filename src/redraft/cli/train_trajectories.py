"""`redraft train trajectories`: thoughts and actions that a planner learns from."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Final, TextIO

import typer

from redraft.bench import Excluded, Source, read_levels
from redraft.cli.frame import console, note, put
from redraft.cli.progress import counted
from redraft.cli.train_options import Tests
from redraft.errors import InputError
from redraft.models import Models
from redraft.settings import load_settings
from redraft.text import writing
from redraft.train import (
    Guard,
    SourceText,
    TrainingRow,
    fresh_requests,
    generate_trajectories,
    read_texts,
    teacher_trajectories,
    trajectory_lines,
)

_UNSEEN: Final = 4
"""Instructions with so many constraints are kept for measuring."""
_SPARE: Final = 5
"""Requests for each trajectory that is wanted of a model, at most."""

Told = Callable[[int, int], None]


def train_trajectories(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Clean texts: .jsonl with `text`, or .txt.", exists=True),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where the trajectories go.")],
    count: Annotated[int, typer.Option(min=1, help="How many to make.")] = 2000,
    levels: Annotated[
        str, typer.Option(metavar="0-3", help="How many constraints an instruction has, by turns.")
    ] = "0-3",
    unseen: Annotated[
        bool, typer.Option("--unseen", help="Allow levels from 4 on, which are kept for measuring.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="For all that is drawn.")] = 0,
    tests: Tests = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE...", help="Leave out texts that these files name or hold."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="A model that plans and revises.", show_default="none: damage is undone"
        ),
    ] = None,
) -> None:
    """Make trajectories for a planner: a request, then thought, calls and advice, step by step.

    Clean texts are damaged, and the plans undo it; or a model revises what was damaged, and what it did with
    the right tools is kept.
    """
    wanted = read_levels(levels)
    if max(wanted) >= _UNSEEN and not unseen:
        raise InputError(f"--levels from {_UNSEEN} on are kept for measuring; give --unseen to train on them")
    if any(path.resolve() == out.resolve() for path in sources):
        raise InputError(f"--out {out} is one of the texts itself; name another file")
    with console().status("reading"):
        texts = _allowed(list(read_texts(sources)), tests or [], exclude or [])
    discarded: Counter[str] = Counter()
    with writing(out) as file, counted("trajectories") as told:
        if model is None:
            for number, line in enumerate(
                trajectory_lines(generate_trajectories(texts, wanted, count, seed, discarded)), 1
            ):
                file.write(line)
                told(number, count)
            made = count
        else:
            made = asyncio.run(_by_model(texts, wanted, count, seed, model, discarded, file, told))
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in discarded.most_common())
    note(f"{made:,} trajectories; {discarded.total():,} discarded{f': {reasons}' if reasons else ''}")
    put(f"{out}\n")


def _allowed(texts: Sequence[SourceText], tests: Sequence[Path], exclude: Sequence[Path]) -> list[SourceText]:
    """The texts whose terms are not unknown, that are in no test set, and in none of the files to exclude."""
    excluded, guard = Excluded(exclude), Guard.from_files(tests)
    stated = [one for one in texts if one.terms_stated]
    if unstated := len(texts) - len(stated):
        note(f"{unstated:,} of {len(texts):,} texts are left out, as their terms are not stated")
    found = [
        one
        for one in stated
        if Source(one.id, "", one.text) not in excluded
        and guard.refuses(TrainingRow("", one.text, one.text)) is None
    ]
    if left_out := len(stated) - len(found):
        note(f"{left_out:,} of {len(texts):,} texts are left out, as they are in --tests or --exclude")
    if not found:
        raise InputError("no text is left to make trajectories from")
    return found


async def _by_model(
    texts: Sequence[SourceText],
    levels: Sequence[int],
    count: int,
    seed: int,
    spec: str,
    discarded: Counter[str],
    file: TextIO,
    told: Told,
) -> int:
    example = next(generate_trajectories(texts, [max(levels)], 1, seed))
    requests = islice(fresh_requests(texts, levels, _SPARE * count, seed), _SPARE * count)
    made = 0
    async with Models(load_settings({"model": spec})) as models:
        async for one in teacher_trajectories(requests, example, models.open(spec), discarded):
            file.writelines(trajectory_lines([one]))
            made += 1
            told(made, count)
            if made == count:
                break
    if not made:
        raise InputError(f"{spec} made no trajectory that can be used; nothing was written")
    return made
