"""C3EBench: four tasks of writing in English and Chinese (the RAVEL paper, §4 and §5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from redraft.bench.benchmark import DataSet, Measures, Sample
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
from redraft.bench.report.figures import SampleScores
from redraft.bench.report.plots import Drawing
from redraft.bench.tables import Result, Table
from redraft.errors import InputError
from redraft.judge import Inquiry, Rubric
from redraft.models import Model
from redraft.runs import Record, RunDir

METRICS: Final = (JUDGE, *WRITING, "rougeL", *DYNAMICS)


class C3E:
    """The benchmark; a data set is a task in a language, and each sample has its own instruction."""

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

    def rubric(self, task: str) -> Rubric:
        """What the outputs of a task are judged by."""
        return rubric_of(task)

    def inquiries(self, records: Iterable[Record], model: Model) -> Iterator[Inquiry]:
        """The questions to a judge, one for each output."""
        return inquiries_of(records, model)

    def normalise(self, text: str, sample: Sample | None = None) -> str:
        """Chinese characters stand apart: the overlap with the reference is that of characters."""
        return characters_apart(text)

    def published(
        self, over: Literal["mean", "max", "min"] = "mean"
    ) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """None by data set: the paper prints means over both languages, which our tables have."""
        return {}

    def measured(self, record: Record) -> Measures:
        """What is seen of a text without a model, and how its writing went."""
        return measures_of(record)

    def details(self, records: Sequence[Record], measured: Mapping[str, Record], counting: str) -> Record:
        """The dynamics of writing, the lives of sections, and what the texts took."""
        return details_of(records)

    def tables(self, runs: Sequence[RunDir], results: Sequence[Result]) -> tuple[Table, ...]:
        """The tables of the paper, of one run or several."""
        return report_tables(runs, results)

    def drawings(
        self, runs: Sequence[RunDir], results: Sequence[Result], samples: Sequence[SampleScores]
    ) -> tuple[Drawing, ...]:
        """The figures of the paper."""
        return draw(runs, results)


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
