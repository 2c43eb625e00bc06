"""A trajectory as it is read back from disk: the task, every text that was tried, and how it ended.

DIR/trajectory.jsonl   {"event": "task", …} first, then {"event": "node", …} as each is finished, and
                       {"event": "result", …} last; a killed run leaves no result, and at most one
                       broken last line
DIR/search.html        the same for the eye, written when the run ends or is interrupted
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from redraft.errors import FileError, InputError
from redraft.models import Usage
from redraft.notation import parse_json
from redraft.quality import GrammarFinding, Meaning
from redraft.revision.base import Change, Feedback, Improvement, Reward
from redraft.text import Format

TRAJECTORY = "trajectory.jsonl"
PAGE = "search.html"


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


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


Kind = TypeVar("Kind", bound=_Line)


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
