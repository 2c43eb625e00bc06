"""Running a system over a benchmark: concurrently, resumably, never paying for an item twice."""

from __future__ import annotations

import asyncio
import platform
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from redraft import __version__
from redraft.bench.base import Edited, System, TakesAll
from redraft.bench.rundir import Record, RunDir, Writer
from redraft.bench.sample import Item, Plan
from redraft.errors import BudgetExceeded, InputError, MissingKey, UnknownModel, WeightsMissing
from redraft.models import Usage

# These concern every item alike, so that going on would only fail again and again.
_FATAL = (BudgetExceeded, MissingKey, UnknownModel, WeightsMissing)


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: int
    failed: int
    planned: int
    usage: Usage


def begin(run: RunDir, facts: Record, resume: bool) -> None:
    """Write run.json for a new run, or make sure that a resumed one is the same run."""
    if not run.exists() or next(run.records(), None) is None:
        run.write("run.json", {**facts, **_circumstances()})
        return
    if not resume:
        raise InputError(
            f"{run.path} already holds a run: continue it with --resume, or choose another --out"
        )
    before = run.facts()
    changed = [name for name, value in facts.items() if before.get(name) != value]
    if changed:
        name = changed[0]
        raise InputError(
            f"{run.path} holds another run: its {name} was {before.get(name)!r}, and now is {facts[name]!r}"
        )


async def execute(
    plan: Plan, system: System, run: RunDir, *, concurrency: int, progress: Callable[[Progress], None]
) -> Progress:
    """Run the items that are not finished yet; each is on disk as soon as it is done.

    An item that fails is recorded with its error and tried again by the next run; it stops nothing. An error
    that concerns all items alike (no key, no such model, the budget spent) ends the run, once the items under
    way have been recorded.
    """
    finished = run.finished()
    left = [item for item in plan.items if item.key not in finished]
    todo = iter(left)
    if isinstance(system, TakesAll):
        system.expect(len(left))
        concurrency = len(left)
    state = _State(len(finished & {item.key for item in plan.items}), len(plan.items), progress)
    with Writer(run) as writer:
        workers = [asyncio.create_task(_work(todo, system, writer, state)) for _ in range(concurrency)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
    if state.fatal is not None:
        raise state.fatal
    return state.progress()


class _State:
    """The counts of a run while it runs."""

    def __init__(self, done: int, planned: int, report: Callable[[Progress], None]) -> None:
        self.done, self.failed, self.planned = done, 0, planned
        self.usage = Usage()
        self.fatal: Exception | None = None
        self._report = report
        report(self.progress())

    def progress(self) -> Progress:
        return Progress(self.done, self.failed, self.planned, self.usage)

    def add(self, failed: bool, usage: Usage) -> None:
        self.failed += failed
        self.done += not failed
        self.usage += usage
        self._report(self.progress())


async def _work(todo: Iterator[Item], system: System, writer: Writer, state: _State) -> None:
    while state.fatal is None and (item := next(todo, None)) is not None:
        error: str | None = None
        edited = Edited("")
        more: Record = {}
        try:
            edited = await system.edit(item)
            more = {"output": edited.text, **edited.more}
        except _FATAL as fatal:
            state.fatal = fatal
            return
        except Exception as failure:  # whatever one item's system does wrong is that item's failure
            error = f"{type(failure).__name__}: {failure}"
        usage = asdict(edited.usage)
        await writer.append({"key": item.key, **item.facts, **more, "error": error, "usage": usage})
        state.add(error is not None, edited.usage)


def _circumstances() -> dict[str, Any]:
    """What surrounded a run, for whoever wants to repeat it."""
    packages = ("numpy", "openai", "xllamacpp", "ctranslate2", "sacrebleu")
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"redraft": __version__, "python": platform.python_version()}
        | {name: found for name in packages if (found := _version(name))},
        "git": _git_state(),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _git_state() -> dict[str, Any] | None:
    """The commit of redraft's own checkout and whether it was changed; None where it is installed."""
    here = Path(__file__).parent
    try:
        commit = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, timeout=10, check=True
        )
        status = subprocess.run(
            ["git", "status", "--porcelain", "--", "."],
            cwd=here, capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return {"commit": commit.stdout.strip(), "changed": bool(status.stdout.strip())}
