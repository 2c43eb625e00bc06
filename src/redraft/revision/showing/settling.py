"""Telling of sentences as they are settled, while a revision is under way."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from redraft.revision.draft import Draft, Unit
from redraft.revision.records import Change, Settled
from redraft.revision.task import Task


def find_passages(text: str, passages: Iterable[str]) -> list[int | None]:
    """Where each passage starts in a text, behind the one before it if it stands there."""
    found: list[int | None] = []
    at = 0
    for passage in passages:
        start = text.find(passage, at) if passage else -1
        start = text.find(passage) if passage and start < 0 else start
        found.append(None if start < 0 else start)
        at = at if start < 0 else start + len(passage)
    return found


class Settling:
    """Tells `hear`, if there is one, what becomes of each sentence of a task; nothing is told twice."""

    def __init__(self, task: Task, hear: Callable[[Settled], None] | None) -> None:
        self._task = task
        self._original = task.original
        self._hear = hear
        self._sentences = task.before.sentences
        self._ends = [sentence.end for sentence in self._sentences]
        self._told: dict[int, Settled] = {}
        self._latest: tuple[Draft, list[int | None]] | None = None

    @property
    def is_heard(self) -> bool:
        """Whether anybody listens."""
        return self._hear is not None

    def keep(self, draft: Draft) -> None:
        """What must stay is settled before anything is done, and what nothing is asked of is so far."""
        if self._hear is None:
            return
        for start, unit in zip(self._starts(draft), draft.units, strict=True):
            if not unit.free or self._obeys(unit):
                self._tell(start, unit.source, unit.source, final=not unit.free)

    def tell(self, draft: Draft, place: int, text: str) -> None:
        """What stands for a unit of a draft, so far."""
        self._tell(self._starts(draft)[place], draft.units[place].source, text)

    def tell_changes(self, draft: Draft) -> None:
        """The same for every unit that is not as the writer had it, or as was told."""
        for start, unit in zip(self._starts(draft), draft.units, strict=True):
            known = None if start is None else self._told.get(start)
            if unit.text != (known.after if known else unit.source):
                self._tell(start, unit.source, unit.text)

    def finish(self, changes: Sequence[Change]) -> None:
        """All that is not told for good: the changes of the result, and every other sentence as it was."""
        starts = find_passages(self._original, (change.before for change in changes))
        placed = {
            bisect_right(self._ends, start): (start, change)
            for start, change in zip(starts, changes, strict=True)
            if start is not None
        }
        done = 0
        for index, sentence in enumerate(self._sentences):
            if index in placed:
                start, change = placed[index]
                done = start + len(change.before)
                self._tell(start, change.before, change.after, final=True)
            elif sentence.start >= done:
                own = self._original[sentence.start : sentence.end]
                self._tell(sentence.start, own, own, final=True)

    def _obeys(self, unit: Unit) -> bool:
        """Whether nothing but bounds is asked for, and a unit keeps those by itself."""
        task = self._task
        return task.is_bounds_alone and task.is_by_sentence and not (unit.altered or task.fault(unit.text))

    def _tell(self, start: int | None, before: str, after: str, *, final: bool = False) -> None:
        if self._hear is None or start is None:
            return  # the writer had nothing there, or nobody listens
        index = bisect_right(self._ends, start)
        settled = Settled(self._sentences[index].counted, before, after, final)
        known = self._told.get(start)
        if settled != known and not (known is not None and known.final):
            self._told[start] = settled
            self._hear(settled)

    def _starts(self, draft: Draft) -> list[int | None]:
        """Where the source of each unit starts in the original; none where it stands there no more."""
        if self._hear is None:
            return [None] * len(draft.units)
        if self._latest is None or self._latest[0] is not draft:
            self._latest = draft, find_passages(self._original, (unit.source for unit in draft.units))
        return self._latest[1]
