"""`redraft judge`: have models or people score texts, compare them, and see how far raters agree."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.frame import command, put, put_json, shared
from redraft.cli.judge_meta import meta
from redraft.cli.judge_options import (
    Apart,
    Judges,
    Limit,
    Out,
    Repeat,
    Room,
    RubricName,
    Seed,
    Temperature,
)
from redraft.cli.judge_run import (
    default_place,
    end,
    facts,
    read,
    read_pairs,
    run_inquiries,
    summon,
)
from redraft.cli.judge_sheets import sheet, sheet_scores
from redraft.cli.judge_view import agreement_lines, comparison_lines, score_lines
from redraft.cli.options import Budget, Json, NoCache
from redraft.errors import InputError
from redraft.judge import (
    MAX_TOKENS,
    Inquiry,
    JudgementLog,
    PairwiseJudge,
    PointwiseJudge,
    check_needs,
    compare_aspects,
    compare_raters,
    load_rubric,
    pair_with_judges,
    read_columns,
    read_judgements,
    sample_items,
    score_aspects,
)
from redraft.models import Models

app = typer.Typer(add_completion=False, no_args_is_help=True)


class OrderChoice(StrEnum):
    """In which orders a pair is asked."""

    both = "both"
    random = "random"


Texts = Annotated[
    str,
    typer.Argument(
        metavar="FILE|DIR",
        help="JSONL with id, source and output on each line, or the folder of a bench run.",
    ),
]


@app.callback()
@shared
def judge_group() -> None:
    """Have models or people score texts, compare them, and see how far raters agree."""


@command(app, "score")
def score(
    file: Texts,
    rubric: RubricName = "revision",
    judge: Judges = None,
    repeat: Repeat = 1,
    temperature: Temperature = 0.0,
    answer_tokens: Room = MAX_TOKENS,
    seed: Seed = 0,
    limit: Limit = None,
    apart: Apart = False,
    out: Out = None,
    budget: Budget = None,
    json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Give texts marks by a rubric: revision, grammar, cloze, expand, edit, end2end, or a file of yours."""
    jury = summon(
        judge, rubric, repeat=repeat, temperature=temperature, answer_tokens=answer_tokens, seed=seed,
        apart=apart, budget=budget, no_cache=no_cache,
    )  # fmt: skip
    items = sample_items(read(file).items, limit, seed)
    check_needs(jury.rubric, items)

    def inquiries(models: Models) -> Iterator[Inquiry]:
        judges = jury.judges(models, PointwiseJudge)
        return (each.inquiry(item, turn) for item in items for turn in range(repeat) for each in judges)

    journal = JudgementLog(out or default_place(jury.rubric.name, file))
    found, spent = run_inquiries(jury.settings, jury.specs, inquiries, jury.questions(len(items)), journal)
    aspects = score_aspects(found, jury.rubric)
    if json:
        table = {each.aspect: each.to_dict() for each in aspects}
        put_json({**facts(jury, found, journal, spent), "items": len(items), "aspects": table})
    else:
        put(score_lines(jury.rubric, jury.known, len(items), aspects))
    end(found)


@command(app, "compare")
def compare(
    first: Texts,
    second: Texts,
    rubric: RubricName = "pairwise",
    judge: Judges = None,
    order: Annotated[
        OrderChoice,
        typer.Option(help="Ask each pair in both orders, or once in an order drawn by the seed."),
    ] = OrderChoice.both,
    repeat: Repeat = 1,
    temperature: Temperature = 0.0,
    answer_tokens: Room = MAX_TOKENS,
    seed: Seed = 0,
    limit: Limit = None,
    apart: Apart = False,
    out: Out = None,
    budget: Budget = None,
    json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Say which of two systems' texts are better, aspect by aspect, and whether their places mattered."""
    if first == second == "-":
        raise InputError("only one of the two can come from standard input")
    jury = summon(
        judge, rubric, repeat=repeat, temperature=temperature, answer_tokens=answer_tokens, seed=seed,
        apart=apart, budget=budget, no_cache=no_cache,
    )  # fmt: skip
    pairs = sample_items(read_pairs(first, second), limit, seed)
    check_needs(jury.rubric, pairs)
    asked = [pair for pair in pairs if pair.first != pair.second]
    both = order is OrderChoice.both

    def inquiries(models: Models) -> Iterator[Inquiry]:
        judges = jury.judges(models, partial(PairwiseJudge, orders=order.value))
        return (
            inquiry
            for pair in asked
            for turn in range(repeat)
            for each in judges
            for inquiry in each.inquiries(pair, turn)
        )

    planned = jury.questions(len(asked)) * (2 if both else 1)
    journal = JudgementLog(out or default_place(jury.rubric.name, first, second))
    found, spent = run_inquiries(jury.settings, jury.specs, inquiries, planned, journal)
    same = len(pairs) - len(asked)
    aspects = compare_aspects(found, jury.rubric, both=both, same=same)
    if json:
        table = {each.aspect: each.to_dict() for each in aspects}
        about = {"first": first, "second": second, "order": order.value, "pairs": len(pairs), "same": same}
        put_json({**facts(jury, found, journal, spent), **about, "aspects": table})
    else:
        put(comparison_lines((first, second), jury.known, len(pairs), same, both, aspects))
    end(found)


command(app, "meta")(meta)
command(app, "sheet")(sheet)
command(app, "sheet-scores")(sheet_scores)


@command(app, "agree")
def agree(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="CSV, TSV or JSONL: a row an item, a column a rater.")
    ],
    columns: Annotated[
        list[str] | None, typer.Option("--column", metavar="NAME", help="A rater; by default, all columns.")
    ] = None,
    scale: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="The order of named ratings, from the lowest up.")
    ] = None,
    judged: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Judgements to hold against: FILE's columns are then named like aspects."
        ),
    ] = None,
    rubric: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="The rubric that was judged by, with --judged.")
    ] = "revision",
    json: Json = False,
) -> None:
    """Say how far raters agree: exactly, by Cohen's κ, Pearson, Spearman, Kendall, Krippendorff's α."""
    if judged is not None and not judged.is_file():
        raise InputError(f"{judged}: there is no such file")
    people = read_columns(file, columns or (), named=scale is not None or judged is not None)
    groups = (
        (people,)
        if judged is None
        else pair_with_judges(people, read_judgements(judged), load_rubric(rubric))
    )
    steps = [step.strip() for step in scale.split(",")] if scale and judged is None else None
    found = [compare_raters(group, steps) for group in groups]
    if json:
        put_json([each.to_dict() for each in found])
    else:
        put(agreement_lines(found))
