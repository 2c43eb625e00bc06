"""C3EBench: four tasks of writing in English and Chinese (the RAVEL paper, §4 and §5)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from redraft.bench.benchmark import Benchmark, DataSet, Sample
from redraft.bench.c3e.details import (
    NAMES,
    asking_of,
    characters_apart,
    details_of,
    inquiries_of,
    measures_of,
    rubric_of,
)
from redraft.bench.c3e.reading import LANGUAGES, TASKS, Entry, read_entries
from redraft.bench.c3e.tables import draw, report_tables
from redraft.bench.measures import DYNAMICS, JUDGE, WRITING
from redraft.errors import InputError

METRICS: Final = (JUDGE, *WRITING, "rougeL", *DYNAMICS)


class C3E(Benchmark):
    """The benchmark; a data set is a task in a language, and each sample has its own instruction.

    The paper prints means over both languages alone, which the tables have.
    """

    name = "c3e"
    counting = "default"

    def load(self, path: Path) -> tuple[DataSet, ...]:
        """The data sets found at a path: `en-cloze`, `en-expand`, …, `zh-end2end`."""
        found: dict[str, list[Sample]] = {}
        for entry in read_entries(path):
            found.setdefault(f"{entry.language}-{entry.task}", []).append(_sample(entry))
        if not found:
            raise InputError(f"{path} has no records")
        return tuple(
            DataSet(name, f"{NAMES[task]} {language}", task, tuple(found[name]), METRICS, ("",))
            for language in LANGUAGES
            for task in TASKS
            if (name := f"{language}-{task}") in found
        )

    def choose(self, datasets: Sequence[DataSet], task: str, language: str) -> tuple[DataSet, ...]:
        """The data sets of a task and a language, or of all of them."""
        chosen = tuple(
            dataset
            for dataset in datasets
            if task in ("all", dataset.task) and language in ("all", self.language(dataset))
        )
        if not chosen:
            there = ", ".join(dataset.name for dataset in datasets)
            raise InputError(f"the data has nothing for --task {task} --lang {language}; it has: {there}")
        return chosen

    def language(self, dataset: DataSet) -> str:
        """The language that it is to be written in."""
        return dataset.name.partition("-")[0]

    def normalise(self, text: str, sample: Sample | None = None) -> str:
        """Chinese characters stand apart: the overlap with the reference is that of characters."""
        return characters_apart(text)

    rubric = staticmethod(rubric_of)
    inquiries = staticmethod(inquiries_of)
    measured = staticmethod(measures_of)
    details = staticmethod(details_of)
    tables = staticmethod(report_tables)
    drawings = staticmethod(draw)


def _sample(entry: Entry) -> Sample:
    return Sample(
        entry.id,
        f"{entry.language}-{entry.task}",
        entry.task,
        entry.grounding,
        (entry.reference,),
        documents=(entry.critique,) if entry.critique else (),
        instruction=entry.instruction,
        asking=asking_of(entry),
    )
