"""The form that the data sets have on the Hugging Face hub: rows, as JSON, CSV or Parquet.

Also what EditEval's own code saves: `input`, `edits` and `retrieved_documents`, processed already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from redraft.bench.editeval import rows
from redraft.bench.editeval.citations import cited, document
from redraft.bench.editeval.facts import facts
from redraft.bench.editeval.original import paraphrases
from redraft.bench.editeval.source import DOCUMENTS, Read, Source, numbered, samples
from redraft.bench.sample import Sample
from redraft.errors import InputError

ITERATER = ("fluency", "clarity", "coherence")
"""The intents that are tasks of EditEval; style, meaning-changed and others are left out (section 3.1)."""

COLUMNS = (
    "sentence and corrections (jfleg)",
    "before_sent, after_sent and labels (iterater)",
    "sentence1, sentence2 and similarity_score (stsb_multi_mt)",
    "original and simplifications (turk, asset)",
    "input and edits (any, as EditEval saves them)",
)
"""The columns that are looked for, for a message."""


def recognise(path: Path, columns: frozenset[str]) -> tuple[Source, ...]:
    """The data sets that a file of rows holds, by its columns and, where these are shared, its name."""
    if {"before_sent", "after_sent", "labels"} <= columns:
        return tuple(_iterater_source(path, task) for task in ITERATER)
    if {"sentence", "corrections"} <= columns:
        return (_source("jfleg", path, lambda: _lists(path, "jfleg", "sentence", "corrections")),)
    if {"sentence1", "sentence2", "similarity_score"} <= columns:
        return (_source("stsb_multi_mt", path, lambda: paraphrases(rows.rows(path), "similarity_score")),)
    if {"original", "simplifications"} <= columns:
        name = _simplification(path)
        return (_source(name, path, lambda: _lists(path, name, "original", "simplifications")),)
    if {"id", "input", "edits"} <= columns and (saved := _named(path, facts())):
        return (_source(saved, path, lambda: _saved(path, saved)),)
    return ()


def _source(dataset: str, path: Path, read: Read) -> Source:
    return Source(dataset, "the Hugging Face form", path, read)


def _named(path: Path, names: Iterable[str]) -> str | None:
    """The name among these that the file or one of its nearest folders bears."""
    parts = [path.stem.lower(), *(parent.name.lower() for parent in path.parents[:3])]
    return next((name for part in parts for name in names if name == part), None)


def _simplification(path: Path) -> str:
    """TurkCorpus has eight simplifications of a sentence, ASSET ten; else the file must be named."""
    first = next(rows.rows(path))
    count = len(first.texts("simplifications"))
    name = {8: "turk", 10: "asset"}.get(count) or _named(path, ("turk", "asset"))
    if name is None:
        raise InputError(
            f"{first.where}: {count} simplifications, where TurkCorpus has 8 and ASSET 10; "
            "name the file turk or asset to say which it is"
        )
    return name


def _lists(path: Path, dataset: str, source: str, references: str) -> Iterator[Sample]:
    pairs = ((row.text(source), row.texts(references)) for row in rows.rows(path))
    return samples(dataset, numbered(dataset, pairs))


def _iterater_source(path: Path, task: str) -> Source:
    return _source(f"iterater_{task}", path, lambda: _iterater(path, task))


def _iterater(path: Path, task: str) -> Iterator[Sample]:
    pairs = (
        (row.text("before_sent"), (row.text("after_sent"),))
        for row in rows.rows(path)
        if row.text("labels") == task and len(row.text("after_sent")) > 1
    )
    return samples(f"iterater_{task}", numbered("iterater", pairs))


def _saved(path: Path, dataset: str) -> Iterator[Sample]:
    task = facts()[dataset].task
    for row in rows.rows(path):
        documents = tuple(_documents(row))
        references = row.texts("edits")
        if dataset == "fruit":
            target, documents = cited(references[0], documents)
            references = (target,)
        yield Sample(row.text("id"), dataset, task, row.text("input"), references, documents[:DOCUMENTS])


def _documents(row: rows.Row) -> Iterator[str]:
    found: Any = row.fields.get("retrieved_documents") or ()
    for value in found:
        if not isinstance(value, dict) or not isinstance(value.get("text"), str):
            raise InputError(f'{row.where}: "retrieved_documents" should hold objects with a text')
        yield document(value.get("title"), value["text"])
