"""`redraft parse`, `sentences` and `check`: what an instruction demands, and whether a text obeys it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from redraft.cli.console import note, put, put_json, result_console, visible
from redraft.cli.options import (
    Calls,
    Counting,
    File,
    Json,
    MarkUp,
    explain_conflict,
    finding_line,
    format_of,
    read_pair,
    settings_from,
    warn_of_language,
    warn_unless_english,
)
from redraft.constraints import (
    Constraint,
    Findings,
    Preserve,
    Readable,
    check as check_constraints,
    infeasible,
    looks_like_call,
    name_asides,
    parse as parse_instruction,
    parse_call,
    read,
)
from redraft.errors import InputError
from redraft.text import Sentence, Span, read_text


def parse(
    instruction: Annotated[str, typer.Argument(help="The instruction in plain English.")],
    json: Json = False,
) -> None:
    """Read the constraints in an instruction; print one call a line."""
    found = parse_instruction(instruction)
    if json:
        put_json([constraint.to_dict() for constraint in found.constraints])
    else:
        put("".join(f"{constraint.call}\n" for constraint in found.constraints))
    warn_unless_english(instruction, "the instruction does not look English, the one language that is read")
    if found.style:
        note(f"not a constraint, passed on as style: {found.style}")
    elif not found.constraints:
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
        str, typer.Argument(metavar="REVISED", help="The text to check, or - for standard input.")
    ],
    original: Annotated[str | None, typer.Option(metavar="FILE", help="The text before revision.")] = None,
    instruction: Annotated[str | None, typer.Option("-i", "--instruction", help="In plain English.")] = None,
    call: Calls = None,
    counting: Counting = None,
    format: MarkUp = None,
    json: Json = False,
) -> None:
    """Check a text against constraints; exit 0 if all are met, 1 if not, 3 if they contradict each other."""
    settings = settings_from(counting=counting, format=format)
    constraints = _constraints(instruction, call or [])
    text, before = read_pair(revised, original)
    warn_of_language(text)
    convention, marked = settings.counting, format_of(settings, text, revised)
    if before is None and (needing := next((c for c in constraints if c.needs_original), None)):
        raise InputError(f"{needing.call} compares with the original text: give it with --original FILE")
    if any(isinstance(c, Preserve | Readable) for c in constraints):
        warning = "names and reading grades are measured for English, and the text looks otherwise"
        warn_unless_english(text, warning)
    findings = check_constraints(text, constraints, original=before, counting=convention, format=marked)
    conflict = None
    if not findings.met:
        conflict = infeasible(constraints, original=before, counting=convention, format=marked)
    if json:
        put_json({**findings.to_dict(), "infeasible": [conflict.to_dict()] if conflict else []})
    else:
        _show(findings, text)
    if not constraints:
        note("nothing to check: no constraint was read")
    if conflict:
        explain_conflict(conflict)
        raise typer.Exit(3)
    if not findings.met:
        raise typer.Exit(1)


def _constraints(instruction: str | None, calls: list[str]) -> list[Constraint]:
    if instruction is None and not calls:
        raise InputError("say what to check: -i INSTRUCTION or -c CALL")
    if instruction is not None and looks_like_call(instruction):
        raise InputError("this is a call, not plain English: give it with -c")
    found = parse_instruction(instruction) if instruction is not None else None
    if found and found.style:
        note(f"not a constraint, so not checked: {found.style}")
    constraints = [*(found.constraints if found else ()), *(parse_call(call) for call in calls)]
    return list(dict.fromkeys(constraints))


def _show(findings: Findings, text: str) -> None:
    console = result_console(soft_wrap=True)
    for finding in findings:
        console.print(finding_line(finding))
        for span in [] if finding.met else finding.spans[:3]:
            console.print(Text(f"          … {visible(_excerpt(text, span))} …", style="dim"))


def _excerpt(text: str, span: Span) -> str:
    """The place itself, with its neighbourhood where it is short."""
    around = 30 if span.end - span.start < 60 else 0
    shown = " ".join(text[max(span.start - around, 0) : span.end + around].split())
    return shown if len(shown) <= 100 else f"{shown[:100].rstrip()}"
