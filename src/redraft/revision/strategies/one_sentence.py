"""A text of one sentence, and no constraints: the best of several edits of it."""

from __future__ import annotations

from typing import Final

from redraft.models import Embedder, Models, Scorer
from redraft.quality import EmbeddedQuality
from redraft.revision.draft import Draft, Option
from redraft.revision.editing.editor import Polisher
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Action, Candidate, Reason
from redraft.revision.revision import ReviseOptions
from redraft.revision.search.plans import EDITS
from redraft.revision.task import Task
from redraft.revision.wishes.understanding import SMALL
from redraft.text import mask

EDIT_ONE_SENTENCE: Final = Action("One sentence and no constraints: edit it.", ("text_eval()",), ())


def is_one_sentence(task: Task, options: ReviseOptions, models: Models, draft: Draft) -> bool:
    """Whether all there is to do is to edit one sentence, with time to choose among several edits."""
    reviser = models.for_role("reviser")
    free = not task.constraints and options.plan is None and options.strategy == "search"
    return free and len(draft.units) == 1 and options.effort != "low" and reviser.spec in SMALL


async def polished(
    task: Task,
    options: ReviseOptions,
    models: Models,
    draft: Draft,
    *,
    scorer: Scorer,
    embedder: Embedder,
    verdicts: Verdicts,
) -> Draft:
    """The draft with the best of several edits of its sentence, unless the judge refuses it."""
    quality = EmbeddedQuality(scorer, embedder, format=task.format)
    polisher = Polisher(models.for_role("reviser"), scorer, quality, seed=options.seed)
    hidden = mask(draft.units[0].text, task.format)
    asked = task.instruction or EDITS["improve"][0]
    found = await polisher.polish(hidden.text, asked, task.documents)
    text = hidden.tried(found.text)
    if text is None:
        return draft
    (verdict,) = await verdicts.of([(draft.units[0].source, text)])
    if verdict.broken or verdict.reversed:
        return draft
    return draft.chosen([Option(0, 1, Candidate(text, "editor", (Reason("request", detail=asked),)))])
