"""`redraft compose`: a long piece by outline, draft, review, refine and finish."""

from __future__ import annotations

import asyncio
import secrets
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from redraft.cli.console import Output, console, deliver, end, note
from redraft.cli.options import (
    Budget,
    Calls,
    Counting,
    Json,
    NoCache,
    OutFile,
    Seed,
    explain_conflict,
    settings_from,
)
from redraft.cli.write.compose_view import OUTLINE, View, approval, show
from redraft.cli.write.texts import run_stoppable
from redraft.composition import (
    FACTS,
    ROLES,
    STEPS,
    Brief,
    ComposeOptions,
    Composition,
    Limits,
    Markup,
    PaperPrompts,
    Protocol,
    acompose,
    check_language,
    read_brief,
    read_journal,
)
from redraft.constraints import Constraint, parse_call
from redraft.errors import FileError, InputError
from redraft.models import KEPT, Models, is_trained
from redraft.revision import SMALL
from redraft.settings import Settings
from redraft.text import check_writable, make_private, private_folder, read_text

_SUFFIXES: dict[str, Markup] = {
    ".txt": "text",
    ".text": "text",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
}
_LIMITS = Limits()


@dataclass(frozen=True)
class NewPiece:
    """The options of a piece that is begun; one that is resumed goes on as it was begun."""

    topic: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What to write about, or a whole instruction; - reads it."),
    ] = None
    style: Annotated[str, typer.Option(metavar="TEXT", help="How: genre, readers, length, tone.")] = ""
    protocol: Annotated[
        Protocol | None,
        typer.Option(
            help="Who decides what is done next.", show_default="fixed if embedded, else autonomous"
        ),
    ] = None
    no_guard: Annotated[
        bool, typer.Option("--no-guard", help="Let a reasoner choose what cannot be done, and fail.")
    ] = False
    tau: Annotated[float, typer.Option(min=1, max=10, help="The score that completes a section.")] = (
        _LIMITS.tau
    )
    max_steps: Annotated[int, typer.Option(min=3, help="The most steps.")] = _LIMITS.max_steps
    max_revisions: Annotated[int, typer.Option(min=0, help="The most revisions of a section.")] = (
        _LIMITS.revisions
    )
    call: Calls = None
    language: Annotated[Literal["auto", "en", "zh"], typer.Option(help="The language.")] = "auto"
    seed: Seed = 0
    trace: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep the work and its trajectory here.")
    ] = None

    def refuse(self) -> None:
        """Raise where any is given."""
        for field in fields(self):
            if getattr(self, field.name) != field.default:
                name = "-c" if field.name == "call" else f"--{field.name.replace('_', '-')}"
                raise InputError(f"a piece goes on as it was begun: leave out {name}")


@dataclass(frozen=True)
class RoleModels:
    """The models of the roles, as they are given."""

    model: Annotated[str | None, typer.Option(metavar="SPEC", help="The model of all roles.")] = None
    reasoner: Annotated[
        str | None, typer.Option(metavar="SPEC", help="The model that chooses what is done next.")
    ] = None
    outliner: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="The model that plans the sections.", show_default="the writer's"),
    ] = None
    writer: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that drafts.")] = None
    reviewer: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that reviews.")] = None
    refiner: Annotated[str | None, typer.Option(metavar="SPEC", help="The model that refines.")] = None


@dataclass(frozen=True)
class Work:
    """A piece to write: one that is begun, or one that is resumed."""

    settings: Settings
    brief: Brief
    constraints: list[Constraint]
    options: ComposeOptions
    folder: Path
    is_ours: bool
    """Whether the folder is in our cache, so that nobody has asked for it."""
    is_resumed: bool = False


def compose(
    new: NewPiece,
    models: RoleModels,
    to: Annotated[
        Markup | None,
        typer.Option(help="The mark-up of the piece.", show_default="by the name of OUT, else markdown"),
    ] = None,
    output: OutFile = None,
    json: Json = False,
    resume: Annotated[
        str | None, typer.Option(metavar="DIR", help="Go on with the piece of this folder.")
    ] = None,
    approve_outline: Annotated[
        bool, typer.Option("--approve-outline", help="Edit the outline before anything is drafted.")
    ] = False,
    prompts: Annotated[
        str | None, typer.Option(metavar="DIR", help="The prompts of --protocol paper, in place of ours.")
    ] = None,
    write_prompts: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write our prompts of that protocol here, and end.")
    ] = None,
    counting: Counting = None,
    no_cache: NoCache = False,
    budget: Budget = None,
) -> None:
    """Write a piece on a topic; exit 0 when it is finished and every constraint is met."""
    if write_prompts is not None:
        PaperPrompts.read().write(Path(write_prompts))
        note(f"the prompts are in {write_prompts}")
        return
    own_prompts = None if prompts is None else PaperPrompts.read(Path(prompts))
    again = {**vars(models), "prompts": prompts}
    settings = settings_from(**vars(models), counting=counting, max_cost=budget, no_cache=no_cache)
    if output is not None:
        check_writable(output)
    markup = to or _SUFFIXES.get(Path(output or "").suffix.lower(), "markdown")
    if resume is not None:
        new.refuse()
        has_models = any(vars(models).values())
        work = _resume(Path(resume), settings, has_counting=counting is not None, has_models=has_models)
    else:
        work = _begin(new, settings)
    check_language(work.brief, work.settings)
    if work.is_ours:
        _make(work.folder, work.settings)
    try:
        found = _run_agent(work, approve_outline, own_prompts)
        unwritten = _deliver(found, markup, output, json)
    except BaseException:
        if work.is_ours and not work.is_resumed:
            _keep_or_remove(work.folder, again)
        raise
    if work.is_ours and unwritten is not None:
        _keep_or_remove(work.folder, again)
    elif work.is_ours and not _goes_on(found):
        shutil.rmtree(work.folder, ignore_errors=True)
    _show_result(found, work.folder, work.is_ours, again)
    write_error = found.write_error
    if work.is_ours and write_error is not None:
        note(f"warning: {write_error}", style="yellow")  # nobody asked for the folder
        write_error = None
    end(found.status, found.failure, write_error, unwritten)


