"""How well the chance of a split tells good ones from others, and the weights that it is made of.

    python benchmarks/split_chances.py benchmarks/judged_splits.jsonl.gz [--limit 200]

Splits of sentences by two editors, each labelled by a language model as good (`g`), of another meaning (`m`),
bad English (`b`) or both (`x`). Everything is by fivefold cross-validation, by source: the area under the
curve of the judge alone and of all that is known, and how many of the likeliest splits of each source are
good. The weights are those of a fit to all; `redraft.revision.editing.split_chances` has them.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from redraft.models import Models
from redraft.revision.editing.split_chances import MOST_NEW, SplitFeatures, split_features
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.running import open_judge
from redraft.settings import load_settings

FOLDS = 5
PENALTY = 3.0
"""Of the squared weights, each feature scaled to a deviation of one."""
AT_LEAST = (0.15, 0.25, 0.4, 0.5, 0.6)

Array = NDArray[np.float64]


def read(path: Path, limit: int | None) -> list[dict[str, Any]]:
    """The labelled splits, of so many sources drawn at random."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["task"] == "split"]
    sources = sorted({row["source"] for row in rows})
    kept = set(sources if limit is None else random.Random(0).sample(sources, min(limit, len(sources))))
    return [row for row in rows if row["source"] in kept]


async def known(rows: Sequence[dict[str, Any]]) -> Array:
    """What is known of each split."""
    async with Models(load_settings()) as models:
        judge = open_judge(models)
        found = [
            (await split_features(Verdicts(judge, row["source"]), row["source"], [row["text"]]))[0]
            for row in rows
        ]
    return np.array(found, dtype=float)


def fit(known: Array, good: Array) -> Array:
    """The weights, and the constant behind them."""
    mean, scale = known.mean(0), known.std(0) + 1e-9
    inputs = np.c_[(known - mean) / scale, np.ones(len(known))]
    penalty = np.diag([PENALTY] * known.shape[1] + [1e-6])
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (chance - good) + penalty @ weights
        weights -= np.linalg.solve((inputs * (chance * (1 - chance))[:, None]).T @ inputs + penalty, slope)
    own = weights[:-1] / scale
    return np.append(own, weights[-1] - own @ mean)


def area(good: Array, value: Array) -> float:
    """The area under the curve: how often a good one has the higher value."""
    higher = value[good == 1][:, None] - value[good == 0]
    return float(((higher > 0) + (higher == 0) / 2).mean())


def main() -> None:
    """Read the command line, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--limit", type=int, help="sources")
    given = parser.parse_args()
    rows = read(given.file, given.limit)
    facts = asyncio.run(known(rows))
    good = np.array([row["label"] == "g" for row in rows], dtype=float)
    sources = sorted({row["source"] for row in rows})
    random.Random(1).shuffle(sources)
    folds = np.array([sources.index(row["source"]) % FOLDS for row in rows])
    chance = np.zeros(len(rows))
    for fold in range(FOLDS):
        weights = fit(facts[folds != fold], good[folds != fold])
        chance[folds == fold] = 1 / (1 + np.exp(-(facts[folds == fold] @ weights[:-1] + weights[-1])))
    chance[facts[:, SplitFeatures._fields.index("new")] > MOST_NEW] = 0
    for editor in sorted({row["by"] for row in rows}):
        own = np.array([row["by"] == editor for row in rows])
        areas = f"judge {area(good[own], facts[own, 0]):.3f}, chance {area(good[own], chance[own]):.3f}"
        print(f"{editor}: {own.sum()} splits, {good[own].mean():.0%} good; area under the curve: {areas}")
        by_source: dict[str, list[int]] = defaultdict(list)
        for place in map(int, np.flatnonzero(own)):
            by_source[rows[place]["source"]].append(place)
        best = {source: max(places, key=lambda one: chance[one]) for source, places in by_source.items()}
        for least in AT_LEAST:
            taken = [place for place in best.values() if chance[place] >= least]
            share = f"{np.mean(good[taken]):.0%} good" if taken else ""
            print(f"  likeliest of each source, from {least}: {len(taken)} of {len(best)}, {share}")
    weights = fit(facts, good)
    print(
        {
            name: round(float(value), 3)
            for name, value in zip((*SplitFeatures._fields, "start"), weights, strict=True)
        }
    )


if __name__ == "__main__":
    main()
