"""The figures of a report: Figures 3, 4 and 5 of the EditEval paper, and the scores as bars."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from redraft.bench.report.plots import Bar, BarGroup, Drawing, Values, bar_chart, box_plot, heat_map
from redraft.bench.tables import (
    Published,
    Result,
    all_metrics,
    dataset_results,
    main_metric,
    metric_name,
)

SampleScores = Mapping[str, Mapping[str, Sequence[float]]]
"""Scores of single samples: data set, metric, and a value or NaN for each sample, in one order."""

_FEWEST_FOR_A_CORRELATION = 3


def draw_figures(
    results: Sequence[Result], published: Published, samples: Sequence[SampleScores]
) -> tuple[Drawing, ...]:
    """Every figure that these runs have the numbers for; `samples` holds the sample scores of each run."""
    if not all_metrics(results):
        return ()
    drawings = [scores(results, published), boxes_by_dataset(results, published)]
    drawings += [boxes_by_system(results, published)]
    drawings += boxes_by_prompt(results)
    drawings += sample_boxes(results, samples)
    drawings += correlations(results, samples)
    return tuple(drawings)


def scores(results: Sequence[Result], published: Published) -> Drawing:
    """The main metric of each system on each data set."""
    metric = main_metric(results)
    caption = f"Average {metric_name(metric)} over prompts, with its 95 % interval where one is known." + (
        " Grey points: published systems, the best of them named." if published else ""
    )
    groups = bar_groups(results, metric, published)
    return bar_chart("scores", "Scores", caption, metric_name(metric), _labels(results), groups)


def bar_groups(
    results: Sequence[Result], metric: str, published: Published = MappingProxyType({})
) -> list[BarGroup]:
    """The bars of a metric, by data set; one that no run has the metric of is left out."""
    groups = []
    for name, dataset in dataset_results(results).items():
        means = [result.score(name, metric) for result in results]
        bars = tuple(Bar(place, mean) for place, mean in enumerate(means) if mean)
        others = {
            who: found[name][metric] for who, found in published.items() if metric in found.get(name, {})
        }
        if bars:
            groups.append(BarGroup(dataset.abbreviation, bars, others))
    return groups


def boxes_by_dataset(results: Sequence[Result], published: Published) -> Drawing:
    """Figure 3, left: the systems' scores on each data set."""
    metric = main_metric(results)
    rows = [
        Values(
            dataset.abbreviation,
            {who: means[name] for who, means in _means(results, published) if name in means},
        )
        for name, dataset in dataset_results(results).items()
    ]
    caption = f"{metric_name(metric)} on each data set: a point for each system, averaged over prompts"
    caption += "; grey: published systems." if published else "."
    return box_plot("by-dataset", "By data set", caption, metric_name(metric), rows, legend=_labels(results))


def boxes_by_system(results: Sequence[Result], published: Published) -> Drawing:
    """Figure 3, right: each system's scores over the data sets."""
    metric = main_metric(results)
    short = {name: dataset.abbreviation for name, dataset in dataset_results(results).items()}
    rows = [
        Values(who, {short[name]: value for name, value in means.items()})
        for who, means in _means(results, published)
        if means
    ]
    caption = f"{metric_name(metric)} of each system: a point for each data set, averaged over prompts."
    return box_plot("by-system", "By system", caption, metric_name(metric), rows)


def boxes_by_prompt(results: Sequence[Result]) -> Iterator[Drawing]:
    """Figure 4: the systems' scores under each instruction, one figure a data set."""
    metric = main_metric(results)
    for name, dataset in dataset_results(results).items():
        rows: dict[int, tuple[str, dict[str, float]]] = {}
        for result in results:
            mine = result.dataset(name)
            for prompt in mine.prompts if mine else ():
                if metric in prompt.scores:
                    row = rows.setdefault(prompt.number, (f"{prompt.number}. {prompt.instruction}", {}))
                    row[1][result.label] = prompt.scores[metric].value
        if len(rows) > 1:
            title = f"{dataset.abbreviation} by prompt"
            caption = f"{metric_name(metric)} under each instruction: a point for each system."
            values = [Values(*rows[number]) for number in sorted(rows)]
            word = f"by-prompt-{_word(name)}"
            yield box_plot(
                word, title, caption, metric_name(metric), values, legend=_labels(results), room=330
            )


