"""The report of one or several runs: a page that opens offline, with Markdown, CSV and figures beside it.

Samples are packed so that a page opens at once and unpacks only what is looked at. The index holds what is
filtered and sorted by, a column each, for all items. The texts are in chunks of 200 items. Both are JSON,
deflated, in base64: nothing in them can end a script element or be taken for markup.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from redraft import __version__
from redraft.bench.benchmark import DetailedBenchmark
from redraft.bench.changes import changes
from redraft.bench.report.figures import draw_figures
from redraft.bench.report.formats import MISSING, csv_text, interval, markdown, metric_names, number
from redraft.bench.report.plots import Drawing, stylesheet
from redraft.bench.tables import (
    Published,
    Result,
    Table,
    all_metrics,
    dataset_results,
    metric_name,
    read_result,
    result_tables,
)
from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.runs import Record, RunDir
from redraft.text import diff_words, markdown_text, replace_surrogates, write_text


def write_report(
    runs: Sequence[RunDir],
    out: Path,
    published: Published,
    highest: Published = MappingProxyType({}),
    lowest: Published = MappingProxyType({}),
    *,
    detailed: DetailedBenchmark | None = None,
    context: Sequence[Table] = (),
) -> Path:
    """Write report.html, report.md, tables/*.csv and figures/*.svg into a folder; gives the page's path.

    `published` holds published averages over prompts, `highest` and `lowest` those of the best and the worst.
    A `detailed` benchmark has tables and figures of its own; `context` are tables to set beside these.
    """
    if not runs:
        raise InputError("a report needs the folder of at least one run")
    results = read_results(runs)
    packed = pack(runs, results)
    if detailed is None:
        tables = (*result_tables(results, published, highest, lowest), *changes(results), *context)
        drawings = draw_figures(results, published, packed.scores)
    else:
        tables = tuple(detailed.tables(runs, results))
        drawings = tuple(detailed.drawings(runs, results, packed.scores))
    for folder in (out, out / "figures", out / "tables"):
        folder.mkdir(parents=True, exist_ok=True)
    for drawing in drawings:
        write_text(out / "figures" / f"{drawing.name}.svg", drawing.standalone())
    for table in tables:
        write_text(out / "tables" / f"{table.name}.csv", replace_surrogates(csv_text(table)))
    write_text(out / "report.md", replace_surrogates(_markdown(results, tables, drawings)))
    facts = [run.facts() for run in runs]
    write_text(out / "report.html", replace_surrogates(_page(results, facts, tables, drawings, packed)))
    return out / "report.html"


def read_results(runs: Sequence[RunDir]) -> tuple[Result, ...]:
    """The scores of the runs, each under a label of its own: runs that share one are told apart by folder."""
    results = [read_result(run.scores()) for run in runs]
    labels = [result.label for result in results]
    return tuple(
        replace(result, label=f"{result.label} ({run.path.resolve().name})")
        if labels.count(result.label) > 1
        else result
        for result, run in zip(results, runs, strict=True)
    )


def html(table: Table) -> str:
    """A table as a section of the page; a click on a head sorts by its first number."""
    return _TEMPLATES.get_template("table.html").render(table=table)


def _page(
    results: Sequence[Result],
    facts: Sequence[Record],
    tables: Sequence[Table],
    drawings: Sequence[Drawing],
    packed: Packed,
) -> str:
    script = _asset("report.js")
    described = zip(results, facts, packed.usages, strict=True)
    grouped = groupby(drawings, key=lambda drawing: drawing.name.startswith("by-prompt-"))
    return _TEMPLATES.get_template("page.html").render(
        title=_title(results),
        script=Markup(script),
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=Markup(stylesheet() + _asset("report.css")),
        runs=[{"label": result.label, "facts": _known(own, usage)} for result, own, usage in described],
        gaps=list(_gaps(results)),
        tables=tables,
        drawings=[(of_prompts, list(group)) for of_prompts, group in grouped],
        data={"index": packed.index} | {f"chunk-{place}": each for place, each in enumerate(packed.chunks)},
        version=__version__,
    )


def _markdown(results: Sequence[Result], tables: Sequence[Table], drawings: Sequence[Drawing]) -> str:
    gaps = (f"{markdown_text(line)}\n" for line in _gaps(results))
    parts = [f"# {markdown_text(_title(results))}\n", *gaps, *map(markdown, tables)]
    parts += [
        f"![{markdown_text(each.title)}](figures/{each.name}.svg)\n\n{markdown_text(each.caption)}\n"
        for each in drawings
    ]
    return "\n".join(parts)


def _title(results: Sequence[Result]) -> str:
    names = ", ".join(dict.fromkeys(result.benchmark for result in results))
    return f"{names}: {results[0].label}" if len(results) == 1 else f"{names}: {len(results)} systems"


def _gaps(results: Sequence[Result]) -> Iterator[str]:
    """What the scores of a run do not stand on, in words."""
    for result in results:
        planned = sum(each.planned for each in result.datasets)
        scored = sum(each.scored for each in result.datasets)
        failed = sum(each.failed for each in result.datasets)
        if planned > scored:
            yield (
                f"{result.label}: {scored:,} of {planned:,} items are scored; {failed:,} failed, "
                f"{max(planned - scored - failed, 0):,} were not run. The scores leave these out."
            )


def _known(facts: Record, usage: Mapping[str, float]) -> dict[str, str]:
    """How a run was made, and what it took."""
    return {**_flat(facts), **{f"usage {name}": f"{value:,.6g}" for name, value in usage.items() if value}}


def _flat(facts: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in facts.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name} ")
        elif value not in (None, "", []):
            flat[prefix + name] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return flat


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


# Whatever models and users wrote is escaped; our own script, styles and drawings alone are marked as safe.
_TEMPLATES = Environment(
    autoescape=True, loader=FunctionLoader(_asset), undefined=StrictUndefined, keep_trailing_newline=True
)
_TEMPLATES.globals.update(missing=MISSING, number=number, interval=interval, metric_names=metric_names)


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
