"""Running any work: concurrently, resumably, wherever workers live, never paying for a job twice."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from redraft import __version__
from redraft.errors import FATAL, InputError
from redraft.models import UNKNOWN, Budget, Ledger, Usage, run_all
from redraft.runs.jobs import Answer, Crew, Engine, Job, OpenWorker, TakesAll, failed
from redraft.runs.results import Record, Results, RunDir
from redraft.settings import Settings
from redraft.text import Appender


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: int
    failed: int
    planned: int
    usage: Usage


@contextmanager
def open_run(run: RunDir, facts: Record, resume: bool) -> Iterator[None]:
    """Have a run for this process alone: a new one, with its run.json, or a resumed one that is the same.

    Whoever may not have it has changed nothing.
    """
    with _RunAppender(run, facts, resume) as writer:
        if next(run.records(), None) is None:
            run.write("run.json", {**facts, **_circumstances()})
        with run.results.held(writer):
            yield


class _RunAppender(Appender):
    """The results of a run, for as long as it is this process's."""

    def __init__(self, run: RunDir, facts: Record, resume: bool) -> None:
        super().__init__(run.samples)
        self._run, self._facts, self._resume = run, facts, resume

    def check_contents(self) -> None:
        """Raise where there is a run already that is not to be gone on with, or is another."""
        run, facts = self._run, self._facts
        if not run.exists() and run.samples.is_file() and run.samples.stat().st_size:
            raise InputError(f"{run.samples} is there already, and no run wrote it: choose another --out")
        if next(run.records(), None) is None:
            return
        if not self._resume:
            raise InputError(
                f"{run.path} already holds a run: continue it with --resume, or choose another --out"
            )
        before = run.facts()
        for name, value in facts.items():
            if before.get(name) != value:
                raise InputError(
                    f"{run.path} holds another run: its {name} was {before.get(name)!r}, and now is {value!r}"
                )


async def execute(
    jobs: Iterable[Job],
    opening: OpenWorker,
    settings: Settings,
    results: Results,
    engine: Engine,
    *,
    planned: int,
    progress: Callable[[Progress], None],
) -> Progress:
    """Do the jobs that are not finished yet; each is on disk as soon as it is done.

    Jobs are taken one by one, as workers are free for them. One that fails is recorded with its error and
    tried again by the next run; it stops nothing. An error that concerns all jobs alike (no key, no such
    model, the budget spent) ends the run, once the jobs under way have been recorded. One that the budget
    ends half-way is not, but what was answered in it is in the cache, and the next run goes on from there.
    """
    run = _Run(results, planned, progress)
    left = run.unfinished(jobs)
    with results.appending() as writer:
        async with engine.crew(opening, settings) as crew:
            slots, ledger = crew.slots, Ledger(_shared_budget(settings))
            if isinstance(crew, TakesAll):
                every = list(left)
                left, slots, ledger = iter(every), len(every), Ledger()
                crew.expect(len(every))
            await run_all(run.work(left, crew, writer, ledger) for _ in range(slots))
    if run.fatal is not None:
        raise run.fatal
    return run.progress()


class _Run:
    """A run while it runs."""

    def __init__(self, results: Results, planned: int, report: Callable[[Progress], None]) -> None:
        self.done, self.failed, self.planned = 0, 0, planned
        self.fatal: Exception | None = None
        self._results = results
        self._report = report
        self._spent = self._largest = Usage()
        report(self.progress())

    def progress(self) -> Progress:
        return Progress(self.done, self.failed, self.planned, self._spent)

    def unfinished(self, jobs: Iterable[Job]) -> Iterator[Job]:
        finished = self._results.finished()
        for job in jobs:
            if job.key not in finished:
                yield job
            else:
                self.done += 1

    async def work(self, jobs: Iterator[Job], crew: Crew, writer: Appender, ledger: Ledger) -> None:
        while self.fatal is None and (job := next(jobs, None)) is not None:
            try:
                async with ledger.reserved(self._largest if self._largest.calls else UNKNOWN):
                    answer = await _done(job, crew)
                    ledger.add("", "", answer.usage)
            except FATAL as fatal:
                self.fatal = fatal
                return
            record = {self._results.key: job.key, **job.facts, **answer.fields}
            await writer.append({**record, "error": answer.error, "usage": asdict(answer.usage)})
            self._add(answer)

    def _add(self, answer: Answer) -> None:
        self._spent += answer.usage
        self._largest = Usage(*map(max, astuple(self._largest), astuple(answer.usage)))
        self.failed += answer.error is not None
        self.done += answer.error is None
        self._report(self.progress())


async def _done(job: Job, crew: Crew) -> Answer:
    try:
        return await crew.do(job.work)
    except FATAL:
        raise
    except Exception as error:  # whatever a worker does wrong with one job is that job's failure
        return failed(error)


def _shared_budget(settings: Settings) -> Budget:
    """The budget of all workers together: each of them keeps it too, but only knows what it spent itself.

    A job is reserved what the largest so far took, and until one has taken anything they go one by one. A
    limit of nothing is left to the workers: they refuse every call, and may still answer from the cache.
    """
    return Budget(settings.max_cost or None, settings.max_calls or None, settings.max_tokens or None)


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
    """The commit of redraft's own checkout and whether it was changed; None where it is installed.

    It may be installed inside another repository, whose settings may name commands for git to run.
    """
    here = Path(__file__).parents[1]
    if not (here.parents[1] / ".git").exists():
        return None
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