def sample_boxes(results: Sequence[Result], samples: Sequence[SampleScores]) -> Iterator[Drawing]:
    """How the scores of single samples are spread, for each run."""
    metric = main_metric(results)
    for number, (result, found) in enumerate(zip(results, samples, strict=True), 1):
        rows = [
            Values(
                dataset.abbreviation, {str(place): value for place, value in enumerate(values)}, points=False
            )
            for dataset in result.datasets
            if (values := known(found.get(dataset.name, {}).get(metric, ())))
        ]
        if rows:
            caption = f"{metric_name(metric)} of single samples; whiskers: 1.5 boxes; outliers are not drawn."
            title = f"Samples: {result.label}"
            yield box_plot(f"samples-{number}", title, caption, metric_name(metric), rows)


def correlations(results: Sequence[Result], samples: Sequence[SampleScores]) -> Iterator[Drawing]:
    """Figure 5: Pearson's correlation of each pair of metrics, over scores and over single samples."""
    metrics = all_metrics(results)
    if len(metrics) < 2:
        return
    names = [metric_name(metric) for metric in metrics]
    table = [
        [prompt.scores[metric].value if metric in prompt.scores else np.nan for metric in metrics]
        for result in results
        for dataset in result.datasets
        for prompt in dataset.prompts
    ]
    grid = pearson(np.array(table, dtype=np.float64).reshape(-1, len(metrics)))
    if _has_pair(grid):
        caption = f"Pearson's r over {len(table)} scores: every system on every data set under every prompt."
        yield heat_map("correlation", "Correlation of metrics", caption, names, grid)
    blocks = [_columns(found[name], metrics) for found in samples for name in found]
    rows = np.concatenate(blocks) if blocks else np.empty((0, len(metrics)))
    grid = pearson(rows)
    if _has_pair(grid):
        caption = f"Pearson's r over the scores of {len(rows):,} single samples."
        yield heat_map(
            "correlation-samples", "Correlation of metrics, sample by sample", caption, names, grid
        )


def pearson(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The correlation of each pair of columns over the rows that have both; NaN where fewer than three do."""
    count = rows.shape[1]
    grid = np.full((count, count), np.nan)
    for i in range(count):
        for j in range(i + 1):
            both = rows[~np.isnan(rows[:, i]) & ~np.isnan(rows[:, j])][:, [i, j]]
            if len(both) < _FEWEST_FOR_A_CORRELATION:
                continue
            centred = both - both.mean(axis=0)
            norms = np.sqrt((centred**2).sum(axis=0))
            if norms.min() > 1e-9:
                grid[i, j] = grid[j, i] = (centred[:, 0] @ centred[:, 1]) / (norms[0] * norms[1])
    return grid


def _means(results: Sequence[Result], published: Published) -> Iterator[tuple[str, dict[str, float]]]:
    """Each system with its average over prompts on each data set of these runs."""
    metric = main_metric(results)
    known = dataset_results(results)
    for result in results:
        yield (
            result.label,
            {each.name: s.mean.value for each in result.datasets if (s := each.spreads.get(metric))},
        )
    for system, scores in published.items():
        yield system, {name: scores[name][metric] for name in known if metric in scores.get(name, {})}


def _labels(results: Sequence[Result]) -> list[str]:
    return [result.label for result in results]


def _columns(found: Mapping[str, Sequence[float]], metrics: Sequence[str]) -> NDArray[np.float64]:
    length = max((len(values) for values in found.values()), default=0)
    return np.column_stack([found.get(metric, [np.nan] * length) for metric in metrics])


def _has_pair(grid: NDArray[np.float64]) -> bool:
    return not bool(np.isnan(grid[~np.eye(len(grid), dtype=bool)]).all())


def known(values: Sequence[float]) -> list[float]:
    """The values that there are."""
    return [value for value in values if not np.isnan(value)]


def _word(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "data"
