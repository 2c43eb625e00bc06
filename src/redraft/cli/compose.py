"""`redraft compose`: a long piece by outline, draft, review, refine and finish."""

from __future__ import annotations

import asyncio
import secrets
import shlex
import shutil
import signal
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from redraft.cli.compose_outline import OUTLINE, approval
from redraft.cli.compose_view import View, show
from redraft.cli.frame import Output, console, deliver, end, note
from redraft.cli.models import prepare
from redraft.cli.options import Budget, Calls, Counting, Json, NoCache, OutFile, Seed, explain_conflict
from redraft.composition import (
    FACTS,
    ROLES,
    STEPS,
    Brief,
    Composition,
    Limits,
    Way,
    acompose,
    check_language,
    read_brief,
    resumed,
)
from redraft.constraints import Constraint, parse_call
from redraft.errors import FileError, InputError
from redraft.models import KEPT, Models
from redraft.revision import SMALL
from redraft.settings import Settings, load_settings
from redraft.text import make_private, private_folder, read_text, writable

_SUFFIXES = {".txt": "text", ".text": "text", ".tex": "latex", ".html": "html", ".htm": "html"}
_LIMITS = Limits()


class ProtocolChoice(StrEnum):
    """Who decides what is done next."""

    autonomous = "autonomous"
    fixed = "fixed"
    no_review = "no_review"
    no_refine = "no_refine"
    batch = "batch"


class LanguageChoice(StrEnum):
    """What the piece is written in."""

    auto = "auto"
    en = "en"
    zh = "zh"


class MarkupChoice(StrEnum):
    """What the piece is printed in."""

    markdown = "markdown"
    text = "text"
    latex = "latex"
    html = "html"


def compose(
    topic: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What to write about, or a whole instruction; - reads it."),
    ] = None,
    style: Annotated[
        str | None, typer.Option(metavar="TEXT", help="How: genre, readers, length, tone.")
    ] = None,
    protocol: Annotated[
        ProtocolChoice | None,
        typer.Option(
            help="Who decides what is done next.", show_default="fixed if embedded, else autonomous"
        ),
    ] = None,
    no_guard: Annotated[
        bool, typer.Option("--no-guard", help="Offer a model every action, also those that cannot be done.")
    ] = False,
    tau: Annotated[
        float | None,
        typer.Option(
            min=1, max=10, help="The score that completes a section.", show_default=f"{_LIMITS.tau:g}"
        ),
    ] = None,
    max_steps: Annotated[
        int | None, typer.Option(min=3, help="The most steps.", show_default=str(_LIMITS.max_steps))
    ] = None,
    max_revisions: Annotated[
        int | None,
        typer.Option(min=0, help="The most revisions of a section.", show_default=str(_LIMITS.revisions)),
    ] = None,
    call: Calls = None,
    model: Annotated[str | None, typer.Option(metavar="SPEC", help="The model of all roles.")] = None,
    reasoner: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that plans.")] = None,
    writer: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that drafts.")] = None,
    reviewer: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that reviews.")] = None,
    refiner: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that refines.")] = None,
    language: Annotated[LanguageChoice, typer.Option(help="The language.")] = LanguageChoice.auto,
    to: Annotated[
        MarkupChoice | None,
        typer.Option(help="The mark-up of the piece.", show_default="by the name of OUT, else markdown"),
    ] = None,
    output: OutFile = None,
    json: Json = False,
    trace: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep the work and its trajectory here.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="DIR", help="Go on with the piece of this folder.")
    ] = None,
    approve_outline: Annotated[
        bool, typer.Option("--approve-outline", help="Edit the outline before anything is drafted.")
    ] = False,
    seed: Seed = 0,
    counting: Counting = None,
    no_cache: NoCache = False,
    budget: Budget = None,
) -> None:
    """Write a piece on a topic; exit 0 when it is finished and every constraint is met."""
    models = {
        "model": model,
        "reasoner": reasoner,
        "writer": writer,
        "reviewer": reviewer,
        "refiner": refiner,
    }
    settings = load_settings(
        {
            **models,
            "counting": counting and counting.value,
            "max_cost": budget,
            "cache": False if no_cache else None,
        }
    )
    if output is not None:
        writable(output)
    markup = to.value if to else _SUFFIXES.get(Path(output or "").suffix.lower(), "markdown")
    if resume is not None:
        begun: dict[str, Any] = {
            "--topic": topic, "--style": style, "--protocol": protocol, "--no-guard": no_guard, "--tau": tau,
            "--max-steps": max_steps, "--max-revisions": max_revisions, "-c": call, "--seed": seed or None,
            "--trace": trace, "--language": language is not LanguageChoice.auto,
        }  # fmt: skip
        if extra := [name for name, given in begun.items() if given is not None and given is not False]:
            raise InputError(f"a piece goes on as it was begun: leave out {extra[0]}")
        folder = Path(resume)
        kept, way = resumed(folder)
        brief = kept.brief
        constraints = [parse_call(one) for one in kept.calls]
        if counting is None:
            settings = settings.model_copy(update={"counting": kept.counting})
        if not any(models.values()):
            settings = settings.recorded(kept.models, folder / FACTS)
    else:
        if topic is None:
            raise InputError('say what to write about, as in --topic "Why cities flood"')
        brief = read_brief(read_text("-") if topic == "-" else topic, style or "")
        if language is not LanguageChoice.auto:
            brief = replace(brief, language="zh" if language is LanguageChoice.zh else "en")
        constraints = [parse_call(one) for one in call or []]
        limits = Limits(
            _LIMITS.tau if tau is None else tau,
            max_steps or _LIMITS.max_steps,
            _LIMITS.revisions if max_revisions is None else max_revisions,
        )
        usual = "fixed" if settings.spec_for("reasoner") in SMALL else "autonomous"
        way = Way(ProtocolChoice(protocol or usual).value, limits, not no_guard, seed)
        folder = Path(trace) if trace else settings.cache_dir / "compose" / secrets.token_hex(6)
    check_language(brief, settings)
    is_ours = trace is None and folder.parent == settings.cache_dir / "compose"
    if is_ours:
        _make(folder, settings)
    try:
        found = asyncio.run(
            _composed(settings, brief, constraints, way, folder, approve_outline, resume is not None)
        )
        unwritten = _deliver(found, markup, output, json)
    except BaseException:
        if is_ours and resume is None:
            _leave(folder, models)
        raise
    if is_ours and unwritten is not None:
        _leave(folder, models)
    elif is_ours and not _goes_on(found):
        shutil.rmtree(folder, ignore_errors=True)
    _tell(found, folder, is_ours, models)
    unkept = found.unkept
    if is_ours and unkept is not None:
        note(f"warning: {unkept}", style="yellow")  # nobody asked for the folder
        unkept = None
    end(found.status, found.failure, unkept, unwritten)


