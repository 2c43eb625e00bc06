"""Checking a revision against constraints, the one way that every command does it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from redraft.constraints.base import Constraint, Finding, Findings
from redraft.constraints.calls import looks_like_call, parse_call
from redraft.constraints.counting import Reading, read
from redraft.constraints.feasibility import Conflict, conflict
from redraft.constraints.house import house_constraints
from redraft.constraints.instruction import parse
from redraft.constraints.sparing import spared_by
from redraft.errors import InputError
from redraft.house import House
from redraft.settings import Settings
from redraft.text import Format, Span

Constraints = str | Iterable[Constraint | str]
"""An instruction in plain English, one call, or constraints and calls."""


def constraints_of(constraints: Constraints) -> tuple[Constraint, ...]:
    """The constraints of an instruction, or of a list of constraints and calls; each once."""
    if isinstance(constraints, str):
        if looks_like_call(constraints):
            return (parse_call(constraints),)
        return parse(constraints).constraints
    built = (parse_call(item) if isinstance(item, str) else item for item in constraints)
    return tuple(dict.fromkeys(built))


def check(
    revised: str,
    constraints: Constraints,
    *,
    original: str | None = None,
    counting: str = "default",
    format: Format = "text",
    house: House | None = None,
    settings: Settings | None = None,
) -> Findings:
    """Check a revision against an instruction, or against constraints and calls, and against a house style.

    With settings that name a server, that is asked.

    >>> check("Short and sweet.", ['word_count_check(5, "less than")']).met
    True
    """
    chosen = constraints_of(constraints)
    if house is not None:
        chosen = tuple(dict.fromkeys((*chosen, *house_constraints(house))))
    if settings is not None and settings.server:
        from redraft.remote import ask_server  # noqa: PLC0415  few ask a server

        body = {"text": revised, "original": original, "calls": [one.call for one in chosen]}
        marked = {"counting": counting, "format": format}
        return read_findings(ask_server(settings, "/v1/check", {**body, **marked}))
    before = _read_original(chosen, original, counting, format)
    after = read(revised, counting, format)
    if before is not None:
        after.spared = spared_by(chosen, before)
    return Findings(tuple(constraint.check(before, after) for constraint in chosen), counting)


def read_findings(report: Mapping[str, Any]) -> Findings:
    """The findings that a report as of `check --json` tells of."""
    return Findings(tuple(map(_read_finding, report["findings"])), report["counting"])


def _read_finding(row: Mapping[str, Any]) -> Finding:
    spans = ((span["start"], span["end"]) if isinstance(span, Mapping) else span for span in row["spans"])
    return Finding(
        parse_call(row["call"]),
        row["met"],
        row["measured"],
        row["wanted"],
        row["message"],
        row["distance"],
        tuple(Span(start, end) for start, end in spans),
    )


def read_conflicts(rows: Iterable[Mapping[str, Any]]) -> tuple[Conflict, ...]:
    """The conflicts that a report tells of."""
    return tuple(Conflict(tuple(map(parse_call, row["calls"])), row["reason"]) for row in rows)


def infeasible(
    constraints: Constraints,
    *,
    original: str | None = None,
    counting: str = "default",
    format: Format = "text",
) -> Conflict | None:
    """The smallest set of constraints that no text can satisfy together, with the reason, if there is one.

    >>> infeasible("Write under 10 words and over 20 words.").reason
    'the number of words must be at least 21 and at most 9'
    """
    chosen = constraints_of(constraints)
    before = None if original is None else read(original, counting, format)
    if before is not None:
        before.spared = spared_by(chosen, before)
    return conflict(chosen, before, counting)


def _read_original(
    constraints: tuple[Constraint, ...], original: str | None, counting: str, format: Format
) -> Reading | None:
    needing = next((constraint for constraint in constraints if constraint.needs_original), None)
    if needing is None or original is not None:
        return None if original is None else read(original, counting, format)
    raise InputError(f"{needing.call} compares with the original text: give it too")
