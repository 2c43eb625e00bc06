"""A file of JSON objects, one a line, that only ever grows, and survives anything.

A process killed while it writes leaves at most one broken last line, which is not read, and is cut off by
the next writer. Nothing else is ever cut: a file that somebody else wrote is refused, and left as it is.
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

_BEGINNINGS = (b"{", b"\0")
"""How a line may begin that was not written to its end; a power cut may leave zeros."""


def whole_lines(path: Path) -> Iterator[bytes]:
    """Every line that was written to its end, one in memory at a time; none where there is no file."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line


class Appender:
    """Appends objects, each on disk before `append` returns; one appender at a time, in one event loop."""

    option = "--out"
    """What a user chooses the place by."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None
        self._syncing = asyncio.Lock()
        self._written = self._synced = 0
        self._failure: FileError | None = None

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as opened:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                file = opened.enter_context(self.path.open("ab+", buffering=0))
                _lock(file, self.path, self.option)
                self.check_contents()
                self._written = self._synced = _cut_broken_line(file, self.path, self.option)
            except OSError as error:
                raise FileError(f"{self.path} cannot be written: {error}") from None
            self._file = file
            opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def check_contents(self) -> None:
        """Raise where the file holds something else; it has not been changed yet."""

    async def append(self, record: dict[str, Any]) -> None:
        """Write one record and wait until it is on disk; those that wait at once share the wait."""
        if self._file is None:
            raise RuntimeError("the file is closed")
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
            self._failure = FileError(f"{self.path} cannot be written: {error}; then go on with --resume")
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


def _lock(file: BinaryIO, path: Path, option: str) -> None:
    try:
        import fcntl  # noqa: PLC0415
    except ImportError:  # not on Windows, where the file cannot be opened twice for writing anyway
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(
            f"another process is writing {path}: wait for it, or choose another {option}"
        ) from None


def _cut_broken_line(file: BinaryIO, path: Path, option: str) -> int:
    """Cut off a last line without an end, where it is the beginning of an object; the size that is left."""
    size = file.seek(0, os.SEEK_END)
    tail = min(size, 1 << 16)
    while True:
        file.seek(size - tail)
        read = file.read(tail)
        end = read.rfind(b"\n")
        if end >= 0 or tail == size:
            broken = read[end + 1 :]
            if broken and not broken.startswith(_BEGINNINGS):
                raise InputError(
                    f"{path} ends in a line that is no part of a record: choose another {option}"
                )
            return file.truncate(size - tail + end + 1)
        tail = min(size, tail * 4)
