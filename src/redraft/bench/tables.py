"""Results as the EditEval paper prints them, as plain data: Tables 2, 3 and 5, every prompt, the coverage.

`redraft.bench.report.formats` turns a table into Markdown, CSV, HTML or a table on a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from types import MappingProxyType
from typing import Any

from redraft.runs import Record, RunDir

Published = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Published scores: system, data set, metric."""


@dataclass(frozen=True)
class Number:
    """A number in a table, with its 95 % interval where one is known."""

    value: float
    low: float | None = None
    high: float | None = None
    signature: str = ""
    components: Mapping[str, float] = field(default_factory=dict, hash=False)
    """The further numbers of its metric."""


def as_number(value: float | None) -> Number | None:
    """A value as a number of a table, where there is one."""
    return None if value is None else Number(value)


_CAPITALS = frozenset({"bleu", "em", "gleu", "lens", "sari", "some"})

Cell = str | int | tuple[Number | None, ...]
"""A name, a count, or the scores of a column's metrics; a score that is not there is None, never zero."""


@dataclass(frozen=True)
class Column:
    """The head of a column; `metrics` names the numbers of its cells: empty where the title says it."""

    title: str
    metrics: tuple[str, ...] = ()
    digits: int = 1


@dataclass(frozen=True)
class Table:
    """A table; `name` is a word for files and links."""

    name: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_main: bool = False
    """Whether a terminal shows it too."""


@dataclass(frozen=True)
class Spread:
    """What several prompts make of one metric."""

    mean: Number
    max: Number
    min: Number
    cv: float | None
    """In per cent; None with fewer than two prompts, or where the mean is zero."""


@dataclass(frozen=True)
class PromptResult:
    """A data set under one instruction."""

    number: int
    instruction: str
    scored: int
    scores: Mapping[str, Number]


@dataclass(frozen=True)
class DataSetResult:
    """A data set in one run; `metrics` in the run's order, the first of them the main one."""

    name: str
    abbreviation: str
    task: str
    planned: int
    scored: int
    failed: int
    prompts: tuple[PromptResult, ...]
    metrics: tuple[str, ...]
    spreads: Mapping[str, Spread]


@dataclass(frozen=True)
class Result:
    """The scores of one run."""

    label: str
    benchmark: str
    datasets: tuple[DataSetResult, ...]

    def dataset(self, name: str) -> DataSetResult | None:
        """The data set of that name, where the run has it."""
        return next((dataset for dataset in self.datasets if dataset.name == name), None)

    def score(self, dataset: str, metric: str) -> Number | None:
        """The mean over prompts, where the run has it."""
        found = self.dataset(dataset)
        return found.spreads[metric].mean if found and metric in found.spreads else None


def spread(scores: Sequence[Number], interval: tuple[float, float] | None = None) -> Spread:
    """Mean, maximum, minimum and coefficient of variation over prompts (EditEval, Table 2).

    The coefficient is 100 · s / mean with the population's standard deviation: the prompts are all there are.
    The paper does not say which it used, and its rounded numbers fit both. `interval` is that of the mean,
    where one is known; with one prompt it is the prompt's own.
    """
    values = [score.value for score in scores]
    mean = fmean(values)
    if len(scores) == 1:
        interval = _interval(scores[0])
    cv = 100 * pstdev(values) / mean if len(values) > 1 and mean else None
    low, high = interval or (None, None)
    highest = max(scores, key=lambda score: score.value)
    lowest = min(scores, key=lambda score: score.value)
    parts = {name: fmean(score.components[name] for score in scores) for name in scores[0].components}
    return Spread(Number(mean, low, high, scores[0].signature, parts), highest, lowest, cv)


def read_result(scores: Mapping[str, Any]) -> Result:
    """The scores.json of a run, typed."""
    datasets = tuple(_dataset(name, value) for name, value in scores.get("datasets", {}).items())
    return Result(
        str(scores.get("label") or scores.get("system", "?")), str(scores.get("benchmark", "?")), datasets
    )


def summary_table(
    results: Sequence[Result],
    published: Published,
    highest: Published = MappingProxyType({}),
    lowest: Published = MappingProxyType({}),
) -> Table:
    """Table 2: the main metric averaged over the data sets that all runs have."""
    shared = shared_datasets(results)
    metric = main_metric(results)
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        found = [each for name in shared if (each := result.dataset(name)) and metric in each.spreads]
        spreads = [each.spreads[metric] for each in found]
        means = [_mean([number.value for number in each]) for each in _transposed(spreads)]
        rows.append((result.label, *means, _mean([each.cv for each in spreads if each.cv is not None])))
    for system in published:
        means = [_published_mean(scores, system, shared, metric) for scores in (published, highest, lowest)]
        if means[0] != (None,):
            rows.append((f"{system} †", *means, (None,)))
    columns = (
        Column("System"),
        *(Column(title, (metric,)) for title in ("Avg.", "Max", "Min")),
        Column("CV %", ("cv",), 2),
    )
    note = (
        f"Mean {metric_name(metric)} over {len(shared)} data sets "
        f"({', '.join(abbreviations(results, shared))}): of the average, best and worst prompt of each. "
        "CV: standard deviation across prompts (over all n) by their mean, averaged over data sets. "
        "† published; shown where all of these data sets were."
    )
    return Table("summary", "All data sets", note, columns, tuple(rows))


