"""The figures of the ConsTRev paper: adherence, what is kept (Figure 5), planners (6), rounds (3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from redraft.bench.constrev.tables import revises
from redraft.bench.report.figures import SampleScores, known
from redraft.bench.report.plots import Bar, BarGroup, Curve, Values, bar_chart, box_plot, line_chart
from redraft.bench.report.svg import Drawing
from redraft.bench.scored import Scored, scored
from redraft.bench.tables import Result, dataset_results, metric_name
from redraft.runs import RunDir

_KEPT: Final = {"entities": "Names kept (Figure 5, left)", "keywords": "LaTeX kept (Figure 5, right)"}
_CURVES: Final = ("adherence", "quality", "perplexity", "grammar", "some", "likelihood")


def draw(
    runs: Sequence[RunDir], results: Sequence[Result], samples: Sequence[SampleScores]
) -> tuple[Drawing, ...]:
    """Every figure that these runs have the numbers for; `samples` has the scores of single samples."""
    found = scored(runs, results)
    counting = str(found[0].facts.get("counting", "constrev"))
    revised = [one.result for one in found if revises(one)]
    drawings = [
        *_bars(revised, f"adherence:{counting}", "adherence", "Constraints met"),
        *_bars(revised, f"all_met:{counting}", "all-met", "Texts that meet all constraints"),
        *_bars(results, "quality", "quality", "Quality"),
        *_kept(results, samples),
        *_bars(results, "tool_f1", "tool-use", "Tool use of the planner (Figure 6)"),
        *_rounds(found),
    ]
    return tuple(drawings)


def _bars(results: Sequence[Result], metric: str, name: str, title: str) -> Iterator[Drawing]:
    groups = []
    for dataset, facts in dataset_results(results).items():
        spreads = [each.spreads.get(metric) if (each := one.dataset(dataset)) else None for one in results]
        bars = tuple(Bar(place, each.mean) for place, each in enumerate(spreads) if each)
        if bars:
            groups.append(BarGroup(facts.abbreviation, bars, {}))
    if groups:
        caption = f"{metric_name(metric)}, with its 95 % interval."
        yield bar_chart(name, title, caption, metric_name(metric), [one.label for one in results], groups)


def _kept(results: Sequence[Result], samples: Sequence[SampleScores]) -> Iterator[Drawing]:
    """The distribution over texts of the share that is kept."""
    for metric, title in _KEPT.items():
        rows = []
        for result, found in zip(results, samples, strict=True):
            values = [100 * value for each in found.values() for value in known(each.get(metric, ()))]
            if values:
                rows.append(Values(result.label, {str(i): v for i, v in enumerate(values)}, points=False))
        if rows:
            caption = "In per cent of the original's, text by text, over all levels; outliers are not drawn."
            yield box_plot(metric, title, caption, "% kept", rows, room=230)


def _rounds(found: Sequence[Scored]) -> Iterator[Drawing]:
    for metric in _CURVES:
        curves = [Curve(one.label, points) for one in found if len(points := _curve(one, metric)) > 1]
        if curves:
            title = f"{metric_name(metric)} over rounds (Figure 3)"
            caption = "Means over the texts of all levels after each round of revision."
            yield line_chart(f"rounds-{metric}", title, caption, ("round", metric_name(metric)), curves)


def _curve(one: Scored, metric: str) -> dict[float, float]:
    """The mean over all levels after each round; a level with fewer rounds stays at its last."""
    levels = [
        rounds for rounds in one.details.get("rounds", {}).values() if all(metric in each for each in rounds)
    ]
    points = {}
    for place in range(max(map(len, levels), default=0)):
        now = [rounds[min(place, len(rounds) - 1)] for rounds in levels]
        texts = sum(each["n"] for each in now)
        points[place + 1.0] = sum(each["n"] * each[metric] for each in now) / texts
    return points
