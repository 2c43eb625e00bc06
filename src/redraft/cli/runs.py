"""Where long work is done, and how it shows how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress as Bar,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from redraft.cli.console import Output, console, note
from redraft.cli.options import Budget, NoCache
from redraft.errors import InputError
from redraft.models import Usage
from redraft.runs import Engine, LocalEngine, Progress, RayEngine


@dataclass(frozen=True)
class EngineOptions:
    """Options of commands whose work can be done elsewhere."""

    engine: Annotated[Literal["local", "ray"], typer.Option(help="In this process, or on a Ray cluster.")] = (
        "local"
    )
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Ray: how many workers.", show_default="one for two processors"
        ),
    ] = None
    address: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT", help="Ray: the cluster, or auto.", show_default="one on this machine"
        ),
    ] = None

    def open_engine(self) -> Engine:
        """The engine that the options name."""
        if self.engine == "ray":
            return RayEngine(self.address, self.workers, note)
        for name, value in (("--workers", self.workers), ("--address", self.address)):
            if value is not None:
                raise InputError(f"{name} is for --engine ray")
        return LocalEngine()


@dataclass(frozen=True)
class BuildOptions(EngineOptions):
    """Options of commands that build data in a folder."""

    resume: Annotated[bool, typer.Option("--resume", help="Go on with the build in --out.")] = False
    budget: Budget = None
    no_cache: NoCache = False


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
    text = f"{usage.calls} model call{'s' * (usage.calls != 1)}, {usage.tokens} tokens"
    text += f" ({usage.estimated} call{'s' * (usage.estimated != 1)} estimated)" if usage.estimated else ""
    return f"{text}, cost {usage.cost:.4f}" if usage.cost else text


def _spent(state: Progress) -> str:
    tokens = f"{state.usage.tokens:,} tokens"
    return f"{tokens}, cost {state.usage.cost:.4f}" if state.usage.cost else tokens
