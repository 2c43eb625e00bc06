"""`redraft simplify`: easier words and sentences, by a policy; and the data that teach a policy."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from redraft.cli.commands import OwnCommand, command
from redraft.cli.console import Output, console, end, note, visible
from redraft.cli.models import prepare
from redraft.cli.options import settings_from
from redraft.cli.runs import counted
from redraft.cli.write.policies import build_preferences, compare_judges
from redraft.cli.write.revision_view import show_changes, show_scores
from redraft.cli.write.texts import (
    OneFile,
    TextOptions,
    check_instruction,
    show_outcome,
    simplify_batch,
    stop_on_interrupt,
)
from redraft.constraints import Constraint
from redraft.models import Models, check_prices
from redraft.runs import SimplifyOptions
from redraft.settings import Settings
from redraft.simplification import Simplification, asimplify, load_policy
from redraft.text import Document, Format, reading_grade

simplify_app = typer.Typer(cls=OwnCommand, add_completion=False, help="Simplify a text by a policy.")


@command(simplify_app, "own")
def simplify(
    file: OneFile = None,
    policy: Annotated[
        str,
        typer.Option(metavar="POLICY", help="lexical, rewrite, or a YAML file; see redraft policies."),
    ] = "lexical",
    instruction: Annotated[
        str, typer.Option("-i", "--instruction", help="Constraints in plain English.")
    ] = "",
    model: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="A model that is told the policy.", show_default="embedded"),
    ] = None,
    glossary: Annotated[
        bool, typer.Option("--glossary", help="Print which words were replaced, by what, and why.")
    ] = False,
    *,
    options: TextOptions,
) -> None:
    """Simplify a text by a policy; names, numbers and quotations stay.

    Subcommands make and compare training data: redraft simplify build-preferences, compare-judges.
    """
    check_instruction(instruction)
    how = SimplifyOptions(load_policy(policy), options.effort, options.best_effort, options.seed)
    settings = settings_from(
        model=model, counting=options.counting, format=options.format, no_cache=options.no_cache
    )
    check_prices(settings, [settings.spec_for("reviser")])
    if options.is_batch({"FILE": file, "--glossary": glossary}):
        simplify_batch(options, instruction, how, settings)
        return
    calls = options.constraints
    text, marked = options.read_one(file, "simplify", settings)
    found = asyncio.run(_simplified(settings, text, instruction, calls, how, marked))
    unwritten = options.deliver(found)
    if not Output.quiet:
        _show(found, text, glossary)
    end(found.status, found.failure, unwritten)


async def _simplified(
    settings: Settings,
    text: str,
    instruction: str,
    calls: list[Constraint],
    how: SimplifyOptions,
    format: Format,
) -> Simplification:
    prepare(settings, "reviser", scoring=True)
    async with Models(settings) as models:
        with counted("simplifying") as done, stop_on_interrupt() as stop:
            return await asimplify(
                text,
                how.policy,
                models=models,
                instruction=instruction,
                constraints=calls,
                effort=how.effort,
                format=format,
                best_effort=how.best_effort,
                seed=how.seed,
                done=done,
                stop=stop,
            )


def _show(found: Simplification, original: str, glossary: bool) -> None:
    changes = partial(_show_glossary, found) if glossary else partial(show_changes, original, found.text)
    if not show_outcome(found, changes):
        return
    show_scores(found.before, found.after)
    changed = sum(passage.changed for passage in found.passages)
    usage = found.usage
    note(
        f"policy {found.policy}: {changed} of {len(found.passages)} sentences changed, "
        f"{sum(times for _, times in found.glossary)} words or phrases replaced; reading grade "
        f"{_grade(original):.1f} → {_grade(found.text):.1f}; {usage.calls} model calls, "
        f"{usage.tokens} tokens, {usage.seconds:.1f} s"
    )


def _grade(text: str) -> float:
    return reading_grade(Document(text))


def _show_glossary(found: Simplification) -> None:
    if not found.glossary:
        note("no word was replaced")
        return
    table = Table(box=None, pad_edge=False)
    for name in ("word", "level", "now", "times", "why"):
        table.add_column(name, overflow="fold")
    for one, times in found.glossary:
        cells = (one.said, one.level or "", one.new, str(times), one.why)
        table.add_row(*(Text(visible(cell)) for cell in cells))
    console().print(table, soft_wrap=False)


command(simplify_app, "build-preferences")(build_preferences)
command(simplify_app, "compare-judges")(compare_judges)
