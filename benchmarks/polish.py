"""Corrections and the polisher's choice, measured: python benchmarks/polish.py COMMAND …

    margins ROWS.jsonl …    of the confusions that gain so much, the share that a reference agrees with
    alarms TEXTS.txt        how often sentences of clean text, one a line, would be changed
    choice DEV_DIR          SARI and GLEU of the fluency sets, by the weight of perplexity in the choice

Rows are `{"input", "target"}`; DEV_DIR is a folder shaped like EditEval's data, cut from training data.
`--limit` is the number of inputs, or of samples of each data set. Never on a test set.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from redraft.bench import Item, open_benchmark, plan
from redraft.editor import kind_of
from redraft.metrics import Sample, load_metric, rows_of
from redraft.models import Models, Scorer
from redraft.quality import EmbeddedQuality
from redraft.revision import CAUTION, CORRECTING, USUAL_CAUTION, Polisher, confusions, corrected, explained
from redraft.settings import load_settings

STEPS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12)
PERPLEXITY = (0.0, 0.5, 1.0, 2.0)
METRICS = ("sari", "gleu")


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for name, work in (("margins", margins), ("alarms", alarms), ("choice", choice)):
        command = commands.add_parser(name)
        command.add_argument("paths", type=Path, nargs="+")
        command.add_argument("--limit", type=int, default=100)
        command.add_argument("--seed", type=int, default=0)
        command.set_defaults(run=work)
    given = parser.parse_args()
    asyncio.run(given.run(given))


# Margins


async def margins(given: argparse.Namespace) -> None:
    """Score every confusion of some inputs, and count those that bring a reference nearer."""
    references: dict[str, list[str]] = defaultdict(list)
    for path in given.paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            references[row["input"]].append(row["target"])
    drawn = random.Random(given.seed).sample(sorted(references), min(given.limit, len(references)))
    gains: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    async with Models(load_settings()) as models:
        for text in drawn:
            for sort, gain, right in await gained(text, references[text], models.scorer()):
                gains[sort].append((gain, right))
    print("right/changed by the gain that is asked for: ", *STEPS)
    for sort, found in sorted(gains.items()):
        counts = [[right for gain, right in found if gain > step] for step in STEPS]
        print(f"{sort:12}", *(f"{sum(rights):4}/{len(rights):<4}" for rights in counts))


async def gained(text: str, references: Sequence[str], scorer: Scorer) -> list[tuple[str, float, bool]]:
    """The best confusion of each place and sort that gains anything, and whether a reference agrees."""
    found = confusions(text)
    before, *after = await scorer.log_probs([text, *(swap.apply(text) for swap in found)])
    best: dict[tuple[str, int], tuple[float, str]] = {}
    for swap, scores in zip(found, after, strict=True):
        gain = scores.total - before.total
        if gain > best.get((swap.kind, swap.start), (0.0, ""))[0]:
            best[swap.kind, swap.start] = gain, swap.apply(text)
    return [
        (sort, gain, any(distance(edited, reference) < distance(text, reference) for reference in references))
        for (sort, _), (gain, edited) in best.items()
    ]


def distance(one: str, other: str) -> int:
    """The words and marks to put in, leave out or replace."""
    left, right = (re.findall(r"\w+|[^\w\s]", text) for text in (one, other))
    row = list(range(len(right) + 1))
    for number, word in enumerate(left, 1):
        last, row = row, [number]
        for at, mark in enumerate(right, 1):
            row.append(min(last[at] + 1, row[-1] + 1, last[at - 1] + (word != mark)))
    return row[-1]


async def alarms(given: argparse.Namespace) -> None:
    """Count the sentences that are changed, and show how."""
    lines = [line for path in given.paths for line in path.read_text(encoding="utf-8").splitlines() if line]
    drawn = random.Random(given.seed).sample(lines, min(given.limit, len(lines)))
    async with Models(load_settings()) as models:
        for caution in (USUAL_CAUTION, CAUTION):
            found = [await corrected(line, models.scorer(), caution=caution) for line in drawn]
            changed = [(line, one[0]) for line, one in zip(drawn, found, strict=True) if one]
            print(f"caution {caution}: {len(changed)} of {len(drawn)} sentences changed")
            for line, candidate in changed:
                print(f"    {explained(candidate.why)}  |  {line}")


# The choice


async def choice(given: argparse.Namespace) -> None:
    """Polish the fluency sets with several weights of perplexity; the answers are drawn once, and cached."""
    benchmark = open_benchmark("editeval")
    datasets = [dataset for path in given.paths for dataset in benchmark.load(path)]
    items = [
        item
        for item in plan(datasets, "1", given.limit, given.seed).items
        if kind_of(item.instruction) == "correct"
    ]
    async with Models(load_settings()) as models:
        model, scorer = models.for_role("model"), models.scorer()
        quality = EmbeddedQuality(scorer, models.embedder())
        for weight in PERPLEXITY:
            weights = replace(CORRECTING, perplexity=weight)
            polisher = Polisher(model, scorer, quality, seed=given.seed, correcting=weights)
            scores: dict[str, list[Sample]] = defaultdict(list)
            for item in items:
                edit = await polisher.polish(item.sample.input, item.instruction)
                scores[item.sample.dataset].append(sample(item, edit.text))
            print(f"perplexity {weight}:", *(f"{name} {shown(found)}" for name, found in scores.items()))


def sample(item: Item, output: str) -> Sample:
    """An edited item as metrics take it."""
    texts = (item.sample.input, output, *item.sample.references)
    source, edited, *references = (open_benchmark("editeval").normalise(text, item.sample) for text in texts)
    return Sample(source, edited, tuple(references))


def shown(samples: Sequence[Sample]) -> str:
    """The corpus scores of a data set."""
    loaded = [load_metric(name) for name in METRICS]
    return "/".join(
        f"{float(metric.score(rows_of(metric, samples).sum(axis=0))[0]):.1f}" for metric in loaded
    )


if __name__ == "__main__":
    main()
