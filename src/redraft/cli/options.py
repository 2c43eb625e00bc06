"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from redraft.bench import Engine, LocalEngine, RayEngine
from redraft.cli.console import note
from redraft.constraints import Conflict
from redraft.errors import InputError
from redraft.settings import Settings, load_settings
from redraft.text import Format, guess_format, language


class FormatChoice(StrEnum):
    """How a text is marked up."""

    auto = "auto"
    text = "text"
    markdown = "markdown"
    latex = "latex"


class CountingChoice(StrEnum):
    """What counts as a sentence and a word."""

    default = "default"
    constrev = "constrev"


class EffortChoice(StrEnum):
    """How hard to try."""

    low = "low"
    medium = "medium"
    high = "high"


File = Annotated[str, typer.Argument(metavar="FILE", help="A text file, or - for standard input.")]
Counting = Annotated[
    CountingChoice | None, typer.Option(help="The counting convention.", show_default="default")
]
MarkUp = Annotated[
    FormatChoice | None, typer.Option("--format", help="The text's mark-up.", show_default="auto")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Calls = Annotated[list[str] | None, typer.Option("-c", "--call", help="One call; may be repeated.")]
Effort = Annotated[EffortChoice, typer.Option(help="How hard to try.")]
BestEffort = Annotated[
    bool, typer.Option("--best-effort", help="Where constraints conflict, meet as many as can be.")
]
OutFile = Annotated[
    str | None, typer.Option("-o", "--output", metavar="OUT", help="Write the text here; may be FILE.")
]
Seed = Annotated[int, typer.Option(min=0, help="The seed of all that is drawn.")]
ResumeBatch = Annotated[bool, typer.Option("--resume", help="Batch: go on with OUT.jsonl.")]
Budget = Annotated[float | None, typer.Option(min=0, help="Stop when this much is spent.")]
ResumeBuild = Annotated[bool, typer.Option("--resume", help="Go on with the build in --out.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep answers.")]


def reading_settings(counting: CountingChoice | None, format: FormatChoice | None) -> Settings:
    """The settings of a command that reads texts."""
    return load_settings({"counting": counting and counting.value, "format": format and format.value})


def explain_conflict(conflict: Conflict) -> None:
    """Say which constraints cannot be met together, and why."""
    calls = "\n".join(f"  {constraint.call}" for constraint in conflict.constraints)
    note(f"no text can meet these together:\n{calls}\n  because {conflict.reason}", style="yellow")


def warn_of_language(text: str) -> None:
    """Say so where a text is in a language whose abbreviations the sentence rules do not know."""
    found = language(text[:20_000])
    if found not in ("en", "zh", "ja", None):
        note(f"warning: this looks like {found}; sentences are found by English rules", style="yellow")


def format_of(settings: Settings, text: str, file: str) -> Format:
    """The format that was asked for, or the one that the file looks like."""
    return guess_format(text, None if file == "-" else file) if settings.format == "auto" else settings.format


class EngineChoice(StrEnum):
    """Where work is done."""

    local = "local"
    ray = "ray"


EngineName = Annotated[EngineChoice, typer.Option("--engine", help="In this process, or on a Ray cluster.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Ray: how many workers.", show_default="one for two processors"),
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Ray: the cluster, or auto.", show_default="one on this machine"),
]


def open_engine(engine: EngineChoice, workers: int | None, address: str | None) -> Engine:
    """The engine that the options name."""
    if engine is EngineChoice.ray:
        return RayEngine(address, workers, note)
    for name, value in (("--workers", workers), ("--address", address)):
        if value is not None:
            raise InputError(f"{name} is for --engine ray")
    return LocalEngine()
