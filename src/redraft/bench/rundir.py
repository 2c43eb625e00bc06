"""What a run leaves on disk, and how it survives anything.

    DIR/run.json        what was run: benchmark, system, models, seed, versions, git state, prices
    DIR/samples.jsonl   one finished item a line, append-only, synced to disk before the next is announced
    DIR/scores.json     every score with its signature and interval (written when the run ends)

A record of samples.jsonl:
    {"key": "jfleg/jfleg-test-0/3", "dataset": "jfleg", "id": "jfleg-test-0", "task": "fluency", "prompt": 3,
     "instruction": "…", "input": "…", "references": ["…"], "documents": [], "output": "…" or null,
     "error": null or "…", "usage": {"calls": 1, "prompt_tokens": 40, …}}

A process killed while it writes leaves at most one broken last line; it is cut off when the run goes on.
An item that failed has an error and no output, and is tried again; the last record of a key counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from redraft.errors import FileError, InputError
from redraft.text import write_text

Record = dict[str, Any]


class RunDir:
    """The folder of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def samples(self) -> Path:
        """The finished items."""
        return self.path / "samples.jsonl"

    def exists(self) -> bool:
        """Whether a run was begun here."""
        return (self.path / "run.json").is_file()

    def facts(self) -> Record:
        """What was run."""
        return self._read("run.json")

    def scores(self) -> Record:
        """The scores."""
        if self.exists() and not (self.path / "scores.json").exists():
            raise InputError(f"{self.path} has no scores.json yet: finish it with: {self.resuming()}")
        return self._read("scores.json")

    def resuming(self) -> str:
        """The command that goes on with the run."""
        return f"redraft bench run … --out {shlex.quote(str(self.path))} --resume"

    def write(self, name: str, value: Record) -> None:
        """Write run.json or scores.json: whole, or not at all."""
        self.path.mkdir(parents=True, exist_ok=True)
        write_text(self.path / name, json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def records(self) -> Iterator[Record]:
        """Every whole record, in the order of writing, repeats included; memory stays flat."""
        if not self.samples.is_file():
            return
        with self.samples.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return  # cut off by a crash; `Writer` removes it
                try:
                    yield json.loads(line)
                except ValueError:
                    raise InputError(
                        f"{self.samples}, line {number}, is not JSON: restore the file, or delete that line "
                        "and resume"
                    ) from None

    def finished(self) -> set[str]:
        """The keys of the items that need not be run again."""
        done: set[str] = set()
        for record in self.records():
            (done.discard if record["error"] else done.add)(record["key"])
        return done

    def latest(self) -> dict[str, Record]:
        """The last record of each key."""
        return {record["key"]: record for record in self.records()}

    def _read(self, name: str) -> Record:
        file = self.path / name
        try:
            value = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{self.path} is no folder of a run: it has no {name}") from None
        except ValueError as error:
            raise InputError(f"{file} is damaged: {error}") from None
        if not isinstance(value, dict):
            raise InputError(f"{file} is damaged: it should hold an object")
        return value


class Writer:
    """Appends records, each on disk before `append` returns; one writer at a time, in one event loop."""

    def __init__(self, run: RunDir) -> None:
        self._run = run
        self._file: BinaryIO | None = None
        self._syncing = asyncio.Lock()
        self._written = self._synced = 0
        self._failure: FileError | None = None

    def __enter__(self) -> Self:
        self._run.path.mkdir(parents=True, exist_ok=True)
        self._file = self._run.samples.open("ab+", buffering=0)
        try:
            _lock(self._file, self._run.path)
            self._written = self._synced = _cut_broken_line(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    async def append(self, record: Record) -> None:
        """Write one record and wait until it is on disk; those that wait at once share the wait."""
        if self._file is None:
            raise RuntimeError("the writer is closed")
        line = (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
        try:
            self._check()
            end = self._write(self._file, line)
            async with self._syncing:
                self._check()
                if self._synced < end:
                    reached = self._written
                    await asyncio.to_thread(os.fsync, self._file.fileno())
                    self._synced = reached
        except OSError as error:
            # What may not be on disk was announced to nobody: it goes, so that no half line is left.
            with contextlib.suppress(OSError):
                self._file.truncate(self._synced)
            self._failure = FileError(
                f"{self._run.samples} cannot be written: {error}; then go on with --resume"
            )
            raise self._failure from None

    def _write(self, file: BinaryIO, line: bytes) -> int:
        """Hand a line to the system; where it ends."""
        done = 0
        while done < len(line):
            done += file.write(line[done:])
        self._written += len(line)
        return self._written

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        import fcntl  # noqa: PLC0415
    except ImportError:  # not on Windows, where the file cannot be opened twice for writing anyway
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(
            f"another process is running in {path}: wait for it, or choose another --out"
        ) from None


def _cut_broken_line(file: BinaryIO) -> int:
    """Cut off a last line without an end; the size that is left."""
    size = file.seek(0, os.SEEK_END)
    tail = min(size, 1 << 16)
    while True:
        file.seek(size - tail)
        end = file.read(tail).rfind(b"\n")
        if end >= 0 or tail == size:
            return file.truncate(size - tail + end + 1)
        tail = min(size, tail * 4)
