"""The tables of the ConsTRev paper: adherence, quality, ablations, groups, planners, rounds, seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, stdev
from typing import Final, cast

import numpy as np

from redraft.bench.benchmark import read_data
from redraft.bench.measures import PLANNING, QUALITY
from redraft.bench.report.page import sample_scores
from redraft.bench.systems.revision import PLANNER, StrategyOptions, parse_strategy
from redraft.bench.tables import (
    Cell,
    Column,
    Number,
    Result,
    ScoredRun,
    Table,
    all_metrics,
    as_number,
    coverage,
    dataset_results,
    metric_name,
    scored_runs,
)
from redraft.revision import STRATEGIES, Switches
from redraft.runs import RunDir

RESAMPLES: Final = 2000
_SAME: Final = ("model", "planner", "data", "counting", "parameters")
"""What two runs have in common if they differ in their system or their seed alone."""


def strategy_of(one: ScoredRun) -> StrategyOptions | None:
    """The strategy of a run, where its system is one."""
    name, _, argument = str(one.facts["system"]).partition(":")
    strategy = next((known for known in STRATEGIES if known == name), None)
    return None if strategy is None else parse_strategy(strategy, argument)


def revises(one: ScoredRun) -> bool:
    """Whether the system of a run revises texts, and does not only plan it."""
    return str(one.facts["system"]).partition(":")[0] != PLANNER


def report_tables(runs: Sequence[RunDir], results: Sequence[Result]) -> tuple[Table, ...]:
    """Every table that these runs have the numbers for."""
    every = scored_runs(runs, results)
    found = [one for one in every if revises(one)]
    tables = [
        adherence(found),
        well_formed(found),
        quality(found),
        ablations(found),
        by_details(found, "groups", "By group of constraints (Table 9)"),
        by_details(found, "kinds", "By kind of constraint"),
        planners(results, is_main=len(found) < len(every)),
        rounds(found),
        seeds(every),
        published([one.result for one in found]),
        published_quality([one.result for one in found]),
        coverage(results),
    ]
    return tuple(table for table in tables if table.rows)


def adherence(found: Sequence[ScoredRun]) -> Table:
    """Tables 3 and 7: constraints met, and texts that meet all of theirs, by level."""
    results = [one.result for one in found]
    countings = [name for name in all_metrics(results) if name.startswith("adherence:")]
    names = [
        name
        for name in dataset_results(results)
        if countings and any(each.score(name, countings[0]) for each in results)
    ]
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        texts = sum(one.count(name, countings[0]) for name in names) if countings else 0
        for metric in countings:
            counting = metric.partition(":")[2]
            cells = [_cell(one.result, name, (metric, f"all_met:{counting}")) for name in names]
            shared = [name for name in names if all(each.score(name, metric) for each in results)]
            rows.append((one.label, counting, texts, *cells, _mean_over(one.result, shared, metric)))
    columns = (
        Column("System"),
        Column("Counting"),
        Column("Texts"),
        *(Column(_short(results, name), ("met", "all")) for name in names),
        Column("Mean", ("met",)),
    )
    note = (
        "Of the constraints of each level, the share that is met; then the share of texts that meet all of "
        "theirs. Under both conventions of counting words and sentences. Systems with fewer texts were "
        "scored on those alone; the mean is over the levels that all systems have."
    )
    return Table("adherence", "Adherence", note, columns, tuple(rows) if names else (), is_main=True)


def well_formed(found: Sequence[ScoredRun]) -> Table:
    """Tables 3 and 7 on the items that can be met."""
    able = [one for one in found if one.details.get("well_formed")]
    names = list(dict.fromkeys(name for one in able for name in one.details["well_formed"]))
    rows: list[tuple[Cell, ...]] = []
    for one in able:
        own = one.details["well_formed"]
        cells = [tuple(as_number(own.get(name, {}).get(part)) for part in ("met", "all")) for name in names]
        counts = [sum(each[part] for each in own.values()) for part in ("n", "left_out")]
        rows.append((one.label, *counts, *cells))
    results = [one.result for one in able]
    columns = (
        Column("System"),
        Column("Texts"),
        Column("Left out"),
        *(Column(_short(results, name), ("met", "all")) for name in names),
    )
    note = (
        "As above, in the counting of each run, without the items whose constraints contradict each other or "
        "the text (a sentence to be kept that is too long for the bound, or holds a word to be removed)."
    )
    is_any = any(cast("int", row[2]) for row in rows)
    title = "Adherence on well-formed items"
    return Table("well-formed", title, note, columns, tuple(rows) if is_any else (), is_main=True)


def quality(found: Sequence[ScoredRun]) -> Table:
    """Tables 3, 4 and 6: the measures of quality, by level."""
    results = [one.result for one in found]
    metrics = [name for name in QUALITY if name in all_metrics(results)]
    shared = [
        name for name in dataset_results(results) if all(each.score(name, "quality") for each in results)
    ]
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        own = [each for each in one.result.datasets if "quality" in each.spreads]
        for each in own:
            cells = [_cell(one.result, each.name, (metric,)) for metric in metrics]
            rows.append((one.label, each.abbreviation, one.count(each.name, "quality"), *cells))
        if own and len(shared) > 1:
            texts = sum(one.count(name, "quality") for name in shared)
            rows.append((one.label, "mean", texts, *(_mean_over(one.result, shared, m) for m in metrics)))
    digits = dict.fromkeys(("grammar", "likelihood", "compile_errors"), 2)
    digits |= dict.fromkeys(("meaning", "entities", "keywords", "some"), 3)
    heads = (Column(name, (name,), digits.get(name, 1)) for name in metrics)
    note = (
        "quality: the mean of three measures on their scale, in per cent (R_g of the paper; the original "
        "has no fluency). perplexity and grammar (errors per 100 words): less is better. likelihood: of the "
        "text, given its source. meaning, entities, keywords: near, or kept, from 0 to 1."
    )
    columns = (Column("System"), Column("Level"), Column("Texts"), *heads)
    return Table("quality", "Quality", note, columns, tuple(rows), is_main=True)


def ablations(found: Sequence[ScoredRun]) -> Table:
    """Tables 6 and 7: what is lost without a part, on the texts that both runs have."""
    metrics: dict[str, int] = {}
    rows: list[tuple[str, int, dict[str, Number]]] = []
    for one in found:
        off = way.switches.off if (way := strategy_of(one)) else []
        base = next((each for each in found if off and _is_whole(each, one)), None)
        if base is not None:
            size, changes = differences(base.run, one.run)
            counting = one.facts["counting"]
            wanted = (f"adherence:{counting}", f"all_met:{counting}", *QUALITY)
            changes = {name: changes[name] for name in wanted if name in changes}
            rows.append((f"{base.label} without {', '.join(off)}", size, changes))
            metrics |= dict.fromkeys(changes, 0)
    heads = [Column(metric_name(name), (name,), 2) for name in metrics]
    cells: list[tuple[Cell, ...]] = [
        (label, size, *((changes.get(name),) for name in metrics)) for label, size, changes in rows
    ]
    note = (
        "The run without the part less the run with it, a mean over the texts of all levels, with the 95 % "
        f"interval of a paired bootstrap ({RESAMPLES} resamples). Of perplexity and grammar, less is better."
    )
    columns = (Column("Ablation"), Column("Texts"), *heads)
    return Table("ablations", "Ablations", note, columns, tuple(cells), is_main=True)


def _is_whole(one: ScoredRun, other: ScoredRun) -> bool:
    """Whether a run is the same as another with nothing turned off."""
    way, theirs = strategy_of(one), strategy_of(other)
    if way is None or theirs is None or way != replace(theirs, switches=Switches()):
        return False
    return all(one.facts.get(name) == other.facts.get(name) for name in (*_SAME, "seed"))


def differences(first: RunDir, second: RunDir) -> tuple[int, dict[str, Number]]:
    """How many texts two runs share, and for each metric the mean of the second less the first."""
    before, after = sample_scores(first), sample_scores(second)
    shared = sorted(before.keys() & after.keys())
    names = dict.fromkeys(name for key in shared for name in before[key] if name in after[key])
    found = {}
    for name in names:
        values = np.array([after[key].get(name, np.nan) - before[key].get(name, np.nan) for key in shared])
        values = values[~np.isnan(values)]
        if len(values):
            drawn = np.random.default_rng(0).choice(values, (RESAMPLES, len(values))).mean(axis=1)
            low, high = np.quantile(drawn, (0.025, 0.975))
            found[name] = Number(float(values.mean()), float(low), float(high))
    return len(shared), found


def by_details(found: Sequence[ScoredRun], part: str, title: str) -> Table:
    """Adherence by group, or by kind, over all levels."""
    able = [one for one in found if one.details.get(part)]
    names = sorted({name for one in able for name in one.details[part]})
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        each = [one.details[part].get(name) for one in able]
        numbers = [(Number(one["score"], one["low"], one["high"]),) if one else (None,) for one in each]
        rows.append((_plain(name), max(one["n"] for one in each if one), *numbers))
    columns = (Column("Constraints"), Column("Count"), *(Column(one.label, ("met",)) for one in able))
    note = "The share of these constraints that is met, over all levels, in the counting of each run."
    return Table(part, title, note, columns, tuple(rows))


def planners(results: Sequence[Result], *, is_main: bool) -> Table:
    """Figure 6: the planner's tools against those that the instruction means; beside it, the paper's."""
    names = [
        name for name in dataset_results(results) if any(each.score(name, PLANNING[0]) for each in results)
    ]
    rows: list[tuple[Cell, ...]] = [
        (result.label, *(_cell(result, name, PLANNING) for name in names))
        for result in results
        if set(PLANNING) & set(all_metrics([result]))
    ]
    if rows:
        rows += [
            (f"{system} †", *((None, None, as_number(row.get(name))) for name in names))
            for system, row in read_data(__package__, "published.json")["tool_use"].items()
        ]
    heads = ("F1", "exact", "checks")
    columns = (Column("System"), *(Column(_short(results, name), heads) for name in names))
    note = (
        "F1 of the calls that were planned, with text_eval() meant by every instruction; the share of texts "
        "where they are just the right ones; F1 of the checks alone. † As printed in the paper (Figure 6, "
        "left: the checks alone), on its own texts."
    )
    title = "Tool use of the planner (Figure 6)"
    return Table("planners", title, note, columns, tuple(rows), is_main)


def rounds(found: Sequence[ScoredRun]) -> Table:
    """Figure 3: adherence and quality after each round."""
    measures = ("adherence", *QUALITY)
    lines = [
        (one.label, dataset, each)
        for one in found
        for dataset, curve in one.details.get("rounds", {}).items()
        for each in curve
    ]
    shown = [name for name in measures if any(name in each for _, _, each in lines)]
    rows = [
        (label, dataset, each["round"], each["n"],
         *((as_number(each.get(name)),) for name in shown))
        for label, dataset, each in lines
    ]  # fmt: skip
    heads = (Column(name, (name,), 2) for name in shown)
    note = "Means after each round; a text with fewer rounds stays as its last one left it."
    columns = (Column("System"), Column("Level"), Column("Round"), Column("Texts"), *heads)
    return Table("rounds", "Over revision rounds (Figure 3)", note, columns, tuple(rows))


def seeds(found: Sequence[ScoredRun]) -> Table:
    """Mean and standard deviation of runs that differ in their seed alone."""
    groups: dict[tuple[str, ...], list[ScoredRun]] = {}
    for one in found:
        key = tuple(str(one.facts.get(name)) for name in ("system", *_SAME))
        groups.setdefault(key, []).append(one)
    several = {key: group for key, group in groups.items() if len({one.facts["seed"] for one in group}) > 1}
    rows: list[tuple[Cell, ...]] = []
    metrics = all_metrics([one.result for group in several.values() for one in group])
    for group in several.values():
        label = " ".join(str(part) for name in ("system", "model") if (part := group[0].facts.get(name)))
        for name, dataset in dataset_results([one.result for one in group]).items():
            cells = [_spread([one.result.score(name, metric) for one in group]) for metric in metrics]
            rows.append((label, dataset.abbreviation, len(group), *cells))
    heads = (Column(metric_name(metric), ("mean", "sd"), 2) for metric in metrics)
    note = "Mean and standard deviation (over n - 1) of the runs of one system with several seeds."
    return Table(
        "seeds", "Over seeds", note, (Column("System"), Column("Level"), Column("Runs"), *heads), tuple(rows)
    )


def published(results: Sequence[Result]) -> Table:
    """The paper's own accuracy, for context: its checker counted more as met than the calls say."""
    accuracy = read_data(__package__, "published.json")["accuracy"]
    levels = [name for name in dataset_results(results) if any(name in row for row in accuracy.values())]
    rows: list[tuple[Cell, ...]] = [
        (f"{system} †", *((as_number(row.get(name)),) for name in levels)) for system, row in accuracy.items()
    ]
    note = (
        "† As printed in the paper (Tables 3, 7 and 9), on its own texts, whatever data is scored here; its "
        "scoring code counts every word count and keyword frequency as met, more than a strict check gives."
    )
    columns = (Column("System"), *(Column(_short(results, name), ("met",)) for name in levels))
    return Table("published", "As published", note, columns, tuple(rows) if levels else ())


