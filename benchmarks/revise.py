"""Revision under constraints, measured: adherence, quality, calls and seconds.

    python benchmarks/revise.py run DATA OUT [--strategy search] [--effort low] [--levels 1234] [--limit N]
    python benchmarks/revise.py report OUT [OUT …]
    python benchmarks/revise.py latex DATA [--effort low]
    python benchmarks/revise.py cost TEXT [--model SPEC]

DATA has a JSON object a line: id, level, instruction, text, calls, and under `published` outputs of others,
which `--strategy published:NAME` scores as they are. OUT keeps a line an item; a stopped run goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from redraft import Models, load_settings
from redraft.constraints import Findings, check_constraints, constraints_of
from redraft.quality import EmbeddedQuality, Quality
from redraft.revise.compiling import ENGINES, compile_latex
from redraft.revise.evaluation import Switches
from redraft.revise.revising import arevise
from redraft.revise.revision import EFFORTS, STRATEGIES, How
from redraft.text import mask

SCORES = ("perplexity", "grammar", "similarity", "entities", "likelihood", "changes")


def rows_of(path: str) -> list[dict[str, Any]]:
    """The items of a file."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]


async def run(options: argparse.Namespace) -> None:
    """Revise every item that OUT has not, and score it."""
    out = Path(options.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    done = {row["id"] for row in rows_of(options.out)} if out.exists() else set()
    items = [row for row in rows_of(options.data) if str(row["level"]) in options.levels]
    if options.limit:
        items = random.Random(0).sample(items, options.limit)
    if options.only:
        wanted = set(Path(options.only).read_text(encoding="utf-8").split())
        items = [item for item in items if item["id"] in wanted]
    part, _, parts = options.shard.partition("/")
    items = items[int(part) :: int(parts)]
    settings = load_settings({"counting": "constrev", "format": "text", "model": options.model})
    switches = Switches(**dict.fromkeys(options.without, False))
    with out.open("a", encoding="utf-8") as file:
        async with Models(settings) as models:
            quality = EmbeddedQuality(models.scorer(), models.embedder(), format="text")
            for number, item in enumerate(items, 1):
                if item["id"] in done:
                    continue
                row = await _revised(item, options, models, quality, switches)
                if row is not None:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                    file.flush()
                    print(
                        f"{number}/{len(items)} {row['id']} met {row['met']} {row['seconds']:.1f} s "
                        f"{row['perplexity']:.1f}",
                        file=sys.stderr,
                    )


async def _revised(
    item: dict[str, Any],
    options: argparse.Namespace,
    models: Models,
    quality: EmbeddedQuality,
    switches: Switches,
) -> dict[str, Any] | None:
    constraints = constraints_of(item["calls"]) if item["calls"] else ()
    text, infeasible, usage = item["text"], False, {}
    started = time.perf_counter()
    name, _, published = options.strategy.partition(":")
    if name == "published":
        if published not in item["published"]:
            return None
        text = item["published"][published]
    elif name != "copy":
        how = How(name, options.effort, options.best_effort, switches)
        found = await arevise(text, "Improve this text.", constraints, models=models, how=how)
        text, infeasible, usage = found.text, bool(found.infeasible), found.to_dict()["usage"]
    seconds = time.perf_counter() - started
    (score,) = await quality.score([text], [item["text"]])
    findings = check_constraints(text, constraints, original=item["text"], counting="constrev")
    return {
        "id": item["id"],
        "level": item["level"],
        "words": len(item["text"].split()),
        "text": text,
        "infeasible": infeasible,
        "met": findings.met,
        "lost": _lost(findings),
        "seconds": seconds,
        "usage": usage,
        **_scores(score),
    }


def _lost(findings: Findings) -> list[str]:
    return [f"{finding.constraint.call}: {finding.message}" for finding in findings if not finding.met]


def _scores(score: Quality) -> dict[str, float]:
    assert score.meaning is not None
    assert score.entities is not None
    assert score.likelihood is not None
    return {
        "perplexity": score.perplexity,
        "grammar": score.grammar,
        "similarity": score.meaning.similarity,
        "entities": score.entities,
        "likelihood": score.likelihood,
        "changes": len(score.meaning.changes),
    }


async def latex(options: argparse.Namespace) -> None:
    """Revise LaTeX paragraphs: are all commands, citations and formulas there, and does it still compile?"""
    settings = load_settings({"format": "latex"})
    intact = compiled = still = changed = 0
    rows = rows_of(options.data)
    engine = any(shutil.which(name) for name in ENGINES)
    async with Models(settings) as models:
        for row in rows:
            how = How("search", options.effort)
            found = await arevise(row["text"], "Improve this text.", models=models, how=how)
            changed += found.text != row["text"]
            before, after = (
                Counter(mask(row["text"], "latex").pieces),
                Counter(mask(found.text, "latex").pieces),
            )
            intact += before == after
            if before != after:
                print(row["id"], "lost", before - after, "new", after - before)
            if engine and compile_latex(row["text"]).ok:
                compiled += 1
                still += compile_latex(found.text, original=row["text"]).ok
    print(f"{len(rows)} paragraphs, {changed} changed, {intact} with all their mark-up")
    print(f"{still} of the {compiled} that compiled before compile after")


async def cost(options: argparse.Namespace) -> None:
    """Calls, tokens and seconds of every strategy, effort and ablation, on one text, with nothing cached."""
    text = Path(options.text).read_text(encoding="utf-8")
    words = len(text.split())
    asked = f"Improve this text. Use fewer than {words * 9 // 10} words, and fewer than 30 in every sentence."
    print(f"{words} words; {asked}")
    print("| how | calls | prompt tokens | completion tokens | seconds | constraints met | perplexity |")
    print("|---|---|---|---|---|---|---|")
    ways: list[tuple[str, How]] = [
        *((f"search, {effort}", How("search", effort)) for effort in EFFORTS),
        *((name, How(name)) for name in STRATEGIES if name != "search"),
        *(
            (f"search, low, without {name}", How("search", "low", switches=Switches(**{name: False})))
            for name in ("plan", "feedback", "quality", "constraints", "preservation")
        ),
    ]
    for name, how in ways:
        settings = load_settings({"model": options.model, "cache": False})
        async with Models(settings) as models:
            found = await arevise(text, asked, models=models, how=how)
        usage, met = found.usage, sum(finding.met for finding in found.findings)
        after = found.after.perplexity if found.after else float("nan")
        tokens = f"{usage.prompt_tokens} | {usage.completion_tokens} | {usage.seconds:.0f}"
        print(
            f"| {name} | {usage.calls} | {tokens} | {met}/{len(found.findings)} | {after:.1f} |",
            flush=True,
        )


def report(options: argparse.Namespace) -> None:
    """Adherence and scores by level; the scores of each run beside the first, on the items that both have."""
    first: dict[str, dict[str, Any]] = {}
    for path in options.out:
        rows = {row["id"]: row for row in rows_of(path)}
        first = first or rows
        print(f"\n{path}: {len(rows)} items")
        print(
            f"{'level':6}{'n':>4}{'met %':>8}{'of feasible':>12}{'seconds':>9}", *(f"{s:>11}" for s in SCORES)
        )
        for level in [*sorted({row["level"] for row in rows.values()}), None]:
            own = [row for row in rows.values() if level is None or row["level"] == level]
            feasible = [row for row in own if not row["infeasible"]]
            met = sum(row["met"] for row in feasible)
            means = (f"{statistics.mean(row[score] for row in own):11.3f}" for score in SCORES)
            share = f"{100 * statistics.mean(row['met'] for row in own):8.1f}"
            middle = f"{statistics.median(row['seconds'] for row in own):9.1f}"
            name = "all" if level is None else f"L{level}"
            print(f"{name:6}{len(own):4}{share}{f'{met}/{len(feasible)}':>12}{middle}", *means)
        shared = sorted(first.keys() & rows.keys())
        if rows is not first and shared:
            print(f"minus the first, on {len(shared)} items, with a 95 % interval:")
            for score in SCORES:
                print(f"  {score:11}", _paired([rows[i][score] - first[i][score] for i in shared]))


def _paired(differences: list[float]) -> str:
    values = np.array(differences)
    draws = np.random.default_rng(0).choice(values, (5000, len(values))).mean(axis=1)
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{values.mean():+8.3f}  [{low:+.3f}, {high:+.3f}]"


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run")
    one.add_argument("data")
    one.add_argument("out")
    one.add_argument("--strategy", default="search")
    one.add_argument("--effort", default="low")
    one.add_argument("--levels", default="01234")
    one.add_argument("--limit", type=int)
    one.add_argument("--model", default="embedded")
    one.add_argument("--without", action="append", default=[])
    one.add_argument("--best-effort", action="store_true")
    one.add_argument("--shard", default="0/1", help="I/N: the items I, I + N, …")
    one.add_argument("--only", help="a file with the ids to take")
    two = commands.add_parser("report")
    two.add_argument("out", nargs="+")
    three = commands.add_parser("latex")
    three.add_argument("data")
    three.add_argument("--effort", default="low")
    four = commands.add_parser("cost")
    four.add_argument("text")
    four.add_argument("--model", default="embedded")
    options = parser.parse_args()
    if options.command == "report":
        report(options)
    else:
        asyncio.run({"run": run, "latex": latex, "cost": cost}[options.command](options))


if __name__ == "__main__":
    main()
