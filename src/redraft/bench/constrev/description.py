"""What the data of ConsTRev holds, level by level (Table 10 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.bench.benchmark import DataSet
from redraft.bench.constrev.details import can_be_met
from redraft.bench.tables import Cell, Column, Table
from redraft.constraints import CONVENTIONS, read


def levels_table(datasets: Sequence[DataSet]) -> Table:
    """Texts, sentences and words of each level by both conventions, and the items that cannot be met."""
    rows: list[tuple[Cell, ...]] = []
    for dataset in datasets:
        samples = dataset.samples
        counts: list[Cell] = []
        for counting in CONVENTIONS:
            readings = [read(sample.input, counting, sample.format) for sample in samples]
            counts += [sum(len(one.sentences) for one in readings), sum(one.words for one in readings)]
        constraints = sum(len(sample.calls) for sample in samples)
        bad = sum(not can_be_met(one.input, one.calls, "constrev") for one in samples if one.calls)
        rows.append((dataset.name, len(samples), *counts, constraints, bad))
    counted = (Column(f"{what} ({name})") for name in CONVENTIONS for what in ("Sentences", "Words"))
    columns = (Column("Level"), Column("Texts"), *counted, Column("Calls"), Column("Contradictory"))
    note = (
        "The paper's own counts, of all 500 texts, are near ours by the default convention. A contradictory "
        "item asks for what no text can be under the published checker."
    )
    return Table("levels", "ConsTRev by level (Table 10)", note, columns, tuple(rows))
