"""The scores of a run, from what it left on disk: the same however often it was interrupted."""

from __future__ import annotations

import json
import math
import statistics
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from redraft.bench.benchmark import Benchmark, DetailedBenchmark, Measures, Plan, Sample
from redraft.bench.measures import (
    JUDGE,
    Measured,
    judge_score,
    judge_signature,
    known_rows,
    metric_of,
    read_judge_scores,
    read_measures,
)
from redraft.errors import MissingExtra, ModelError
from redraft.metrics import Metric, Rows, Sample as Scored, rows_of, sample_scores, score_of
from redraft.runs import Record, RunDir
from redraft.text import write_text

SAMPLE_SCORES = "sample_scores.jsonl"


def scored_sample(sample: Sample, output: str, benchmark: Benchmark, measures: Measures) -> Scored:
    """An output as the benchmark's evaluator sees it."""
    source, written, *references = (
        benchmark.normalise(text, sample) for text in (sample.input, output, *sample.references)
    )
    return Scored(source, written, tuple(references), sample.calls, measures)


def all_measures(run: RunDir, benchmark: Benchmark, measured: Mapping[str, Record]) -> dict[str, Measures]:
    """What is known of each output, by key: what models measured, what a judge said, what is seen at once."""
    cheap = benchmark.measured if isinstance(benchmark, DetailedBenchmark) else lambda record: {}
    marks = {key: {JUDGE: judge_score(judgement)} for key, judgement in read_judge_scores(run).items()}
    return {
        key: {**measured.get(key, {}).get("measures", {}), **marks.get(key, {}), **cheap(record)}
        for key, record in run.latest().items()
        if record["output"] is not None
    }


@cache
def _usable(name: str, by: str) -> Metric | None:
    """The metric; one whose optional part is not installed is left out, and that is said once."""
    metric = metric_of(name, by)
    try:
        return metric if metric.signature else None
    except MissingExtra as error:
        warnings.warn(f"{name} is left out: {error}", stacklevel=2)
        return None


def score_run(run: RunDir, plan: Plan, benchmark: Benchmark, label: str) -> Record:
    """Score every data set and prompt of a run; write scores.json and the scores of each sample."""
    latest = run.latest()
    facts = run.facts()
    by = str(facts.get("quality", ""))
    known = read_measures(run, by)
    marks = read_judge_scores(run)
    measured = all_measures(run, benchmark, known)
    datasets: dict[str, Any] = {}
    lines: list[str] = []
    for dataset in plan.datasets:
        planned = [item for item in plan.items if item.sample.dataset == dataset.name]
        if not planned:
            continue
        judge = next((judge_signature(marks[item.key]) for item in planned if item.key in marks), "")
        metrics = [
            metric for name in dataset.metrics if (metric := _usable(name, judge if name == JUDGE else by))
        ]
        known_samples = {sample.id: sample for sample in dataset.samples}
        prompts: dict[str, Any] = {}
        for number in sorted({item.prompt for item in planned}):
            keys = [item.key for item in planned if item.prompt == number]
            records = [latest[key] for key in keys if key in latest and not latest[key]["error"]]
            prompts[str(number)] = {
                "instruction": dataset.prompts[number - 1],
                "planned": len(keys),
                "scored": len(records),
                "scores": {},
            }
            if records:
                samples = [
                    scored_sample(
                        known_samples[record["id"]],
                        record["output"],
                        benchmark,
                        measured.get(record["key"], {}),
                    )
                    for record in records
                ]
                found = list(_rows(metrics, samples))
                prompts[str(number)]["scores"] = dict(_score(metric, rows) for metric, rows in found)
                lines += _sample_lines(found, [record["key"] for record in records])
        scored = sum(prompt["scored"] for prompt in prompts.values())
        datasets[dataset.name] = {
            "abbreviation": dataset.abbreviation,
            "task": dataset.task,
            "planned": len(planned),
            "scored": scored,
            "failed": sum(bool(latest.get(item.key, {}).get("error")) for item in planned),
            "prompts": prompts,
            "over_prompts": _over_prompts([prompt["scores"] for prompt in prompts.values()]),
        }
    scores = {
        "benchmark": benchmark.name,
        "system": facts["system"],
        "label": label,
        "coverage": {
            "planned": len(plan.items),
            "done": sum(found["scored"] for found in datasets.values()),
            "failed": sum(found["failed"] for found in datasets.values()),
        },
        "datasets": datasets,
        "overall": _overall(datasets),
    }
    if isinstance(benchmark, DetailedBenchmark):
        done = [record for record in latest.values() if record["output"] is not None]
        scores["details"] = benchmark.details(done, known, str(facts["counting"]))
    write_text(run.path / SAMPLE_SCORES, "".join(lines))
    run.write("scores.json", scores)
    return scores


def _rows(metrics: Iterable[Metric], samples: Sequence[Scored]) -> Iterator[tuple[Metric, Rows]]:
    """The statistics of each metric; one with nothing measured, or that cannot be had, is left out."""
    for metric in metrics:
        try:
            rows = rows_of(metric, samples)
        except ModelError as error:
            warnings.warn(f"{metric.name} is left out: {error}", stacklevel=2)
            continue
        if rows.any() or not isinstance(metric, Measured):
            yield metric, rows


def _score(metric: Metric, rows: Rows) -> tuple[str, dict[str, Any]]:
    score = score_of(metric, known_rows(rows) if isinstance(metric, Measured) else rows)
    low, high = score.interval or (score.value, score.value)
    return metric.name, {
        "score": score.value,
        "low": low,
        "high": high,
        "n": score.n,
        "components": dict(score.components),
        "signature": score.signature,
    }


def _sample_lines(measured: Sequence[tuple[Metric, Rows]], keys: Sequence[str]) -> list[str]:
    columns = {metric.name: sample_scores(metric, rows).round(4).tolist() for metric, rows in measured}
    return [
        json.dumps({"key": key, "scores": _known({name: c[at] for name, c in columns.items()})}) + "\n"
        for at, key in enumerate(keys)
    ]


def _known(scores: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in scores.items() if not math.isnan(value)}


def _over_prompts(prompts: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Mean, largest, smallest and coefficient of variation over prompts (the paper's Tables 2, 3 and 5)."""
    names = {name: None for scores in prompts for name in scores}
    return {name: _spread([s[name]["score"] for s in prompts if name in s]) for name in names}


def _spread(values: Sequence[float]) -> dict[str, float]:
    mean = statistics.fmean(values)
    # The population's deviation, since the prompts are all there are, in percent of the mean.
    cv = 100 * statistics.pstdev(values) / mean if mean else 0.0
    return {"mean": mean, "max": max(values), "min": min(values), "cv": cv}


def _overall(datasets: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The mean over data sets of what each has over its prompts, for the metrics that all of them have."""
    tables = [found["over_prompts"] for found in datasets.values() if found["over_prompts"]]
    shared = [name for name in (tables[0] if tables else ()) if all(name in table for table in tables)]
    return {
        name: {
            part: statistics.fmean(table[name][part] for table in tables)
            for part in ("mean", "max", "min", "cv")
        }
        for name in shared
    }
