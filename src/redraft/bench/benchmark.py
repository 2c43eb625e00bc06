"""What a benchmark is made of: samples, the instructions each is given, how a data set is scored.

Another package adds a benchmark of its own in the entry-point group `redraft.benchmarks`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from redraft.errors import InputError
from redraft.runs import Record
from redraft.text import Format

if TYPE_CHECKING:
    from redraft.bench.report.figures import SampleScores
    from redraft.bench.report.plots import Drawing
    from redraft.bench.tables import Result, Table
    from redraft.judge import Inquiry, Rubric
    from redraft.models import Model
    from redraft.runs import RunDir


Measures = Mapping[str, float | None]
"""What was measured of a text, by name; None where it could not be."""


@dataclass(frozen=True)
class WritingPrompt:
    """How a prompted model is asked for a text of its own: no edit of another."""

    prompt: str
    max_tokens: int
    temperature: float
    style: str = ""
    """The style guide of a piece, beside its topic, for a system that takes one."""


@dataclass(frozen=True)
class Sample:
    """One text to edit, with the edits that people made of it."""

    id: str
    dataset: str
    task: str
    input: str
    references: tuple[str, ...]
    documents: tuple[str, ...] = ()
    """Source material for updating; empty for every other task."""
    instruction: str = ""
    """Its own instruction, where each sample has one."""
    calls: tuple[str, ...] = ()
    """The constraints that its instruction names."""
    plan: str = ""
    """A person's plan for it, where there is one, as `redraft revise --plan` reads it."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Outputs of other systems that were published with it."""
    format: Format = "text"
    asking: WritingPrompt | None = None
    """How a prompted model is asked, where the template of editing does not fit."""


@dataclass(frozen=True)
class Task:
    """What a system is given: never the name of the task or of the data set."""

    instruction: str
    input: str
    documents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """One sample under one of its instructions: the unit of a run."""

    sample: Sample
    prompt: int
    """The number of the instruction among those of the task, from 1."""
    instruction: str

    @property
    def key(self) -> str:
        """What names the item in a run: `jfleg/jfleg-test-0/3`."""
        return f"{self.sample.dataset}/{self.sample.id}/{self.prompt}"

    @property
    def task(self) -> Task:
        """What the system sees of it."""
        return Task(self.instruction, self.sample.input, self.sample.documents)

    @property
    def facts(self) -> dict[str, Any]:
        """What its record in samples.jsonl says, whatever comes of it; the system fills in the output."""
        sample = self.sample
        return {
            "dataset": sample.dataset,
            "id": sample.id,
            "task": sample.task,
            "prompt": self.prompt,
            "instruction": self.instruction,
            "input": sample.input,
            "references": list(sample.references),
            "documents": list(sample.documents),
            **({"calls": list(sample.calls)} if sample.calls else {}),
            "output": None,
        }


@dataclass(frozen=True)
class DataSet:
    """A named list of samples, and the metrics that it is scored by, the first of them the main one."""

    name: str
    abbreviation: str
    task: str
    samples: tuple[Sample, ...]
    metrics: tuple[str, ...]
    prompts: tuple[str, ...]
    """The instructions of its task, in order; an empty one stands for the sample's own."""
    comparable: bool = True
    """Whether its scores can be set beside published ones: it has as many samples as they were made on."""


class Benchmark(Protocol):
    """A benchmark: reads its data sets from a path, and knows the published results beside ours."""

    name: str

    def load(self, path: Path) -> tuple[DataSet, ...]:
        """Read the data sets found at a path."""

    def normalise(self, text: str, sample: Sample | None = None) -> str:
        """What the benchmark's evaluator does to a sample's input, output or reference before it scores."""
        return text

    def published(
        self, over: Literal["mean", "max", "min"] = "mean"
    ) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """Published scores of system, data set, metric: the mean, largest or smallest over prompts."""
        return {}


