"""The editor's candidates, the choice among them, and its weights: python benchmarks/editor.py COMMAND …

    candidates DATA_DIR --model SPEC --out FILE.jsonl   draw them for a folder shaped like EditEval's data
    choose FILE.jsonl --out OUTPUTS.jsonl               choose, for `bench run --system predictions:OUTPUTS`
    tune FILE.jsonl --data DEV_DIR                      search the weights; never on a test set

`candidates` goes on where it stopped. What is computed of the candidates is kept beside FILE.jsonl; `--judge`
says how much of it may cost model time: nothing, what can be said of a `text` alone, or `all`.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any

import numpy as np

from redraft.bench import Benchmark, Item, Sample as BenchSample, open_benchmark, plan
from redraft.editor import (
    KINDS,
    NAMES,
    TEMPERATURE,
    WEIGHTS,
    Editor,
    EditorAnswer,
    Kind,
    Weights,
    best,
    features,
    gathered,
    kind_of,
)
from redraft.errors import ContextOverflow
from redraft.metrics import Sample, rows_of
from redraft.models import Models
from redraft.quality import EmbeddedQuality, Quality
from redraft.settings import load_settings
from tuning import SARI, Array, Pool, corpus_sari, crossed, tuned

CHUNK = 2048
"""Texts judged at a time."""

Row = dict[str, Any]


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    draw = commands.add_parser("candidates")
    draw.add_argument("data", type=Path)
    draw.add_argument("--model")
    draw.add_argument("--prompt", type=int, default=1, help="the number of the instruction, from 1")
    draw.add_argument("--count", type=int, default=8, help="the greedy one included")
    draw.add_argument("--temperature", type=float, default=TEMPERATURE)
    draw.add_argument("--limit", type=int, help="samples of each data set")
    draw.add_argument("--seed", type=int, default=0)
    draw.add_argument("--out", type=Path, required=True)
    draw.set_defaults(run=lambda given: asyncio.run(candidates(given)))
    pick = commands.add_parser("choose")
    pick.add_argument("--out", type=Path, required=True)
    pick.add_argument("--weights", type=Path, help="JSON as `tune --out` writes it")
    pick.set_defaults(run=choose)
    search = commands.add_parser("tune")
    search.add_argument("--data", type=Path, required=True)
    search.add_argument(
        "--shared", action="store_true", help="the same weights for every kind of instruction"
    )
    search.add_argument("--out", type=Path, help="where to write the weights")
    search.set_defaults(run=tune)
    for command in (pick, search):
        command.add_argument("file", type=Path)
        command.add_argument("--judge", choices=["nothing", "text", "all"], default="all")
    given = parser.parse_args()
    given.run(given)


# Drawing


async def candidates(given: argparse.Namespace) -> None:
    """Draw candidates for every item that has no line yet, as many at once as `concurrency` allows."""
    settings = load_settings({"model": given.model})
    datasets = open_benchmark("editeval").load(given.data)
    items = [
        item
        for item in plan(datasets, str(given.prompt), given.limit, given.seed).items
        if item.prompt == given.prompt
    ]
    done: set[str] = set()
    if given.out.exists():
        rows = read(given.out)
        done = {row["key"] for row in rows}
        given.out.write_text("".join(map(written, rows)), encoding="utf-8")  # without a broken last line
    left = iter([item for item in items if item.key not in done])
    async with Models(settings) as models:
        editor = Editor(models.for_role("model"), seed=given.seed)
        with given.out.open("a", encoding="utf-8", buffering=1) as file:

            async def work() -> None:
                for item in left:
                    try:
                        found = await editor.candidates(
                            item.sample.input,
                            item.instruction,
                            item.sample.documents,
                            count=given.count,
                            temperature=given.temperature,
                        )
                    except ContextOverflow:
                        found = ()
                    file.write(written(line(item, found)))

            await asyncio.gather(*(work() for _ in range(settings.concurrency)))
    print(f"{len(items)} items in {given.out}, {len(items) - len(done)} of them new")


def written(row: Row) -> str:
    """A row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False) + "\n"


def line(item: Item, found: Sequence[EditorAnswer]) -> Row:
    """What is written of an item."""
    return {
        "key": item.key,
        "dataset": item.sample.dataset,
        "task": item.sample.task,
        "instruction": item.instruction,
        "input": item.sample.input,
        "greedy": next((candidate.text for candidate in found if candidate.greedy), None),
        "samples": [candidate.text for candidate in found for _ in range(candidate.drawn)],
    }


def read(path: Path) -> list[Row]:
    """The lines of a file; one cut off by a crash is left out."""
    whole = path.read_text(encoding="utf-8").rpartition("\n")[0]
    return [json.loads(text) for text in whole.split("\n") if text]


def candidates_of(row: Row) -> tuple[EditorAnswer, ...]:
    """The candidates of a line; the input, where there are none."""
    return gathered(row["greedy"], row["samples"]) or (EditorAnswer(row["input"], 1),)


# Features


def matrices(path: Path, judge: str) -> tuple[list[Row], list[Array]]:
    """The lines of a file and the features of each one's candidates, computed once."""
    rows = read(path)
    known = path.with_name(f"{path.stem}.{judge}.npz")
    sizes = [len(candidates_of(row)) for row in rows]
    state = hashlib.sha256(path.read_bytes() + ",".join(NAMES).encode()).hexdigest()
    if known.exists():
        found = np.load(known)
        if str(found["state"]) == state:
            return rows, np.split(found["features"], np.cumsum(sizes)[:-1])
    qualities = asyncio.run(judged(rows, judge)) if judge != "nothing" else {}
    computed = []
    for row in rows:
        source, found = row["input"], candidates_of(row)
        own = {text: qualities[source, text] for text in texts_of(row)} if qualities else {}
        computed.append(features(source, found, own, kind_of(row["instruction"])))
    np.savez_compressed(known, state=state, features=np.concatenate(computed))
    return rows, computed


