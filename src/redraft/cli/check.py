"""`redraft parse`, `sentences` and `check`: what an instruction demands, and whether a text obeys it."""

from __future__ import annotations

import os
from collections.abc import Container, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from redraft.cli.asked import Asked, understood
from redraft.cli.check_files import OutputName, check_files, compare_files, print_report
from redraft.cli.console import note, put, put_json, result_console, visible
from redraft.cli.options import (
    Calls,
    Counting,
    File,
    HouseFile,
    Json,
    MarkUp,
    Strict,
    explain_conflict,
    finding_line,
    format_of,
    read_pair,
    settings_from,
    warn_of_language,
)
from redraft.constraints import (
    Baseline,
    Constraint,
    Findings,
    check as check_constraints,
    infeasible,
    name_asides,
    read,
)
from redraft.errors import InputError
from redraft.text import Sentence, Span, read_text


def parse(
    instruction: Annotated[str, typer.Argument(help="The instruction in plain English.")],
    strict: Strict = False,
    everything: Annotated[
        bool, typer.Option("--all", help="With --json: wishes and what is not understood too.")
    ] = False,
    json: Json = False,
) -> None:
    """Read the constraints in an instruction; print one call a line."""
    found = understood(instruction, settings_from(strict=strict))
    constraints = found.instruction.constraints
    if json:
        rows = [constraint.to_dict() for constraint in constraints]
        put_json({"constraints": rows, **found.to_dict()} if everything else rows)
    else:
        put("".join(f"{constraint.call}\n" for constraint in constraints))
    for wish in found.wishes:
        note(f"not a constraint, passed on as style: {wish}")
    if not (constraints or found.wishes or found.not_understood):
        note("no constraint in this instruction")


def sentences(
    file: File,
    counting: Counting = None,
    format: MarkUp = None,
    json: Json = False,
) -> None:
    """List the sentences, numbered as every command counts them, with their words."""
    settings = settings_from(counting=counting, format=format)
    text = read_text(file)
    warn_of_language(text)
    reading = read(text, settings.counting, format_of(settings, text, file))
    rows = list(zip(reading.sentences, reading.sentence_words, strict=True))
    if json:
        put_json([_sentence_row(sentence, words) for sentence, words in rows])
        return
    width = len(str(len(rows)))
    widest = max((len(str(words)) for _, words in rows), default=1)
    for sentence, words in rows:
        unit = "word " if words == 1 else "words"
        number = "" if sentence.aside else sentence.counted
        put(f"{number:>{width}}  {words:>{widest}} {unit}  {' '.join(sentence.text.split())}\n")
    if asides := name_asides(reading):
        note(f"{asides} not counted: “the first sentence” is the one with the number 1")


def _sentence_row(sentence: Sentence, words: int) -> dict[str, object]:
    """A sentence for JSON, with the number that it is named by: 0 for a greeting and a signature."""
    row = asdict(sentence)
    del row["skipped"]
    return {**row, "number": sentence.counted, "words": words}


def check(
    revised: Annotated[
        list[str],
        typer.Argument(metavar="REVISED...", help="Texts or folders to check, or - for standard input."),
    ],
    original: Annotated[str | None, typer.Option(metavar="FILE", help="The text before revision.")] = None,
    instruction: Annotated[str | None, typer.Option("-i", "--instruction", help="In plain English.")] = None,
    call: Calls = None,
    counting: Counting = None,
    format: MarkUp = None,
    strict: Strict = False,
    house: HouseFile = None,
    output: Annotated[
        OutputName | None, typer.Option(help="Print each place, in this form.", show_default="text")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Findings that are known, and do not count.")
    ] = None,
    write_baseline: Annotated[
        bool, typer.Option("--write-baseline", help="Write what is found to the baseline.")
    ] = False,
    json: Json = False,
) -> None:
    """Check texts against constraints; exit 0 if all are met, 1 if not, 3 if they contradict each other.

    Of one text every constraint is shown; of several, of a folder, and with --output, each place where one is
    not met. What cannot be read is told, and makes the status 2.
    """
    if write_baseline and baseline is None:
        raise InputError("--write-baseline needs --baseline FILE, the file to write")
    if json and output not in (None, "json"):
        raise InputError(f"--json and --output {output} exclude each other")
    settings = settings_from(counting=counting, format=format, strict=strict, house=house)
    asked = Asked.of(instruction or "", call or [], settings)
    constraints = _constraints(asked, is_beside_original=original is not None)
    if not constraints:
        raise InputError(_nothing(asked, instruction))
    is_one = len(revised) == 1 and not os.path.isdir(revised[0])
    if is_one and output is None and baseline is None:
        _check_one(revised[0], original, asked, constraints, json=json)
    elif original is not None:
        raise InputError("--original goes with one text, and without --output and --baseline")
    else:
        wanted: OutputName = "json" if json else output or "text"
        _check_many(revised, asked, constraints, wanted, baseline, is_written=write_baseline)


