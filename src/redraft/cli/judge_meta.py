"""`redraft judge meta`: how far judges can be trusted, measured against people."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

import typer

from redraft.cli.frame import note, put, put_json
from redraft.cli.judge_options import Judges, Out, Room, Seed, Temperature
from redraft.cli.judge_run import default_place, end, judge_settings, run_inquiries, work_facts
from redraft.cli.judge_view import agreement_lines, meta_lines
from redraft.cli.options import Budget, Json, NoCache
from redraft.errors import InputError
from redraft.judge import (
    MAX_TOKENS,
    PARTS,
    PUBLISHED,
    Consistency,
    HumanRatings,
    Inquiry,
    JudgementLog,
    Part,
    PointwiseJudge,
    Reliability,
    Rubric,
    ablation_settings,
    check_needs,
    compare_raters,
    load_rubric,
    measure_consistency,
    rated_texts,
    read_human_ratings,
    reliability_file,
    rubric_prompt_hash,
    sample_preferences,
    save_reliability,
)
from redraft.models import Models


def meta(
    human: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="CSV, TSV or JSONL: a row a text, with its task and what people gave it."
        ),
    ],
    judge: Judges = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="NAME", help="People's scores; by default human, or human_1, …"),
    ] = None,
    rubric: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="Judge all by this, not each text by the rubric of its task."),
    ] = None,
    ablations: Annotated[
        str,
        typer.Option(metavar="all|none|PART,…", help="Ask also without: rubric, traits, reference."),
    ] = "none",
    temperature: Temperature = 0.0,
    answer_tokens: Room = MAX_TOKENS,
    seed: Seed = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="So many pairs a task, drawn by the seed.")] = None,
    out: Out = None,
    budget: Budget = None,
    json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Say how often judges order two texts as people do, and keep it, to be told beside their scores."""
    parts = _parts(ablations)
    settings, specs = judge_settings(judge, budget, no_cache)
    one = load_rubric(rubric) if rubric else None
    people = read_human_ratings(human, columns or (), one.name if one else None)
    rubrics = [one or load_rubric(task) for task in people.tasks]
    every, undecided = people.preferences()
    if not every:
        raise InputError(f"{human} has no two texts for one instruction that people scored differently")
    preferences = sample_preferences(every, limit, seed)
    asked = [
        (setting, rated_texts(preferences, setting.task)) for setting in ablation_settings(rubrics, parts)
    ]
    for setting, texts in asked:
        check_needs(setting.rubric, [each.item for each in texts])
    agreed = compare_raters(people.raters) if len(people.raters.ratings) > 1 else None
    save_reliability(
        (), reliability_file(settings)
    )  # a file that cannot be written is told before anything is paid

    def inquiries(models: Models) -> Iterator[Inquiry]:
        members = [
            (
                PointwiseJudge(
                    models.open(spec, role="judge"), setting.rubric, seed, temperature, answer_tokens
                ),
                texts,
            )
            for spec in specs
            for setting, texts in asked
        ]
        return (member.inquiry(each.item) for member, texts in members for each in texts)

    planned = len(specs) * sum(len(texts) for _, texts in asked)
    journal = JudgementLog(out or default_place("meta", human))
    found, spent = run_inquiries(settings, specs, inquiries, planned, journal)
    measured = measure_consistency(preferences, [setting for setting, _ in asked], specs, found)
    save_reliability(_reliabilities(measured, specs, rubrics, people), reliability_file(settings))
    told = {"pairs": len(preferences), "of": len(every), "undecided": undecided, "unrated": people.unrated}
    if json:
        put_json(
            {
                "judges": specs,
                **work_facts(found, journal, spent),
                **told,
                "people": agreed and agreed.to_dict(),
                "consistency": [each.to_dict() for each in measured],
                "published": {part or "full": dict(shares) for part, shares in PUBLISHED.items()},
            }
        )
    else:
        if people.unrated:
            note(f"{people.unrated} texts without a score by people are left out")
        put(meta_lines(measured, specs, _title(**told)))
        put("\n" + agreement_lines([agreed]) if agreed else "")
    note(f"what was found is kept in {reliability_file(settings)}")
    end(found)


def _parts(given: str) -> tuple[Part, ...]:
    if given in ("all", "none"):
        return PARTS if given == "all" else ()
    wanted = [name.strip() for name in given.split(",")]
    if strange := [name for name in wanted if name not in PARTS]:
        raise InputError(f"--ablations takes all, none, or some of {', '.join(PARTS)}, not {strange[0]!r}")
    return tuple(part for part in PARTS if part in wanted)


def _title(pairs: int, of: int, undecided: int, unrated: int) -> str:
    drawn = f"{pairs} pairs" if pairs == of else f"{pairs} of {of} pairs"
    left = f"; {undecided} left out, in which people prefer neither" if undecided else ""
    return f"{drawn} of texts for one instruction that people order{left}"


def _reliabilities(
    measured: tuple[Consistency, ...], specs: list[str], rubrics: list[Rubric], people: HumanRatings
) -> Iterator[Reliability]:
    """What is kept: each judge by each rubric as it stands."""
    named = {rubric.name: rubric for rubric in rubrics}
    for each in measured:
        if each.without is None and each.judge in specs and each.value is not None:
            yield Reliability(
                judge=each.judge,
                rubric=each.task,
                prompt_hash=rubric_prompt_hash(named[each.task]),
                pairs=each.pairs,
                groups=each.groups,
                unanswered=each.unanswered,
                consistency=each.value,
                interval=each.interval,
                date=datetime.now(UTC).date().isoformat(),
                file_hash=people.file_hash,
            )
