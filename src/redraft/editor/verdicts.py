"""What a larger editor is asked of an edit, and answers with yes or no: does it say what its source says?

It learnt it from answers of its own that were read sentence by sentence (`benchmarks/labelled.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.editor.editor import ADAPTER, editor_messages, is_trained_editor
from redraft.models import Answerer, Models, known_adapters, verdicts_learnt

VERDICTS: Final = {
    "same": "Say yes if the second text says the same as the first, and no if not",
    "kept": "Say yes if the second text keeps what matters of the first, and no if not",
}
"""How it is put, in training and in use: of a rewording, and of a cut."""
YES: Final = "yes"
NO: Final = "no"
_NOTHING: Final = "(nothing)"


def verdict_input(source: str, text: str) -> str:
    """An edit and its source, each on a line of its own.

    >>> verdict_input("It rained.", "")
    'It rained.\\n(nothing)'
    """
    return "\n".join(" ".join(one.split()) or _NOTHING for one in (source, text))


class EditVerdicts:
    """An editor's own word on edits, each from 0 to 1; nothing is asked twice."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer
        self._known: dict[str, float] = {}

    async def sure(self, pairs: Sequence[tuple[str, str]], *, is_cut: bool) -> list[float]:
        """How surely each text says what its source says, or of a cut, what matters of it."""
        asked = VERDICTS["kept" if is_cut else "same"]
        questions = [editor_messages(asked, verdict_input(*pair))[0].content for pair in pairs]
        new = [one for one in dict.fromkeys(questions) if one not in self._known]
        self._known.update(zip(new, await self._answerer.yes(new), strict=True))
        return [self._known[one] for one in questions]


def edit_verdicts(models: Models, spec: str) -> EditVerdicts | None:
    """What the editor of a larger model says of its own edits, where it has learnt to say it."""
    root = models.settings.weights()
    if not is_trained_editor(spec, root):
        return None
    learnt = verdicts_learnt(known_adapters(root, spec.partition(":")[2])[ADAPTER])
    return EditVerdicts(models.editor_answerer(spec)) if VERDICTS.keys() <= set(learnt) else None
