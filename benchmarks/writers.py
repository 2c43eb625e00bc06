"""The writers' set (docs/writers.md): texts with what people ask for, revised, judged blind, counted.

    python benchmarks/writers.py --system embedded --effort low --out before.jsonl --workers 12
    python benchmarks/writers.py --judge-sheet sheet.jsonl --key key.jsonl before.jsonl after.jsonl
    python benchmarks/writers.py --tally sheet.jsonl --key key.jsonl [--claims claims.jsonl]

The first revises every item, or one part, and goes on where it was stopped. The second writes the outputs of
several files in random order, without their names, for a judge to fill in. The third counts. A claim that the
judge calls lost is looked up in what the result itself says: rows to decide are written to --claims, and
count as not named until `named` says true.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from redraft import Models, ReviseOptions, arevise, load_settings
from redraft.errors import InputError, RedraftError
from redraft.runs import Results
from redraft.text import to_json, write_text

SET = Path(__file__).with_name("writers.jsonl")
PARTS = (
    "development", "aside", "fresh", "fresher", "newest", "errors", "unseen", "later", "recent", "latest",
    "blind", "unread", "novel",
)  # fmt: skip
VERDICTS = ("acceptable", "touch", "no")
NAMING = ("concerns", "objections", "left_out")
"""The fields of a result that name what was lost or reads badly."""
GRACE = 60.0
"""Seconds beyond an item's limit, for the process to start and its search to end, before it is stopped."""
RESAMPLES = 10_000

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """The objects of a file, one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """A file of objects, one a line, whole or not at all."""
    write_text(path, "".join(to_json(row) + "\n" for row in rows))


# Revising


async def revise_item(item: Row, models: Models, options: ReviseOptions) -> Row:
    """What came of one item: the JSON of the command and its exit status, or the error."""
    started = time.monotonic()
    found: Row = {"result": None, "status": None, "error": None}
    try:
        revision = await arevise(
            item["text"], item["instruction"], models=models, options=options, format=item["format"]
        )
        found |= {"result": revision.to_dict(), "status": revision.status}
        found["error"] = None if revision.failure is None else str(revision.failure)
    except Exception as error:  # whatever it is, the other items are to be revised
        found["error"] = f"{type(error).__name__}: {error}"
    return {**found, "seconds": round(time.monotonic() - started, 2)}


def serve(pipe: Connection, flags: Row, options: ReviseOptions) -> None:
    """Revise the items that come, in a process with models of its own."""

    async def work() -> None:
        async with Models(load_settings(flags)) as models:
            while True:
                pipe.send(await revise_item(pipe.recv(), models, options))

    try:
        asyncio.run(work())
    except EOFError:
        return  # there is nothing more to do


class Process:
    """A process that answers items one by one; it is stopped, and begun anew, when one takes too long."""

    def __init__(self, target: Callable[..., None], *arguments: object) -> None:
        self._target = target
        self._arguments = arguments
        self._running: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, item: Row, seconds: float) -> Row:
        """The answer; where there is none in time, or the process ended, an error."""
        started = time.monotonic()
        if self._pipe is None:
            self._start()
        assert self._pipe is not None
        try:
            self._pipe.send(item)
            if self._pipe.poll(seconds):
                answer: Row = self._pipe.recv()
                return answer
            error = f"stopped after {seconds:.0f} s"
        except (EOFError, OSError):
            error = "the process that revised it ended"
        self.close()
        took = round(time.monotonic() - started, 2)
        return {"result": None, "status": None, "error": error, "seconds": took}

    def close(self) -> None:
        """End the process, whatever it does; whoever waits for it hears so."""
        if self._running is not None:
            self._running.kill()
            self._running.join()
        if self._pipe is not None:
            self._pipe.close()
        self._pipe = self._running = None

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._running = context.Process(target=self._target, args=(theirs, *self._arguments), daemon=True)
        self._running.start()
        theirs.close()


async def run(
    items: Sequence[Row], results: Results, facts: Row, processes: Sequence[Process], seconds: float
) -> None:
    """Revise what is not yet in the file; `facts` are of the run, and stand in every record."""
    for record in results.records():
        if differing := [name for name in facts if record.get(name) != facts[name]]:
            raise InputError(f"{results.path} was made with another {differing[0]}: choose another --out")
    finished = results.finished()
    left = iter([item for item in items if item["id"] not in finished])
    loop = asyncio.get_running_loop()
    with results.appending() as out, ThreadPoolExecutor(len(processes)) as threads:

        async def drain(process: Process) -> None:
            for item in left:
                answer = await loop.run_in_executor(threads, process.ask, item, seconds)
                await out.append({"id": item["id"], **facts, **answer})
                print(f"{item['id']:16} {answer['seconds']:6.1f} s  {answer['error'] or ''}", flush=True)

        try:
            await asyncio.gather(*map(drain, processes))
        finally:
            for process in processes:
                process.close()


# Judging


def judge_sheet(paths: Sequence[Path], seed: int = 0) -> tuple[list[Row], list[Row]]:
    """The rows for a judge, in random order and without systems, and the key to them.

    A text that several systems gave is judged once. What failed is in the key alone, and counts as no.
    """
    if len({path.stem for path in paths}) < len(paths):
        raise InputError("the files of outputs need different names: they stand for the systems")
    items = {item["id"]: item for item in read_rows(SET)}
    same: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    key: list[Row] = []
    for path in paths:
        for name, record in Results(path, "id").latest().items():
            result = record["result"]
            if result is None:
                key.append({"number": None, "id": name, "systems": [{"system": path.stem, "named": []}]})
                continue
            conflict = "; ".join(one["reason"] for one in result["infeasible"])
            system = {"system": path.stem, "named": [say(one) for at in NAMING for one in result.get(at, ())]}
            same[name, result["text"], conflict].append(system)
    order = sorted(same)
    random.Random(seed).shuffle(order)
    sheet = []
    for number, place in enumerate(order, 1):
        name, text, conflict = place
        asked = {field: items[name][field] for field in ("kind", "instruction", "watch", "text")}
        answer = {"output": text, "conflict": conflict, "verdict": "", "lost": [], "note": ""}
        sheet.append({"number": number, "id": name, **asked, **answer})
        key.append({"number": number, "id": name, "systems": same[place]})
    return sheet, key


def say(named: object) -> str:
    """What a result names, in words."""
    return named if isinstance(named, str) else to_json(named)


# Counting


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found of one output."""

    system: str
    id: str
    verdict: str
    lost: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    """The claims lost or reversed that the result does not name."""


