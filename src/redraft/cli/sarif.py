"""What `redraft check` found, as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from redraft import __version__
from redraft.cli.check_files import CheckedFile, FilesReport
from redraft.constraints import Problem
from redraft.text import Place

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(report: FilesReport) -> dict[str, Any]:
    """The log of one run: a rule for each kind of constraint, a result for each problem."""
    kinds = {type(one.constraint) for file in report.files for one in file.found.findings}
    rules = [
        {"id": kind.name, "shortDescription": {"text": (kind.__doc__ or kind.name).partition("\n")[0]}}
        for kind in sorted(kinds, key=lambda kind: kind.name)
    ]
    order = {rule["id"]: index for index, rule in enumerate(rules)}
    results = [
        {**_result(file, problem), "ruleIndex": order[problem.finding.constraint.name]}
        for file in report.files
        for problem in file.found.problems
    ]
    driver = {"name": "redraft", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _invocation(report: FilesReport) -> dict[str, Any]:
    """Whether all could be read; what could not is told."""
    told = [
        {"level": "error", "message": {"text": why}, "locations": [_location(file)]}
        for file, why in report.unreadable
    ]
    return {"executionSuccessful": not told, "exitCode": report.status, "toolExecutionNotifications": told}


def _result(file: CheckedFile, problem: Problem) -> dict[str, Any]:
    constraint = problem.finding.constraint
    found: dict[str, Any] = {
        "ruleId": constraint.name,
        "level": "error",
        "message": {"text": file.found.message(problem)},
        "locations": [_location(file.file, problem)],
        "partialFingerprints": {"redraft/v1": f"{_uri(file.file)}:{problem.fingerprint}"},
        "properties": {"call": constraint.call},
    }
    if file.known is not None:
        is_known = problem.fingerprint in file.known
        found["baselineState"] = "unchanged" if is_known else "new"
        if is_known:
            found["suppressions"] = [{"kind": "external", "justification": "it is in the baseline"}]
    if fix := file.found.fix(problem):
        lines = file.found.lines
        places = lines.place(fix.span.start), lines.place(fix.span.end)
        put = {"deletedRegion": _region(*places), "insertedContent": {"text": fix.text}}
        change = {"artifactLocation": {"uri": _uri(file.file)}, "replacements": [put]}
        found["fixes"] = [{"description": {"text": f"Write “{fix.text}”."}, "artifactChanges": [change]}]
    return found


def _location(file: str, problem: Problem | None = None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if problem is not None and problem.span:
        place["region"] = {**_region(problem.start, problem.end), "snippet": {"text": problem.words}}
    return {"physicalLocation": place}


def _region(start: Place, end: Place) -> dict[str, int]:
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _uri(file: str) -> str:
    """A file as it is seen from the current folder; one outside of it by its whole address."""
    if file == "-":
        return "stdin"
    path = Path(os.path.relpath(file))
    return path.resolve().as_uri() if ".." in path.parts else quote(os.fsencode(path.as_posix()), safe="/")
