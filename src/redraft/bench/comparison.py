"""Two runs side by side: paired differences with intervals and p-values, and what changed most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from redraft.bench.benchmark import Benchmark, Measures, Sample
from redraft.bench.measures import JUDGE, QUALITY, Measured, judge_of, metric_of, read_measures
from redraft.bench.report.formats import rich_table, terminal
from redraft.bench.scoring import all_measures, scored_sample
from redraft.bench.tables import Cell, Column, Number, Result, Table, metric_name, read_result
from redraft.errors import InputError
from redraft.metrics import (
    RESAMPLES,
    SEED,
    Metric,
    Sample as Scored,
    approximate_randomisation,
    paired_bootstrap,
    rows_of,
    sample_scores,
)
from redraft.runs import Record, RunDir
from redraft.text import diff_terminal, diff_words


@dataclass(frozen=True)
class Difference:
    """How far the second run is from the first, on one data set by one metric."""

    dataset: str
    metric: str
    samples: int
    """Samples that both runs have: the units that are drawn and exchanged."""
    items: int
    """Samples under prompts."""
    first: float
    second: float
    difference: float
    interval: tuple[float, float]
    p_bootstrap: float
    p_randomisation: float
    tests: tuple[str, str]
    signature: str


@dataclass(frozen=True)
class Change:
    """One item that both runs have, by the main metric of its data set."""

    key: str
    metric: str
    instruction: str
    input: str
    first: str
    second: str
    first_score: float
    second_score: float

    @property
    def difference(self) -> float:
        """What the second run gained."""
        return self.second_score - self.first_score


@dataclass(frozen=True)
class Coverage:
    """How many items of a data set the comparison stands on, and what it leaves out."""

    dataset: str
    both: int
    first_only: int
    second_only: int


@dataclass(frozen=True)
class RunComparison:
    """Everything that `compare` finds."""

    first: str
    second: str
    abbreviations: Mapping[str, str]
    """Short names of the data sets."""
    coverage: tuple[Coverage, ...]
    differences: tuple[Difference, ...]
    gains: tuple[Change, ...]
    """The items that the second run does better, the largest gain first."""
    losses: tuple[Change, ...]
    """Those that it does worse, the largest loss first."""


def compare(
    first: RunDir,
    second: RunDir,
    *,
    benchmark: Benchmark,
    changes: int = 10,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> RunComparison:
    """Compare two runs over the items that both have finished.

    A difference is second less first, scored as the benchmark does. With several prompts, the outputs of a
    sample count together, and it is samples that are drawn and exchanged: its prompts are no independent
    evidence.
    """
    results = read_result(first.scores()), read_result(second.scores())
    if results[0].benchmark != results[1].benchmark:
        raise InputError(
            f"{first.path} is a run of {results[0].benchmark}, {second.path} of {results[1].benchmark}"
        )
    done = [
        {key: record for key, record in run.latest().items() if record["output"] is not None}
        for run in (first, second)
    ]
    pairs = _pairs(done[0], done[1])
    if not pairs:
        raise InputError(f"{first.path} and {second.path} have no finished item in common")
    by = [str(run.facts().get("quality", "")) for run in (first, second)]
    measured = [
        all_measures(run, benchmark, read_measures(run, who))
        for run, who in zip((first, second), by, strict=True)
    ]
    unlike = QUALITY if by[0] != by[1] else ()
    differences: list[Difference] = []
    found: list[Change] = []
    for dataset, mine in pairs.items():
        judges = [judge_of(run, mine[0][0]["task"]) for run in (first, second)]
        left = (*unlike, *((JUDGE,) if judges[0] != judges[1] else ()))
        metrics = [metric_of(name, by[0]) for name in _metrics(results, dataset) if name not in left]
        sides = _sides(mine, benchmark, measured)
        starts = _starts(mine)
        compared = (_difference(dataset, metric, sides, starts, resamples, seed) for metric in metrics)
        differences += (difference for difference in compared if difference is not None)
        found += _changes(metrics[0], mine, sides) if metrics else ()
    found.sort(key=lambda change: (change.difference, change.key))
    names = dict.fromkeys(record["dataset"] for run in done for record in run.values())
    return RunComparison(
        first=_label(results[0], first, results[1]),
        second=_label(results[1], second, results[0]),
        abbreviations={each.name: each.abbreviation for result in results for each in result.datasets},
        coverage=tuple(_coverage(name, done[0], done[1]) for name in names),
        differences=tuple(differences),
        gains=tuple(change for change in reversed(found[-changes:]) if change.difference > 0),
        losses=tuple(change for change in found[:changes] if change.difference < 0),
    )


Pair = tuple[Record, Record]


def _pairs(first: Mapping[str, Record], second: Mapping[str, Record]) -> dict[str, list[Pair]]:
    """The items that both have, by data set, in the order of their ids, the prompts of a sample together."""
    pairs: dict[str, list[Pair]] = {}
    for key, record in first.items():
        if key not in second:
            continue
        parts = ("input", "references", "instruction", "calls")
        if any(record.get(part) != second[key].get(part) for part in parts):
            raise InputError(f"{key} is not the same in both runs: they were made with different data")
        pairs.setdefault(record["dataset"], []).append((record, second[key]))
    for mine in pairs.values():
        mine.sort(key=lambda pair: (_natural(pair[0]["id"]), pair[0]["prompt"]))
    return pairs


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts 9 before 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def _metrics(results: tuple[Result, Result], dataset: str) -> tuple[str, ...]:
    both = [result.dataset(dataset) for result in results]
    return tuple(name for name in both[0].metrics if name in both[1].metrics) if both[0] and both[1] else ()


def _sides(
    pairs: Sequence[Pair], benchmark: Benchmark, measured: Sequence[Mapping[str, Measures]]
) -> tuple[list[Scored], list[Scored]]:
    """Both runs' outputs as they are scored."""
    sides: tuple[list[Scored], list[Scored]] = [], []
    for pair in pairs:
        for record, side, known in zip(pair, sides, measured, strict=True):
            sample = Sample(
                record["id"],
                record["dataset"],
                record["task"],
                record["input"],
                tuple(record["references"]),
                tuple(record["documents"]),
                calls=tuple(record.get("calls", ())),
            )
            measures = known.get(record["key"], {})
            side.append(scored_sample(sample, record["output"], benchmark, measures))
    return sides


