"""What a text says that has errors in it: what it says without those that are sure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from redraft.revision.draft import Draft
from redraft.revision.rewriting.past import is_told_in_past, mended_by_rules
from redraft.revision.task import Task


def meant_in(task: Task, draft: Draft) -> Callable[[str], str] | None:
    """What makes of a passage of a draft what was meant by it; None where no errors are to be corrected.

    "Nobody does this no more" is no denial of a denial: a correction is held against what was meant.
    """
    if task.kind != "correct":
        return None
    original = "".join(unit.gap + unit.source for unit in draft.units)
    return partial(mended_by_rules, told_in_past=is_told_in_past(original))
