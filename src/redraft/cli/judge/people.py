"""`redraft judge meta`, `sheet` and `sheet-scores`: judges beside people, and people who score texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from redraft.bench import open_benchmark, read_result
from redraft.cli.console import note, put, put_json, visible
from redraft.cli.judge.run import (
    JudgeOptions,
    default_place,
    end,
    judge_settings,
    read,
    run_inquiries,
    work_facts,
)
from redraft.cli.judge.view import agreement_lines, meta_lines, sheet_lines
from redraft.cli.options import Json
from redraft.errors import InputError
from redraft.judge import (
    PARTS,
    PUBLISHED,
    Consistency,
    Context,
    Guidelines,
    HumanRatings,
    Inquiry,
    Item,
    JudgementLog,
    Part,
    PointwiseJudge,
    Reliability,
    Rubric,
    ablation_settings,
    check_needs,
    compare_raters,
    draw_records,
    draw_sheet,
    load_rubric,
    measure_consistency,
    rated_texts,
    read_human_ratings,
    reliability_file,
    rubric_prompt_hash,
    sample_preferences,
    save_reliability,
    score_sheets,
    word_rubrics,
    write_sheet,
)
from redraft.models import Models
from redraft.runs import RunDir
from redraft.simplification import Operation, Policy, load_policy
from redraft.text import to_json, write_text


def meta(
    human: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="CSV, TSV or JSONL: a row a text, with its task and what people gave it."
        ),
    ],
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
    limit: Annotated[int | None, typer.Option(min=1, help="So many pairs a task, drawn by the seed.")] = None,
    *,
    options: JudgeOptions,
) -> None:
    """Say how often judges order two texts as people do, and keep it, to be told beside their scores."""
    parts = _parts(ablations)
    settings, specs = judge_settings(options.judge, options.budget, options.no_cache)
    one = load_rubric(rubric) if rubric else None
    people = read_human_ratings(human, columns or (), one.name if one else None)
    rubrics = [one or load_rubric(task) for task in people.tasks]
    if options.rubrics is not None:
        rubrics = [*word_rubrics(rubrics, options.rubrics)]
    if apart := [each.name for each in rubrics if len(each.parts) > 1]:
        raise InputError(f"a judge is held against people in one question: put {apart[0]} into one file")
    every, undecided = people.preferences()
    if not every:
        raise InputError(f"{human} has no two texts for one instruction that people scored differently")
    preferences = sample_preferences(every, limit, options.seed)
    asked = [
        (setting, rated_texts(preferences, setting.task)) for setting in ablation_settings(rubrics, parts)
    ]
    for setting, texts in asked:
        check_needs(setting.rubric, [each.item for each in texts])
    agreed = compare_raters(people.raters) if len(people.raters.ratings) > 1 else None
    save_reliability(
        (), reliability_file(settings)
    )  # a file that cannot be written is counts before anything is paid

    def inquiries(models: Models) -> Iterator[Inquiry]:
        members = [
            (
                PointwiseJudge(
                    models.open(spec, role="judge"),
                    setting.rubric,
                    options.seed,
                    options.temperature,
                    options.answer_tokens,
                ),
                texts,
            )
            for spec in specs
            for setting, texts in asked
        ]
        return (member.inquiry(each.item) for member, texts in members for each in texts)

    planned = len(specs) * sum(len(texts) for _, texts in asked)
    journal = JudgementLog(options.out or default_place("meta", human))
    found, spent = run_inquiries(settings, specs, inquiries, planned, journal)
    measured = measure_consistency(preferences, [setting for setting, _ in asked], specs, found)
    save_reliability(_reliabilities(measured, specs, rubrics, people), reliability_file(settings))
    counts = {"pairs": len(preferences), "of": len(every), "undecided": undecided, "unrated": people.unrated}
    if options.json:
        put_json(
            {
                "judges": specs,
                **work_facts(found, journal, spent),
                **counts,
                "people": agreed and agreed.to_dict(),
                "consistency": [each.to_dict() for each in measured],
                "published": {part or "full": dict(shares) for part, shares in PUBLISHED.items()},
            }
        )
    else:
        if people.unrated:
            note(f"{people.unrated} texts without a score by people are left out")
        put(meta_lines(measured, specs, _title(**counts)))
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


_SHOWN = 20
"""Problems that are told one by one."""


def sheet(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="DIR|FILE...",
            help="Folders of bench runs over the same data, or JSONL, one for a system.",
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where to put sheet.csv, sheet.html and key.json.")
    ],
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE", help="The policy that people are to score by; its principles are shown."
        ),
    ] = None,
    form: Annotated[
        Literal["simplification", "writing", "record"],
        typer.Option(help="What is scored: simplifications, texts of writing tasks, or records of data."),
    ] = "simplification",
    bench: Annotated[
        str, typer.Option(metavar="NAME", help="With --form record: the benchmark whose data is named.")
    ] = "c3e",
    limit: Annotated[int, typer.Option(min=1, help="How many sources, drawn by the seed.")] = 60,
    seed: Annotated[int, typer.Option(help="For drawing sources and for the order of the texts.")] = 0,
) -> None:
    """Make a blind sheet: outputs of several systems in a random order, for people to score from 1 to 5."""
    if policy and form != "simplification":
        raise InputError(f"--policy is for simplifications, not for --form {form}")
    if form == "record":
        drawn = draw_records(_records(bench, runs), limit, seed)
    else:
        outputs = {label: read(run).items for label, run in zip(_labels(runs), runs, strict=True)}
        drawn = draw_sheet(outputs, limit, seed, form)
    write_sheet(drawn, out, _guidelines(load_policy(policy)) if policy else None)
    sources = len({row.item for row in drawn.rows})
    if form == "record":
        note(f"{len(drawn.rows)} records")
    elif sources < limit:
        note(f"all systems have texts for {sources} different sources only", style="yellow")
    if form != "record":
        note(f"{len(drawn.rows)} texts for {sources} sources; keep key.json from those who score")
    put(f"{out / 'sheet.html'}\n{out / 'sheet.csv'}\n")


def sheet_scores(
    key: Annotated[str, typer.Argument(metavar="KEY.json", help="The key.json of the sheet.")],
    sheets: Annotated[
        list[str], typer.Argument(metavar="SHEET.csv...", help="Filled-in sheets, one from each person.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Write the texts with their scores, for judge meta --human."),
    ] = None,
    json: Json = False,
) -> None:
    """Say what people's scores come to: a mean for each system, differences, and how far people agree."""
    found = score_sheets(key, sheets)
    if out is not None:
        write_text(out, "".join(f"{to_json(row)}\n" for row in found.rated))
        note(f"scored texts are in {out}: redraft judge meta --human {out}")
    if json:
        put_json(found.to_dict())
    else:
        put(sheet_lines(found))
    wrong = [each for each in found.problems if not each.is_empty]
    for each in wrong[:_SHOWN]:
        note(f"{each.file}, row {each.row}, {visible(each.id)}: {visible(each.problem)}", style="yellow")
    if len(wrong) > _SHOWN:
        note(f"and {len(wrong) - _SHOWN} more; --json has all", style="yellow")
    for file in sheets:
        _tell_missing(file, [each.row for each in found.problems if each.is_empty and each.file == file])
    if wrong:
        raise typer.Exit(1)