def _starts(pairs: Sequence[Pair]) -> list[int]:
    """Where the items of each sample begin."""
    ids = [pair[0]["id"] for pair in pairs]
    return [place for place, name in enumerate(ids) if place == 0 or name != ids[place - 1]]


def _difference(
    dataset: str,
    metric: Metric,
    sides: tuple[list[Scored], list[Scored]],
    starts: list[int],
    resamples: int,
    seed: int,
) -> Difference | None:
    first, second = (np.add.reduceat(rows_of(metric, side), starts, axis=0) for side in sides)
    if isinstance(metric, Measured):
        both = first.any(axis=1) & second.any(axis=1)
        first, second = first[both], second[both]
        if not len(first):
            return None
    bootstrap = paired_bootstrap(metric, second, first, resamples=resamples, seed=seed)
    randomised = approximate_randomisation(metric, second, first, trials=resamples, seed=seed)
    score = float(metric.score(first.sum(axis=0))[0])
    return Difference(
        dataset=dataset,
        metric=metric.name,
        samples=len(first),
        items=len(sides[0]),
        first=score,
        second=score + bootstrap.difference,
        difference=bootstrap.difference,
        interval=bootstrap.interval,
        p_bootstrap=bootstrap.p,
        p_randomisation=randomised.p,
        tests=(bootstrap.test, randomised.test),
        signature=metric.signature,
    )


