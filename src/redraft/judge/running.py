"""Judging many things: concurrently, resumably, never paying for a judgement twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import FATAL, InputError
from redraft.judge.judgement import Judgement, Key
from redraft.judge.judges import Inquiry
from redraft.models import Usage, run_all
from redraft.notation import parse_json
from redraft.text import Appender, whole_lines


@dataclass(frozen=True)
class Progress:
    """How far the work is; what was there already counts as done."""

    done: int
    failed: int
    usage: Usage


class Journal(Appender):
    """An append-only file of judgements, one a line, each on disk before it counts; use it as a context."""

    def check_contents(self) -> None:
        """Raise where the file is there, and is no journal."""
        is_filled = self.path.is_file() and self.path.stat().st_size
        if is_filled and next(read_judgements(self.path), None) is None:
            raise InputError(
                f"{self.path} is there already, and has no judgements: choose another --out, or delete it"
            )

    def finished(self) -> dict[Key, Judgement]:
        """The valid judgements; those that failed are asked for again."""
        found = (judgement for judgement in read_judgements(self.path) if judgement.error is None)
        return {judgement.key: judgement for judgement in found}


def read_judgements(path: Path) -> Iterator[Judgement]:
    """Every judgement of a journal, in the order of writing, repeats included."""
    for number, line in enumerate(whole_lines(path), 1):
        try:
            yield Judgement.from_dict(parse_json(line))
        except (ValueError, InputError):
            raise InputError(
                f"{path}, line {number}, is no judgement: choose another --out, or delete that line"
            ) from None


async def judge_all(
    inquiries: Iterable[Inquiry],
    *,
    journal: Journal | None = None,
    concurrency: int = 8,
    progress: Callable[[Progress], None] = lambda _: None,
) -> tuple[Judgement, ...]:
    """The judgements of all inquiries, in their order; those that the journal has are not asked for again.

    A failure is recorded and stops nothing. What would fail for all alike (no key, no such model, the budget
    spent) ends the work, once the questions under way have been answered and recorded.
    """
    work = _Work(inquiries, journal, progress)
    await run_all(work.go() for _ in range(concurrency))
    if work.fatal is not None:
        raise work.fatal
    return tuple(work.found[place] for place in sorted(work.found))


class _Work:
    """What the workers share."""

    def __init__(
        self, inquiries: Iterable[Inquiry], journal: Journal | None, report: Callable[[Progress], None]
    ) -> None:
        self.found: dict[int, Judgement] = {}
        self.fatal: Exception | None = None
        self._known = journal.finished() if journal is not None else {}
        self._todo = enumerate(inquiries)
        self._journal = journal
        self._report = report
        self._progress = Progress(0, 0, Usage())

    async def go(self) -> None:
        """Take inquiries until there are none."""
        for place, inquiry in self._todo:
            if (known := self._known.get(inquiry.key)) is not None:
                self._add(place, known, Usage())
                continue
            try:
                judgement = await inquiry.judgement()
            except FATAL as fatal:
                self.fatal = fatal
            else:
                if self._journal is not None:
                    await self._journal.append(judgement.to_dict())
                self._add(place, judgement, judgement.usage)
            if self.fatal is not None:
                return

    def _add(self, place: int, judgement: Judgement, spent: Usage) -> None:
        self.found[place] = judgement
        failed = judgement.error is not None
        before = self._progress
        self._progress = Progress(before.done + (not failed), before.failed + failed, before.usage + spent)
        self._report(self._progress)