def outcomes(sheet: Sequence[Row], key: Sequence[Row], claims: Sequence[Row]) -> Iterator[Outcome]:
    """Every output with its verdict; `claims` says which of the lost ones the result names."""
    judged = {row["number"]: row for row in sheet}
    named = {(row["system"], row["id"], row["claim"]) for row in claims if row["named"] is True}
    for row in key:
        mine = judged.get(row["number"], {"verdict": "no", "lost": []} if row["number"] is None else {})
        if mine.get("verdict") not in VERDICTS:
            raise InputError(f"row {row['number']} of the sheet has no verdict: {', '.join(VERDICTS)}")
        if not isinstance(mine["lost"], list):
            raise InputError(f"row {row['number']} of the sheet: `lost` is a list of claims, [] for none")
        lost = tuple(mine["lost"])
        for system in (one["system"] for one in row["systems"]):
            unnamed = tuple(claim for claim in lost if (system, row["id"], claim) not in named)
            yield Outcome(system, row["id"], mine["verdict"], lost, unnamed)


def open_claims(sheet: Sequence[Row], key: Sequence[Row]) -> Iterator[Row]:
    """The lost claims beside what their results name, for a judge to say whether that is them."""
    judged = {row["number"]: row for row in sheet}
    for row in key:
        for system in row["systems"] if row["number"] is not None else ():
            for claim in judged[row["number"]]["lost"] if system["named"] else ():
                about = {"system": system["system"], "id": row["id"], "claim": claim}
                yield {**about, "says": system["named"], "named": None}


