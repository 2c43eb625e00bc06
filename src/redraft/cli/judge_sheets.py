"""`redraft judge sheet` and `sheet-scores`: have people score what systems wrote, not knowing whose it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, get_args

import typer

from redraft.bench import read_result
from redraft.cli.frame import note, put, put_json, visible
from redraft.cli.judge_run import read
from redraft.cli.judge_view import sheet_lines
from redraft.cli.options import Json
from redraft.errors import InputError
from redraft.judge import Guidelines, draw_sheet, score_sheets, write_sheet
from redraft.runs import RunDir
from redraft.simplification import Operation, Policy, load_policy

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
    limit: Annotated[int, typer.Option(min=1, help="How many sources, drawn by the seed.")] = 60,
    seed: Annotated[int, typer.Option(help="For drawing sources and for the order of the texts.")] = 0,
) -> None:
    """Make a blind sheet: outputs of several systems in a random order, for people to score from 1 to 5."""
    guidelines = _guidelines(load_policy(policy)) if policy else _USUAL
    outputs = {label: read(run).items for label, run in zip(_labels(runs), runs, strict=True)}
    drawn = draw_sheet(outputs, limit, seed)
    write_sheet(drawn, out, guidelines)
    sources = len({row.item for row in drawn.rows})
    if sources < limit:
        note(f"all systems have texts for {sources} different sources only", style="yellow")
    note(f"{len(drawn.rows)} texts for {sources} sources; keep key.json from those who score")
    put(f"{out / 'sheet.html'}\n{out / 'sheet.csv'}\n")


def sheet_scores(
    key: Annotated[str, typer.Argument(metavar="KEY.json", help="The key.json of the sheet.")],
    sheets: Annotated[
        list[str], typer.Argument(metavar="SHEET.csv...", help="Filled-in sheets, one from each person.")
    ],
    json: Json = False,
) -> None:
    """Say what people's scores come to: a mean for each system, differences, and how far people agree."""
    found = score_sheets(key, sheets)
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


_USUAL = Guidelines(
    "Score these simplifications",
    "A good simplification is easier to read than its source, says the same, and is correct English.",
)


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
