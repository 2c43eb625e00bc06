"""`redraft judge`: have models or people score texts, compare them, and see how far raters agree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from redraft.cli.commands import command, shared
from redraft.cli.console import put, put_json
from redraft.cli.judge.people import meta, sheet, sheet_scores
from redraft.cli.judge.run import (
    JuryOptions,
    RubricName,
    default_place,
    end,
    facts,
    open_jury,
    read,
    read_pairs,
    run_inquiries,
)
from redraft.cli.judge.view import agreement_lines, comparison_lines, score_lines
from redraft.cli.options import Json
from redraft.errors import InputError
from redraft.judge import (
    Inquiry,
    Journal,
    PairwiseJudge,
    PointwiseJudge,
    beside,
    check_needs,
    compare_aspects,
    compare_raters,
    draw,
    load_rubric,
    read_columns,
    read_judgements,
    score_aspects,
)
from redraft.models import Models

judge_app = typer.Typer(add_completion=False, no_args_is_help=True)


Texts = Annotated[
    str,
    typer.Argument(
        metavar="FILE|DIR",
        help="JSONL with id, source and output on each line, or the folder of a bench run.",
    ),
]


@judge_app.callback()
@shared
def judge_group() -> None:
    """Have models or people score texts, compare them, and see how far raters agree."""


@command(judge_app, "score")
def score(
    options: JuryOptions,
    file: Texts,
    rubric: RubricName = "revision",
) -> None:
    """Give texts marks by a rubric: revision, grammar, cloze, expand, edit, end2end, or a file of yours."""
    jury = open_jury(rubric, options)
    items = draw(read(file).items, options.limit, options.seed)
    check_needs(jury.rubric, items)

    def inquiries(models: Models) -> Iterator[Inquiry]:
        judges = jury.judges(models, PointwiseJudge)
        return (
            each.inquiry(item, turn) for item in items for turn in range(options.repeat) for each in judges
        )

    journal = Journal(options.out or default_place(jury.rubric.name, file))
    found, spent = run_inquiries(jury.settings, jury.specs, inquiries, jury.questions(len(items)), journal)
    aspects = score_aspects(found, jury.rubric)
    if options.json:
        table = {each.aspect: each.to_dict() for each in aspects}
        put_json({**facts(jury, found, journal, spent), "items": len(items), "aspects": table})
    else:
        put(score_lines(jury.rubric, jury.known, len(items), aspects))
    end(found)


@command(judge_app, "compare")
def compare(
    options: JuryOptions,
    first: Texts,
    second: Texts,
    rubric: RubricName = "pairwise",
    order: Annotated[
        Literal["both", "random"],
        typer.Option(help="Ask each pair in both orders, or once in an order drawn by the seed."),
    ] = "both",
) -> None:
    """Say which of two systems' texts are better, aspect by aspect, and whether their places mattered."""
    if first == second == "-":
        raise InputError("only one of the two can come from standard input")
    jury = open_jury(rubric, options)
    pairs = draw(read_pairs(first, second), options.limit, options.seed)
    check_needs(jury.rubric, pairs)
    asked = [pair for pair in pairs if pair.first != pair.second]
    both = order == "both"

    def inquiries(models: Models) -> Iterator[Inquiry]:
        judges = jury.judges(models, partial(PairwiseJudge, orders=order))
        return (
            inquiry
            for pair in asked
            for turn in range(options.repeat)
            for each in judges
            for inquiry in each.inquiries(pair, turn)
        )

    planned = jury.questions(len(asked)) * (2 if both else 1)
    journal = Journal(options.out or default_place(jury.rubric.name, first, second))
    found, spent = run_inquiries(jury.settings, jury.specs, inquiries, planned, journal)
    same = len(pairs) - len(asked)
    aspects = compare_aspects(found, jury.rubric, both=both, same=same)
    if options.json:
        table = {each.aspect: each.to_dict() for each in aspects}
        about = {"first": first, "second": second, "order": order, "pairs": len(pairs), "same": same}
        put_json({**facts(jury, found, journal, spent), **about, "aspects": table})
    else:
        put(comparison_lines((first, second), jury.known, len(pairs), same, both, aspects))
    end(found)


command(judge_app, "meta")(meta)
command(judge_app, "sheet")(sheet)
command(judge_app, "sheet-scores")(sheet_scores)


@command(judge_app, "agree")
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
    groups = (people,) if judged is None else beside(people, read_judgements(judged), load_rubric(rubric))
    steps = [step.strip() for step in scale.split(",")] if scale and judged is None else None
    found = [compare_raters(group, steps) for group in groups]
    if json:
        put_json([each.to_dict() for each in found])
    else:
        put(agreement_lines(found))
