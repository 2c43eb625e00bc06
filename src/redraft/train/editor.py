"""Training data for the editor: rows of many files and tasks, and the phrasings that ask for each task."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from redraft.editor import editor_messages, read_phrasings
from redraft.errors import InputError
from redraft.models import Message
from redraft.train.conversations import Conversation, fingerprints, row_key
from redraft.train.guard import Guard
from redraft.train.recipe import Mixture
from redraft.train.rows import TrainingRow, read_rows, read_some

MAY_BE_RIGHT = ("fluency",)
"""Tasks whose input may already be as it should."""


@dataclass(frozen=True, slots=True)
class EditorData:
    """What the editor learns from: mixed training files, a dev set, and what was kept out."""

    mixture: Mixture
    dev: tuple[Conversation, ...]
    refused: Mapping[str, int]
    """Rows of each file that equal, or nearly equal, a test set's."""
    record: dict[str, Any]
    """What there was, for the record of the training."""
    emphasis: float
    copies: Mapping[str, int]
    """Rows of each file that change nothing, though their task asks for a change."""
    in_dev: Mapping[str, int]
    """Rows of each file that the dev set has."""

    def epoch(self, number: int) -> Iterable[Conversation]:
        """The conversations of an epoch."""
        for row, instruction in self.mixture.epoch(number):
            yield editing_conversation(row, instruction, self.emphasis)


def editing_conversation(row: TrainingRow, instruction: str, emphasis: float = 1.0) -> Conversation:
    """A row as the editor will be asked, and what it should answer."""
    asked = editor_messages(instruction, row.input, row.documents)
    return Conversation((*asked, Message("assistant", row.target)), source=row.input, emphasis=emphasis)


def read_editor_data(
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
    held_out = [(path, row) for path in dev for row in read_some(path, read_rows, "row")]
    known = {row_key(row) for _, row in held_out}
    rows: dict[str, list[TrainingRow]] = {}
    in_dev: dict[str, int] = {}
    copies: dict[str, int] = {}
    refused: dict[str, int] = {}
    for path in files:
        every = read_some(path, read_rows, "row")
        found = [row for row in every if row.input != row.target or row.task in MAY_BE_RIGHT]
        clean = list(guard.filter(found)) if guard else found
        rows[path.stem] = [row for row in clean if row_key(row) not in known] if known else clean
        copies[path.stem] = len(every) - len(found)
        refused[path.stem] = len(found) - len(clean)
        in_dev[path.stem] = len(clean) - len(rows[path.stem])
    mixture = Mixture(rows, weights, instructions, seed)
    if not any(count.draws for count in mixture.counts()):
        raise InputError(
            "there is nothing to train on: every row is kept out (as the test sets' or the dev set's, or "
            "since it changes nothing), or has the weight 0"
        )
    draw = Random(f"{seed}/dev")
    asked = []
    for path, row in held_out:
        if not instructions.get(row.task):
            known_tasks = ", ".join(instructions)
            raise InputError(f"{path} has rows of the task {row.task!r}, but the tasks are {known_tasks}")
        asked.append(editing_conversation(row, draw.choice(instructions[row.task])))
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
    return EditorData(mixture, tuple(asked), refused, record, emphasis, copies, in_dev)


def merge_instructions(*others: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The instructions of each task: ours, then those of other lists that are not among them."""
    found: dict[str, dict[str, None]] = {}
    for each in ({task: parts["training"] for task, parts in read_phrasings().items()}, *others):
        for task, lines in each.items():
            found.setdefault(task, {}).update(dict.fromkeys(lines))
    return {task: tuple(lines) for task, lines in found.items()}
