"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from redraft.cli.console import note, visible
from redraft.constraints import Conflict, Constraint, CountingName, Finding
from redraft.errors import InputError
from redraft.house import read_house
from redraft.settings import Settings, load_settings
from redraft.text import Format, guess_format, is_english, language, read_text

FormatName = Literal["auto", "text", "markdown", "latex"]

File = Annotated[str, typer.Argument(metavar="FILE", help="A text file, or - for standard input.")]
Counting = Annotated[
    CountingName | None, typer.Option(help="The counting convention.", show_default="default")
]
MarkUp = Annotated[
    FormatName | None, typer.Option("--format", help="The text's mark-up.", show_default="auto")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Calls = Annotated[list[str] | None, typer.Option("-c", "--call", help="One call; may be repeated.")]
OutFile = Annotated[
    str | None, typer.Option("-o", "--output", metavar="OUT", help="Write the text here; may be FILE.")
]
Seed = Annotated[int, typer.Option(min=0, help="The seed of all that is drawn.")]
Budget = Annotated[float | None, typer.Option(min=0, help="Stop when this much is spent.")]
Strict = Annotated[
    bool, typer.Option("--strict", help="Do nothing unless all of the instruction is understood.")
]
HouseFile = Annotated[
    Path | None,
    typer.Option("--house", metavar="FILE", help="A house style: constraints that hold for every text."),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep answers.")]


def settings_from(
    *, no_cache: bool = False, strict: bool = False, house: Path | None = None, **options: Any
) -> Settings:
    """The settings, with those that options of a command name; None leaves one as it is."""
    own = {
        "cache": False if no_cache else None,
        "strict": strict or None,
        "house": None if house is None else read_house(house),
    }
    return load_settings({**options, **own})


def explain_conflict(conflict: Conflict) -> None:
    """Say which constraints cannot be met together, and why."""
    calls = "\n".join(f"  {constraint.call}" for constraint in conflict.constraints)
    note(f"no text can meet these together:\n{calls}\n  because {conflict.reason}", style="yellow")


def finding_line(finding: Finding, house: Container[Constraint] = ()) -> Text:
    """Whether a constraint is met, its call, what was measured, and whether the house style asks for it."""
    mark = ("met     ", "green") if finding.met else ("NOT met ", "bold red")
    call, message = visible(finding.constraint.call), finding_message(finding, house)
    return Text.assemble(mark, f" {call}  ", (message, "dim"))


def finding_message(finding: Finding, house: Container[Constraint]) -> str:
    """What was measured, and whether the house style asks for it."""
    return visible(finding.message) + "  (house style)" * (finding.constraint in house)


def warn_of_language(text: str) -> None:
    """Say so where a text is in a language whose abbreviations the sentence rules do not know."""
    found = language(text[:20_000])
    if found not in ("en", "zh", "ja", None):
        note(f"warning: this looks like {found}; sentences are found by English rules", style="yellow")


def warn_unless_english(text: str, warning: str) -> None:
    """Say what is not to be relied on where a text does not look English."""
    if not is_english(text):
        note(f"warning: {warning}", style="yellow")


def read_pair(file: str, original: str | None) -> tuple[str, str | None]:
    """A text, and the one before revision where it is named."""
    if file == "-" and original == "-":
        raise InputError("only one of the two texts can come from standard input")
    return read_text(file), None if original is None else read_text(original)


def format_of(settings: Settings, text: str, file: str) -> Format:
    """The format that was asked for, or the one that the file looks like."""
    return guess_format(text, None if file == "-" else file) if settings.format == "auto" else settings.format
