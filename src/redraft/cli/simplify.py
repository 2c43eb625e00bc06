"""`redraft simplify`: easier words and sentences, by a policy; and the data that teach a policy."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from redraft.cli.batch import Files
from redraft.cli.engine_options import Address, EngineChoice, EngineName, Workers, open_engine
from redraft.cli.frame import Output, OwnCommand, command, console, deliver, end, note, visible
from redraft.cli.models import prepare
from redraft.cli.options import (
    BestEffort,
    Calls,
    Counting,
    Effort,
    EffortChoice,
    Json,
    MarkUp,
    NoCache,
    OutFile,
    ResumeBatch,
    Seed,
    explain_conflict,
    format_of,
    warn_of_language,
)
from redraft.cli.progress import counted
from redraft.cli.revise_view import show_changes, show_findings, show_scores
from redraft.cli.simplify_batch import simplify_batch
from redraft.cli.simplify_preferences import build_preferences, compare_judges
from redraft.constraints import Constraint, looks_like_call, parse_call
from redraft.errors import InputError
from redraft.models import Models, check_prices
from redraft.runs import SimplifyOptions
from redraft.settings import Settings, load_settings
from redraft.simplification import Simplification, asimplify, load_policy
from redraft.text import Document, Format, read_text, reading_grade, writable

app = typer.Typer(cls=OwnCommand, add_completion=False, help="Simplify a text by a policy.")


@command(app, "own")
def simplify(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A text file, or - for standard input.")
    ] = None,
    policy: Annotated[
        str,
        typer.Option(metavar="POLICY", help="lexical, rewrite, or a YAML file; see redraft policies."),
    ] = "lexical",
    instruction: Annotated[
        str, typer.Option("-i", "--instruction", help="Constraints in plain English.")
    ] = "",
    call: Calls = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="A model that is told the policy.", show_default="embedded"),
    ] = None,
    effort: Effort = EffortChoice.medium,
    glossary: Annotated[
        bool, typer.Option("--glossary", help="Print which words were replaced, by what, and why.")
    ] = False,
    counting: Counting = None,
    format: MarkUp = None,
    best_effort: BestEffort = False,
    output: OutFile = None,
    json: Json = False,
    seed: Seed = 0,
    no_cache: NoCache = False,
    batch: Annotated[
        Path | None, typer.Option(metavar="IN.jsonl", help="Simplify many texts: id and text a line.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="OUT.jsonl", help="Batch: a line for each simplified text.")
    ] = None,
    resume: ResumeBatch = False,
    engine: EngineName = EngineChoice.local,
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Simplify a text by a policy; names, numbers and quotations stay.

    Subcommands make and compare training data: redraft simplify build-preferences, compare-judges.
    """
    if looks_like_call(instruction):
        raise InputError("this is a call, not plain English: give it with -c")
    way = SimplifyOptions(load_policy(policy), effort.value, best_effort, seed)
    settings = load_settings(
        {
            "model": model,
            "counting": counting and counting.value,
            "format": format and format.value,
            "cache": False if no_cache else None,
        }
    )
    check_prices(settings, [settings.spec_for("reviser")])
    work = open_engine(engine, workers, address)
    if batch is not None or out is not None:
        alone = {"FILE": file, "--output": output, "--json": json, "--glossary": glossary}
        if extra := [name for name, given in alone.items() if given]:
            raise InputError(f"{extra[0]} is for one text, and not for --batch")
        simplify_batch(Files(batch, out, resume), instruction, call or [], way, settings, work)
        return
    if file is None or resume or engine is not EngineChoice.local:
        raise InputError("name a FILE to simplify, or many texts with --batch IN.jsonl --out OUT.jsonl")
    calls = [parse_call(one) for one in call or []]
    text = read_text(file)
    warn_of_language(text)
    if output is not None:
        writable(output)
    marked = format_of(settings, text, file)
    found = asyncio.run(_simplified(settings, text, instruction, calls, way, marked))
    unwritten = deliver(found.text if found.status != 3 else None, output, found.to_dict() if json else None)
    if not Output.quiet:
        _show(found, text, glossary)
    end(found.status, found.failure, unwritten)


async def _simplified(
    settings: Settings,
    text: str,
    instruction: str,
    calls: list[Constraint],
    way: SimplifyOptions,
    format: Format,
) -> Simplification:
    prepare(settings, "reviser", scoring=True)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    async with Models(settings) as models:
        with counted("simplifying") as done:
            loop.add_signal_handler(signal.SIGINT, stop.set)
            try:
                return await asimplify(
                    text,
                    way.policy,
                    models=models,
                    instruction=instruction,
                    constraints=calls,
                    effort=way.effort,
                    format=format,
                    best_effort=way.best_effort,
                    seed=way.seed,
                    done=done,
                    stop=stop,
                )
            finally:
                loop.remove_signal_handler(signal.SIGINT)


def _show(found: Simplification, original: str, glossary: bool) -> None:
    for conflict in found.infeasible:
        explain_conflict(conflict)
    if found.status == 3:
        note("--best-effort meets as many as can be")
        return
    if glossary:
        _show_glossary(found)
    else:
        show_changes(original, found.text)
    show_findings(found.findings)
    if found.before is not None and found.after is not None:
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


command(app, "build-preferences")(build_preferences)
command(app, "compare-judges")(compare_judges)
