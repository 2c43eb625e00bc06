"""Judging many things: concurrently, resumably, never paying for a judgement twice."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from redraft.errors import FileError, InputError
from redraft.judge.asking import FATAL
from redraft.judge.judgement import Judgement, Key
from redraft.judge.judges import Inquiry
from redraft.models import Usage

_TAIL = 1 << 16


@dataclass(frozen=True)
class Progress:
    """How far the work is; what was there already counts as done."""

    done: int
    failed: int
    usage: Usage


class Journal:
    """An append-only file of judgements, one a line, each handed to the system before the next is asked for.

    Use it as a context; a second process on the same file is refused. A last line that a crash cut off is
    dropped.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab+", buffering=0)
        except OSError as error:
            raise FileError(f"{self.path} cannot be written: {error.strerror or error}") from None
        try:
            _lock(self._file, self.path)
            _cut_broken_line(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def finished(self) -> dict[Key, Judgement]:
        """The valid judgements; those that failed are asked for again."""
        found = (judgement for judgement in read_judgements(self.path) if judgement.error is None)
        return {judgement.key: judgement for judgement in found}

    def append(self, judgement: Judgement) -> None:
        """Write a judgement."""
        if self._file is None:
            raise RuntimeError("the journal is closed")
        line = (json.dumps(judgement.to_dict(), ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            raise FileError(f"{self.path} cannot be written: {error.strerror or error}") from None


def read_judgements(path: Path) -> Iterator[Judgement]:
    """Every judgement of a journal, in the order of writing, repeats included."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield Judgement.from_dict(json.loads(line))
            except (ValueError, InputError):
                raise InputError(
                    f"{path}, line {number}, is no judgement: choose another --out, or delete that line"
                ) from None


async def judge_all(
    inquiries: Iterable[Inquiry],
    *,
    journal: Journal | None = None,
    concurrency: int = 8,
    progress: Callable[[Progress], None] = lambda _: None,
) -> tuple[Judgement, ...]:
    """The judgements of all inquiries, in their order; those that the journal has are not asked for again.

    A failure is recorded and stops nothing. What would fail for all alike (no key, no such model, the budget
    spent) ends the work, once the questions under way have been answered and recorded.
    """
    work = _Work(inquiries, journal, progress)
    workers = [asyncio.create_task(work.go()) for _ in range(concurrency)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    if work.fatal is not None:
        raise work.fatal
    return tuple(work.found[place] for place in sorted(work.found))


class _Work:
    """What the workers share."""

    def __init__(
        self, inquiries: Iterable[Inquiry], journal: Journal | None, report: Callable[[Progress], None]
    ) -> None:
        self.found: dict[int, Judgement] = {}
        self.fatal: Exception | None = None
        self._known = journal.finished() if journal is not None else {}
        self._todo = enumerate(inquiries)
        self._journal = journal
        self._report = report
        self._progress = Progress(0, 0, Usage())

    async def go(self) -> None:
        """Take inquiries until there are none."""
        for place, inquiry in self._todo:
            if (known := self._known.get(inquiry.key)) is not None:
                self._add(place, known, Usage())
                continue
            try:
                judgement = await inquiry.judgement()
            except FATAL as fatal:
                self.fatal = fatal
            else:
                if self._journal is not None:
                    self._journal.append(judgement)
                self._add(place, judgement, judgement.usage)
            if self.fatal is not None:
                return

    def _add(self, place: int, judgement: Judgement, spent: Usage) -> None:
        self.found[place] = judgement
        failed = judgement.error is not None
        before = self._progress
        self._progress = Progress(before.done + (not failed), before.failed + failed, before.usage + spent)
        self._report(self._progress)


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        import fcntl  # noqa: PLC0415
    except ImportError:  # not on Windows, where the file cannot be opened twice for writing anyway
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"another process is writing {path}: wait for it, or choose another --out") from None


def _cut_broken_line(file: BinaryIO) -> None:
    """Cut off a last line without an end."""
    size = file.seek(0, os.SEEK_END)
    tail = min(size, _TAIL)
    while True:
        file.seek(size - tail)
        end = file.read(tail).rfind(b"\n")
        if end >= 0 or tail == size:
            file.truncate(size - tail + end + 1)
            return
        tail = min(size, tail * 4)
