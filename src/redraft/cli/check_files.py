"""`redraft check` of many texts, for people and for continuous integration."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from redraft.cli.asked import Asked
from redraft.cli.console import note, problem as say_problem, put, put_json, visible
from redraft.cli.options import explain_conflict, format_of
from redraft.constraints import Baseline, Conflict, Constraint, Problem, infeasible
from redraft.errors import FileError, InputError
from redraft.revision import Inspection, inspect_text
from redraft.text import list_texts, read_text

OutputName = Literal["text", "json", "sarif", "github"]


@dataclass(frozen=True)
class CheckedFile:
    """What was found in one file."""

    file: str
    found: Inspection
    english_only: tuple[str, ...]
    known: frozenset[str] | None = None
    """The fingerprints of problems that the baseline has; None where there is no baseline."""

    @property
    def new(self) -> list[Problem]:
        """The problems that the baseline does not have."""
        return [one for one in self.found.problems if one.fingerprint not in (self.known or ())]


@dataclass(frozen=True)
class FilesReport:
    """What was found in all of them."""

    asked: Asked
    files: tuple[CheckedFile, ...]
    unreadable: tuple[tuple[str, str], ...]
    """Files that could not be read, and why."""
    conflict: Conflict | None = None
    gone: int = 0
    """How many problems of the baseline are no more."""

    @property
    def status(self) -> int:
        """The exit status of the command."""
        if self.unreadable:
            return FileError.exit_status
        new = any(one.new for one in self.files)
        return 3 if new and self.conflict else int(new)

    @property
    def summary(self) -> dict[str, int]:
        """How many files there are, and problems of each sort."""
        return {
            "files": len(self.files),
            "unreadable": len(self.unreadable),
            "new": sum(len(one.new) for one in self.files),
            "known": sum(len(one.found.problems) - len(one.new) for one in self.files),
            "gone": self.gone,
        }

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "met": all(one.found.findings.met for one in self.files) and not self.unreadable,
            "counting": self.asked.settings.counting,
            "files": [self._row(one) for one in self.files],
            "unreadable": [{"file": file, "problem": why} for file, why in self.unreadable],
            "infeasible": [self.conflict.to_dict()] if self.conflict else [],
            "summary": self.summary,
            **self.asked.instruction.to_dict(),
        }

    def _row(self, one: CheckedFile) -> dict[str, Any]:
        report = self.asked.marked(one.found.findings.to_dict(), one.found.findings)
        for row, finding in zip(report["findings"], one.found.findings, strict=True):
            row["places"] = [
                {**found.to_dict(), "known": found.fingerprint in (one.known or ())}
                for found in one.found.problems
                if found.finding is finding
            ]
        return {"file": one.file, **report, "english_only": list(one.english_only)}


def check_files(
    paths: Sequence[str], asked: Asked, constraints: Sequence[Constraint], baseline: Baseline | None
) -> FilesReport:
    """Check every text; one that cannot be read is told, and the others are checked all the same."""
    files: list[CheckedFile] = []
    unreadable: list[tuple[str, str]] = []
    for file in dict.fromkeys(file for path in paths for file in _files(path)):
        try:
            files.append(_checked(file, asked, constraints))
        except InputError as error:
            say_problem(str(error))
            unreadable.append((file, str(error)))
    if not files and not unreadable:
        raise InputError(f"there is no text to check in {', '.join(paths)}: name files, or another folder")
    conflict = None
    if not all(one.found.findings.met for one in files):
        conflict = infeasible(constraints, counting=asked.settings.counting)
    report = FilesReport(asked, tuple(files), tuple(unreadable), conflict)
    return report if baseline is None else compare_files(report, baseline)


def compare_files(report: FilesReport, baseline: Baseline) -> FilesReport:
    """The same beside a baseline."""
    files = tuple(_compared(one, baseline) for one in report.files)
    gone = sum(baseline.gone(one.file, one.found.problems) for one in files)
    return replace(report, files=files, gone=gone)


def _files(path: str) -> Iterator[str]:
    if os.path.isdir(path):
        yield from (found.as_posix() for found in list_texts(Path(path)))
    else:
        yield Path(path).as_posix() if path else path


def _checked(file: str, asked: Asked, constraints: Iterable[Constraint]) -> CheckedFile:
    text = read_text(file)
    english_only = tuple(asked.english_only(text, file))
    counting, marked = asked.settings.counting, format_of(asked.settings, text, file)
    return CheckedFile(file, inspect_text(text, constraints, counting=counting, format=marked), english_only)


def _compared(one: CheckedFile, baseline: Baseline) -> CheckedFile:
    known = (problem.fingerprint for problem in one.found.problems if baseline.knows(one.file, problem))
    return replace(one, known=frozenset(known))


def print_report(report: FilesReport, output: OutputName) -> None:
    """Print it as it is wanted, and a summary beside it."""
    if output == "json":
        put_json(report.to_dict())
    elif output == "sarif":
        from redraft.cli.sarif import sarif_log  # noqa: PLC0415 - few need it

        put_json(sarif_log(report))
    else:
        is_github = output == "github"
        line = _annotation if is_github else _line
        put("".join(f"{line(one, problem)}\n" for one in report.files for problem in one.new))
        put("".join(f"{_command({'file': file}, why)}\n" for file, why in report.unreadable if is_github))
    if report.conflict:
        explain_conflict(report.conflict)
    note(_summary(report))


def _summary(report: FilesReport) -> str:
    counts = report.summary
    within = _counted(sum(bool(one.new) for one in report.files), "file")
    told = [f"{_counted(counts['new'], 'problem')} in {within}" if counts["new"] else "all is as asked for"]
    if counts["known"]:
        told.append(f"{counts['known']} known from the baseline")
    if counts["gone"]:
        told.append(f"{counts['gone']} of the baseline no more there: --write-baseline drops them")
    if counts["unreadable"]:
        told.append(f"{_counted(counts['unreadable'], 'file')} could not be read")
    return f"{_counted(counts['files'], 'file')} checked: {'; '.join(told)}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" + "s" * (count != 1)


def _line(one: CheckedFile, problem: Problem) -> str:
    """`notes/plan.md:3:17: “color” should be “colour”  spelling_check`, which editors can jump to."""
    place = f":{problem.start.line}:{problem.start.column}" if problem.span else ""
    return visible(f"{one.file}{place}: {one.found.message(problem)}  {problem.finding.constraint.name}")


def _annotation(one: CheckedFile, problem: Problem) -> str:
    """A command of GitHub's workflows, which shows the message beside the line."""
    start, end = problem.start, problem.end
    properties = {"file": one.file}
    if problem.span:
        properties |= {"line": str(start.line), "endLine": str(end.line)}
        if start.line == end.line:  # across lines it takes no columns
            properties |= {"col": str(start.column), "endColumn": str(end.column)}
    properties["title"] = problem.finding.constraint.name
    return _command(properties, one.found.message(problem))


def _command(properties: Mapping[str, str], message: str) -> str:
    listed = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
    return f"::error {listed}::{_escaped(message)}"


def _escaped(text: str, also: str = "") -> str:
    """With the escapes of those commands: nothing in a text ends a command, or begins another."""
    for character in f"%\r\n{also}":
        text = text.replace(character, f"%{ord(character):02X}")
    return visible(text)
