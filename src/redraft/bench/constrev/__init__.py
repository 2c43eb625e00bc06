"""ConsTRev: revision under constraints (the TRIPS paper, §3, §6 and §7), read, scored and reported."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from redraft.bench.benchmark import Benchmark, DataSet, Measures, Sample
from redraft.bench.constrev.details import details_of, draw
from redraft.bench.constrev.reading import read_samples
from redraft.bench.constrev.tables import report_tables
from redraft.bench.measures import LATEX, PLANNING, QUALITY
from redraft.errors import InputError
from redraft.metrics import tool_use
from redraft.runs import Record

ORDER: Final = ("L0", "L1", "L2", "L3", "L4", "sentence", "length", "keyword", "other", "latex")
"""The levels of the paper, the sets of one constraint (Table 9), texts in LaTeX; further levels come last."""
ADHERENCE: Final = ("adherence:constrev", "all_met:constrev", "adherence:default", "all_met:default")


class ConsTRev(Benchmark):
    """The benchmark; each sample has its own instruction, and the constraints that this names.

    Published scores cannot stand beside ours: they were made by another checker with other models.
    """

    name = "constrev"
    counting = "constrev"

    def load(self, path: Path) -> tuple[DataSet, ...]:
        """The levels and sets found at a path, each a data set."""
        found: dict[str, dict[str, Sample]] = {}
        for sample in read_samples(path):
            own = found.setdefault(sample.dataset, {})
            if sample.id in own:
                raise InputError(f"{path}: {sample.id} occurs twice")
            own[sample.id] = sample
        if not found:
            raise InputError(f"{path} has no samples")
        names: list[str] = [name for name in ORDER if name in found]
        names += sorted(found.keys() - names)
        return tuple(_dataset(name, found[name]) for name in names)

    def measured(self, record: Record) -> Measures:
        """How well the planner of a system chose its tools."""
        return tool_use(record.get("planned"), record.get("calls", ()))

    details = staticmethod(details_of)
    tables = staticmethod(report_tables)
    drawings = staticmethod(draw)


def _dataset(name: str, samples: Mapping[str, Sample]) -> DataSet:
    constrained = any(sample.calls for sample in samples.values())
    quality = [each for each in QUALITY if each not in LATEX or name == "latex"]
    metrics = (*(ADHERENCE if constrained else ()), *quality, *PLANNING)
    short = {"sentence": "Sent.", "length": "Len.", "keyword": "Key.", "latex": "LaTeX"}.get(name, name)
    return DataSet(name, short, "constrained revision", tuple(samples.values()), metrics, ("",))
