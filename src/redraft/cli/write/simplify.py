"""`redraft simplify`: easier words and sentences, by a policy; and the data that teach a policy."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from redraft.cli.asked import check_instruction
from redraft.cli.commands import OwnCommand, command
from redraft.cli.console import console, note, visible
from redraft.cli.options import settings_from
from redraft.cli.runs import counted, describe_usage
from redraft.cli.write.policies import build_preferences, compare_judges
from redraft.cli.write.revision_view import show_changes, show_scores
from redraft.cli.write.texts import (
    OneFile,
    TextOptions,
    run_stoppable,
    show_outcome,
    simplify_batch,
)
from redraft.models import Models, check_prices
from redraft.runs import SimplifyOptions
from redraft.simplification import Simplification, asimplify, load_policy
from redraft.text import Document, reading_grade

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
        bool,
        typer.Option("--glossary", help="Print which words were replaced or left out, and why."),
    ] = False,
    *,
    options: TextOptions,
) -> None:
    """Simplify a text by a policy; names, numbers and quotations stay.

    Subcommands make and compare training data: redraft simplify build-preferences, compare-judges.
    """
    check_instruction(instruction)
    chosen = SimplifyOptions(load_policy(policy), options.effort, options.best_effort, options.seed)
    settings = settings_from(
        model=model, counting=options.counting, format=options.format, no_cache=options.no_cache
    )
    check_prices(settings, [settings.spec_for("reviser")])
    if options.is_batch({"FILE": file, "--glossary": glossary}):
        simplify_batch(options, instruction, chosen, settings)
        return
    calls = options.constraints
    source, marked = options.read_one(file, "simplify", settings)
    text = source.text

    async def simplified(models: Models, stop: asyncio.Event) -> Simplification:
        with counted("simplifying") as done:
            return await asimplify(
                text,
                constraints=calls,
                models=models,
                instruction=instruction,
                format=marked,
                done=done,
                stop=stop,
                **vars(chosen),
            )

    found = run_stoppable(settings, simplified)
    options.finish(found, source, partial(_show, found, text, glossary))


def _show(found: Simplification, original: str, glossary: bool) -> None:
    changes = partial(_show_glossary, found) if glossary else partial(show_changes, original, found.text)
    if not show_outcome(found, changes):
        return
    show_scores(found.text, found.before, found.after)
    changed = sum(passage.changed for passage in found.passages)
    replaced = sum(times for one, times in found.glossary if one.new)
    before, after = (reading_grade(Document(one)) for one in (original, found.text))
    note(
        f"policy {found.policy}: {changed} of {len(found.passages)} sentences changed, "
        f"{replaced} words or phrases replaced; reading grade "
        f"{before:.1f} → {after:.1f}; {describe_usage(found.usage)}"
    )


def _show_glossary(found: Simplification) -> None:
    if not found.glossary:
        note("no word was replaced or left out")
        return
    table = Table(box=None, pad_edge=False)
    for name in ("word", "level", "now", "times", "why"):
        table.add_column(name, overflow="fold")
    for one, times in found.glossary:
        cells = (one.old, one.level or "", one.new or "(left out)", str(times), one.why)
        table.add_row(*(Text(visible(cell)) for cell in cells))
    console().print(table, soft_wrap=False)


command(simplify_app, "build-preferences")(build_preferences)
command(simplify_app, "compare-judges")(compare_judges)
