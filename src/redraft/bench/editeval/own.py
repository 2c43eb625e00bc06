"""Our own form: JSON lines with id, input, references, task and documents; the data set names the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from redraft.bench.editeval import rows
from redraft.bench.editeval.facts import Fact, facts
from redraft.bench.editeval.source import DOCUMENTS, Source
from redraft.bench.sample import Sample
from redraft.errors import InputError


def recognise(path: Path, columns: frozenset[str]) -> Source | None:
    """The data set that a file holds, by its name and columns."""
    fact = facts().get(path.stem)
    if fact is None or path.suffix not in {".jsonl", ".json"} or not {"input", "references"} <= columns:
        return None
    return Source(fact.name, "our JSON lines", path, lambda: _read(path, fact))


def _read(path: Path, fact: Fact) -> Iterator[Sample]:
    for number, row in enumerate(rows.rows(path)):
        task = row.fields.get("task", fact.task)
        if task != fact.task:
            raise InputError(f'{row.where}: "task" is {task!r}, where {fact.name} is {fact.task!r}')
        references = row.texts("references")
        if not references:
            raise InputError(f'{row.where}: "references" is empty')
        documents = row.texts("documents") if row.fields.get("documents") else ()
        name = str(row.fields.get("id", f"{fact.name}-{number}"))
        yield Sample(name, fact.name, fact.task, row.text("input"), references, documents[:DOCUMENTS])
