"""How work on a revision ends: done, interrupted, out of time or out of budget; and what it came to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from redraft.errors import BudgetExceeded, ModelError
from redraft.models import run_until
from redraft.revision.records import Node
from redraft.revision.revision import Revision
from redraft.revision.search.plans import suggested_constraints
from redraft.revision.search.search import Search
from redraft.revision.task import Task


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why work ended before it was done; nothing where it was."""

    why: str = ""
    failure: ModelError | None = None
    interrupted: bool = False
    spent: BudgetExceeded | None = None


async def until_stopped(
    work: Coroutine[Any, Any, None], stop: asyncio.Event, max_seconds: float | None, started: float
) -> Stopped:
    """Work until done, told to stop, out of time or out of budget; what was reached stays."""
    left = None
    if max_seconds is not None:
        left = max(max_seconds - (time.monotonic() - started), 0.0)
    working = await run_until(work, stop, left)
    interrupted = stop.is_set() and not working.done()
    try:
        await working
    except asyncio.CancelledError:
        return Stopped("interrupted" if interrupted else "the time is spent", interrupted=interrupted)
    except BudgetExceeded as error:
        return Stopped("the budget is spent", spent=error)
    except ModelError as error:
        return Stopped(f"the model failed: {error}", error)
    return Stopped()


def unrevised(task: Task, ended: Stopped) -> Revision:
    """The original, where there was no time for anything else."""
    if ended.failure is not None:
        raise ended.failure
    return Revision(
        task.original,
        task.check(task.original),
        stopped=ended.why,
        interrupted=ended.interrupted,
        spent=ended.spent,
    )


def search_result(task: Task, search: Search[Any], best: Node, ended: Stopped) -> Revision:
    """What a search came to, with the scores that it went by."""
    return Revision(
        best.text,
        best.findings,
        before=search.nodes[0].quality,
        after=best.quality,
        changes=best.changes,
        stopped=ended.why or search.stopped,
        nodes=len(search.nodes),
        failure=ended.failure,
        interrupted=ended.interrupted,
        spent=ended.spent,
        calls=search.calls,
        rounds=tuple(node.text for node in search.rounds),
        perhaps=tuple(constraint.call for constraint in suggested_constraints(task, search.calls)),
    )
