"""`redraft revise`: a better text that obeys, with the proof."""

from __future__ import annotations

import asyncio
import shlex
import signal
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.batch import Files
from redraft.cli.engine_options import Address, EngineChoice, EngineName, Workers, open_engine
from redraft.cli.frame import Output, deliver, end, note
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
from redraft.cli.progress import spent
from redraft.cli.revise_batch import revise_batch
from redraft.cli.revise_view import View, show_changes, show_findings, show_scores
from redraft.constraints import Constraint, looks_like_call, parse, parse_call
from redraft.errors import InputError, RedraftError
from redraft.models import Models, check_prices
from redraft.revision import (
    ReviseOptions,
    Revision,
    Switches,
    arevise,
    compile_latex,
    keyword_preservation,
    read_user_plan,
)
from redraft.settings import Settings, load_settings
from redraft.text import Format, read_text, writable


class StrategyChoice(StrEnum):
    """How to go about it."""

    search = "search"
    repair = "repair"
    direct = "direct"
    cot = "cot"
    plan = "plan"
    iter = "iter"
    sentence = "sentence"


class Part(StrEnum):
    """A part of the search that can be turned off."""

    plan = "plan"
    feedback = "feedback"
    quality = "quality"
    constraints = "constraints"
    preservation = "preservation"


_MOST = typer.Option(min=0, help="End the search when this much is spent; the best so far is printed.")


def revise(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A text file, or - for standard input.")
    ] = None,
    instruction: Annotated[str, typer.Option("-i", "--instruction", help="In plain English.")] = "",
    call: Calls = None,
    strategy: Annotated[
        StrategyChoice, typer.Option(help="The search, repair alone, or one of the paper's baselines.")
    ] = StrategyChoice.search,
    effort: Effort = EffortChoice.medium,
    plan: Annotated[
        str | None, typer.Option(metavar="FILE", help="A plan of yours: lines like 3: say it shorter.")
    ] = None,
    documents: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Source material for updating.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="SPEC", help="The model of all roles.")] = None,
    planner: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that plans.")] = None,
    reviser: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that revises.")] = None,
    counting: Counting = None,
    format: MarkUp = None,
    best_effort: BestEffort = False,
    output: OutFile = None,
    json: Json = False,
    trace: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep the trajectory and a page of the search here.")
    ] = None,
    compile: Annotated[
        bool, typer.Option("--compile", help="LaTeX: see whether the text still compiles.")
    ] = False,
    without: Annotated[
        list[Part] | None, typer.Option(help="Turn a part of the search off; may be repeated.")
    ] = None,
    seed: Seed = 0,
    max_calls: Annotated[int | None, _MOST] = None,
    max_seconds: Annotated[float | None, _MOST] = None,
    max_cost: Annotated[float | None, _MOST] = None,
    no_cache: NoCache = False,
    batch: Annotated[
        Path | None, typer.Option(metavar="IN.jsonl", help="Revise many texts: id and text a line.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="OUT.jsonl", help="Batch: a line for each revised text.")
    ] = None,
    resume: ResumeBatch = False,
    engine: EngineName = EngineChoice.local,
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Revise a text so that it obeys; exit 0 if all constraints are met, 1 if not, 3 if they conflict."""
    settings = load_settings(
        {
            "model": model,
            "planner": planner,
            "reviser": reviser,
            "counting": counting and counting.value,
            "format": format and format.value,
            "max_calls": max_calls,
            "max_cost": max_cost,
            "cache": False if no_cache else None,
        }
    )
    if looks_like_call(instruction):
        raise InputError("this is a call, not plain English: give it with -c")
    how = ReviseOptions(
        strategy.value,
        effort.value,
        best_effort,
        Switches(**{part.value: False for part in without or []}),
        seed=seed,
        max_seconds=max_seconds,
    )
    asked = ("planner", "reviser") if how.strategy in ("search", "repair") else ("reviser",)
    check_prices(settings, map(settings.spec_for, asked))
    work = open_engine(engine, workers, address)
    if batch is not None or out is not None:
        alone = {"FILE": file, "--plan": plan, "--documents": documents, "--output": output, "--trace": trace}
        if extra := [
            name for name, given in {**alone, "--compile": compile, "--json": json}.items() if given
        ]:
            raise InputError(f"{extra[0]} is for one text, and not for --batch")
        revise_batch(Files(batch, out, resume), instruction, call or [], how, settings, work)
        return
    if file is None or resume or engine is not EngineChoice.local:
        raise InputError("name a FILE to revise, or many texts with --batch IN.jsonl --out OUT.jsonl")
    if style := parse(instruction).style:
        note(f"not a constraint, so taken as advice and not checked: {style}")
    text = read_text(file)
    warn_of_language(text)
    marked = format_of(settings, text, file)
    if compile and marked != "latex":
        raise InputError("--compile is for LaTeX; say --format latex if this is some")
    if plan is not None:
        how = replace(how, plan=read_user_plan(read_text(plan), text, marked))
    sources = [read_text(one) for one in documents or []]
    if output is not None:
        writable(output)
    calls = [parse_call(one) for one in call or []]
    found = asyncio.run(_revised(settings, text, instruction, calls, how, sources, marked, trace))
    unwritten = deliver(found.text if found.status != 3 else None, output, found.to_dict() if json else None)
    if not Output.quiet:
        _show(found, text, compile, trace)
    end(found.status, found.failure, found.unkept, unwritten)


async def _revised(
    settings: Settings,
    text: str,
    instruction: str,
    calls: list[Constraint],
    how: ReviseOptions,
    documents: list[str],
    format: Format,
    trace: str | None,
) -> Revision:
    prepare(settings, "reviser", scoring=True)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    async with Models(settings) as models:
        with View(models.ledger) as view:
            loop.add_signal_handler(signal.SIGINT, stop.set)
            try:
                return await arevise(
                    text,
                    instruction,
                    calls,
                    models=models,
                    options=how,
                    documents=documents,
                    format=format,
                    reached=view.reached,
                    stop=stop,
                    trace=None if trace is None else Path(trace),
                )
            finally:
                loop.remove_signal_handler(signal.SIGINT)


def _show(found: Revision, original: str, compile: bool, trace: str | None) -> None:
    for conflict in found.infeasible:
        explain_conflict(conflict)
    if found.status == 3:
        note("--best-effort meets as many as can be")
        return
    show_changes(original, found.text)
    show_findings(found.findings)
    for call in found.perhaps:
        note(f"perhaps also meant, and not enforced: {call}; add it with -c {shlex.quote(call)}", "yellow")
    if found.before is not None and found.after is not None:
        show_scores(found.before, found.after)
    usage = found.usage
    texts = f"{found.nodes} text{'s' * (found.nodes != 1)} tried"
    note(f"{found.stopped}; {texts}; {spent(usage)}, {usage.seconds:.1f} s")
    if compile:
        _compiled(original, found.text)
    if trace is not None:
        note(f"the search: {Path(trace) / 'search.html'}; in words: redraft explain {trace}")


def _compiled(original: str, revised: str) -> None:
    try:
        before, after = compile_latex(original), compile_latex(revised, original=original)
    except RedraftError as error:
        note(f"not compiled: {error}", "yellow")
        return
    share = keyword_preservation(original, revised, "latex")
    note(f"compile errors: {len(before.errors)} before, {len(after.errors)} after; {share:.0%} of keywords")
    for said in after.errors[:5]:
        note(f"  {said}", "yellow")
