"""What the data sets are: their sizes and lengths (Table 1), targets and domains (Table 4), licences."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from redraft.bench.benchmark import DataSet
from redraft.bench.editeval.facts import facts
from redraft.bench.tables import Cell, Column, Number, Table
from redraft.text import count_words


def describe_datasets(datasets: Sequence[DataSet]) -> list[dict[str, Any]]:
    """Each data set in numbers, beside what the paper says of it."""
    return [_described(dataset) for dataset in datasets]


def sizes_table(described: Sequence[dict[str, Any]]) -> Table:
    """Table 1, with the lengths of the texts."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one["name"],
            one["task"],
            one["samples"],
            one["paper_samples"],
            (Number(one["input_words"]),),
            (Number(one["reference_words"]),),
            (Number(one["documents"]),),
        )
        for one in described
    )
    titles = ("Data set", "Task", "Samples", "Paper's", "Words of an input", "of a reference", "Documents")
    note = "Words and documents are means of a sample."
    return Table("sizes", "EditEval: sizes (Table 1)", note, tuple(map(Column, titles)), rows)


def domains_table(described: Sequence[dict[str, Any]]) -> Table:
    """Table 4, with the licences."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one["name"],
            one["targets"],
            one["paper_targets"],
            ", ".join(one["domains"]),
            one["licence"],
        )
        for one in described
    )
    titles = ("Data set", "|T|", "Paper's", "Domains", "Licence")
    note = "|T|: references of a sample; the domains are the paper's."
    return Table("domains", "EditEval: targets and domains (Table 4)", note, tuple(map(Column, titles)), rows)


def origins_table() -> Table:
    """Where the data sets come from, and under which terms."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (fact.name, fact.size, fact.licence, fact.address) for fact in facts().values()
    )
    titles = ("Data set", "Samples", "Licence", "From")
    note = "Nothing is downloaded unless --from names an address; the terms are the owners'."
    return Table("origins", "EditEval: where the data sets are", note, tuple(map(Column, titles)), rows)


def _described(dataset: DataSet) -> dict[str, Any]:
    fact = facts()[dataset.name]
    counts = sorted({len(sample.references) for sample in dataset.samples})
    texts = [text for sample in dataset.samples for text in sample.references]
    return {
        "name": dataset.name,
        "abbreviation": dataset.abbreviation,
        "task": dataset.task,
        "samples": len(dataset.samples),
        "paper_samples": fact.size,
        "targets": "–".join(str(count) for count in sorted({counts[0], counts[-1]})),
        "paper_targets": fact.targets,
        "input_words": fmean(count_words(sample.input) for sample in dataset.samples),
        "reference_words": fmean(map(count_words, texts)),
        "documents": fmean(len(sample.documents) for sample in dataset.samples),
        "domains": list(fact.domains),
        "licence": fact.licence,
        "address": fact.address,
    }
