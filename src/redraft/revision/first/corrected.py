"""A text with errors all over is corrected before anything else is wished of it.

A tone or a cut takes sentences as they are: of a broken one a broken one is made, and the judge, who looks at
the two side by side, finds nothing worse than it was.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from redraft.models import Models
from redraft.revision.corrections.tagging import read_passage
from redraft.revision.first.sentence_edits import told_of_changes
from redraft.revision.revision import ReviseOptions, Revision
from redraft.revision.task import Task
from redraft.revision.tuning import MANY_ERRORS
from redraft.revision.wishes.understanding import SMALL
from redraft.revision.wishes.wording import wished_wordings

ERRORS_FIRST: Final = "Correct the errors"
"""What is done where a text with many errors is to become better, or to have another tone."""
_MOST_PASSAGES: Final = 12
_ERRORS: Final = r"(?:errors?|mistakes?|typos?|grammar|spellings?)"
_AS_IT_IS: Final = re.compile(
    r"(?i)\bnothing (?:else|more)\b|\b(?:only|just) (?:change|do|make|touch)\b"
    rf"|\b(?:do not|don['’]t|without|never|no need to) (?:\w+ ){{0,3}}?(?:{_ERRORS}|english|language)"
    rf"|\b(?:leave|keep) (?:\w+ ){{0,2}}?{_ERRORS}"
)
"""What says that errors are to stay."""


class Corrected:
    """A task after its errors were mended: what is left to do is done to the corrected text."""

    def __init__(self, task: Task, found: Revision) -> None:
        self.given = task
        self._found = found

    @property
    def task(self) -> Task:
        """What is left to do."""
        return self.given.on(self._found.text)

    def told(self, found: Revision) -> Revision:
        """A revision of the corrected text, as one of the writer's own text."""
        concerns = (*self._found.concerns, *found.concerns)
        return replace(told_of_changes(found, self._found.changes, self.given.original), concerns=concerns)


def correction_of(task: Task) -> Task:
    """The task of correcting a text: no constraint that it meets is to be broken for that."""
    constraints = [one.constraint for one in task.check(task.original) if one.met]
    return Task(
        task.original,
        constraints,
        instruction=ERRORS_FIRST,
        style=ERRORS_FIRST,
        counting=task.counting,
        format=task.format,
    )


def corrected(task: Task, found: Revision) -> Corrected | None:
    """What is left to do of a task; None where nothing was mended, or sentences have other numbers now."""
    if found.text == task.original or found.failure or found.interrupted:
        return None
    is_numbered = len(task.before.sentences) == len(task.read(found.text).sentences)
    return Corrected(task, found) if is_numbered else None


async def is_corrected_first(task: Task, options: ReviseOptions, models: Models) -> bool:
    """Whether a text is full of errors, and something is wished of its sentences that needs good ones.

    Who asks for nothing but bounds gets back all else as it was.
    """
    if options.strategy != "search" or options.plan is not None or task.kind == "correct" or task.is_open:
        return False
    is_wished = task.is_goal or bool(wished_wordings(task.style))
    return is_wished and not _AS_IT_IS.search(task.instruction) and await has_many_errors(task, models)


async def has_many_errors(task: Task, models: Models) -> bool:
    """Whether the small model has a text with errors all over before it.

    A better one is asked for what was said, and sees to the errors itself.
    """
    if not (task.is_english and models.settings.spec_for("reviser") in SMALL):
        return False
    passages = [one for one in task.original.split("\n") if one.strip()][:_MOST_PASSAGES]
    readings = [await read_passage(models.tagger(), one) for one in passages]
    words = sum(len(one.words) for one in readings)
    return 100 * sum(one.errors for one in readings) >= MANY_ERRORS * words > 0