def texts_of(row: Row) -> list[str]:
    """The texts of a line that are to be judged: none, where there is nothing to choose."""
    found = candidates_of(row)
    return [row["input"], *(candidate.text for candidate in found)] if len(found) > 1 else []


async def judged(rows: Sequence[Row], judge: str) -> dict[tuple[str, str], Quality]:
    """The quality of every source and candidate, by source and text."""
    pairs = dict.fromkeys((row["input"], text) for row in rows for text in texts_of(row))
    # Texts of like length make batches without waste.
    ordered = sorted(pairs, key=lambda pair: len(pair[0]) + len(pair[1]))
    scores: dict[tuple[str, str], Quality] = {}
    async with Models(load_settings()) as models:
        quality = EmbeddedQuality(models.scorer(), models.embedder())
        for start in range(0, len(ordered), CHUNK):
            part = ordered[start : start + CHUNK]
            sources = [source for source, _ in part] if judge == "all" else None
            scores |= zip(part, await quality.score([text for _, text in part], sources), strict=True)
            print(f"judged {len(scores)} of {len(ordered)} texts", flush=True)
    return scores


# Choosing


def choose(given: argparse.Namespace) -> None:
    """Write the chosen candidate of every line."""
    weights = weights_from(given.weights)
    rows, computed = matrices(given.file, given.judge)
    outputs = []
    for row, found in zip(rows, computed, strict=True):
        at = best(found, weights[kind_of(row["instruction"])])
        outputs.append({"key": row["key"], "output": candidates_of(row)[at].text})
    given.out.write_text("".join(map(written, outputs)), encoding="utf-8")
    for name, part in shares(rows, outputs).items():
        print(f"{name:20} {part}")


def weights_from(path: Path | None) -> Mapping[Kind, Weights]:
    """The weights in a file, or the editor's own."""
    if path is None:
        return WEIGHTS
    found = json.loads(path.read_text(encoding="utf-8"))
    return {kind: Weights(**found[kind]) if kind in found else WEIGHTS[kind] for kind in KINDS}


def shares(rows: Sequence[Row], outputs: Sequence[Row]) -> dict[str, str]:
    """How often each data set's inputs were given back."""
    greedy: dict[str, list[bool]] = defaultdict(list)
    chosen: dict[str, list[bool]] = defaultdict(list)
    for row, output in zip(rows, outputs, strict=True):
        greedy[row["dataset"]].append((row["greedy"] or row["input"]) == row["input"])
        chosen[row["dataset"]].append(output["output"] == row["input"])
    return {
        name: f"copies: greedy {np.mean(greedy[name]):.0%}, chosen {np.mean(chosen[name]):.0%}"
        for name in greedy
    }


# Tuning


def tune(given: argparse.Namespace) -> None:
    """Search the weights of each kind of instruction, and show what they give on items they have not seen."""
    rows, computed = matrices(given.file, given.judge)
    groups: dict[str, list[Pool]] = defaultdict(list)
    for kind, pool in pools(rows, computed, given.data):
        groups["all" if given.shared else kind].append(pool)
    found: dict[str, Weights] = {}
    table: list[tuple[float, ...]] = []
    print(f"{'':20}     n  greedy  default   tuned  crossed  oracle")
    for group, members in groups.items():
        found[group] = tuned(members)
        for pool, unseen in zip(members, crossed(members), strict=True):
            default, own = (np.array(astuple(weights)) for weights in (Weights(), found[group]))
            values = (
                corpus_sari(pool.greedy),
                pool.sari(pool.picks(default)),
                pool.sari(pool.picks(own)),
                pool.sari(unseen),
                pool.oracle(),
            )
            table.append(values)
            print(f"{pool.name:20} {len(pool.greedy):5}", "".join(f"{value:8.2f}" for value in values))
    print(f"{'mean':26}", "".join(f"{value:8.2f}" for value in np.mean(table, axis=0)))
    weights = {kind: asdict(found.get(kind, found.get("all", WEIGHTS[kind]))) for kind in KINDS}
    for kind in (kind for kind in KINDS if kind in groups or given.shared):
        print(f"{kind}: {Weights(**weights[kind])}")
    if given.out:
        given.out.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")


def pools(rows: Sequence[Row], computed: Sequence[Array], data: Path) -> Iterator[tuple[Kind, Pool]]:
    """The candidates of each data set with their SARI statistics, and the kind of its instruction."""
    benchmark = open_benchmark("editeval")
    by_key = {row["key"]: (row, found) for row, found in zip(rows, computed, strict=True)}
    for dataset in benchmark.load(data):
        parts: dict[Kind, list[tuple[str, Array, Array, Array]]] = defaultdict(list)
        for item in plan([dataset], "all").items:
            if item.key in by_key:
                row, found = by_key[item.key]
                counted = statistics(row, item.sample, benchmark)
                parts[kind_of(row["instruction"])].append((row["input"], found, counted[:-1], counted[-1]))
        for kind, members in parts.items():
            yield kind, Pool.of(dataset.name, *map(list, zip(*members, strict=True)))


def statistics(row: Row, sample: BenchSample, benchmark: Benchmark) -> Array:
    """SARI's statistics of each candidate of a line, and then of its greedy answer."""
    edits = [candidate.text for candidate in candidates_of(row)]
    texts = (row["input"], *edits, row["greedy"] or row["input"])
    source, *cleaned = (benchmark.normalise(text, sample) for text in texts)
    references = tuple(benchmark.normalise(text, sample) for text in sample.references)
    return rows_of(SARI, [Sample(source, text, references) for text in cleaned])


if __name__ == "__main__":
    main()