def _changes(
    metric: Metric, pairs: Sequence[Pair], sides: tuple[list[Scored], list[Scored]]
) -> Iterator[Change]:
    scores = [sample_scores(metric, side) for side in sides]
    for (one, other), before, after in zip(pairs, *scores, strict=True):
        if np.isnan(before) or np.isnan(after):
            continue
        texts = (one["instruction"], one["input"], one["output"], other["output"])
        yield Change(one["key"], metric.name, *texts, float(before), float(after))


def _coverage(dataset: str, first: Mapping[str, Record], second: Mapping[str, Record]) -> Coverage:
    one, other = (
        {key for key, record in run.items() if record["dataset"] == dataset} for run in (first, second)
    )
    return Coverage(dataset, len(one & other), len(one - other), len(other - one))


def _label(result: Result, run: RunDir, other: Result) -> str:
    return result.label if result.label != other.label else f"{result.label} ({run.path.resolve().name})"


def comparison_terminal(found: RunComparison) -> RenderableType:
    """For a terminal: two metrics of each data set, and each changed sample as two diffs from its input."""
    parts: list[RenderableType] = [
        rich_table(difference_table(found, most=2)),
        rich_table(coverage_table(found)),
    ]
    for changes, title in ((found.gains, "better"), (found.losses, "worse")):
        if changes:
            parts.append(terminal(f"\nWhere {found.second} does {title}\n", "bold"))
            parts += (_block(change, found) for change in changes)
    return Group(*parts)


def difference_table(found: RunComparison, most: int | None = None) -> Table:
    """All differences, or those by the first metrics of each data set."""
    by_dataset = groupby(found.differences, key=lambda each: each.dataset)
    shown = [each for _, group in by_dataset for each in islice(group, most)]
    rows: list[tuple[Cell, ...]] = [
        (
            found.abbreviations[each.dataset],
            metric_name(each.metric),
            each.samples,
            (Number(each.first, signature=each.signature),),
            (Number(each.second, signature=each.signature),),
            (Number(each.difference, *each.interval),),
            (Number(each.p_bootstrap),),
            (Number(each.p_randomisation),),
        )
        for each in shown
    ]
    names = (Column("Data set"), Column("Metric"), Column("n"))
    numbers = (
        (found.first, 1),
        (found.second, 1),
        ("Difference", 2),
        ("p (boot.)", 4),
        ("p (rand.)", 4),
    )
    columns = (*names, *(Column(title, ("",), digits) for title, digits in numbers))
    tests = "; ".join(dict.fromkeys(chain.from_iterable(each.tests for each in found.differences)))
    note = (
        "The second run less the first, over the n samples that both have, with the 95 % interval of the "
        f"paired bootstrap; p by it and by randomisation, two-sided, not corrected for many rows ({tests}). "
        "Where samples were run under several prompts, a sample's outputs count together."
    )
    return Table("differences", f"{found.second} against {found.first}", note, columns, tuple(rows))


def coverage_table(found: RunComparison) -> Table:
    rows = tuple(
        (found.abbreviations.get(each.dataset, each.dataset), each.both, each.first_only, each.second_only)
        for each in found.coverage
    )
    names = ("Data set", "Both", f"Only {found.first}", f"Only {found.second}")
    note = "Items finished in both runs are compared; those that failed or are missing in one are left out."
    return Table("compared", "Items compared", note, tuple(map(Column, names)), rows)


def _block(change: Change, found: RunComparison) -> Text:
    shown = Text.assemble(terminal(change.key, "bold"), terminal(f"  {change.instruction}\n"))
    sides = (
        (found.first, change.first, change.first_score),
        (found.second, change.second, change.second_score),
    )
    for label, output, score in sides:
        shown.append_text(terminal(f"  {metric_name(change.metric)} {score:5.1f}  {label}: ", "dim"))
        edits = diff_words(terminal(change.input).plain, terminal(output).plain)
        shown.append_text(diff_terminal(edits))
        shown.append("\n")
    return shown
