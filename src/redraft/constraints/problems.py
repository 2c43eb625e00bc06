"""What is not met, place by place, and a baseline of what was known before.

A problem is known again by its constraint and by the words that stand there: it may move to another line, and
the words around it may change. Of several that are alike, each counts.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from redraft.constraints.base import Finding
from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.text import Lines, Place, Span, read_text, to_json, write_text

_VERSION: Final = 1
_SHOWN: Final = 60
_TOP: Final = Place(1, 1)


@dataclass(frozen=True)
class Problem:
    """One place where a constraint is not met; without a span, it is the text as a whole."""

    finding: Finding
    fingerprint: str
    words: str = ""
    """What stands there."""
    span: Span | None = None
    start: Place = _TOP
    end: Place = _TOP

    @property
    def excerpt(self) -> str:
        """The beginning of what stands there, on one line."""
        words = " ".join(self.words.split())
        return words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1].rstrip()}…"

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; without a place, only its fingerprint."""
        if self.span is None:
            return {"fingerprint": self.fingerprint}
        return {
            "line": self.start.line,
            "column": self.start.column,
            "end_line": self.end.line,
            "end_column": self.end.column,
            "fingerprint": self.fingerprint,
        }


def list_problems(findings: Iterable[Finding], text: str) -> list[Problem]:
    """A problem for each place of each finding that is not met, in the order of the text.

    A finding without places comes first: it is of the text as a whole.
    """
    lines = Lines(text)
    seen: Counter[tuple[str, str]] = Counter()
    found: list[Problem] = []
    for finding in findings:
        call = finding.constraint.call
        for span in () if finding.met else finding.spans or (None,):
            words = text[span.start : span.end] if span else ""
            key = call, " ".join(words.split())
            fingerprint = _hash(*key, str(seen[key]))
            seen[key] += 1
            if span is None:
                found.append(Problem(finding, fingerprint))
            else:
                start, end = lines.place(span.start), lines.place(span.end)
                found.append(Problem(finding, fingerprint, words, span, start, end))
    return sorted(found, key=lambda one: one.span.start if one.span else -1)


def _hash(*parts: str) -> str:
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:20]


@dataclass(frozen=True)
class Baseline:
    """Problems that are known, by file; files are named as they are seen from the folder of the baseline."""

    folder: Path
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By file, the fingerprints, each with what people read of it."""

    @classmethod
    def read(cls, path: Path) -> Self:
        """The baseline that a file holds."""
        try:
            value = parse_json(read_text(path))
        except ValueError:
            value = None
        files = value.get("files") if isinstance(value, dict) and value.get("version") == _VERSION else None
        if not isinstance(files, dict) or not all(isinstance(known, dict) for known in files.values()):
            raise InputError(f"{path} is no baseline; make one with --write-baseline")
        return cls(path.absolute().parent, files)

    def knows(self, file: str, problem: Problem) -> bool:
        """Whether a problem of a file was known."""
        return problem.fingerprint in self.files.get(self.name_of(file), {})

    def gone(self, file: str, problems: Iterable[Problem]) -> int:
        """How many known problems of a file are there no more."""
        return len(self.files.get(self.name_of(file), {}).keys() - {one.fingerprint for one in problems})

    def updated(self, problems: Mapping[str, Iterable[Problem]]) -> Self:
        """The same with these problems in the place of those that were known of these files.

        Of files that are not among them, those that are there still keep what was known.
        """
        named = {self.name_of(file): dict(_told(found)) for file, found in problems.items()}
        kept = {name: known for name, known in self.files.items() if (self.folder / name).exists()}
        return type(self)(self.folder, {name: known for name, known in {**kept, **named}.items() if known})

    def write(self, path: Path) -> None:
        """Write it to a file."""
        files = {name: dict(sorted(self.files[name].items())) for name in sorted(self.files)}
        write_text(path, to_json({"version": _VERSION, "files": files}, indent=2) + "\n")

    def name_of(self, file: str) -> str:
        """A file as it is named here."""
        return Path(os.path.relpath(file, self.folder)).as_posix()


def _told(problems: Iterable[Problem]) -> Iterator[tuple[str, str]]:
    for one in problems:
        yield one.fingerprint, f"{one.finding.constraint.call}: {one.excerpt or one.finding.message}"
