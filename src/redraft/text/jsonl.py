"""JSON objects one a line, read, written, and appended to a file that survives anything.

A process killed while it appends leaves at most one broken last line, which is not read, and is cut off by
the next that is written. Nothing else is ever cut: a file that somebody else wrote is refused, and left as it
is. Whoever is refused, or adds nothing, changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from redraft.errors import FileError, InputError
from redraft.notation import parse_json
from redraft.text.files import lock, private_file

_BEGINNINGS = (b"{", b"\0")
"""How a line may begin that was not written to its end; a power cut may leave zeros."""


def parse_json_lines(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with the number of its line; empty lines are passed over, `name` is told in errors."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except ValueError as error:
            raise InputError(f"{name}, line {number}: not JSON: {error}") from None
        if not isinstance(value, dict):
            raise InputError(f"{name}, line {number}: each line must be an object, as {{…}}")
        yield number, value


def to_json(value: Any, indent: int | None = None) -> str:
    """As JSON that can be written: half a surrogate pair, which a model may give, is its escape."""
    found = json.dumps(value, ensure_ascii=False, indent=indent)
    return found.encode("utf-8", "backslashreplace").decode()


def json_lines(values: Iterable[Any]) -> str:
    """Such values, one a line."""
    return "".join(to_json(value) + "\n" for value in values)


def json_strings(value: Any, without: Collection[str] = ()) -> Iterator[str]:
    """Every string within a JSON value, whatever its fields are called, but for those that are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from json_strings(item, without)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in without:
                yield from json_strings(item, without)


def complete_lines(path: Path) -> Iterator[bytes]:
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
    private = False
    """Whether nobody but its owner may read the file, wherever it is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None
        self._syncing = asyncio.Lock()
        self._written = self._synced = 0
        self._is_broken = False
        self._failure: FileError | None = None

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as opened:
            try:
                self.check_contents()  # before there is so much as a new file
                self.path.parent.mkdir(parents=True, exist_ok=True)
                if self.private:
                    private_file(self.path)
                file = opened.enter_context(self.path.open("ab+", buffering=0))
                lock(file, self.path, self.option)
                self.check_contents()  # again: another process may have written until now
                self._written = self._synced = _end_of_records(file, self.path, self.option)
                self._is_broken = os.fstat(file.fileno()).st_size > self._written
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
        """Raise where the file is there and holds something else; nothing has been changed yet."""

    async def append(self, record: dict[str, Any]) -> None:
        """Write one record and wait until it is on disk; those that wait at once share the wait."""
        if self._file is None:
            raise RuntimeError("the file is closed")
        line = f"{to_json(record)}\n".encode()
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
            reason = error.strerror or error
            self._failure = FileError(f"{self.path} cannot be written: {reason}; then go on with --resume")
            raise self._failure from None

    def _write(self, file: BinaryIO, line: bytes) -> int:
        """Hand a line to the system; where it ends."""
        if self._is_broken:
            file.truncate(self._written)
            self._is_broken = False
        done = 0
        while done < len(line):
            done += file.write(line[done:])
        self._written += len(line)
        return self._written

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure


def _end_of_records(file: BinaryIO, path: Path, option: str) -> int:
    """Where the last whole line ends; what follows can only be the beginning of an object."""
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
            return size - tail + end + 1
        tail = min(size, tail * 4)