def table_by_dataset(results: Sequence[Result], published: Published) -> Table:
    """Table 3: each data set, averaged over prompts."""
    rows = _rows("", results, lambda each: each.mean)
    rows += _published_rows("†", published, results)
    note = "Averages over prompts: the main metric, then the second. † published. –: not known."
    return Table("datasets", "By data set", note, _dataset_columns(results), tuple(rows))


def extremes(
    results: Sequence[Result],
    highest: Published = MappingProxyType({}),
    lowest: Published = MappingProxyType({}),
) -> Table:
    """Table 5: the best and the worst prompt of each data set, each metric on its own."""
    rows = _rows(": max", results, lambda each: each.max)
    rows += _published_rows("†: max", highest, results)
    rows += _rows(": min", results, lambda each: each.min)
    rows += _published_rows("†: min", lowest, results)
    note = "The highest and the lowest score over prompts, of each metric on its own. † published."
    return Table("extremes", "Best and worst prompt", note, _dataset_columns(results), tuple(rows))


def by_prompt(results: Sequence[Result]) -> Table:
    """Every data set under every instruction, all metrics with their intervals."""
    metrics = all_metrics(results)
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in result.datasets:
            for prompt in each.prompts:
                what = (result.label, each.abbreviation, prompt.number, prompt.instruction, prompt.scored)
                rows.append((*what, *((prompt.scores.get(metric),) for metric in metrics)))
    names = ("System", "Data set", "Prompt", "Instruction", "Scored")
    columns = (*map(Column, names), *(Column(metric_name(metric), (metric,)) for metric in metrics))
    return Table("prompts", "By prompt", "Scores with their 95 % intervals.", columns, tuple(rows))


def coverage(results: Sequence[Result]) -> Table:
    """How much of each data set the scores stand on."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in result.datasets:
            missing = max(each.planned - each.scored - each.failed, 0)
            counts = (each.planned, each.scored, each.failed, missing)
            rows.append((result.label, each.abbreviation, each.task, *counts))
    names = ("System", "Data set", "Task", "Planned", "Scored", "Failed", "Not run")
    note = "Scores are over the scored items alone; what failed or was not run is named here, and is no zero."
    return Table("coverage", "Coverage", note, tuple(map(Column, names)), tuple(rows))


def result_tables(
    results: Sequence[Result],
    published: Published,
    highest: Published = MappingProxyType({}),
    lowest: Published = MappingProxyType({}),
) -> tuple[Table, ...]:
    """All tables of one or several runs, in the order of a report; those that would be empty are left out.

    `published` holds averages over prompts; `highest` and `lowest` the best and the worst prompt.
    """
    several = any(len(dataset.prompts) > 1 for result in results for dataset in result.datasets)
    tables = [summary_table(results, published, highest, lowest), table_by_dataset(results, published)]
    tables += [extremes(results, highest, lowest)] if several else []
    tables += [by_prompt(results), coverage(results)]
    return tuple(table for table in tables if table.rows)


def without_datasets(published: Published, datasets: Iterable[str]) -> Published:
    """Published scores less those on some data sets; a system that has no other is left out."""
    left = set(datasets)
    kept = {
        system: {name: found for name, found in scores.items() if name not in left}
        for system, scores in published.items()
    }
    return {system: scores for system, scores in kept.items() if scores}


def shared_datasets(results: Sequence[Result]) -> tuple[str, ...]:
    """The data sets that every run has the main metric of: only these can be averaged and compared."""
    metric = main_metric(results)
    return tuple(
        name for name in dataset_results(results) if all(result.score(name, metric) for result in results)
    )


def abbreviations(results: Sequence[Result], names: Iterable[str]) -> tuple[str, ...]:
    """The short names of data sets."""
    known = dataset_results(results)
    return tuple(known[name].abbreviation for name in names)


def main_metric(results: Sequence[Result]) -> str:
    """The first metric of the first data set that has one."""
    return next(iter(all_metrics(results)), "score")


def all_metrics(results: Sequence[Result]) -> tuple[str, ...]:
    """Every metric that some data set has, in the order in which they are met."""
    found = (metric for result in results for each in result.datasets for metric in each.metrics)
    return tuple(dict.fromkeys(found))


def metric_name(metric: str) -> str:
    """A metric's name as people write it: SARI, but update_rouge1."""
    if metric == "ibleu":
        return "iBLEU"
    return metric.upper() if metric in _CAPITALS else metric


