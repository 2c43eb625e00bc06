"""What obeying costs on ConsTRev: broken sentences and lost claims, ours beside published outputs.

    python benchmarks/constrev.py CONSTREV.jsonl --out ours.jsonl --effort low --every 7 --processes 2
    python benchmarks/constrev.py CONSTREV.jsonl --out ours.jsonl --report

The first revises every item that can be obeyed, or each N-th, with its gold constraints and the embedded
model, and goes on where it was stopped. The second measures what is in the file, and the published outputs
on the same items (`--beside trips_4o`): items with all constraints met; of the sentences, those that the
judge of `revise` calls broken; of the statements of the source, those left out, reversed or changed
(quality/claims, by rule and judge); perplexity (a corpus's, by SmolLM2). The judge is ours: it may be kinder
to what it was taught by.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from redraft.constraints import check, infeasible
from redraft.models import Models
from redraft.quality import JUDGE, StrictJudge, TrainedJudge, judged_claim_changes
from redraft.quality.statements import statements
from redraft.revision import ReviseOptions, arevise
from redraft.revision.tuning import SOUND
from redraft.settings import Settings
from redraft.text import Document

Row = dict[str, Any]
COUNTING = "constrev"


def read(path: Path) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


async def revised(item: Row, effort: str, threads: int) -> Row:
    """What the embedded model makes of an item."""
    settings = Settings(counting=COUNTING, threads=threads)
    began = time.monotonic()
    async with Models(settings) as models:
        options = ReviseOptions(effort=effort)
        found = await arevise(item["text"], "", item["calls"], models=models, options=options, format="text")
    return {"id": item["id"], "text": found.text, "seconds": round(time.monotonic() - began, 1)}


def _revised(item: Row, effort: str, threads: int) -> Row:
    return asyncio.run(revised(item, effort, threads))


async def measured(items: Sequence[Row], texts: Sequence[str]) -> Row:
    """The figures of one system, whose texts stand beside the items."""
    settings = Settings(counting=COUNTING)
    met = broken = sentences = lost = claims = 0
    async with Models(settings) as models:
        judge = StrictJudge(TrainedJudge(models.yes_or_no(JUDGE)))
        for item, text in zip(items, texts, strict=True):
            met += check(text, item["calls"], original=item["text"], counting=COUNTING).met
            own = [sentence.text for sentence in Document(text).sentences if len(sentence.text.split()) > 1]
            broken += sum(score < SOUND for score in await judge.soundness(own))
            sentences += len(own)
            changes = await judged_claim_changes(item["text"], text, judge)
            lost += sum(change.kind != "new" for change in changes)
            claims += sum(len(statements(sentence.text)) for sentence in Document(item["text"]).sentences)
        scores = await models.scorer().log_probs(texts)
    surprise = sum(-score.total for score in scores) / sum(len(score.values) for score in scores)
    return {
        "items": len(items),
        "all met": met / len(items),
        "sentences broken": broken / sentences,
        "claims lost": lost / claims,
        "perplexity": math.exp(surprise),
    }


async def report(items: Sequence[Row], ours: dict[str, Row], beside: str) -> dict[str, Row]:
    """The sources, a published system and ours, on the items that both systems have."""
    found = [item for item in items if item["id"] in ours and beside in item["published"]]
    systems = {
        "source": [item["text"] for item in found],
        beside: [item["published"][beside] for item in found],
        "ours": [ours[item["id"]]["text"] for item in found],
    }
    return {name: await measured(found, texts) for name, texts in systems.items()}


def main() -> None:
    """Revise, or report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="our outputs")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--beside", default="trips_4o", help="the published system of the report")
    parser.add_argument("--effort", choices=("low", "medium", "high"), default="low")
    parser.add_argument("--every", type=int, default=1, help="each N-th item")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    items = [item for item in read(options.data) if item["calls"]]
    items = [
        item for item in items if infeasible(item["calls"], original=item["text"], counting=COUNTING) is None
    ]
    random.Random(0).shuffle(items)  # what is done of a run that is cut short is a fair sample
    done = {row["id"]: row for row in (read(options.out) if options.out.exists() else ())}
    if options.report:
        for name, row in asyncio.run(report(items, done, options.beside)).items():
            seconds = sum(one["seconds"] for one in done.values()) / len(done) if name == "ours" else math.nan
            print(name, {key: round(value, 4) for key, value in row.items()}, f"{seconds:.0f} s an item")
        return
    wanted = [item for item in items[:: options.every] if item["id"] not in done]
    with ProcessPoolExecutor(options.processes) as pool, options.out.open("a", encoding="utf-8") as file:
        work = partial(_revised, effort=options.effort, threads=options.threads)
        for row in pool.map(work, wanted):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            print(f"{row['id']:12} {row['seconds']:6.1f} s", flush=True)


if __name__ == "__main__":
    main()
