"""The trained judge: is a sentence good English, does a revision say the same, is it better.

It is the embedded model with an adapter that answers yes or no; what it gives is how sure it is of yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from redraft.models import Answerer

JudgeTask = Literal["sound", "same", "better"]

QUESTIONS: Final[dict[JudgeTask, str]] = {
    "sound": "Is this good English?\n{text}",
    "same": "Does the second text say the same as the first?\n{source}\n{text}",
    "better": "Is the second text better than the first?\n{source}\n{text}",
}
"""What the judge is asked, in training and in use."""

JUDGE: Final = "judge"
"""The adapter that was trained on these questions."""


class TrainedJudge:
    """Judges sentences and revisions, each from 0 to 1; to remember what it said is for whoever asks."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        """Whether each is good English."""
        return await self._answerer.yes([question("sound", sentence) for sentence in sentences])

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """Whether each revision, which stands after its source, says what that says and nothing else."""
        return await self._answerer.yes([question("same", text, source) for source, text in pairs])

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """Whether each revision, which stands after its source, is better."""
        return await self._answerer.yes([question("better", text, source) for source, text in pairs])


def question(task: JudgeTask, text: str, source: str = "") -> str:
    """What the judge is asked of a text, and of its source: each on a line of its own."""
    return QUESTIONS[task].format(text=" ".join(text.split()), source=" ".join(source.split()))
