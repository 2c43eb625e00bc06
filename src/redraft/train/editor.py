"""The editor's training: rows of many files and tasks, each asked for in words drawn anew every epoch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from redraft.editor import editor_messages, read_phrasings
from redraft.errors import InputError
from redraft.models import Message
from redraft.train.conversations import Turns, fingerprints, plain
from redraft.train.guard import Guard
from redraft.train.recipe import Mixture
from redraft.train.rows import Row, read_rows

MAY_BE_RIGHT = ("fluency",)
"""Tasks whose input may already be as it should."""


@dataclass(frozen=True, slots=True)
class EditorData:
    """What the editor learns from: mixed training files, a dev set, and what was kept out."""

    mixture: Mixture
    dev: tuple[Turns, ...]
    refused: Mapping[str, int]
    """Rows of each file that equal, or nearly equal, a test set's."""
    record: dict[str, Any]
    """What there was, for the record of the training."""
    emphasis: float = 1.0
    copies: Mapping[str, int] = field(default_factory=dict)
    """Rows of each file that change nothing, though their task asks for a change."""
    in_dev: Mapping[str, int] = field(default_factory=dict)
    """Rows of each file that the dev set has."""

    def epoch(self, number: int) -> Iterable[Turns]:
        """The conversations of an epoch."""
        for row, instruction in self.mixture.epoch(number):
            yield conversation(row, instruction, self.emphasis)


def conversation(row: Row, instruction: str, emphasis: float = 1.0) -> Turns:
    """A row as the editor will be asked, and what it should answer."""
    asked = editor_messages(instruction, row.input, row.documents)
    return Turns((*asked, Message("assistant", row.target)), source=row.input, emphasis=emphasis)


def editor_data(
    files: Sequence[Path],
    weights: Mapping[str, float],
    instructions: Mapping[str, Sequence[str]],
    *,
    dev: Sequence[Path] = (),
    guard: Guard | None = None,
    emphasis: float = 1.0,
    seed: int = 0,
) -> EditorData:
    """Read the files, keep out what the guard refuses and what the dev set has, mix the rest.

    A row that changes nothing teaches only where nothing may be wrong: to fix errors. To simplify, reword or
    neutralise always asks for a change.
    """
    names = [path.stem for path in files]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"two training files are called {twice}: rename one, since weights go by name")
    if not 0 < emphasis < math.inf:
        raise InputError(f"the emphasis must be above zero, not {emphasis}")
    held_out = [(path, row) for path in dev for row in _read_some(path)]
    known = {_key(row) for _, row in held_out}
    rows: dict[str, list[Row]] = {}
    in_dev: dict[str, int] = {}
    copies: dict[str, int] = {}
    refused: dict[str, int] = {}
    for path in files:
        every = _read_some(path)
        found = [row for row in every if row.input != row.target or row.task in MAY_BE_RIGHT]
        clean = list(guard.filter(found)) if guard else found
        rows[path.stem] = [row for row in clean if _key(row) not in known] if known else clean
        copies[path.stem] = len(every) - len(found)
        refused[path.stem] = len(found) - len(clean)
        in_dev[path.stem] = len(clean) - len(rows[path.stem])
    mixture = Mixture(rows, weights, instructions, seed)
    if not any(count.draws for count in mixture.counts()):
        raise InputError(
            "there is nothing to train on: every row is kept out (as the test sets' or the dev set's, or "
            "since it changes nothing), or has the weight 0"
        )
    choice = Random(f"{seed}/dev")
    asked = tuple(
        conversation(row, choice.choice(_instructions_for(row, path, instructions))) for path, row in held_out
    )
    record = {
        "data": [
            {**entry, "weight": mixture.weights[path.stem]}
            for path, entry in zip(files, fingerprints(files), strict=True)
        ],
        "counts": [asdict(count) for count in mixture.counts()],
        "refused": refused,
        "guarded": guard is not None,
        "emphasis": emphasis,
        "instructions": {task: len(lines) for task, lines in instructions.items()},
    }
    if dev:
        record["dev"] = fingerprints(dev)
        record["in_dev"] = in_dev
    return EditorData(mixture, asked, refused, record, emphasis, copies, in_dev)


def _key(row: Row) -> tuple[str, str]:
    return plain(row.input), plain(row.target)


def _read_some(path: Path) -> list[Row]:
    rows = list(read_rows(path))
    if not rows:
        raise InputError(f"{path} is empty: it holds no row")
    return rows


def _instructions_for(row: Row, path: Path, instructions: Mapping[str, Sequence[str]]) -> Sequence[str]:
    found = instructions.get(row.task)
    if not found:
        known = ", ".join(instructions)
        raise InputError(f"{path} has rows of the task {row.task!r}, but the tasks are {known}")
    return found


def phrasings(task: str) -> tuple[str, ...]:
    """The wordings of a task to train on."""
    return _wordings(task, "training")


def held_out(task: str) -> tuple[str, ...]:
    """The wordings of a task that training never sees: how much a score falls with them is its robustness."""
    return _wordings(task, "held_out")


def tasks() -> tuple[str, ...]:
    """The tasks that have wordings."""
    return tuple(read_phrasings())


def joined(*others: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The instructions of each task: ours, then those of other lists that are not among them."""
    names = dict.fromkeys([*tasks(), *(task for other in others for task in other)])
    known = read_phrasings()
    return {
        task: tuple(
            dict.fromkeys(
                [
                    *(known[task]["training"] if task in known else ()),
                    *(line for other in others for line in other.get(task, ())),
                ]
            )
        )
        for task in names
    }


def _wordings(task: str, part: str) -> tuple[str, ...]:
    known = read_phrasings()
    if task not in known:
        raise InputError(f"there is no task {task!r}; the tasks are {', '.join(known)}")
    return known[task][part]
