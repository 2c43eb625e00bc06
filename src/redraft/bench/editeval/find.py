"""Looking for the data sets in a folder: which files hold which of them, in our form or that of the hub."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.bench.benchmark import Sample
from redraft.bench.editeval import original, rows, updating
from redraft.bench.editeval.facts import (
    DOCUMENTS,
    FORMS,
    DataSetFacts,
    Read,
    Source,
    facts,
    numbered,
    samples,
)
from redraft.bench.editeval.original import paraphrases
from redraft.bench.editeval.updating import cited, document
from redraft.errors import InputError, MissingExtra


def recognise_own(path: Path, columns: frozenset[str]) -> Source | None:
    """The data set that a file holds, by its name and columns."""
    fact = facts().get(path.stem)
    if fact is None or path.suffix not in {".jsonl", ".json"} or not {"input", "references"} <= columns:
        return None
    return Source(fact.name, "our JSON lines", path, lambda: _read_own(path, fact))


def _read_own(path: Path, fact: DataSetFacts) -> Iterator[Sample]:
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


ITERATER = ("fluency", "clarity", "coherence")
"""The intents that are tasks of EditEval; style, meaning-changed and others are left out (section 3.1)."""

HUB_COLUMNS = (
    "sentence and corrections (jfleg)",
    "before_sent, after_sent and labels (iterater)",
    "sentence1, sentence2 and similarity_score (stsb_multi_mt)",
    "original and simplifications (turk, asset)",
    "input and edits (any, as EditEval saves them)",
)
"""The columns that are looked for, for a message."""


def recognise_hub(path: Path, columns: frozenset[str]) -> tuple[Source, ...]:
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


_OTHER_SPLIT = re.compile(r"(?:^|[^a-z])(?:train|dev|valid|validation|tune)(?:[^a-z]|$)")


@dataclass(frozen=True)
class FoundDataSets:
    """What a folder holds."""

    sources: dict[str, Source]
    """The one to read of each data set."""
    spare: tuple[Source, ...]
    """Further copies of data sets that are read from elsewhere."""
    ignored: tuple[Path, ...]
    unreadable: tuple[MissingExtra, ...]
    """Files that need an optional part to be looked into."""


def find(path: Path) -> FoundDataSets:
    """The data sets at a path, a folder or one file."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    sources: list[Source] = []
    ignored: list[Path] = []
    unreadable: list[MissingExtra] = []
    for file in _files(path):
        try:
            recognised = _recognise(file, path)
        except MissingExtra as missing:
            unreadable.append(missing)
            continue
        sources += recognised
        if not recognised:
            ignored.append(file)
    chosen: dict[str, Source] = {}
    spare: list[Source] = []
    for source in sorted(sources, key=_preference):
        if chosen.setdefault(source.dataset, source) is not source:
            spare.append(source)
    companions = {file for source in sources for file in source.files}
    others = tuple(file for file in ignored if file not in companions)
    return FoundDataSets(chosen, tuple(spare), others, tuple(unreadable))


def nothing_found(path: Path, found: FoundDataSets) -> InputError:
    """The error for a path at which there is no data set; says what was looked for."""
    if found.unreadable:
        return found.unreadable[0]
    wanted = (
        f"{', '.join(f'{name}.jsonl' for name in facts())} (id, input, references, task, documents)",
        f"original files: {', '.join((*original.NAMES, *updating.FRUIT_FILES, *updating.WAFER_FILES))}",
        f"JSON, CSV or Parquet of the test split with the columns {'; '.join(HUB_COLUMNS)}",
    )
    return InputError("\n  ".join((f"{path} holds no data set of EditEval; looked for", *wanted)))


def _preference(source: Source) -> tuple[int, bool, str]:
    # TurkCorpus's repository has its files in lower case, and with capitals in the folder GEM, which is what
    # EditEval uses.
    return FORMS.index(source.form), "GEM" not in source.path.parts, str(source.path)


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def _recognise(file: Path, path: Path) -> tuple[Source, ...]:
    if source := original.recognise(file) or updating.recognise_fruit(file):
        return (source,)
    if file.suffix not in rows.SUFFIXES or (file != path and _other_split(file, path)):
        return ()
    columns = rows.columns(file)
    source = (
        recognise_own(file, columns)
        or updating.recognise_fruit_rows(file, columns)
        or updating.recognise_wafer(file, columns)
    )
    return (source,) if source else recognise_hub(file, columns)


def _other_split(file: Path, path: Path) -> bool:
    """Whether a file's name, or that of its folder below the given path, says that it is no test split."""
    folder = "" if file.parent == path else file.parent.name
    return any(_OTHER_SPLIT.search(part.lower()) for part in (file.stem, folder))
