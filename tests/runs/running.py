"""Running jobs on an engine, and looking at what was recorded."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from redraft.runs.jobs import Engine, Job, OpenWorker
from redraft.runs.results import Results
from redraft.runs.runner import Progress, execute
from redraft.settings import Settings
from tests.runs.workers import Act, open_actor


def jobs(count: int, **does: Any) -> list[Job]:
    return [Job(f"job-{number}", Act(number, **does), {"number": None}) for number in range(count)]


def endless(**does: Any) -> Iterator[Job]:
    """Jobs until the test has seen enough."""
    for number in itertools.count():
        yield Job(f"job-{number}", Act(number, **does), {"number": None})


def run(
    todo: Iterable[Job],
    out: Path,
    engine: Engine,
    *,
    opening: OpenWorker = open_actor,
    settings: Settings | None = None,
    progress: Callable[[Progress], None] = lambda state: None,
) -> Progress:
    return asyncio.run(
        execute(todo, opening, settings or Settings(), Results(out), engine, planned=0, progress=progress)
    )


def records(out: Path) -> list[dict[str, Any]]:
    if not out.exists():
        return []
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def each_once(out: Path) -> set[str]:
    """The keys, which stand there once each."""
    counts = Counter(record["key"] for record in records(out))
    assert set(counts.values()) <= {1}, counts.most_common(3)
    return set(counts)


def processes(out: Path, last: int = 0) -> set[int]:
    """Who did the jobs, or the last of them."""
    return {record["process"] for record in records(out)[-last:] if "process" in record}
