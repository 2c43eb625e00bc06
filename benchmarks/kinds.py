"""Every kind of constraint on short texts of its own (docs/constraints.md): revised, judged, counted.

    python benchmarks/kinds.py --out kinds.out.jsonl [--kind semicolons ...] [--part PART]
    python benchmarks/kinds.py --tally benchmarks/kinds_judged.jsonl

The first revises every item at low effort, with the models loaded once, and goes on where it was stopped. The
second counts the verdicts of a reader: rows with `kind`, `id`, `run`, `verdict` and `note`.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from redraft import Models, ReviseOptions, arevise, load_settings
from redraft.runs import Results
from writers import Row, read_rows

SET = Path(__file__).with_name("kinds.jsonl")


async def revise_item(item: Row, models: Models) -> Row:
    """What came of one item: the text, and what the result says of itself."""
    started = time.monotonic()
    found: Row = {"id": item["id"], "kind": item["kind"], "error": None}
    try:
        options = ReviseOptions(effort="low", max_seconds=300.0)
        revision = await arevise(item["text"], item["instruction"], models=models, options=options)
        result = revision.to_dict()
        found |= {
            "met": result["met"],
            "text": result["text"],
            "unmet": [one["message"] for one in result["findings"] if not one["met"]],
            "calls": [one["call"] for one in result["findings"]],
            "conflicts": [one["reason"] for one in result["infeasible"]],
            "concerns": [[one["kind"], one["text"], one["why"]] for one in result["concerns"]],
        }
    except Exception as error:  # whatever it is, the other items are to be revised
        found["error"] = f"{type(error).__name__}: {error}"
    return found | {"seconds": round(time.monotonic() - started, 2)}


async def revise_set(items: Sequence[Row], out: Path, threads: int) -> None:
    """Revise what is not yet in the file."""
    results = Results(out, "id")
    finished = results.finished()
    left = [item for item in items if item["id"] not in finished]
    async with Models(load_settings({"threads": threads, "cache": False})) as models:
        with results.appending() as appender:
            for item in left:
                found = await revise_item(item, models)
                await appender.append(found)
                print(
                    f"{item['id']:24} {found['seconds']:6.1f} s  {found['error'] or found['met']}", flush=True
                )


def tally(judged: Sequence[Row]) -> Iterator[str]:
    """A table: of each kind, how many are acceptable, and after a touch, in each run."""
    runs = tuple(dict.fromkeys(row["run"] for row in judged))
    yield "| kind | " + " | ".join(runs) + " |"
    yield "|---" * (len(runs) + 1) + "|"
    for kind in dict.fromkeys(row["kind"] for row in judged):
        mine = [
            Counter(row["verdict"] for row in judged if (row["kind"], row["run"]) == (kind, run))
            for run in runs
        ]
        yield f"| {kind} | " + " | ".join(map(_share, mine)) + " |"


def _share(verdicts: Counter[str]) -> str:
    if not verdicts:
        return ""
    share = 1 - verdicts["no"] / verdicts.total()
    return f"{verdicts['acceptable']} + {verdicts['touch']} of {verdicts.total()}, {share:.0%}"


PARTS = ("first", "further", "newer", "latest", "aside", "fresh", "unseen", "recent")


def main() -> None:
    """Read the arguments, and do one of the two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="where the outputs go")
    parser.add_argument("--kind", nargs="+", help="these kinds alone")
    parser.add_argument("--part", choices=PARTS, help="this part alone")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tally", type=Path, metavar="JUDGED")
    given = parser.parse_args()
    if given.tally is not None:
        print(*tally(read_rows(given.tally)), sep="\n")
        return
    if given.out is None:
        parser.error("--out says where the outputs go")
    items = [
        item
        for item in read_rows(SET)
        if (not given.kind or item["kind"] in given.kind) and given.part in (None, item["part"])
    ]
    asyncio.run(revise_set(items, given.out, given.threads))


if __name__ == "__main__":
    main()
