"""What a run leaves on disk.

    DIR/run.json        what was run: benchmark, system, models, seed, versions, git state, prices
    DIR/samples.jsonl   one finished item a line, append-only, synced to disk before the next is announced
    DIR/scores.json     every score with its signature and interval (written when the run ends)

A record of samples.jsonl:
    {"key": "jfleg/jfleg-test-0/3", "dataset": "jfleg", "id": "jfleg-test-0", "task": "fluency", "prompt": 3,
     "instruction": "…", "input": "…", "references": ["…"], "documents": [], "output": "…" or null,
     "error": null or "…", "usage": {"calls": 1, "prompt_tokens": 40, …}}
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from redraft.bench.results import Record, Results
from redraft.errors import FileError, InputError
from redraft.notation import parse_json
from redraft.text import dumped, write_text

__all__ = ["Record", "RunDir", "RunFile"]


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
        write_text(file, dumped(value, indent=2) + "\n")

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