def _make(folder: Path, settings: Settings) -> None:
    """Make a folder of ours, which nobody else may look into."""
    try:
        private_folder(settings.cache_dir, KEPT)
        make_private(folder)
    except OSError as error:
        raise FileError(
            f"the work cannot be kept in {settings.cache_dir}: {error.strerror}; or keep it with --trace DIR"
        ) from None


def _tell(found: Composition, folder: Path, is_ours: bool, models: dict[str, str | None]) -> None:
    """What came of it, and how to go on."""
    if not Output.quiet:
        for conflict in found.infeasible:
            explain_conflict(conflict)
        if not found.waiting and not (found.infeasible and not found.steps):
            show(found)
    if _goes_on(found):
        done = (
            f"{len(found.steps)} steps are kept;" if found.unkept is None else "what could be kept is there;"
        )
        if found.waiting:
            done = f"the outline is in {folder / OUTLINE}: edit it, then"
        _tell_how(done, folder, models)
    elif not is_ours:
        note(f"the trajectory: {folder / STEPS}")


async def _composed(
    settings: Settings,
    brief: Brief,
    constraints: list[Constraint],
    way: Way,
    folder: Path,
    approve: bool,
    is_resumed: bool,
) -> Composition:
    for spec, role in {settings.spec_for(role): role for role in ROLES}.items():
        if spec.partition(":")[0] in ("embedded", "torch"):
            prepare(settings, role, scoring=True)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    async with Models(settings) as models:
        with View(way.limits.max_steps, brief.language) as view:
            loop.add_signal_handler(signal.SIGINT, stop.set)
            try:
                return await acompose(
                    brief,
                    constraints,
                    models=models,
                    way=way,
                    folder=folder,
                    heard=view.heard,
                    stop=stop,
                    approve=approval(folder / OUTLINE, view, approve, is_resumed),
                )
            finally:
                loop.remove_signal_handler(signal.SIGINT)


def _leave(folder: Path, models: dict[str, str | None]) -> None:
    """After an error, say where the work is: the folder is ours, so nobody knows; without any it goes."""
    steps = folder / STEPS
    if steps.exists() and steps.stat().st_size:
        _tell_how("what was done is kept;", folder, models)
    else:
        shutil.rmtree(folder, ignore_errors=True)


def _goes_on(found: Composition) -> bool:
    return found.waiting or (bool(found.steps) and (found.interrupted or found.failure is not None))


def _deliver(found: Composition, markup: str, output: str | None, json: bool) -> FileError | None:
    """The piece where it is wanted, unless it is still under way, and kept; why it is not in its file."""
    is_there = bool(found.text) and not (_goes_on(found) and found.unkept is None)
    text = found.rendered(MarkupChoice(markup).value) if is_there else None
    return deliver(text, output, found.to_dict() if json else None)


def _tell_how(done: str, folder: Path, models: dict[str, str | None]) -> None:
    """Say how to go on; also with --quiet, for nobody could guess it."""
    given = [word for name, spec in models.items() if spec for word in (f"--{name}", spec)]
    command = shlex.join(["redraft", "compose", "--resume", str(folder), *given])
    console().print(Text(f"{done} go on with\n  {command}"))
