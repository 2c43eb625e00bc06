"""`redraft revise`: a better text that obeys, with the proof."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Container
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.asked import Asked
from redraft.cli.console import note
from redraft.cli.options import HouseFile, Strict, settings_from
from redraft.cli.runs import describe_usage
from redraft.cli.write.choosing import choose_changes
from redraft.cli.write.revision_view import View, show_asked, show_changes, show_concerns, show_scores
from redraft.cli.write.texts import (
    OneFile,
    TextOptions,
    revise_batch,
    run_stoppable,
    show_outcome,
)
from redraft.constraints import Constraint
from redraft.errors import InputError, RedraftError
from redraft.models import Models, check_prices
from redraft.revision import (
    ReviseOptions,
    Revision,
    Strategy,
    Switches,
    arevise,
    compile_latex,
    keyword_preservation,
    prompts_hash,
    read_user_plan,
)
from redraft.settings import Trust
from redraft.text import Document, read_text

_PARTS = tuple(field.name for field in fields(Switches))
"""The parts of the search that can be turned off."""

_MOST = typer.Option(min=0, help="End the search when this much is spent; the best so far is printed.")


def revise(
    file: OneFile = None,
    instruction: Annotated[str, typer.Option("-i", "--instruction", help="In plain English.")] = "",
    strategy: Annotated[
        Strategy,
        typer.Option(help="Our search, the paper's (trips), repair alone, or one of the paper's baselines."),
    ] = "search",
    plan: Annotated[
        str | None, typer.Option(metavar="FILE", help="A plan of yours: lines like 3: say it shorter.")
    ] = None,
    documents: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Source material for updating.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="SPEC", help="The model of all roles.")] = None,
    planner: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that plans.")] = None,
    reviser: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that revises.")] = None,
    trust: Annotated[
        Trust | None, typer.Option(help="Take the reviser at its word (high), or not; a service's is high.")
    ] = None,
    trace: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep the trajectory and a page of the search here.")
    ] = None,
    sound: Annotated[
        bool, typer.Option("--sound", help="A sentence that would obey only by being broken stays as it was.")
    ] = False,
    compile: Annotated[
        bool, typer.Option("--compile", help="LaTeX: see whether the text still compiles.")
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="|".join(_PARTS), help="Turn a part of the search off; may be repeated."),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Iterations of a search at the most; else the effort decides.")
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Prompts of yours, NAME.md, in the place of ours.")
    ] = None,
    max_calls: Annotated[int | None, _MOST] = None,
    max_seconds: Annotated[float | None, _MOST] = None,
    max_cost: Annotated[float | None, _MOST] = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", help="Take the changes one by one: accept, reject, edit.")
    ] = False,
    strict: Strict = False,
    house: HouseFile = None,
    *,
    options: TextOptions,
) -> None:
    """Revise a text so that it obeys; exit 0 if all constraints are met, 1 if not, 3 if they conflict."""
    settings = settings_from(
        model=model,
        planner=planner,
        reviser=reviser,
        trust=trust,
        sound=sound or None,
        counting=options.counting,
        format=options.format,
        max_calls=max_calls,
        max_cost=max_cost,
        no_cache=options.no_cache,
        strict=strict,
        house=house,
    )
    asked = Asked.of(instruction, options.calls, settings)
    if unknown := set(without or []) - set(_PARTS):
        raise InputError(f"--without takes {', '.join(_PARTS)}, not {unknown.pop()!r}")
    switches = Switches(**dict.fromkeys(without or [], False))
    how = ReviseOptions(
        strategy, options.effort, options.best_effort, switches, seed=options.seed, max_seconds=max_seconds,
        iterations=iterations, prompts=prompts,
    )  # fmt: skip
    prompts_hash(prompts)  # what is wrong with them is said before anything is asked
    roles = ("planner", "reviser") if how.strategy in ("search", "repair", "trips") else ("reviser",)
    check_prices(settings, map(settings.spec_for, roles))
    one_text_only = {
        "FILE": file, "--plan": plan, "--documents": documents, "--trace": trace, "--compile": compile,
        "--interactive": interactive,
    }  # fmt: skip
    options = replace(options, call=[*options.calls, *(one.call for one in asked.house)])
    if options.is_batch(one_text_only):
        revise_batch(options, instruction, how, settings)
        return
    show_asked((*asked.own, *asked.house))
    for wish in asked.instruction.wishes:
        note(f"not a constraint, so taken as advice and not checked: {wish}")
    if interactive and file == "-":
        raise InputError("--interactive reads its answers from standard input: name a FILE for the text")
    source, marked = options.read_one(file, "revise", settings)
    text = source.text
    english_only = asked.english_only(text)
    asked.warn_of_rules(text)
    if compile and marked != "latex":
        raise InputError("--compile is for LaTeX; say --format latex if this is some")
    if plan is not None:
        how = replace(how, plan=read_user_plan(read_text(plan), text, marked))
    sources = [read_text(one) for one in documents or []]
    calls = options.constraints

    async def revised(models: Models, stop: asyncio.Event) -> Revision:
        with View(models.ledger, len(Document(text, marked).sentences)) as view:
            return await arevise(
                text,
                instruction,
                calls,
                models=models,
                options=how,
                documents=sources,
                format=marked,
                reached=view.reached,
                settled=view.settled if view.is_shown else None,  # to tell of each sentence takes work
                stop=stop,
                trace=None if trace is None else Path(trace),
            )

    found = run_stoppable(settings, revised)
    if interactive and found.status != 3:
        found = choose_changes(found, text, marked)
    report = {**asked.marked(found.to_dict(), found.findings), **asked.told(english_only)}
    if found.in_vain:
        note(
            "nothing of the instruction was understood: whatever was done, it is not what was asked", "yellow"
        )
    show = partial(_show, found, text, compile, trace, asked.house)
    options.finish(found, source, show, found.unkept, report=report, chosen=interactive)


def _show(
    found: Revision, original: str, compile: bool, trace: str | None, house: Container[Constraint]
) -> None:
    if not show_outcome(found, partial(show_changes, original, found.text), house):
        return
    for call in found.perhaps:
        note(f"perhaps also meant, and not enforced: {call}; add it with -c {shlex.quote(call)}", "yellow")
    show_concerns(found)
    for one in found.objections:
        note(f"a fact is changed: {one}", "yellow")
    if found.by_rules:
        passages = "one passage was" if found.by_rules == 1 else f"{found.by_rules} passages were"
        note(f"{passages} changed by rules, since the model's own text did not obey", "yellow")
    for support in found.support:
        note(f"new: {support.fact}, from document {support.document}: {support.passage}")
    show_scores(found.text, found.before, found.after, found.concerns)
    texts = f"{found.nodes} text{'s' * (found.nodes != 1)} tried"
    note(f"{found.stopped}; trust in the model {found.trust}; {texts}; {describe_usage(found.usage)}")
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
    for message in after.errors[:5]:
        note(f"  {message}", "yellow")