@runtime_checkable
class DetailedBenchmark(Protocol):
    """A benchmark whose outputs are measured by models, and that has a report of its own."""

    counting: str
    """How it counts words and sentences, unless told otherwise."""

    def measured(self, record: Record) -> Measures:
        """What can be seen of a finished record without a model."""

    def details(self, records: Sequence[Record], measured: Mapping[str, Record], counting: str) -> Record:
        """What the scores by data set do not say, as plain data; `measured` is by the keys of the records."""

    def tables(self, runs: Sequence[RunDir], results: Sequence[Result]) -> Sequence[Table]:
        """The tables of one run or several, the most important first."""

    def drawings(
        self, runs: Sequence[RunDir], results: Sequence[Result], samples: Sequence[SampleScores]
    ) -> Sequence[Drawing]:
        """Their figures; `samples` has the scores of single samples."""


@runtime_checkable
class ContextualBenchmark(Protocol):
    """A benchmark that knows more of what was published than scores of systems on its data sets."""

    def context(self, results: Sequence[Result]) -> Sequence[Table]:
        """Tables to set beside these results."""


@runtime_checkable
class WritingBenchmark(Protocol):
    """A benchmark of writing: tasks, in languages, whose outputs a judge scores by the rubric of the task."""

    def choose(self, datasets: Sequence[DataSet], task: str, language: str) -> tuple[DataSet, ...]:
        """The data sets of a task and a language, or of all of them."""

    def language(self, dataset: DataSet) -> str:
        """The language that it is to be written in, as in `en`."""

    def rubric(self, task: str) -> Rubric:
        """What the outputs of a task are judged by."""

    def inquiries(self, records: Iterable[Record], model: Model) -> Iterator[Inquiry]:
        """The questions to a judge, one for each output."""


@dataclass(frozen=True)
class Plan:
    """The items of a run, in the order in which they are started."""

    items: tuple[Item, ...]
    datasets: tuple[DataSet, ...] = field(repr=False)


def plan(datasets: Sequence[DataSet], prompts: str = "1", limit: int | None = None, seed: int = 0) -> Plan:
    """The items to run.

    `prompts` is "all" or how many of each task's instructions; `limit` is how many samples of each data set,
    drawn by the seed.
    """
    return Plan(tuple(_items(datasets, prompts, limit, seed)), tuple(datasets))


def _items(datasets: Sequence[DataSet], prompts: str, limit: int | None, seed: int) -> Iterator[Item]:
    for dataset in datasets:
        count = len(dataset.prompts) if prompts == "all" else int(prompts)
        samples: Sequence[Sample] = dataset.samples
        if limit is not None and limit < len(samples):
            chosen = Random(f"{seed} {dataset.name}").sample(range(len(samples)), limit)
            samples = [samples[index] for index in sorted(chosen)]
        for number, instruction in enumerate(dataset.prompts[:count], 1):
            for sample in samples:
                yield Item(sample, number, instruction or sample.instruction)


@cache
def read_data(package: str, name: str) -> Any:
    """What a file in the data folder of a benchmark states: facts and figures of its paper."""
    return json.loads(files(package).joinpath("data", name).read_text(encoding="utf-8"))


GROUP = "redraft.benchmarks"
_OURS = {
    "editeval": "redraft.bench.editeval:EditEval",
    "constrev": "redraft.bench.constrev:ConsTRev",
    "c3e": "redraft.bench.c3e:C3E",
}


def benchmarks() -> dict[str, EntryPoint]:
    """How to load each benchmark, by name; another package may add one, never replace one of ours."""
    ours = {name: EntryPoint(name, value, GROUP) for name, value in _OURS.items()}
    return {entry.name: entry for entry in entry_points(group=GROUP)} | ours


def open_benchmark(name: str) -> Benchmark:
    """The benchmark of a name."""
    found = benchmarks()
    if name not in found:
        raise InputError(f"there is no benchmark {name!r}; there are: {', '.join(sorted(found))}")
    benchmark: Benchmark = found[name].load()()
    return benchmark
