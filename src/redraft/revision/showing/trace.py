"""The trace of a revision: written while it runs, and read back.

DIR/trajectory.jsonl   {"event": "task", …} first, then {"event": "node", …} as each is finished, and
                       {"event": "result", …} last; a killed run leaves no result, and at most one
                       broken last line
DIR/search.html        the same as a page, written when the run ends or is interrupted
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from redraft.constraints import Conflict, Findings
from redraft.errors import FileError, InputError, RedraftError
from redraft.models import Usage
from redraft.notation import parse_json
from redraft.quality import GrammarFinding, Meaning, Quality
from redraft.revision.records import Change, Concern, Feedback, Improvement, Node, Reward
from redraft.revision.showing.page import search_page
from redraft.text import Format, lock_folder, to_json, write_text

TRAJECTORY = "trajectory.jsonl"
PAGE = "search.html"


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


Kind = TypeVar("Kind", bound=_Line)


class TracedTask(_Line):
    """What was asked, of which text, and of whom."""

    instruction: str = ""
    text: str
    calls: tuple[str, ...] = ()
    counting: str = "default"
    format: Format = "text"
    strategy: str = ""
    effort: str = ""
    seed: int = 0
    planner: str = ""
    reviser: str = ""
    switches: tuple[str, ...] = ()
    """The parts of the search that were switched off."""
    scored_by: str = ""
    prompts: str = ""
    """The hash of the prompts that were in use."""
    started: str = ""


class TracedFinding(_Line):
    """A constraint and whether a text met it."""

    call: str
    met: bool
    message: str = ""


class TracedQuality(_Line):
    """The scores of a text; None where there is none, or where it was infinite."""

    perplexity: float | None = None
    likelihood: float | None = None
    grammar: float | None = None
    findings: tuple[GrammarFinding, ...] = ()
    meaning: Meaning | None = None
    entities: float | None = None
    some: float | None = None


class TracedNode(_Line):
    """A text that was tried: what was planned, what it became, what the tools said."""

    id: int
    parent: int | None = None
    by: str = ""
    thought: str = ""
    calls: tuple[str, ...] = ()
    plan: tuple[Improvement, ...] = ()
    text: str
    feedback: tuple[Feedback, ...] = ()
    findings: tuple[TracedFinding, ...] = ()
    quality: TracedQuality = TracedQuality()
    reward: Reward
    changes: tuple[Change, ...] = ()
    usage: Usage = Usage()


class BeforeAndAfter(_Line):
    """The scores of the original and of the result."""

    before: TracedQuality | None = None
    after: TracedQuality | None = None


class Conflicting(_Line):
    """Constraints that no text can satisfy together, and why."""

    calls: tuple[str, ...]
    reason: str


class TracedResult(_Line):
    """How it ended; `visits` holds N and V of each node by its number."""

    best: int | None = None
    text: str
    findings: tuple[TracedFinding, ...] = ()
    infeasible: tuple[Conflicting, ...] = ()
    quality: BeforeAndAfter = BeforeAndAfter()
    visits: dict[int, tuple[int, float]] = {}
    stopped: str = ""
    usage: Usage = Usage()
    changes: tuple[Change, ...] = ()
    concerns: tuple[Concern, ...] = ()


@dataclass(frozen=True)
class Trajectory:
    """One revision, step by step; `result` is None where it was killed or interrupted."""

    task: TracedTask
    nodes: tuple[TracedNode, ...]
    result: TracedResult | None = None

    @cached_property
    def best(self) -> TracedNode | None:
        """The node that the result names; without a result, the first of those with the highest reward."""
        named = None if self.result is None else self.result.best
        found = [node for node in self.nodes if named is None or node.id == named]
        return max(found, key=lambda node: node.reward.total, default=None)

    @cached_property
    def best_path(self) -> tuple[TracedNode, ...]:
        """From the root to the best node."""
        by_id = {node.id: node for node in self.nodes}
        path: list[TracedNode] = []
        node = self.best
        while node is not None:
            path.append(node)
            node = None if node.parent is None else by_id[node.parent]
        return tuple(reversed(path))

    @cached_property
    def depths(self) -> dict[int, int]:
        """The steps from the root to each node, by its number."""
        depths: dict[int, int] = {}
        for node in self.nodes:
            depths[node.id] = 0 if node.parent is None else depths[node.parent] + 1
        return depths

    @property
    def text(self) -> str:
        """The result's text; without a result that of the best node, or the original."""
        if self.result is not None:
            return self.result.text
        return self.best.text if self.best is not None else self.task.text


def read_trace(folder: str | Path) -> Trajectory:
    """The trajectory in a folder that `--trace` wrote; a broken last line is left out."""
    file = Path(folder) / TRAJECTORY
    task: TracedTask | None = None
    result: TracedResult | None = None
    nodes: dict[int, TracedNode] = {}
    for number, value in _lines(file):
        place = f"{file}, line {number},"
        event = value.get("event")
        if task is None:
            if event != "task":
                raise InputError(f"{file} is no trajectory of ours: its first line is not the task")
            task = _read(TracedTask, value, place)
        elif event == "node":
            node = _read(TracedNode, value, place)
            if node.id in nodes or (node.parent is not None and node.parent not in nodes):
                raise InputError(f"{place} is a node out of order: it comes twice, or before its parent")
            nodes[node.id] = node
        elif event == "result":
            result = _read(TracedResult, value, place)
    if task is None:
        raise InputError(f"{file} holds nothing: the run was stopped before it began")
    return Trajectory(task, tuple(nodes.values()), result)


def _lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every whole line, numbered."""
    try:
        lines = file.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        raise InputError(f"{file.parent} holds no trace: it has no {TRAJECTORY}") from None
    except NotADirectoryError:
        raise InputError(f"{file.parent} is no folder: name the one that --trace wrote") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{file} cannot be read: {error}") from None
    for number, line in enumerate(lines, 1):
        try:
            value = parse_json(line)
        except ValueError:
            if number > 1 and number == len(lines):
                return  # cut off when the run was killed
            raise InputError(f"{file}, line {number}, is not JSON: this is no trajectory of ours") from None
        if not isinstance(value, dict):
            raise InputError(f"{file}, line {number}, is no object: this is no trajectory of ours")
        yield number, value


def _read(kind: type[Kind], value: dict[str, Any], place: str) -> Kind:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{place} is damaged at {where}: {first['msg'].lower()}") from None


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
        scored_by: str = "",
        prompts: str = "",
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
            "scored_by": scored_by,
            "prompts": prompts,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._open.enter_context(lock_folder(self.folder, "--trace"))
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
        concerns: Iterable[Concern] = (),
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
                "concerns": [asdict(concern) for concern in concerns],
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
    return f"{to_json(record)}\n".encode()