def _begin(new: NewPiece, settings: Settings) -> Work:
    if new.topic is None:
        raise InputError('say what to write about, as in --topic "Why cities flood"')
    brief = read_brief(read_text("-") if new.topic == "-" else new.topic, new.style)
    if new.language != "auto":
        brief = replace(brief, language=new.language)
    constraints = [parse_call(one) for one in new.call or []]
    limits = Limits(new.tau, new.max_steps, new.max_revisions)
    if new.protocol == "paper" and (new.no_guard or limits.revisions != _LIMITS.revisions):
        raise InputError("--protocol paper has no guard and no limit on revisions: leave out the option")
    usual: Protocol = "fixed" if settings.spec_for("reasoner") in SMALL else "autonomous"
    options = ComposeOptions(new.protocol or usual, limits, not new.no_guard, new.seed)
    if new.trace:
        return Work(settings, brief, constraints, options, Path(new.trace), is_ours=False)
    folder = settings.cache_dir / "compose" / secrets.token_hex(6)
    return Work(settings, brief, constraints, options, folder, is_ours=True)


def _resume(folder: Path, settings: Settings, *, has_counting: bool, has_models: bool) -> Work:
    """The piece of a folder, with its own counting and models unless others are named."""
    begun, options = read_journal(folder)
    constraints = [parse_call(one) for one in begun.calls]
    is_ours = folder.parent == settings.cache_dir / "compose"
    if not has_counting:
        settings = settings.model_copy(update={"counting": begun.counting})
    if not has_models:
        settings = settings.recorded(begun.models, folder / FACTS)
    return Work(settings, begun.brief, constraints, options, folder, is_ours, is_resumed=True)


def _make(folder: Path, settings: Settings) -> None:
    """Make a folder of ours, which nobody else may look into."""
    try:
        private_folder(settings.cache_dir, KEPT)
        make_private(folder)
    except OSError as error:
        raise FileError(
            f"the work cannot be kept in {settings.cache_dir}: {error.strerror}; or keep it with --trace DIR"
        ) from None


def _show_result(found: Composition, folder: Path, is_ours: bool, again: Mapping[str, str | None]) -> None:
    """What came of it, and how to go on."""
    if not Output.quiet:
        for conflict in found.infeasible:
            explain_conflict(conflict)
        if not found.waiting and not (found.infeasible and not found.steps):
            show(found)
    if _goes_on(found):
        done = (
            f"{len(found.steps)} steps are kept;"
            if found.write_error is None
            else "what could be kept is there;"
        )
        if found.waiting:
            done = f"the outline is in {folder / OUTLINE}: edit it, then"
        _show_resume_command(done, folder, again)
    elif not is_ours:
        note(f"the trajectory: {folder / STEPS}")


def _run_agent(work: Work, approve_outline: bool, prompts: PaperPrompts | None) -> Composition:
    settings, limits = work.settings, work.options.limits
    specs = {settings.spec_for(role): role for role in ROLES}

    async def composed(models: Models, stop: asyncio.Event) -> Composition:
        with View(limits.max_steps, work.brief.language) as view:
            return await acompose(
                work.brief,
                work.constraints,
                models=models,
                options=work.options,
                folder=work.folder,
                on_step=view.on_step,
                stop=stop,
                approve=approval(work.folder / OUTLINE, view, approve_outline, work.is_resumed),
                prompts=prompts,
            )

    local = [
        role
        for spec, role in specs.items()
        if spec.partition(":")[0] in ("embedded", "torch") or is_trained(spec)
    ]
    return run_stoppable(settings, composed, local)


def _keep_or_remove(folder: Path, again: Mapping[str, str | None]) -> None:
    """After an error, say where the work is: the folder is ours, so nobody knows; without any it goes."""
    steps = folder / STEPS
    if steps.exists() and steps.stat().st_size:
        _show_resume_command("what was done is kept;", folder, again)
    else:
        shutil.rmtree(folder, ignore_errors=True)


def _goes_on(found: Composition) -> bool:
    return found.waiting or (bool(found.steps) and (found.interrupted or found.failure is not None))


def _deliver(found: Composition, markup: Markup, output: str | None, json: bool) -> FileError | None:
    """The piece where it is wanted, unless it is still under way, and kept; why it is not in its file."""
    is_there = bool(found.text) and not (_goes_on(found) and found.write_error is None)
    text = found.rendered(markup) if is_there else None
    return deliver(text, output, found.to_dict() if json else None)


def _show_resume_command(done: str, folder: Path, again: Mapping[str, str | None]) -> None:
    """Say how to go on; also with --quiet, for nobody could guess it."""
    given = [word for name, value in again.items() if value for word in (f"--{name}", value)]
    command = shlex.join(["redraft", "compose", "--resume", str(folder), *given])
    console().print(Text(f"{done} go on with\n  {command}"))
