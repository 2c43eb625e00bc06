"""Results that survive anything: a file of records, one a line, that only ever grows.

A job that failed has an error, and is tried again; the last record of a key counts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.text import Appender, whole_lines

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
        for number, line in enumerate(whole_lines(self.path), 1):
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
