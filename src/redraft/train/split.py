"""Training rows and held-out rows, parted by text: nothing that stands on one side stands on the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from redraft.errors import InputError
from redraft.train.guard import normalised_words
from redraft.train.rows import Row

Files = Mapping[str, Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Hold:
    """How many inputs of a file to hold out, and from which sources of it: the first are taken first."""

    file: str
    count: int
    sources: tuple[str, ...] = ()

    def takes(self, row: Row) -> bool:
        """Whether a row of the file may be counted."""
        return not self.sources or row.source in self.sources


def split(
    files: Files, *, dev: Mapping[str, int] | int, seed: int
) -> tuple[dict[str, list[Row]], dict[str, list[Row]]]:
    """Rows to train on and held-out rows: so many inputs of each file, or of the named ones."""
    counts = dict.fromkeys(files, dev) if isinstance(dev, int) else dev
    return hold_out(files, [Hold(name, count) for name, count in counts.items()], seed=seed)


def hold_out(
    files: Files, holds: Sequence[Hold], *, seed: int
) -> tuple[dict[str, list[Row]], dict[str, list[Row]]]:
    """Rows to train on and held-out rows: each hold takes whole components until it has its count.

    A component is all rows, of every file, that are linked by an input or a target they share. One that would
    take a hold past its count is passed over, so that a hold stays short rather than takes too much; but what
    another hold takes may bring further inputs.
    """
    for hold in holds:
        if hold.file not in files:
            raise InputError(f"there is no file {hold.file!r} to hold out of; there are {', '.join(files)}")
        if hold.count < 0:
            raise InputError(f"{hold.file}: {hold.count} inputs cannot be held out")
    of = components(files)
    taken: set[int] = set()
    for hold in holds:
        _take(hold, files[hold.file], of[hold.file], taken, Random(f"{seed}/{hold.file}"))
    sides: tuple[dict[str, list[Row]], dict[str, list[Row]]] = ({}, {})
    for name, rows in files.items():
        for side in sides:
            side[name] = []
        for row, component in zip(rows, of[name], strict=True):
            sides[component in taken][name].append(row)
    return sides


def components(files: Files) -> dict[str, list[int]]:
    """The component of every row: rows with one number are linked by texts, equal but for case and marks."""
    numbers: dict[str, int] = {}
    parents: list[int] = []

    def number(text: str) -> int:
        # A text without any word is only like itself.
        key = " ".join(normalised_words(text)) or f"\0{text}"
        if key not in numbers:
            numbers[key] = len(parents)
            parents.append(len(parents))
        return numbers[key]

    def root(node: int) -> int:
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    inputs: dict[str, list[int]] = {}
    for name, rows in files.items():
        inputs[name] = []
        for row in rows:
            first, second = number(row.input), number(row.target)
            inputs[name].append(first)
            parents[root(second)] = root(first)
    return {name: [root(node) for node in nodes] for name, nodes in inputs.items()}


def dev_samples(rows: Iterable[Row], name: str = "dev") -> list[dict[str, Any]]:
    """The rows as test samples, an input with all its targets each, in the form of EditEval's files."""
    targets: dict[tuple[str, str, tuple[str, ...]], dict[str, None]] = {}
    for row in rows:
        targets.setdefault((row.task, row.input, row.documents), {})[row.target] = None
    return [
        {
            "id": f"{name}-{number}",
            "input": text,
            "references": list(references),
            "task": task,
            "documents": list(documents),
        }
        for number, ((task, text, documents), references) in enumerate(targets.items())
    ]


def _take(hold: Hold, rows: Sequence[Row], of: Sequence[int], taken: set[int], random: Random) -> None:
    inputs: dict[int, set[str]] = {}
    rank: dict[int, int] = {}
    for row, component in zip(rows, of, strict=True):
        if hold.takes(row):
            inputs.setdefault(component, set()).add(row.input)
            place = hold.sources.index(row.source) if hold.sources else 0
            rank[component] = min(place, rank.get(component, place))
    have = sum(len(texts) for component, texts in inputs.items() if component in taken)
    order = [component for component in inputs if component not in taken]
    random.shuffle(order)
    for component in sorted(order, key=rank.__getitem__):
        if have + len(inputs[component]) <= hold.count:
            taken.add(component)
            have += len(inputs[component])
