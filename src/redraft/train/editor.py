"""The editor's training: rows of many files and tasks, each asked for in words drawn anew every epoch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from redraft.editor.prompt import editor_messages
from redraft.errors import InputError
from redraft.models import Message
from redraft.models.weights import sha256_of
from redraft.train.chat import Turns
from redraft.train.guard import Guard
from redraft.train.mix import Mixture
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
    """Read the files, keep out what the guard refuses, mix the rest.

    A row that changes nothing teaches only where nothing may be wrong: to fix errors. To simplify, reword or
    neutralise always asks for a change.
    """
    names = [path.stem for path in files]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"two training files are called {twice}: rename one, since weights go by name")
    rows: dict[str, list[Row]] = {}
    refused: dict[str, int] = {}
    for path in files:
        found = [row for row in read_rows(path) if row.input != row.target or row.task in MAY_BE_RIGHT]
        rows[path.stem] = list(guard.filter(found)) if guard else found
        refused[path.stem] = len(found) - len(rows[path.stem])
    mixture = Mixture(rows, weights, instructions, seed)
    choice = Random(f"{seed}/dev")
    held_out = tuple(
        conversation(row, choice.choice(list(instructions[row.task])))
        for path in dev
        for row in read_rows(path)
    )
    record = {
        "data": [
            {"file": path.name, "sha256": sha256_of(path), "weight": mixture.weights[path.stem]}
            for path in files
        ],
        "counts": [asdict(count) for count in mixture.counts()],
        "refused": refused,
        "guarded": guard is not None,
        "emphasis": emphasis,
        "instructions": {task: len(lines) for task, lines in instructions.items()},
    }
    return EditorData(mixture, held_out, refused, record, emphasis)
