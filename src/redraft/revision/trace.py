"""The trace of a revision, written while it runs: each step is on disk once it is finished."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from redraft.constraints import Conflict, Findings
from redraft.errors import FileError, InputError, RedraftError
from redraft.models import Usage
from redraft.quality import Quality
from redraft.revision.base import Change, Node
from redraft.revision.page import search_page
from redraft.revision.trajectory import PAGE, TRAJECTORY, Trajectory, read_trace
from redraft.text import dumped, held, write_text

__all__ = ["Trace", "Trajectory", "read_trace"]


class Trace:
    """Writes a trajectory into a folder, and the page of its search when it ends; a context manager.

    The folder is looked at when the trace is made, and touched when the task is written: an older trace
    there stays until then. A folder with anything else in it is refused, and so is one that is in use.
    Once the work has begun, a disk that is full ends the trace, and not the work: `failure` says so.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.failure: FileError | None = None
        self._open = contextlib.ExitStack()
        self._file: BinaryIO | None = None
        self._is_paged = False
        _check_folder(self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def task(
        self,
        *,
        instruction: str,
        text: str,
        calls: Sequence[str],
        counting: str,
        format: str,
        strategy: str,
        effort: str,
        seed: int,
        planner: str,
        reviser: str,
        switches: Sequence[str] = (),
    ) -> None:
        """Begin: what is asked."""
        first = {
            "event": "task",
            "instruction": instruction,
            "text": text,
            "calls": list(calls),
            "counting": counting,
            "format": format,
            "strategy": strategy,
            "effort": effort,
            "seed": seed,
            "planner": planner,
            "reviser": reviser,
            "switches": list(switches),
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._open.enter_context(held(self.folder, "--trace"))
        try:
            write_text(self.folder / TRAJECTORY, _line(first).decode())
            (self.folder / PAGE).unlink(missing_ok=True)
            self._file = self._open.enter_context((self.folder / TRAJECTORY).open("ab", buffering=0))
        except OSError as error:
            raise self._unwritable(error) from None

    def node(self, node: Node) -> None:
        """Add a node that is finished."""
        self._add(node.to_dict())

    def result(
        self,
        *,
        best: int | None,
        text: str,
        findings: Findings,
        infeasible: Iterable[Conflict] = (),
        before: Quality | None,
        after: Quality | None,
        nodes: Iterable[Node],
        stopped: str,
        usage: Usage,
        changes: Iterable[Change],
    ) -> None:
        """End: what came of it, and N and V of every node; writes the page."""
        self._add(
            {
                "event": "result",
                "best": best,
                "text": text,
                "findings": [finding.to_dict() for finding in findings],
                "infeasible": [conflict.to_dict() for conflict in infeasible],
                "quality": {
                    "before": None if before is None else before.to_dict(),
                    "after": None if after is None else after.to_dict(),
                },
                "visits": {str(node.id): [node.visits, node.value] for node in nodes},
                "stopped": stopped,
                "usage": asdict(usage),
                "changes": [asdict(change) for change in changes],
            }
        )
        self._write_page()

    def close(self) -> None:
        """End without a result, where none was written: the page shows what was finished."""
        with self._open:
            if self._file is not None and not self._is_paged:
                self._write_page()
            self._file = None

    def _add(self, record: dict[str, Any]) -> None:
        if self._file is None:
            raise RuntimeError("the task comes first, and nothing after the end")
        line = b"" if self.failure else _line(record)  # a line that is missing makes what follows worthless
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            self.failure = self._unwritable(error)

    def _write_page(self) -> None:
        try:
            write_text(self.folder / PAGE, search_page(read_trace(self.folder)))
            self._is_paged = True
        except (RedraftError, OSError) as error:
            self.failure = self.failure or self._unwritable(error)

    def _unwritable(self, error: OSError | RedraftError) -> FileError:
        reason = getattr(error, "strerror", None) or error
        return FileError(f"the trace in {self.folder} cannot be written: {reason}")


def _check_folder(folder: Path) -> None:
    try:
        if not folder.exists():
            return
        if not folder.is_dir():
            raise InputError(f"--trace needs a folder, and {folder} is a file")
        if not any(folder.iterdir()):
            return
        with (folder / TRAJECTORY).open("rb") as file:
            is_ours = b'"event": "task"' in file.read(64)
    except FileNotFoundError:
        is_ours = False
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be used: {error.strerror or error}") from None
    if not is_ours:
        raise InputError(f"{folder} holds other files, and no trace: give --trace a new or empty folder")


def _line(record: dict[str, Any]) -> bytes:
    return f"{dumped(record)}\n".encode()
