"""The report of one or several runs: a page that opens offline, with Markdown, CSV and figures beside it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Any

from redraft import __version__
from redraft.bench.benchmark import Detailed
from redraft.bench.changes import changes
from redraft.bench.report.figures import draw_figures
from redraft.bench.report.formats import csv_text, html, markdown
from redraft.bench.report.samples import Packed, pack
from redraft.bench.report.svg import Drawing, stylesheet
from redraft.bench.tables import Published, Result, Table, read_result, result_tables
from redraft.errors import InputError
from redraft.runs import Record, RunDir
from redraft.text import markdown_text, sound, write_text


def write_report(
    runs: Sequence[RunDir],
    out: Path,
    published: Published,
    highest: Published = MappingProxyType({}),
    lowest: Published = MappingProxyType({}),
    *,
    detailed: Detailed | None = None,
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
        write_text(out / "tables" / f"{table.name}.csv", sound(csv_text(table)))
    write_text(out / "report.md", sound(_markdown(results, tables, drawings)))
    facts = [run.facts() for run in runs]
    write_text(out / "report.html", sound(_page(results, facts, tables, drawings, packed)))
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


def _page(
    results: Sequence[Result],
    facts: Sequence[Record],
    tables: Sequence[Table],
    drawings: Sequence[Drawing],
    packed: Packed,
) -> str:
    script = _asset("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    sections = [(table.name, table.title) for table in tables] + [
        ("figures", "Figures"),
        ("samples", "Samples"),
    ]
    links = "".join(f'<a href="#{escape(name)}">{escape(title)}</a>' for name, title in sections)
    described = zip(results, facts, packed.usages, strict=True)
    return Template(_asset("page.html")).substitute(
        title=escape(_title(results)),
        script_hash=f"sha256-{digest}",
        style=stylesheet() + _asset("report.css"),
        runs="\n".join(_run(*each) for each in described),
        warning=_warning(results),
        links=links,
        tables="".join(map(html, tables)),
        figures=_figures(drawings) or '<p class="note">There are no scores to draw.</p>',
        version=escape(__version__),
        data="\n".join(_data(packed)),
        script=script,
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


def _warning(results: Sequence[Result]) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in _gaps(results))
    return f'<ul class="warning">{lines}</ul>' if lines else ""


def _run(result: Result, facts: Record, usage: Mapping[str, float]) -> str:
    known = {**_flat(facts), **{f"usage {name}": f"{value:,.6g}" for name, value in usage.items() if value}}
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in known.items())
    return f"<details><summary>{escape(result.label)}: how it was run</summary><dl>{rows}</dl></details>"


def _flat(facts: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in facts.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name} ")
        elif value not in (None, "", []):
            flat[prefix + name] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return flat


def _figures(drawings: Sequence[Drawing]) -> str:
    """All figures in order; the many that show single prompts are folded away."""
    shown = ""
    for prompts, group in groupby(drawings, key=lambda drawing: drawing.name.startswith("by-prompt-")):
        figures = "".join(map(_figure, group))
        shown += (
            f"<details><summary>By prompt, each data set</summary>{figures}</details>" if prompts else figures
        )
    return shown


def _figure(drawing: Drawing) -> str:
    return (
        f'<figure id="figure-{escape(drawing.name)}"><h3>{escape(drawing.title)}</h3>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(drawing.title)}">'
        f"{drawing.inline()}</div><figcaption>{escape(drawing.caption)}</figcaption></figure>\n"
    )


def _data(packed: Packed) -> Iterator[str]:
    named = {"index": packed.index, **{f"chunk-{place}": chunk for place, chunk in enumerate(packed.chunks)}}
    for name, value in named.items():
        yield f'<script type="application/octet-stream" id="{name}">{value}</script>'


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