def _check_many(
    paths: Sequence[str],
    asked: Asked,
    constraints: Sequence[Constraint],
    output: OutputName,
    baseline: Path | None,
    *,
    is_written: bool,
) -> None:
    known = None
    if baseline is not None:
        is_new = is_written and not baseline.exists()
        known = Baseline(baseline.absolute().parent) if is_new else Baseline.read(baseline)
    report = check_files(paths, asked, constraints, known)
    if is_written and known is not None and baseline is not None:
        known = known.updated({one.file: one.found.problems for one in report.files})
        known.write(baseline)
        report = compare_files(report, known)
    print_report(report, output)
    if report.status:
        raise typer.Exit(report.status)


def _check_one(
    file: str, original: str | None, asked: Asked, constraints: Sequence[Constraint], *, json: bool
) -> None:
    text, before = read_pair(file, original)
    warn_of_language(text)
    english_only = asked.english_only(text)
    convention, marked = asked.settings.counting, format_of(asked.settings, text, file)
    findings = check_constraints(text, constraints, original=before, counting=convention, format=marked)
    conflict = None
    if not findings.met:
        conflict = infeasible(constraints, original=before, counting=convention, format=marked)
    if json:
        report = asked.marked(findings.to_dict(), findings)
        conflicts = [conflict.to_dict()] if conflict else []
        put_json({**report, "infeasible": conflicts, **asked.told(english_only)})
    else:
        _show(findings, text, asked.house)
    if conflict:
        explain_conflict(conflict)
        raise typer.Exit(3)
    if not findings.met:
        raise typer.Exit(1)


def _constraints(asked: Asked, *, is_beside_original: bool) -> list[Constraint]:
    """What is checked; a constraint of the house that needs an original is passed over without one."""
    for wish in asked.instruction.wishes:
        note(f"not a constraint, so not checked: {wish}")
    needing = [one for one in asked.own if one.needs_original and not is_beside_original]
    if needing:
        raise InputError(f"{needing[0].call} compares with the original text: give it with --original FILE")
    checked = [one for one in asked.house if is_beside_original or not one.needs_original]
    for one in asked.house:
        if one not in checked:
            note(f"not checked, for want of --original FILE: {one.call}  (house style)")
    return [*asked.own, *checked]


def _nothing(asked: Asked, instruction: str | None) -> str:
    """Why there is nothing to check."""
    if instruction is None:
        return "say what to check: -i INSTRUCTION or -c CALL, or --house FILE"
    if asked.instruction.wishes or asked.instruction.not_understood:
        return "nothing to check: no constraint is in the instruction (docs/constraints.md has the kinds)"
    return "nothing to check: the instruction is empty"


def _show(findings: Findings, text: str, house: Container[Constraint]) -> None:
    console = result_console(soft_wrap=True)
    for finding in findings:
        console.print(finding_line(finding, house))
        for span in [] if finding.met else finding.spans[:3]:
            console.print(Text(f"          … {visible(_excerpt(text, span))} …", style="dim"))


def _excerpt(text: str, span: Span) -> str:
    """The place itself, with its neighbourhood where it is short."""
    around = 30 if span.end - span.start < 60 else 0
    shown = " ".join(text[max(span.start - around, 0) : span.end + around].split())
    return shown if len(shown) <= 100 else f"{shown[:100].rstrip()}"