def dataset_results(results: Sequence[Result]) -> dict[str, DataSetResult]:
    """Every data set of any run, by name, as the first run that has it describes it."""
    found: dict[str, DataSetResult] = {}
    for result in results:
        for dataset in result.datasets:
            if dataset.name not in found or not found[dataset.name].metrics:
                found[dataset.name] = dataset
    return found


def _dataset_columns(results: Sequence[Result]) -> tuple[Column, ...]:
    datasets = dataset_results(results).values()
    return (Column("System"), *(Column(each.abbreviation, each.metrics[:2]) for each in datasets))


def _rows(mark: str, results: Sequence[Result], pick: Callable[[Spread], Number]) -> list[tuple[Cell, ...]]:
    """A row for each run: one of the numbers over prompts, on every data set."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        own = {each.name: each.spreads for each in result.datasets}
        cells = (
            tuple(
                pick(found) if (found := own.get(name, {}).get(metric)) else None
                for metric in each.metrics[:2]
            )
            for name, each in dataset_results(results).items()
        )
        rows.append((f"{result.label}{mark}", *cells))
    return rows


def _published_rows(mark: str, published: Published, results: Sequence[Result]) -> list[tuple[Cell, ...]]:
    """A row for each published system that has a score on one of these data sets."""
    rows: list[tuple[Cell, ...]] = []
    for system, scores in published.items():
        cells = [
            tuple(as_number(scores.get(name, {}).get(metric)) for metric in each.metrics[:2])
            for name, each in dataset_results(results).items()
        ]
        if any(any(cell) for cell in cells):
            rows.append((f"{system} {mark}", *cells))
    return rows


def _dataset(name: str, value: Mapping[str, Any]) -> DataSetResult:
    prompts = tuple(_prompt(number, each) for number, each in value.get("prompts", {}).items())
    prompts = tuple(sorted(prompts, key=lambda prompt: prompt.number))
    metrics = tuple(dict.fromkeys(metric for prompt in prompts for metric in prompt.scores))
    spreads = {}
    for metric in metrics:
        over = value.get("over_prompts", {}).get(metric, {})
        low, high = over.get("low"), over.get("high")
        interval = None if low is None or high is None else (float(low), float(high))
        spreads[metric] = spread([p.scores[metric] for p in prompts if metric in p.scores], interval)
    planned, scored, failed = (int(value.get(key, 0)) for key in ("planned", "scored", "failed"))
    short, task = str(value.get("abbreviation", name)), str(value.get("task", ""))
    return DataSetResult(name, short, task, planned, scored, failed, prompts, metrics, spreads)


def _prompt(number: str, value: Mapping[str, Any]) -> PromptResult:
    scores = {
        metric: Number(
            each["score"],
            each.get("low"),
            each.get("high"),
            each.get("signature", ""),
            each.get("components", {}),
        )
        for metric, each in value.get("scores", {}).items()
        if each.get("score") is not None
    }
    return PromptResult(int(number), str(value.get("instruction", "")), int(value.get("scored", 0)), scores)


def _interval(number: Number) -> tuple[float, float] | None:
    return None if number.low is None or number.high is None else (number.low, number.high)


def _transposed(spreads: Sequence[Spread]) -> tuple[list[Number], list[Number], list[Number]]:
    return [each.mean for each in spreads], [each.max for each in spreads], [each.min for each in spreads]


def _published_mean(
    published: Published, system: str, datasets: Sequence[str], metric: str
) -> tuple[Number | None, ...]:
    """A published system's mean over these data sets; none where it lacks one of them."""
    values = [published.get(system, {}).get(name, {}).get(metric) for name in datasets]
    known = [value for value in values if value is not None]
    return _mean(known) if len(known) == len(values) else (None,)


def _mean(values: Sequence[float]) -> tuple[Number | None, ...]:
    return (Number(fmean(values)) if values else None,)


@dataclass(frozen=True)
class ScoredRun:
    """A run with its scores."""

    run: RunDir
    result: Result
    facts: Record
    scores: Mapping[str, Any]

    @property
    def label(self) -> str:
        """What the run is called."""
        return self.result.label

    @property
    def details(self) -> Mapping[str, Any]:
        """What the benchmark has to say of it."""
        found: Mapping[str, Any] = self.scores.get("details", {})
        return found

    def count(self, dataset: str, metric: str) -> int:
        """How many texts of a data set a score stands on."""
        prompts = self.scores["datasets"].get(dataset, {}).get("prompts", {}).values()
        return sum(int(prompt["scores"].get(metric, {}).get("n", 0)) for prompt in prompts)


def scored_runs(runs: Sequence[RunDir], results: Sequence[Result]) -> list[ScoredRun]:
    """The runs with their scores and details."""
    pairs = zip(runs, results, strict=True)
    return [ScoredRun(run, result, run.facts(), run.scores()) for run, result in pairs]
