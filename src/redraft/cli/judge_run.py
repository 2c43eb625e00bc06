"""How the commands of `redraft judge` have things judged: settings, texts, the work itself, what is told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import typer

from redraft.bench.runner import Progress as RunProgress
from redraft.cli.frame import note, visible
from redraft.cli.models import prepare
from redraft.cli.progress import shown
from redraft.judge import (
    Inquiry,
    Items,
    Journal,
    Judgement,
    Pair,
    Progress,
    Rubric,
    judge_all,
    pair_up,
    read_items,
)
from redraft.models import Models, Usage
from redraft.settings import Settings, load_settings

_NO_JUDGES = ("embedded", "embedded:base", "torch")
"""The model that comes with redraft: far too small to judge."""


def judge_settings(
    judges: list[str] | None, budget: float | None, no_cache: bool
) -> tuple[Settings, list[str]]:
    """The settings, and the specs of the judges, each once."""
    first = judges[0] if judges else None
    settings = load_settings({"judge": first, "max_cost": budget, "cache": False if no_cache else None})
    specs = list(dict.fromkeys(judges or [settings.spec_for("judge")]))
    if any(spec in _NO_JUDGES for spec in specs):
        note(
            "the embedded model is no judge: nobody knows how reliable its verdicts are; name a stronger"
            " model with --judge",
            style="yellow",
        )
    return settings, specs


def note_repeats(repeat: int, temperature: float) -> None:
    """Say so where asking again is likely to bring the same answers."""
    if repeat > 1 and temperature == 0:
        note("at temperature 0 a judge mostly repeats itself: --temperature 1 shows how steady it is")


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


def default_place(rubric: Rubric, *files: str) -> Path:
    """Where judgements are kept if the user does not say."""
    names = "-".join(Path(file).stem if file != "-" else "stdin" for file in files)
    return Path("judged") / (re.sub(r"[^\w.-]", "_", f"{names}-{rubric.name}")[:100] + ".jsonl")


def run_inquiries(
    settings: Settings,
    specs: Sequence[str],
    inquiries: Callable[[Models], Iterator[Inquiry]],
    planned: int,
    journal: Journal,
) -> tuple[tuple[Judgement, ...], Usage]:
    """Have all questions answered; what was spent on those that were not known."""
    spent = Usage()

    async def judging() -> tuple[Judgement, ...]:
        async with Models(settings) as models:
            questions = inquiries(models)
            with journal, shown(planned) as show:

                def progress(state: Progress) -> None:
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


def facts(
    rubric: Rubric,
    specs: Sequence[str],
    repeat: int,
    found: Sequence[Judgement],
    journal: Journal,
    spent: Usage,
) -> dict[str, object]:
    return {
        "rubric": rubric.name,
        "judges": list(specs),
        "repeat": repeat,
        "prompt_hashes": sorted({judgement.prompt_hash for judgement in found}),
        "judgements": len(found),
        "failed": sum(judgement.error is not None for judgement in found),
        "out": str(journal.path),
        "usage": {
            "calls": spent.calls,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            "seconds": spent.seconds,
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
