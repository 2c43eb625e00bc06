"""How a long piece of work shows how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress as Bar,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from redraft.bench import Progress
from redraft.cli.console import Output, console, note
from redraft.models import Usage

_SECONDS = 30
"""Where there is no terminal, so long passes between two lines."""


@contextmanager
def shown(planned: int) -> Iterator[Callable[[Progress], None]]:
    """Progress on a terminal as a bar; elsewhere as a line now and then."""
    screen = console()
    if Output.quiet:
        yield lambda state: None
        return
    if not screen.is_terminal:
        last = time.monotonic()

        def line(state: Progress) -> None:
            nonlocal last
            if time.monotonic() - last > _SECONDS or state.done + state.failed == planned:
                last = time.monotonic()
                note(f"{state.done} of {planned} done, {state.failed} failed, {_spent(state)}")

        yield line
        return
    with Bar(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(), TextColumn("{task.fields[spent]}"), console=screen,
    ) as bar:  # fmt: skip
        task = bar.add_task("running", total=planned, spent="")

        def move(state: Progress) -> None:
            bar.update(task, completed=state.done + state.failed, spent=_spent(state))

        yield move


@contextmanager
def counted(what: str) -> Iterator[Callable[[int, int], None]]:
    """The same for work whose parts are only counted: so many done, of so many."""
    screen = console()
    if Output.quiet or not screen.is_terminal:
        yield lambda done, planned: None
        return
    with Bar(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(), console=screen, transient=True,
    ) as bar:  # fmt: skip
        task = bar.add_task(what, total=None)
        yield lambda done, planned: bar.update(task, completed=done, total=planned)


def spent(usage: Usage) -> str:
    """What a piece of work took, in words."""
    told = f"{usage.calls} model call{'s' * (usage.calls != 1)}, {usage.tokens} tokens"
    told += f" ({usage.estimated} call{'s' * (usage.estimated != 1)} estimated)" if usage.estimated else ""
    return f"{told}, cost {usage.cost:.4f}" if usage.cost else told


def _spent(state: Progress) -> str:
    tokens = f"{state.usage.tokens:,} tokens"
    return f"{tokens}, cost {state.usage.cost:.4f}" if state.usage.cost else tokens
