"""How the commands of `redraft judge` have texts judged: options, settings, the work itself, the facts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from redraft.cli.console import note, visible
from redraft.cli.models import prepare
from redraft.cli.options import Budget, Json, NoCache, settings_from
from redraft.cli.runs import shown
from redraft.judge import (
    MAX_TOKENS,
    Inquiry,
    Items,
    Judgement,
    JudgementLog,
    JudgingProgress,
    Pair,
    Reliability,
    Rubric,
    judge_all,
    load_rubric,
    pair_up,
    read_items,
    reliability_of,
    short_hash,
    word_rubrics,
)
from redraft.models import EMBEDDED, Models, Usage, check_prices
from redraft.runs import Progress as RunProgress
from redraft.settings import Settings

Judge = TypeVar("Judge")


@dataclass(frozen=True)
class Jury:
    """Who judges, by what, and how they are asked."""

    settings: Settings
    known: Mapping[str, Reliability | None]
    """By the spec of each member, how reliable it was found to be, asked as it is here."""
    rubric: Rubric
    parts: tuple[Rubric, ...]
    """What is asked about at once: the rubric, or each of its aspects."""
    options: JuryOptions

    @property
    def specs(self) -> tuple[str, ...]:
        """The members."""
        return tuple(self.known)

    def judges(self, models: Models, kind: Callable[..., Judge]) -> list[Judge]:
        """A judge for each member and part."""
        return [
            kind(
                models.open(spec, role="judge"),
                part,
                seed=self.options.seed,
                temperature=self.options.temperature,
                max_tokens=self.options.answer_tokens,
            )
            for spec in self.specs
            for part in self.parts
        ]

    def questions(self, things: int) -> int:
        """How many questions so many things take."""
        return things * self.options.repeat * len(self.specs) * len(self.parts)


def open_jury(rubric: str, options: JuryOptions) -> Jury:
    """The jury that the options of a command ask for."""
    settings, specs = judge_settings(options.judge, options.budget, options.no_cache)
    if options.repeat > 1 and options.temperature == 0:
        note("at temperature 0 a judge mostly repeats itself: --temperature 1 shows how steady it is")
    wanted = load_rubric(rubric)
    if options.rubrics is not None:
        (wanted,) = word_rubrics([wanted], options.rubrics)
    parts = wanted.split() if options.split else wanted.parts
    known = {spec: reliability_of(spec, wanted, settings) if parts == (wanted,) else None for spec in specs}
    return Jury(settings, known, wanted, parts, options)


def judge_settings(
    judges: list[str] | None, budget: float | None, no_cache: bool
) -> tuple[Settings, list[str]]:
    """The settings, and the specs of the judges, each once."""
    first = judges[0] if judges else None
    settings = settings_from(judge=first, max_cost=budget, no_cache=no_cache)
    specs = list(dict.fromkeys(judges or [settings.spec_for("judge")]))
    check_prices(settings, specs)
    if any(spec in EMBEDDED for spec in specs):
        note(
            "the embedded model is no judge: nobody knows how reliable its verdicts are; name a stronger"
            " model with --judge",
            style="yellow",
        )
    return settings, specs


def read(file: str) -> Items:
    found = read_items(file)
    if found.failed:
        note(f"{file}: {found.failed} without a text, since the system had failed, left out", style="yellow")
    return found


def read_pairs(first: str, second: str) -> tuple[Pair, ...]:
    one, other = read(first).items, read(second).items
    pairs = pair_up(one, other)
    if alone := len(one) + len(other) - 2 * len(pairs):
        note(f"{alone} texts are in only one of the two: they are left out", style="yellow")
    return pairs


def default_place(what: str, *files: str) -> Path:
    """Where judgements are kept if the user does not say: a file of their own for every folder and file."""
    names = "-".join(_name(file) for file in files)
    stem = re.sub(r"[^\w.-]", "_", f"{names}-{what}")[:90]
    places = short_hash(*(file if file == "-" else str(Path(file).resolve()) for file in files))
    return Path("judged") / f"{stem}-{places[:8]}.jsonl"


def _name(file: str) -> str:
    if file == "-":
        return "stdin"
    path = Path(file).resolve()
    return path.name if path.is_dir() else path.stem


def run_inquiries(
    settings: Settings,
    specs: Sequence[str],
    inquiries: Callable[[Models], Iterator[Inquiry]],
    planned: int,
    journal: JudgementLog,
) -> tuple[tuple[Judgement, ...], Usage]:
    """Have all questions answered; what was spent on those that were not known."""
    spent = Usage()

    async def judging() -> tuple[Judgement, ...]:
        async with Models(settings) as models:
            questions = inquiries(models)
            with journal, shown(planned) as show:

                def progress(state: JudgingProgress) -> None:
                    nonlocal spent
                    spent = state.usage
                    show(RunProgress(state.done, state.failed, planned, state.usage))

                return await judge_all(
                    questions, journal=journal, concurrency=settings.concurrency, progress=progress
                )

    for spec in specs:
        prepare(settings.model_copy(update={"model": spec}))
    try:
        found = asyncio.run(judging())
    except KeyboardInterrupt:
        note(f"judgements are kept in {journal.path}: the same command goes on there")
        raise
    note(f"judgements are in {journal.path}")
    return found, spent


def facts(jury: Jury, found: Sequence[Judgement], journal: JudgementLog, spent: Usage) -> dict[str, object]:
    return {
        "rubric": jury.rubric.name,
        "judges": list(jury.specs),
        "reliability": {spec: known and asdict(known) for spec, known in jury.known.items()},
        "repeat": jury.options.repeat,
        **work_facts(found, journal, spent),
    }


def work_facts(found: Sequence[Judgement], journal: JudgementLog, spent: Usage) -> dict[str, object]:
    return {
        "prompt_hashes": sorted({judgement.prompt_hash for judgement in found}),
        "judgements": len(found),
        "failed": sum(judgement.error is not None for judgement in found),
        "out": str(journal.path),
        "usage": {
            "calls": spent.calls,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            "seconds": spent.seconds,
            "cost": spent.cost,
        },
    }


def end(found: Sequence[Judgement]) -> None:
    failed = [judgement for judgement in found if judgement.error is not None]
    if failed:
        note(
            f"{len(failed)} of {len(found)} judgements failed, such as that of {visible(failed[0].id)}:"
            f" {visible(failed[0].error or '', lines=True)}\n  the same command tries them again",
            style="yellow",
        )
        raise typer.Exit(4)


RubricName = Annotated[str, typer.Option("--rubric", metavar="NAME|FILE", help="What to judge by.")]


@dataclass(frozen=True)
class JudgeOptions:
    """The options of commands that ask judges."""

    judge: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="A model that judges; given several times, a jury."),
    ] = None
    temperature: Annotated[float, typer.Option(min=0, max=2, help="How freely the judge answers.")] = 0.0
    answer_tokens: Annotated[
        int, typer.Option(min=50, help="Room for an answer; models that think first need more.")
    ] = MAX_TOKENS
    rubrics: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Wordings of your own, told as they are: RUBRIC.md or RUBRIC.ASPECT.md."
        ),
    ] = None
    seed: Annotated[int, typer.Option(help="For drawing texts and orders, and for the judge.")] = 0
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where judgements are kept, one a line; what is there is not asked again."
        ),
    ] = None
    budget: Budget = None
    json: Json = False
    no_cache: NoCache = False


@dataclass(frozen=True)
class JuryOptions(JudgeOptions):
    """The options of commands that have texts judged by a rubric."""

    repeat: Annotated[int, typer.Option(min=1, help="How often each question is asked.")] = 1
    limit: Annotated[int | None, typer.Option(min=1, help="Judge so many, drawn by the seed.")] = None
    split: Annotated[bool, typer.Option("--apart", help="Ask about each aspect by itself.")] = False
