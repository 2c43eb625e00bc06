"""What a run of ConsTRev shows beside its scores: adherence by group and kind, and over revision rounds.

{"groups": {"length": {"score": 91.2, "low": …, "high": …, "n": 120}, …},
 "kinds": {"word_count_check less than": {…}, …},
 "well_formed": {"L1": {"met": 91.2, "all": 88.0, "n": 48, "left_out": 2}, …},
 "rounds": {"L1": [{"round": 1, "n": 50, "adherence": 71.0, "perplexity": 30.1, …}, …], …}}"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from statistics import fmean
from typing import Final

import numpy as np

from redraft.bench.constrev.reading import GROUP_OF
from redraft.bench.constrev.tables import revises
from redraft.bench.measures import QUALITY
from redraft.bench.report.figures import SampleScores, bar_groups, known
from redraft.bench.report.plots import Curve, Drawing, Values, bar_chart, box_plot, line_chart
from redraft.bench.tables import Result, ScoredRun, metric_name, scored_runs
from redraft.constraints import Constraint, Finding, check, infeasible, parse_call
from redraft.metrics import Mean, estimate
from redraft.runs import Record, RunDir


def details_of(records: Sequence[Record], measured: Mapping[str, Record], counting: str) -> Record:
    """The details of finished records; `measured` has what was measured of each, by its key."""
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    kinds: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for record in records:
        found = _findings(record["output"], record, counting)
        for name, counts in _counted(found, group_of):
            groups[name].append(counts)
        for name, counts in _counted(found, kind_of):
            kinds[name].append(counts)
    return {
        "counting": counting,
        "groups": {name: _share(groups[name]) for name in sorted(groups)},
        "kinds": {name: _share(kinds[name]) for name in sorted(kinds)},
        "well_formed": _well_formed(records, counting),
        "rounds": _rounds(records, measured, counting),
    }


def _well_formed(records: Sequence[Record], counting: str) -> dict[str, Record]:
    """By level, adherence on the items that can be met: some contradict themselves or their text."""
    found: dict[str, Record] = {}
    for dataset in dict.fromkeys(record["dataset"] for record in records):
        own = [record for record in records if record["dataset"] == dataset and record.get("calls")]
        good = [one for one in own if can_be_met(one["input"], tuple(one["calls"]), counting)]
        mets = [[each.met for each in _findings(one["output"], one, counting)] for one in good]
        if mets:
            found[dataset] = {
                "met": 100 * fmean(met for own_mets in mets for met in own_mets),
                "all": 100 * fmean(all(own_mets) for own_mets in mets),
                "n": len(good),
                "left_out": len(own) - len(good),
            }
    return found


@lru_cache(maxsize=4096)
def can_be_met(text: str, calls: tuple[str, ...], counting: str) -> bool:
    """Whether nothing shows that the constraints contradict each other, or the text."""
    constraints = [parse_call(call) for call in calls]
    return infeasible(constraints, original=text, counting=counting, format="text") is None


def group_of(constraint: Constraint) -> str:
    """The group of a constraint in Table 11."""
    return GROUP_OF.get(constraint.name, "other")


def kind_of(constraint: Constraint) -> str:
    """The kind of a constraint, with what it relates: `word_count_check less than`."""
    return f"{constraint.name} {getattr(constraint, 'relation', '')}".rstrip()


def _findings(text: str, record: Record, counting: str) -> tuple[Finding, ...]:
    calls = record.get("calls", ())
    if not calls:
        return ()
    return check(text, calls, original=record["input"], counting=counting).findings


def _counted(
    found: Iterable[Finding], name_of: Callable[[Constraint], str]
) -> Iterator[tuple[str, tuple[float, float]]]:
    """For each name, how many of a sample's constraints are met, in hundreds, and how many there are."""
    own: dict[str, list[bool]] = defaultdict(list)
    for finding in found:
        own[name_of(finding.constraint)].append(finding.met)
    for name, mets in own.items():
        yield name, (100.0 * sum(mets), float(len(mets)))


def _share(counts: Sequence[tuple[float, float]]) -> Record:
    """The share that is met, with an interval over samples."""
    rows = np.array(counts)
    found = estimate(Mean("share", lambda sample: ()), rows)
    low, high = found.interval
    return {"score": float(found.value[0]), "low": low, "high": high, "n": int(rows[:, 1].sum())}


def _rounds(
    records: Sequence[Record], measured: Mapping[str, Record], counting: str
) -> dict[str, list[Record]]:
    """The means after each round; a sample with fewer rounds stays as its last one left it."""
    found: dict[str, list[Record]] = {}
    for dataset in dict.fromkeys(record["dataset"] for record in records):
        own = [record for record in records if record["dataset"] == dataset]
        most = max(len(record.get("rounds", ())) for record in own)
        if most:
            found[dataset] = [_round(own, place, measured, counting) for place in range(most)]
    return found


def _round(records: Sequence[Record], place: int, measured: Mapping[str, Record], counting: str) -> Record:
    mets: list[bool] = []
    values: dict[str, list[float]] = defaultdict(list)
    for record in records:
        texts = record.get("rounds") or [record["output"]]
        at = min(place, len(texts) - 1)
        mets += [each.met for each in _findings(texts[at], record, counting)]
        own = measured.get(record["key"], {})
        known = own.get("rounds") or [own.get("measures", {})]
        for name, value in (known[at] if at < len(known) else {}).items():
            if name in QUALITY and value is not None and math.isfinite(value):
                values[name].append(value)
    means = {name: fmean(numbers) for name, numbers in values.items()}
    adherence = {"adherence": 100 * fmean(mets)} if mets else {}
    return {"round": place + 1, "n": len(records), **adherence, **means}


_KEPT: Final = {"entities": "Names kept (Figure 5, left)", "keywords": "LaTeX kept (Figure 5, right)"}
_CURVES: Final = ("adherence", "quality", "perplexity", "grammar", "some", "likelihood")


def draw(
    runs: Sequence[RunDir], results: Sequence[Result], samples: Sequence[SampleScores]
) -> tuple[Drawing, ...]:
    """Every figure that these runs have the numbers for; `samples` has the scores of single samples."""
    found = scored_runs(runs, results)
    counting = str(found[0].facts.get("counting", "constrev"))
    revised = [one.result for one in found if revises(one)]
    drawings = [
        *_bars(revised, f"adherence:{counting}", "adherence", "Constraints met"),
        *_bars(revised, f"all_met:{counting}", "all-met", "Texts that meet all constraints"),
        *_bars(results, "quality", "quality", "Quality"),
        *_kept(results, samples),
        *_bars(results, "tool_f1", "tool-use", "Tool use of the planner (Figure 6)"),
        *_draw_rounds(found),
    ]
    return tuple(drawings)


def _bars(results: Sequence[Result], metric: str, name: str, title: str) -> Iterator[Drawing]:
    if groups := bar_groups(results, metric):
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


def _draw_rounds(found: Sequence[ScoredRun]) -> Iterator[Drawing]:
    for metric in _CURVES:
        curves = [Curve(one.label, points) for one in found if len(points := _curve(one, metric)) > 1]
        if curves:
            title = f"{metric_name(metric)} over rounds (Figure 3)"
            caption = "Means over the texts of all levels after each round of revision."
            yield line_chart(f"rounds-{metric}", title, caption, ("round", metric_name(metric)), curves)


def _curve(one: ScoredRun, metric: str) -> dict[float, float]:
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
