"""Results that survive anything: a file of records, one a line, that only ever grows.

A process killed while it writes leaves at most one broken last line; it is cut off when the work goes on.
A job that failed has an error, and is tried again; the last record of a key counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from redraft.errors import FileError, InputError

Record = dict[str, Any]


class Results:
    """A file of records; `key` is the field that names the job."""

    def __init__(self, path: Path, key: str = "key") -> None:
        self.path = path
        self.key = key

    def records(self) -> Iterator[Record]:
        """Every whole record, in the order of writing, repeats included; memory stays flat."""
        if not self.path.is_file():
            return
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return  # cut off by a crash; `Writer` removes it
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
            record: Record = json.loads(line)
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


class Writer:
    """Appends records, each on disk before `append` returns; one writer at a time, in one event loop."""

    def __init__(self, results: Results) -> None:
        self._path = results.path
        self._file: BinaryIO | None = None
        self._syncing = asyncio.Lock()
        self._written = self._synced = 0
        self._failure: FileError | None = None

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab+", buffering=0)
        except OSError as error:
            raise FileError(f"{self._path} cannot be written: {error}") from None
        try:
            _lock(self._file, self._path)
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
            self._failure = FileError(f"{self._path} cannot be written: {error}; then go on with --resume")
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
        raise InputError(f"another process is writing {path}: wait for it, or choose another --out") from None


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
