"""The trained judge asks in the words that it was trained on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from redraft.quality import TrainedJudge, question


class Scripted:
    """Is sure of yes where a question has the word good; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        self.asked += questions
        return tuple(0.9 if asked.endswith("good.") else 0.1 for asked in questions)


def test_answers_come_in_order() -> None:
    scripted = Scripted()
    judge = TrainedJudge(scripted)
    assert asyncio.run(judge.soundness(["It is bad.", "It is good."])) == (0.1, 0.9)
    assert scripted.asked == [question("sound", "It is bad."), question("sound", "It is good.")]


def test_a_revision_is_asked_about_after_its_source() -> None:
    scripted = Scripted()
    judge = TrainedJudge(scripted)
    assert asyncio.run(judge.sameness([("It was\nfine.", "It is good.")])) == (0.9,)
    assert asyncio.run(judge.improvement([("It is good.", "It {text} bad.")])) == (0.1,)
    same, better = scripted.asked
    assert same.splitlines()[1:] == ["It was fine.", "It is good."]
    assert better.splitlines()[1:] == ["It is good.", "It {text} bad."]
