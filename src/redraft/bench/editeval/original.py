"""The original distributions of JFLEG, ASSET, TurkCorpus, the STS benchmark and WNC."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, takewhile
from pathlib import Path

from redraft.bench.benchmark import Sample
from redraft.bench.editeval import rows
from redraft.bench.editeval.facts import Pair, Read, Source, numbered, samples
from redraft.errors import InputError

PARAPHRASE = 5.0
"""The similarity that the paper takes for certain: the highest on the scale."""

_STS = ("genre", "file", "year", "id", "score", "sentence1", "sentence2")
_STS_ENGLISH = ("sentence1", "sentence2", "score")
_WNC = ("id", "source_tokens", "target_tokens", "source", "target")
_TURK = ("id", "source", *(f"turk{number}" for number in range(8)))


@dataclass(frozen=True)
class Layout:
    """Files that are parallel line by line: one of inputs, and one for each annotator."""

    dataset: str
    inputs: str
    references: str
    annotators: int


LAYOUTS = (
    Layout("jfleg", "test.src", "test.ref{}", 4),
    Layout("asset", "asset.test.orig", "asset.test.simp.{}", 10),
    Layout("turk", "test.8turkers.tok.norm", "test.8turkers.tok.turk.{}", 8),
    Layout("turk", "test.truecase.detok.orig", "test.truecase.detok.simp.{}", 8),
)

NAMES = (
    *(f"{layout.inputs} with {layout.references.format('*')}" for layout in LAYOUTS),
    "test.8turkers.organized.tsv",
    "sts-test.csv",
    "stsb-en-test.csv",
    "biased.word.test",
)
"""The file names that are looked for, for a message."""


def recognise(path: Path) -> Source | None:
    """The data set that a file holds in its original form, by its name."""
    match path.name:
        case "sts-test.csv":
            return _source("stsb_multi_mt", path, lambda: _sts(path))
        case "stsb-en-test.csv":
            return _source("stsb_multi_mt", path, lambda: _sts_english(path))
        case "biased.word.test":
            return _source("wnc", path, lambda: _wnc(path))
        case "test.8turkers.organized.tsv":
            return _source("turk", path, lambda: _turk(path))
    layout = next((layout for layout in LAYOUTS if layout.inputs == path.name), None)
    if layout is None or not (references := _companions(path, layout)):
        return None
    return _source(layout.dataset, path, lambda: _parallel(path, references, layout), references)


def _source(dataset: str, path: Path, read: Read, files: tuple[Path, ...] = ()) -> Source:
    return Source(dataset, "the original files", path, read, files)


def _companions(path: Path, layout: Layout) -> tuple[Path, ...]:
    names = (path.with_name(layout.references.format(number)) for number in count())
    return tuple(takewhile(Path.is_file, names))


def _parallel(path: Path, references: tuple[Path, ...], layout: Layout) -> Iterator[Sample]:
    if len(references) != layout.annotators:
        warnings.warn(
            f"{path} has {len(references)} files of references beside it, where {layout.annotators} belong",
            stacklevel=2,
        )
    inputs = rows.lines(path)
    columns = [rows.lines(reference) for reference in references]
    for reference, column in zip(references, columns, strict=True):
        if len(column) != len(inputs):
            raise InputError(
                f"{reference} has {len(column)} lines and {path.name} {len(inputs)}: they should be parallel"
            )
    if layout.dataset == "turk" and all(text == text.lower() for text in inputs):
        warnings.warn(
            f"{path} is TurkCorpus in lower case: EditEval takes the files in its folder GEM",
            stacklevel=2,
        )
    pairs = zip(inputs, zip(*columns, strict=True), strict=True)
    return samples(layout.dataset, numbered(layout.dataset, pairs))


def _turk(path: Path) -> Iterator[Sample]:
    found = (
        (row.text("source"), tuple(row.text(name) for name in _TURK[2:])) for row in rows.table(path, _TURK)
    )
    return samples("turk", numbered("turk", found))


def _sts(path: Path) -> Iterator[Sample]:
    return paraphrases(rows.table(path, _STS), "score")


def _sts_english(path: Path) -> Iterator[Sample]:
    return paraphrases(rows.rows(path, _STS_ENGLISH), "score")


def paraphrases(found: Iterator[rows.Row], score: str) -> Iterator[Sample]:
    """The pairs that mean the same for certain; the others are no targets for a paraphrase."""
    pairs = (
        (row.text("sentence1"), (row.text("sentence2"),)) for row in found if row.number(score) == PARAPHRASE
    )
    return samples("stsb_multi_mt", numbered("stsb_multi_mt", pairs))


def _wnc(path: Path) -> Iterator[Sample]:
    # EditEval reads this table as if it were quoted, so that a text loses the quotation marks it opens with.
    found = rows.table(path, _WNC, quoted=True)
    pairs = (Pair(f"wnc-test-{row.text('id')}", row.text("source"), (row.text("target"),)) for row in found)
    return samples("wnc", pairs)