def interval(values: Sequence[bool], seed: int = 0) -> tuple[float, float]:
    """95 % of the shares in items drawn again (percentile bootstrap)."""
    drawn = random.Random(seed)
    shares = sorted(sum(drawn.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return shares[round(0.025 * RESAMPLES)], shares[round(0.975 * RESAMPLES) - 1]


def tally(found: Sequence[Outcome], parts: dict[str, str]) -> Iterator[str]:
    """A table: verdicts by system and part, and the outputs with a claim lost."""
    yield "| system | part | items | acceptable | after a touch | no | first two | lost | lost, not named |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for system in sorted({one.system for one in found}):
        for part in ("all", *PARTS):
            mine = [one for one in found if one.system == system and part in ("all", parts[one.id])]
            if not mine:
                continue
            counts = Counter(one.verdict for one in mine)
            good = [one.verdict != "no" for one in mine]
            low, high = interval(good)
            verdicts = " | ".join(str(counts[verdict]) for verdict in VERDICTS)
            share = f"{sum(good) / len(good):.0%} [{low:.0%}, {high:.0%}]"
            lost = f"{sum(bool(one.lost) for one in mine)} | {sum(bool(one.unnamed) for one in mine)}"
            yield f"| {system} | {part} | {len(mine)} | {verdicts} | {share} | {lost} |"


# The command


def main() -> None:
    """Read the arguments, and do one of the three."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("outputs", type=Path, nargs="*", help="files of outputs, for --judge-sheet")
    parser.add_argument("--system", default="embedded", metavar="SPEC", help="the model that revises")
    parser.add_argument("--effort", default="low", choices=("low", "medium", "high"))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another setting")
    parser.add_argument("--out", type=Path, help="where the outputs go")
    parser.add_argument("--part", choices=(*PARTS, "all"), default="all")
    parser.add_argument("--only", nargs="+", metavar="ID", help="these items alone")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--threads", type=int, help="of each process; else the processors are shared out")
    parser.add_argument("--seconds", type=float, default=300.0, help="the limit of an item")
    parser.add_argument("--judge-sheet", type=Path, metavar="SHEET")
    parser.add_argument("--tally", type=Path, metavar="SHEET")
    parser.add_argument("--key", type=Path)
    parser.add_argument("--claims", type=Path, help="which lost claims the results name")
    parser.add_argument("--seed", type=int, default=0, help="of the sheet's order")
    given = parser.parse_args()
    judging = given.judge_sheet is not None or given.tally is not None
    if judging and given.key is None:
        parser.error("--judge-sheet and --tally need --key FILE")
    if not judging and given.out is None:
        parser.error("--out says where the outputs go")
    work = count if given.tally is not None else write_sheet if judging else revise_set
    try:
        work(given)
    except RedraftError as error:
        raise SystemExit(str(error)) from None


def revise_set(given: argparse.Namespace) -> None:
    """Revise the items that were chosen."""
    items = [item for item in read_rows(SET) if given.part in ("all", item["part"])]
    if given.only:
        if unknown := set(given.only) - {item["id"] for item in items}:
            raise InputError(f"--only: {unknown.pop()} is no item of the part {given.part}")
        items = [item for item in items if item["id"] in given.only]
    more = dict(one.split("=", 1) for one in given.set)
    threads = given.threads or max(1, (os.cpu_count() or 1) // given.workers)
    # Nothing is cached: the seconds are those of a first time.
    flags = {"model": given.system, "cache": False, "threads": threads, **more}
    load_settings(flags)  # what is wrong with them is said before anything is begun
    facts = {"system": given.system, "effort": given.effort, "set": more}
    options = ReviseOptions(effort=given.effort, max_seconds=given.seconds)
    processes = [Process(serve, flags, options) for _ in range(given.workers)]
    asyncio.run(run(items, Results(given.out, "id"), facts, processes, given.seconds + GRACE))


def write_sheet(given: argparse.Namespace) -> None:
    """Write the sheet and the key."""
    sheet, key = judge_sheet(given.outputs, given.seed)
    for path, rows in ((given.judge_sheet, sheet), (given.key, key)):
        if path.exists():
            raise InputError(f"{path} exists, and may have been judged: choose another name")
        write_rows(path, rows)


def count(given: argparse.Namespace) -> None:
    """Print the table, and what is still to be decided."""
    sheet, key = read_rows(given.tally), read_rows(given.key)
    if given.claims is not None and not given.claims.exists():
        write_rows(given.claims, open_claims(sheet, key))
    claims = read_rows(given.claims) if given.claims is not None else []
    found = list(outcomes(sheet, key, claims))
    print(*tally(found, {item["id"]: item["part"] for item in read_rows(SET)}), sep="\n")
    for one in found:
        for claim in one.unnamed:
            print(f"not named: {one.system}, {one.id}: {claim}")


if __name__ == "__main__":
    main()
