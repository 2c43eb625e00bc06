"""What a run leaves on disk: results that survive anything.

    DIR/run.json        what was run: the system, its models, the seed, versions, git state, prices
    DIR/samples.jsonl   one finished job a line, append-only, synced to disk before the next is announced
    DIR/scores.json     every score with its signature and interval, where the run is scored at its end

A record has the key of its job, what was known of the job before, what came of it, and what that took:
    {"key": "…", …, "error": null or "…", "usage": {"calls": 1, "prompt_tokens": 40, …}}
A job that failed has an error, and is tried again; the last record of a key counts.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redraft.errors import FileError, InputError
from redraft.notation import parse_json
from redraft.text import Appender, complete_lines, to_json, write_text

Record = dict[str, Any]


class Results:
    """A file of records; `key` is the field that names the job."""

    def __init__(self, path: Path, key: str = "key") -> None:
        self.path = path
        self.key = key
        self._held: Appender | None = None

    @contextlib.contextmanager
    def held(self, appender: Appender) -> Iterator[None]:
        """Have all that is added go through one that is open: a second would be locked out."""
        self._held = appender
        try:
            yield
        finally:
            self._held = None

    def appending(self) -> contextlib.AbstractContextManager[Appender]:
        """The file, open to add records."""
        return Appender(self.path) if self._held is None else contextlib.nullcontext(self._held)

    def records(self) -> Iterator[Record]:
        """Every whole record, in the order of writing, repeats included; memory stays flat."""
        for number, line in enumerate(complete_lines(self.path), 1):
            yield self._read(line, number)

    def finished(self) -> set[str]:
        """The keys of the jobs that need not be done again."""
        done: set[str] = set()
        for record in self.records():
            (done.discard if record["error"] else done.add)(record[self.key])
        return done

    def latest(self) -> dict[str, Record]:
        """The last record of each key."""
        return {record[self.key]: record for record in self.records()}

    def _read(self, line: bytes, number: int) -> Record:
        try:
            record: Record = parse_json(line)
            if isinstance(record[self.key], str) and "error" in record:
                return record
            problem = "no record"
        except ValueError:
            problem = "not JSON"
        except (KeyError, TypeError):
            problem = "no record"
        raise InputError(
            f"{self.path}, line {number}, is {problem}: restore the file, or delete that line and resume"
        )


class RunDir:
    """The folder of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results = Results(path / "samples.jsonl")

    @property
    def samples(self) -> Path:
        """The file of the finished items."""
        return self.results.path

    def exists(self) -> bool:
        """Whether a run was begun here."""
        return self.file("run.json").is_file()

    def facts(self) -> Record:
        """What was run."""
        return self._read("run.json")

    def scores(self) -> Record:
        """The scores."""
        if self.exists() and not self.is_scored():
            raise InputError(f"{self.path} has no scores.json yet: finish it with: {self.resuming()}")
        return self._read("scores.json")

    def is_scored(self) -> bool:
        """Whether there are scores."""
        return (self.path / "scores.json").is_file()

    def resuming(self) -> str:
        """The command that goes on with the run."""
        return f"redraft bench run … --out {shlex.quote(str(self.path))} --resume"

    def write(self, name: str, value: Record) -> None:
        """Write run.json or scores.json: whole, or not at all."""
        file = self.file(name)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{file} cannot be written: {error}") from None
        write_text(file, to_json(value, indent=2) + "\n")

    def records(self) -> Iterator[Record]:
        """Every whole record, in the order of writing, repeats included; memory stays flat."""
        return self.results.records()

    def finished(self) -> set[str]:
        """The keys of the items that need not be run again."""
        return self.results.finished()

    def latest(self) -> dict[str, Record]:
        """The last record of each key."""
        return self.results.latest()

    def file(self, name: str) -> Path:
        """Where a file of the run is."""
        return self.path / name

    def _read(self, name: str) -> Record:
        file = self.file(name)
        try:
            value = parse_json(file.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(f"{self.path} is no folder of a run: it has no {name}") from None
        except OSError as error:
            raise FileError(f"{file} cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise InputError(f"{file} is damaged: {error}") from None
        if not isinstance(value, dict):
            raise InputError(f"{file} is damaged: it should hold an object")
        return value


class RunFile(RunDir):
    """A run whose results are one file that the user named, OUT.jsonl, with OUT.run.json beside it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.results = Results(path, "id")

    def file(self, name: str) -> Path:
        """Where a file of the run is."""
        return self.path.with_name(f"{self.path.name.removesuffix('.jsonl')}.{name}")
