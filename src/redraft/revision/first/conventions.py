"""A text of which only conventions are asked: it is put right to the letter, and no model is asked."""

from __future__ import annotations

from typing import Final

from redraft.constraints import Exact
from redraft.revision.draft import Draft, conform_draft
from redraft.revision.revision import ReviseOptions, Revision
from redraft.revision.search.plans import planned_calls
from redraft.revision.task import Task

_SETTLED: Final = "each word and comma is as the conventions want it: no model was asked"


def settled_by_conventions(task: Task, options: ReviseOptions) -> Revision | None:
    """The revision where only conventions are asked for: what they want is exact, and needs no model."""
    if options.strategy not in ("search", "repair") or options.plan or task.style.strip():
        return None
    if not task.constraints or not all(isinstance(one, Exact) for one in task.constraints):
        return None
    draft = conform_draft(task, Draft.of(task))
    findings = task.check(draft.text)
    if not findings.met:
        return None
    return Revision(draft.text, findings, changes=draft.changes, stopped=_SETTLED, calls=planned_calls(task))
