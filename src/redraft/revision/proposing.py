"""Proposals for the units of a draft, from the embedded editor or from a model that follows a plan."""

from __future__ import annotations

import asyncio

from redraft.editor import Editor
from redraft.errors import ContextOverflow
from redraft.models import Model
from redraft.revision.base import Action, Candidate
from redraft.revision.board import GOAL
from redraft.revision.draft import Draft, Option
from redraft.revision.task import Task
from redraft.text import mask

_JOINED = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"})


def written_out(text: str) -> str:
    """The text without the joined letters that printed pages leave in what is copied from them."""
    return text.translate(_JOINED)


class EditorProposer:
    """The embedded editor, asked about one unit at a time, all at once."""

    def __init__(self, task: Task, model: Model, *, samples: int, value: float) -> None:
        self._task = task
        self._model = model
        self._samples = samples
        self._value = value

    async def propose(self, draft: Draft, action: Action, *, seed: int) -> list[Option]:
        """The editor's answers to what the plan asks of it."""
        editor = Editor(self._model, seed=seed)
        asked = [
            (one.sentence - 1, one.edit)
            for one in action.plan
            if one.edit and draft.units[one.sentence - 1].free and draft.units[one.sentence - 1].text
        ]
        answers = await asyncio.gather(
            *(self._ask(editor, draft.units[place].text, edit) for place, edit in asked)
        )
        return [
            # A sentence that must change is rewritten for its own sake.
            Option(
                place,
                place + 1,
                Candidate(text, "editor", edit.lower()),
                GOAL if draft.units[place].altered else self._value,
            )
            for (place, edit), texts in zip(asked, answers, strict=True)
            for text in texts
        ]

    async def _ask(self, editor: Editor, text: str, edit: str) -> list[str]:
        hidden = mask(text, self._task.format)
        try:
            found = await editor.candidates(
                written_out(hidden.text), edit, self._task.documents, count=self._samples
            )
        except ContextOverflow:
            return []
        texts = (hidden.tried(candidate.text) for candidate in found)
        return [one for one in texts if one is not None and one != text]
