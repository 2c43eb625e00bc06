"""What systems did to their sources, beside their scores: a row for each system and data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.bench.tables import Cell, Column, DataSetResult, Number, Result, Table, all_metrics, metric_name

_MARK: Final = "deleted"
"""A data set with this metric is one of which the changes are told."""
_SHARES: Final = {
    "split": "Split",
    "deleted": "Deleted",
    "replaced": "Replaced",
    "added": "Added",
    "copied": "Copied",
}
_BEFORE: Final = {
    "reading_grade": "Grade",
    "difficult_words": "Difficult",
    "perplexity": "Perplexity",
    "grammar": "Errors",
}
"""Metrics that come with the change from the source; here as above, with the heads of their columns."""


def changes(results: Sequence[Result]) -> tuple[Table, ...]:
    """How each system edits, and how easy its texts have become; none where no data set tells of it."""
    edited = [(result, each) for result in results for each in result.datasets if _MARK in each.spreads]
    return (_edits(edited, all_metrics(results)), _ease(edited, all_metrics(results))) if edited else ()


def _edits(edited: Sequence[tuple[Result, DataSetResult]], known: Sequence[str]) -> Table:
    main = [name for name in ("sari", "lens") if name in known]
    rows: list[tuple[Cell, ...]] = [
        (
            result.label,
            each.abbreviation,
            *((result.score(each.name, name),) for name in (*main, *_SHARES)),
            (_component(result.score(each.name, "compression"), "words"),),
        )
        for result, each in edited
    ]
    columns = (
        Column("System"),
        Column("Data set"),
        *(Column(metric_name(name), (name,)) for name in main),
        *(Column(head, ("",)) for head in _SHARES.values()),
        Column("Length", ("",), 2),
    )
    note = (
        "In per cent: texts with more sentences than their sources (split); words deleted, replaced, added, "
        "by the words of the source; texts that are their sources (copied). Length: words, by those of the "
        "source."
    )
    if "lens" not in known:
        note += " LENS is given for ASSET where its package is installed: pip install 'redraft[lens]'."
    return Table("changes", "What the edits did", note, columns, tuple(rows), is_main=True)


def _ease(edited: Sequence[tuple[Result, DataSetResult]], known: Sequence[str]) -> Table:
    before = [name for name in _BEFORE if name in known]
    rows: list[tuple[Cell, ...]] = [
        (
            result.label,
            each.abbreviation,
            *(_both(result.score(each.name, name)) for name in before),
            *(((result.score(each.name, "meaning"),),) if "meaning" in known else ()),
        )
        for result, each in edited
    ]
    columns = (
        Column("System"),
        Column("Data set"),
        *(Column(_BEFORE[name], ("before", "after"), 2 if name == "grammar" else 1) for name in before),
        *((Column("Meaning", ("",), 3),) if "meaning" in known else ()),
    )
    note = (
        "Means over texts, of the sources and of what became of them: the Flesch-Kincaid grade, words above "
        "the level B1 in per cent, perplexity, and errors of grammar per 100 words. Meaning: nearness to the "
        "source, at most 1."
    )
    if "perplexity" not in known:
        note += " Perplexity, errors and meaning are measured with: bench run --quality."
    return Table("ease", "Before and after", note, columns, tuple(rows), is_main=True)


def _component(number: Number | None, name: str) -> Number | None:
    return Number(number.components[name]) if number and name in number.components else None


def _both(number: Number | None) -> tuple[Number | None, Number | None]:
    """Before and after."""
    change = _component(number, "change")
    return Number(number.value - change.value) if number and change else None, number
