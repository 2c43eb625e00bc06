"""How far metrics agree over the scores of many systems: Figure 5 of the EditEval paper.

The paper leaves out PEER, which does exceedingly well on some data sets, and the updating task, which is of
another nature. It does not say whether scores were averaged over prompts first: here each prompt's score
counts, and a published one is an average.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from redraft.bench.report.figures import pearson
from redraft.bench.report.plots import Drawing, heat_map
from redraft.bench.tables import (
    Cell,
    Column,
    Number,
    Published,
    Result,
    Table,
    all_metrics,
    dataset_results,
    metric_name,
)
from redraft.errors import InputError

FIGURE_METRICS: Final = (
    "em", "em_diff", "sari", "bleu:nmt", "ibleu", "gleu", "rouge1", "rouge2", "rougeL",
    "update_rouge1", "update_rouge2", "update_rougeL",
)  # fmt: skip
"""The metrics of the paper's section 4."""
WITHOUT_SYSTEMS: Final = ("PEER",)
WITHOUT_TASKS: Final = ("updating",)
"""What the paper leaves out: systems whose names begin so, and tasks."""

_Row = dict[str, float]


@dataclass(frozen=True)
class Correlations:
    """Pearson's r of each pair of metrics, over so many scores."""

    metrics: tuple[str, ...]
    grid: NDArray[np.float64]
    scores: int
    left_out: tuple[str, ...]
    """The systems and data sets that were not looked at."""

    def table(self) -> Table:
        """A row and a column a metric."""
        names = [metric_name(metric) for metric in self.metrics]
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *((None if np.isnan(value) else Number(float(value)),) for value in row))
            for name, row in zip(names, self.grid, strict=True)
        )
        columns = (Column("Metric"), *(Column(name, (), 2) for name in names))
        return Table("correlation", "Correlation of metrics (Figure 5)", self._note(), columns, rows)

    def drawing(self) -> Drawing:
        """The heat map."""
        names = [metric_name(metric) for metric in self.metrics]
        return heat_map("correlation", "Correlation of metrics", self._note(), names, self.grid)

    def to_dict(self) -> dict[str, Any]:
        """For --json; a correlation that is not defined is null."""
        rows = [[None if np.isnan(value) else float(value) for value in row] for row in self.grid]
        return {
            "metrics": list(self.metrics),
            "r": rows,
            "scores": self.scores,
            "left_out": list(self.left_out),
        }

    def _note(self) -> str:
        note = f"Pearson's r over {self.scores} scores, each a system on a data set under a prompt."
        return note + (f" Left out: {', '.join(self.left_out)}." if self.left_out else "")


def correlate(
    results: Sequence[Result],
    metrics: Sequence[str] = (),
    published: Published | None = None,
    *,
    without_systems: Sequence[str] = WITHOUT_SYSTEMS,
    without_tasks: Sequence[str] = WITHOUT_TASKS,
) -> Correlations:
    """The correlation of metrics over runs, and over published systems where they are given."""
    known = all_metrics(results)
    chosen = tuple(metrics) or tuple(metric for metric in FIGURE_METRICS if metric in known)
    if unknown := [metric for metric in chosen if metric not in known]:
        raise InputError(f"no run is scored by {', '.join(unknown)}; there are {', '.join(known)}")
    tasks = {name: dataset.task for name, dataset in dataset_results(results).items()}
    left_out: dict[str, None] = {}

    def is_kept(system: str, dataset: str) -> bool:
        if system.casefold().startswith(tuple(name.casefold() for name in without_systems)):
            left_out[system] = None
            return False
        if tasks[dataset] in without_tasks:
            left_out[dataset] = None
            return False
        return True

    rows = [
        row
        for system, dataset, row in (*_of_runs(results), *_of_published(published or {}, tasks))
        if is_kept(system, dataset)
    ]
    if len(chosen) < 2 or not rows:
        raise InputError("a correlation needs scores by two metrics at least, and some that are not left out")
    table = np.array([[row.get(metric, np.nan) for metric in chosen] for row in rows], dtype=np.float64)
    return Correlations(chosen, pearson(table), len(rows), tuple(left_out))


def _of_runs(results: Sequence[Result]) -> Iterator[tuple[str, str, _Row]]:
    for result in results:
        for dataset in result.datasets:
            for prompt in dataset.prompts:
                yield (
                    result.label,
                    dataset.name,
                    {metric: score.value for metric, score in prompt.scores.items()},
                )


def _of_published(published: Published, datasets: dict[str, str]) -> Iterator[tuple[str, str, _Row]]:
    for system, found in published.items():
        for dataset in datasets:
            if dataset in found:
                yield system, dataset, dict(found[dataset])