def _tell_missing(file: str, missing: Sequence[int]) -> None:
    """Say which rows have no score, and how many are not there (0)."""
    if rows := [str(row) for row in missing if row]:
        shown = ", ".join(rows[:_SHOWN]) + (" …" if len(rows) > _SHOWN else "")
        note(
            f"{file}: no score in {len(rows)} rows: {shown}"
            if len(rows) > 1
            else f"{file}: no score in row {shown}"
        )
    if gone := len(missing) - len(rows):
        note(f"{file}: {gone} of the sheet's rows are missing", style="yellow")


def _records(bench: str, paths: Sequence[str]) -> dict[str, list[Item]]:
    """The records of a benchmark's data, each with its reference as its text."""
    found: dict[str, list[Item]] = {}
    for path in paths:
        samples = [each for dataset in open_benchmark(bench).load(Path(path)) for each in dataset.samples]
        if bare := next((each for each in samples if not (each.instruction and each.references)), None):
            raise InputError(f"{path}: {bare.id} has no instruction or no reference to be held against")
        name = Path(path).resolve().stem
        found[name if name not in found else path] = [
            Item(
                each.id,
                each.references[0],
                Context(each.input or None, each.instruction, documents=each.documents),
                each.dataset,
            )
            for each in samples
        ]
    return found


def _guidelines(policy: Policy) -> Guidelines:
    """What people are told of a policy: what it asks for, and what the principles that decide say."""
    lexical = policy.lexical if policy.decides != "structural" else ()
    structural = policy.structural if policy.decides != "lexical" else ()
    principles = (*lexical, *structural)
    rewards = tuple(each.says for each in principles if each.points > 0)
    penalties = tuple(each.says for each in principles if each.points < 0)
    if barred := [name for name in get_args(Operation) if not policy.allows(name)]:
        penalties += (f"It does what the policy does not allow: {', '.join(barred)}.",)
    text = " ".join(part for part in (policy.about.strip(), policy.instruction.strip()) if part)
    return Guidelines(f"Score these simplifications: {policy.title}", text, rewards, penalties)


def _labels(runs: Sequence[str]) -> list[str]:
    """What each system is called: as its run is labelled, with the folder's name where labels are alike."""
    labels = [_label(run) for run in runs]
    found = [
        label if labels.count(label) == 1 else f"{label} ({Path(run).resolve().name})"
        for label, run in zip(labels, runs, strict=True)
    ]
    if len(set(found)) < len(found):
        raise InputError("a run is named twice: name each system once")
    return found


def _label(run: str) -> str:
    folder = RunDir(Path(run))
    return read_result(folder.scores()).label if folder.exists() and folder.is_scored() else Path(run).stem
