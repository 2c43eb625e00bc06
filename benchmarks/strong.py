"""How a strong model's text fares: published revisions, replayed as a service, under our strategies.

    python benchmarks/strong.py CONSTREV.jsonl --model gpt_4o --strategy search --strategy direct --effort low

For each item and strategy: whether every constraint is met, how many requests it took, and of the passages
that the model changed, the share that stands as the model wrote it. Not counted are passages that a
constraint forbids (one that must stay, one that breaks a bound of its own or has a banned word), and as many
others as have to change for a bound on the whole text: the least number is computed. `of true` is the same
share among the passages that change no fact: a model that drops a citation or a number is refused there.
Infeasible items are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from redraft.constraints import infeasible, parse
from redraft.models import Models
from redraft.revision import Draft, ReviseOptions, Task, arevise
from redraft.revision.judging.facts import FactCheck
from redraft.revision.records import Reason
from redraft.settings import Settings
from replay import Preference, ReplayServer

EFFORTS = ("low", "medium", "high")


@dataclass(frozen=True)
class Outcome:
    """What a strategy made of one item."""

    id: str
    strategy: str
    met: int
    constraints: int
    allowed: int
    """Passages of the model's that nothing forbids."""
    standing: int
    """How many of these stand."""
    true: int
    """Those of them that change no fact either: no citation, number or name is gone."""
    true_standing: int
    calls: int
    by_rules: int
    stopped: str


def least_changes(task: Task, text: str, passages: Sequence[str]) -> int:
    """How many passages must change at least, for all bounds on the whole text together."""
    reading = task.read(text)
    words = task.bounds("words")
    lacking = [
        int(reading.words < words.low),
        math.ceil(task.bounds("sentences").distance(len(reading.sentences))),
    ]
    surplus = [max(reading.words - words.high, 0)]
    sizes = [[task.read(passage).words for passage in passages]]
    for keyword, allowed in task.frequencies.items():
        count = len(reading.occurrences(keyword))
        lacking.append(int(count < allowed.low))
        surplus.append(max(count - allowed.high, 0))
        sizes.append([len(task.read(passage).occurrences(keyword)) for passage in passages])
    return max(*lacking, _fewest(surplus, list(zip(*sizes, strict=True))))


def _fewest(surplus: Sequence[float], passages: Sequence[tuple[int, ...]]) -> int:
    """The least number of passages that hold all that is too much: words, and each keyword."""
    found = {tuple(surplus): 0}
    for sizes in passages:
        for left, count in list(found.items()):
            now = tuple(max(much - size, 0) for much, size in zip(left, sizes, strict=True))
            found[now] = min(found.get(now, len(passages)), count + 1)
    return min((count for left, count in found.items() if not any(left)), default=len(passages))


def standing(task: Task, published: str, result: str) -> tuple[int, int, int, int]:
    """The passages of a published revision that nothing forbids, and how many of them a result has.

    Then the same of those that change no fact: the others are refused, whatever the constraints say.
    """
    draft = Draft.revised(task, published, "model", (Reason("rewrite"),))
    changed = [
        place
        for place, unit in enumerate(draft.units)
        if unit.text and unit.text != unit.source and unit.free and not task.fault(unit.text)
    ]
    refused = FactCheck(task).objections(draft)
    least = least_changes(task, published, [unit.text for unit in draft.units if unit.text])
    whole = " ".join(result.split())
    found: list[int] = []
    for places in (changed, [place for place in changed if place not in refused]):
        allowed = max(len(places) - least, 0)
        stands = sum(" ".join(draft.units[place].text.split()) in whole for place in places)
        found += [allowed, min(stands, allowed)]
    return found[0], found[1], found[2], found[3]


async def revised(
    row: dict[str, Any], task: Task, url: str, strategy: str, effort: str, model: str
) -> Outcome:
    settings = Settings(model=f"{url}#{model}", api_key="none", cache=False, counting="constrev")
    async with Models(settings) as models:
        found = await arevise(
            row["text"],
            row["instruction"],
            models=models,
            options=ReviseOptions(strategy=strategy, effort=effort, scored=False),  # type: ignore[arg-type]
        )
    counts = standing(task, row["published"][model], found.text)
    met = sum(finding.met for finding in found.findings)
    total = len(found.findings)
    return Outcome(row["id"], strategy, met, total, *counts, found.usage.calls, found.by_rules, found.stopped)


def work(rows: Sequence[dict[str, Any]], path: Path, asked: argparse.Namespace) -> list[Outcome]:
    """The outcomes of some items, one after another, with a service of their own."""
    found: list[Outcome] = []
    with ReplayServer(path, compare=asked.compare) as server:
        for row in rows:
            task = Task.of(row["text"], parse(row["instruction"]), counting="constrev")
            if infeasible(task.constraints, original=task.original, counting="constrev"):
                continue
            for strategy in asked.strategy:
                one = asyncio.run(revised(row, task, server.url, strategy, asked.effort, asked.model))
                print(json.dumps(one.__dict__), flush=True)
                found.append(one)
    return found


def report(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "strategy   items  all met  each met   stands  of true  calls by rules"
    for strategy in dict.fromkeys(one.strategy for one in outcomes):
        own = [one for one in outcomes if one.strategy == strategy]
        met = sum(one.met == one.constraints for one in own) / len(own)
        each = sum(one.met for one in own) / max(sum(one.constraints for one in own), 1)
        stands = sum(one.standing for one in own) / max(sum(one.allowed for one in own), 1)
        true = sum(one.true_standing for one in own) / max(sum(one.true for one in own), 1)
        calls = sum(one.calls for one in own) / len(own)
        rules = sum(one.by_rules for one in own) / len(own)
        shares = f"{met:8.1%} {each:9.1%} {stands:8.1%} {true:8.1%}"
        yield f"{strategy:10} {len(own):5} {shares} {calls:6.1f} {rules:8.2f}"
        yield f"{'':10} most calls {max(one.calls for one in own)}"


def main() -> None:
    parser = argparse.ArgumentParser(description="How a strong model's text fares under our strategies.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="gpt_4o")
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--effort", choices=EFFORTS, default="low")
    parser.add_argument("--compare", choices=Preference.__args__, default="better")  # type: ignore[attr-defined]
    parser.add_argument("--every", type=int, default=1, help="only every so many items")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    asked.strategy = asked.strategy or ["direct", "search"]
    rows = [json.loads(line) for line in asked.data.read_text().splitlines() if line.strip()]
    rows = [row for row in rows if asked.model in row["published"]][:: asked.every]
    random.Random(0).shuffle(rows)  # what is done of a run that is cut short is a fair sample
    parts = [rows[number :: asked.processes] for number in range(asked.processes)]
    with ProcessPoolExecutor(asked.processes) as pool:
        found = pool.map(partial(work, path=asked.data, asked=asked), parts)
        outcomes = [one for part in found for one in part]
    print("\n".join(report(outcomes)))


if __name__ == "__main__":
    main()