def published_quality(results: Sequence[Result]) -> Table:
    """The paper's own measures of quality, for context: by other models, on its own texts."""
    said = read_data(__package__, "published.json")["quality"]
    levels = [name for name in dataset_results(results) if any(name in row for row in said.values())]
    rows: list[tuple[Cell, ...]] = [
        (f"{system} †", *(tuple(map(as_number, row.get(name, (None,) * 3))) for name in levels))
        for system, row in said.items()
        if row.keys() & set(levels)
    ]
    note = (
        "† As printed in the paper (Tables 3, 4, 6 and 9): perplexity by GPT-2 Large, SOME in per cent, "
        "BARTScore."
    )
    heads = ("PPL", "SOME", "BART")
    columns = (Column("System"), *(Column(_short(results, name), heads, 2) for name in levels))
    return Table("published-quality", "Quality as published", note, columns, tuple(rows))


def _cell(result: Result, name: str, metrics: Sequence[str]) -> tuple[Number | None, ...]:
    return tuple(result.score(name, metric) for metric in metrics)


def _mean_over(result: Result, names: Sequence[str], metric: str) -> tuple[Number | None, ...]:
    values = [number.value for name in names if (number := result.score(name, metric))]
    return (Number(fmean(values)) if values else None,)


def _spread(numbers: Sequence[Number | None]) -> tuple[Number | None, ...]:
    known = [number.value for number in numbers if number]
    if not known:
        return None, None
    return Number(fmean(known)), Number(stdev(known)) if len(known) > 1 else None


def _short(results: Sequence[Result], name: str) -> str:
    return dataset_results(results)[name].abbreviation


def _plain(name: str) -> str:
    """`word_count_check less than` as people write it."""
    return name.replace("_check", "").replace("_", " ")
