"""What `redraft revise` and `redraft simplify` share: one text or many (--batch), and showing a result."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import typer

from redraft.cli.asked import Asked
from redraft.cli.console import Output, deliver, end, note
from redraft.cli.models import prepare
from redraft.cli.options import (
    Calls,
    Counting,
    Json,
    MarkUp,
    NoCache,
    OutFile,
    Seed,
    explain_conflict,
    warn_of_language,
)
from redraft.cli.runs import EngineOptions, shown
from redraft.cli.write.revision_view import show_findings
from redraft.cli.write.source import Source, check_in_place
from redraft.constraints import Constraint, parse_call
from redraft.errors import FileError, InputError, RedraftError
from redraft.models import Models
from redraft.revision import ReviseOptions, Revision, prompts_hash
from redraft.runs import (
    Batch,
    BatchKind,
    Record,
    RunFile,
    SimplifyOptions,
    TextFunction,
    count_statuses,
    execute,
    finished_inputs,
    open_batch_worker,
    open_run,
    revise_text,
    simplify_text,
)
from redraft.settings import Settings
from redraft.simplification import Simplification
from redraft.text import Format, check_writable

OneFile = Annotated[str | None, typer.Argument(metavar="FILE", help="A text file, or - for standard input.")]
Result = TypeVar("Result")
_STATUSES: Final = {0: "met", 1: "not met", 3: "conflicting", 4: "failed"}


@dataclass(frozen=True)
class TextOptions(EngineOptions):
    """The options that both commands have."""

    call: Calls = None
    effort: Annotated[Literal["low", "medium", "high"], typer.Option(help="How hard to try.")] = "medium"
    counting: Counting = None
    format: MarkUp = None
    best_effort: Annotated[
        bool, typer.Option("--best-effort", help="Where constraints conflict, meet as many as can be.")
    ] = False
    output: OutFile = None
    json: Json = False
    seed: Seed = 0
    no_cache: NoCache = False
    batch: Annotated[
        Path | None, typer.Option(metavar="IN.jsonl", help="Many texts: id and text a line.")
    ] = None
    out: Annotated[Path | None, typer.Option(metavar="OUT.jsonl", help="Batch: a line for each result.")] = (
        None
    )
    resume: Annotated[bool, typer.Option("--resume", help="Batch: go on with OUT.jsonl.")] = False
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write FILE itself if all is met; FILE~ keeps what it was.")
    ] = False
    clipboard: Annotated[
        bool, typer.Option("--clipboard", help="The text is on the clipboard, and goes back there.")
    ] = False
    no_track: Annotated[
        bool, typer.Option("--no-track", help="A .docx: make the changes without tracking them.")
    ] = False

    @property
    def calls(self) -> list[str]:
        """The calls that were given."""
        return self.call or []

    @property
    def constraints(self) -> list[Constraint]:
        """The same, read."""
        return [parse_call(call) for call in self.calls]

    def is_batch(self, one_text_only: Mapping[str, object]) -> bool:
        """Whether many texts are given; raise where an option that is for one text is given too."""
        if self.batch is None and self.out is None:
            return False
        one_text_only = {
            **one_text_only,
            "--output": self.output,
            "--json": self.json,
            "--in-place": self.in_place,
            "--clipboard": self.clipboard,
        }
        extra = [name for name, value in one_text_only.items() if value]
        if extra and self.batch is None:
            raise InputError("--out is for many texts, with --batch; one text goes to --output OUT")
        if extra:
            raise InputError(f"{extra[0]} is for one text, and not for --batch")
        return True

    def read_one(self, file: str | None, verb: str, settings: Settings) -> tuple[Source, Format]:
        """The one text and its mark-up; raise where none is named, or with options that are for a batch."""
        if self.clipboard and (file is not None or self.in_place):
            raise InputError("--clipboard: the text is on the clipboard, so leave out FILE and --in-place")
        if (file is None and not self.clipboard) or self.resume or self.engine != "local":
            raise InputError(f"name a FILE to {verb}, or many texts with --batch IN.jsonl --out OUT.jsonl")
        if self.in_place:
            check_in_place(file, self.output)
        self.open_engine()  # raises for options of an engine that is not named
        source = Source.read(file)
        warn_of_language(source.text)
        target = file if self.in_place else self.output
        if not self.clipboard:
            source.check_output(target)
        if target is not None:
            check_writable(target)
        return source, source.format(settings)

    def finish(
        self,
        found: Revision | Simplification,
        source: Source,
        show: Callable[[], None],
        *failures: RedraftError | None,
        report: Mapping[str, Any] | None = None,
        chosen: bool = False,
    ) -> None:
        """Put the text where it is wanted, unless the constraints conflict, show the rest, and exit.

        With --json, the report is printed, or what the result says of itself. What replaces the only copy of
        a text is written if all is met, with --best-effort, or if a person has `chosen` it.
        """
        text = found.text if found.status != 3 else None
        whole = (report or found.to_dict()) if self.json else None
        output, write = self.output, source.write
        if output is None and (self.in_place or self.clipboard):
            write = source.put_back
            if not found.status or self.best_effort or chosen:
                output = source.name
            else:
                note(f"{source.name} stays as it was; --best-effort replaces it all the same", "yellow")
        unwritten = deliver(text, output, whole, partial(write, tracked=not self.no_track))
        if not Output.quiet:
            show()
        end(found.status, found.failure, *failures, unwritten)


def run_stoppable(
    settings: Settings,
    work: Callable[[Models, asyncio.Event], Awaitable[Result]],
    roles: Iterable[str] = ("reviser",),
) -> Result:
    """Do work with models; Ctrl-C sets its event, so that it ends with the best that it has so far."""
    for role in roles:
        prepare(settings, role, scoring=True)

    async def run() -> Result:
        stop = asyncio.Event()
        async with Models(settings) as models:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGINT, stop.set)
            try:
                return await work(models, stop)
            finally:
                loop.remove_signal_handler(signal.SIGINT)

    return asyncio.run(run())


def show_outcome(
    found: Revision | Simplification, show: Callable[[], None], house: Container[Constraint] = ()
) -> bool:
    """Show conflicts, then what changed and every finding; False where there is no text to show."""
    for conflict in found.infeasible:
        explain_conflict(conflict)
    if found.status == 3:
        note("--best-effort meets as many as can be")
        return False
    show()
    show_findings(found.findings, house)
    return True


def _run_batch(
    options: TextOptions,
    kind: BatchKind,
    instruction: str,
    facts: Record,
    function: TextFunction,
    settings: Settings,
) -> None:
    """Do every text of a file; the worst status of any is the exit status of all.

    The facts decide the results beside the texts, the instruction and the calls.
    """
    source, out, resume, calls = options.batch, options.out, options.resume, options.calls
    if source is None or out is None:
        raise InputError("many texts need both: --batch IN.jsonl --out OUT.jsonl")
    for call in calls:
        parse_call(call)
    if out.exists() and not out.is_file():
        raise FileError(f"{out} is no file: name one that results can be added to, such as out.jsonl")
    run = RunFile(out)
    engine = options.open_engine()
    for file in (out, run.file("run.json")):
        if os.path.realpath(file) == os.path.realpath(source):
            raise InputError(f"{file} is the file of the texts: choose another --out")
    batch = Batch(source, instruction, tuple(calls), kind)
    count = batch.survey(finished_inputs(run.results) if resume and run.exists() else None)
    with open_run(run, {"instruction": instruction, "calls": list(calls), **facts}, resume):
        prepare(settings, "reviser", scoring=True)
        opening = partial(open_batch_worker, function)
        try:
            with shown(count) as progress:
                jobs = batch.jobs()
                asyncio.run(
                    execute(jobs, opening, settings, run.results, engine, planned=count, progress=progress)
                )
        except KeyboardInterrupt:
            note("go on with the same command and --resume")
            raise
        finally:
            ended = count_statuses(run.results)
            note(_summary(ended, count))
    if ended[4]:
        note("--resume tries those that failed again", style="yellow")
    if worst := max(ended, default=0):
        raise typer.Exit(worst)


def _summary(ended: Counter[int], count: int) -> str:
    parts = [f"{ended[status]} {name}" for status, name in _STATUSES.items() if ended[status]]
    left = count - ended.total()
    return f"{count} texts: " + ", ".join([*parts, *([f"{left} left"] if left > 0 else [])])


def revise_batch(options: TextOptions, instruction: str, how: ReviseOptions, settings: Settings) -> None:
    """Revise every text of a file; with `strict`, only if all that is asked of every line is understood."""
    if settings.strict and options.batch is not None:
        for job in Batch(options.batch, instruction, tuple(options.calls)).jobs():
            try:
                Asked.of(job.work.instruction, job.work.calls, settings).english_only(job.work.text)
            except InputError as error:
                raise InputError(f"{options.batch}, {job.key!r}: {error}") from None
    _run_batch(options, "revised", instruction, _facts(how, settings), partial(revise_text, how), settings)


def _facts(how: ReviseOptions, settings: Settings) -> Record:
    """What decides the revisions beside the texts themselves."""
    return {
        "strategy": how.strategy,
        "effort": how.effort,
        "best_effort": how.best_effort,
        "without": list(how.switches.off),
        "seed": how.seed,
        "max_seconds": how.max_seconds,
        **({} if how.iterations is None else {"iterations": how.iterations}),
        **({} if how.prompts is None else {"prompts": prompts_hash(how.prompts)}),
        "planner": settings.spec_for("planner"),
        "reviser": settings.spec_for("reviser"),
        **({"sound": True} if settings.sound else {}),
        "quality": settings.quality,
        "counting": settings.counting,
        "format": settings.format,
    }


def simplify_batch(
    options: TextOptions, instruction: str, chosen: SimplifyOptions, settings: Settings
) -> None:
    """Simplify every text of a file by one policy."""
    facts = {
        "policy": chosen.policy.name,
        "policy_hash": chosen.policy.hash,
        "effort": chosen.effort,
        "best_effort": chosen.best_effort,
        "seed": chosen.seed,
        "reviser": settings.spec_for("reviser"),
        "counting": settings.counting,
        "format": settings.format,
    }
    _run_batch(options, "simplified", instruction, facts, partial(simplify_text, chosen), settings)
