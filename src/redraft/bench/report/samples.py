"""Every sample of a report, packed so that a page opens at once and unpacks only what is looked at.

The index holds what is filtered and sorted by, a column each, for all items. The texts are in chunks of 200
items. Both are JSON, deflated, in base64: nothing in them can end a script element or be taken for markup.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redraft.bench.tables import Result, all_metrics, dataset_results, metric_name
from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.runs import Record, RunDir
from redraft.text import diff_words

CHUNK = 200
_OPS = {"equal": 0, "delete": 1, "insert": 2}


@dataclass(frozen=True)
class Packed:
    """The samples of all runs: the index, the chunks, and for figures the scores of each run."""

    index: str
    chunks: tuple[str, ...]
    scores: tuple[Mapping[str, Mapping[str, Sequence[float]]], ...]
    usages: tuple[Mapping[str, float], ...]


@dataclass
class _Columns:
    """The columns of the index while they grow."""

    run: list[int] = field(default_factory=list)
    dataset: list[int] = field(default_factory=list)
    prompt: list[int] = field(default_factory=list)
    state: list[int] = field(default_factory=list)
    """0 changed, 1 left as it was, 2 failed."""
    id: list[str] = field(default_factory=list)
    scores: dict[str, list[float | None]] = field(default_factory=dict)


def pack(runs: Sequence[RunDir], results: Sequence[Result]) -> Packed:
    """Read the samples of all runs, one run in memory at a time."""
    datasets = {name: each.abbreviation for name, each in dataset_results(results).items()}
    metrics = all_metrics(results)
    columns = _Columns(scores={metric: [] for metric in metrics})
    texts: list[dict[str, Any]] = []
    chunks: list[str] = []
    scores, usages = [], []
    for place, run in enumerate(runs):
        found = sample_scores(run)
        records = list(run.latest().values())
        for name in dict.fromkeys(record["dataset"] for record in records):
            datasets.setdefault(name, name)
        order = {name: number for number, name in enumerate(datasets)}
        records.sort(key=lambda record: (order[record["dataset"]], record["prompt"]))
        for record in records:
            _add(columns, place, order, record, found.get(record["key"], {}))
            texts.append(_text(record))
            if len(texts) == CHUNK:
                chunks.append(deflate(texts))
                texts = []
        scores.append(_by_dataset(records, found, metrics))
        usages.append(_usage(records))
    if texts:
        chunks.append(deflate(texts))
    index = {
        "runs": [result.label for result in results],
        "datasets": list(datasets.values()),
        "metrics": [metric_name(metric) for metric in metrics],
        "chunk": CHUNK,
        **vars(columns),
        "scores": [columns.scores[metric] for metric in metrics],
    }
    return Packed(deflate(index), tuple(chunks), tuple(scores), tuple(usages))


def sample_scores(run: RunDir) -> dict[str, dict[str, float]]:
    """The scores of single items, by key, where the run has them."""
    file = run.path / "sample_scores.jsonl"
    if not file.is_file():
        return {}
    return {line["key"]: line["scores"] for line in _lines(file)}


def deflate(value: Any) -> str:
    """A value as the page unpacks it."""
    return base64.b64encode(zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)).decode()


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8", errors="surrogatepass") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield parse_json(line)
            except ValueError:
                raise InputError(f"{file}, line {number}, is not JSON: score the run again") from None


def _add(
    columns: _Columns, run: int, order: Mapping[str, int], record: Record, scores: Mapping[str, float]
) -> None:
    columns.run.append(run)
    columns.dataset.append(order[record["dataset"]])
    columns.prompt.append(record["prompt"])
    columns.state.append(2 if record["output"] is None else int(record["output"] == record["input"]))
    columns.id.append(record["id"])
    for metric, column in columns.scores.items():
        value = scores.get(metric)
        column.append(None if value is None else round(value, 2))


def _text(record: Record) -> dict[str, Any]:
    """One item's texts: the diff holds input and output both."""
    text: dict[str, Any] = {"p": record["instruction"], "r": record["references"]}
    if record["documents"]:
        text["x"] = record["documents"]
    if record["output"] is None:
        return {**text, "i": record["input"], "e": record["error"] or "no output"}
    return {**text, "d": list(_steps(record["input"], record["output"]))}


def _steps(before: str, after: str) -> Iterator[tuple[int, str]]:
    for edit in diff_words(before, after):
        if edit.op == "replace":
            yield from ((_OPS["delete"], edit.before), (_OPS["insert"], edit.after))
        else:
            yield _OPS[edit.op], edit.before or edit.after


def _by_dataset(
    records: Iterable[Record], found: Mapping[str, Mapping[str, float]], metrics: Sequence[str]
) -> dict[str, dict[str, list[float]]]:
    scores: dict[str, dict[str, list[float]]] = {}
    for record in records:
        if mine := found.get(record["key"]):
            dataset = scores.setdefault(record["dataset"], {metric: [] for metric in metrics})
            for metric, values in dataset.items():
                values.append(mine.get(metric, float("nan")))
    return scores


def _usage(records: Iterable[Record]) -> dict[str, float]:
    total: dict[str, float] = {}
    for record in records:
        for name, value in (record.get("usage") or {}).items():
            total[name] = total.get(name, 0) + (value or 0)
    return total
