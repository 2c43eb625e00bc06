"""A model that plans and revises as trajectories made offline say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from redraft.models import Completion, Request
from redraft.text import Document
from redraft.train.planning.trajectory import PlannerTrajectory


class Teacher:
    """Takes the first step of the trajectory that it is asked about; `wrong` is a call it always adds."""

    spec = "teacher"

    def __init__(self, known: Iterable[PlannerTrajectory], wrong: str = "") -> None:
        self._known = {one.instruction: one for one in known}
        self._wrong = wrong
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.requests.append(request)
        return (Completion(self.answer([message.content for message in request.messages])),)

    def answer(self, messages: Sequence[str]) -> str:
        """A plan where an example was shown, and else the sentences it changes."""
        asked = reversed(messages)
        one = next(one for text in asked for said, one in self._known.items() if said in text)
        step = one.steps[0]
        if len(messages) > 2:
            plan = "\n".join(f"{number}: {advice}" for number, advice in step.advice.items())
            calls = "\n".join(filter(None, (*step.calls, self._wrong)))
            return f"THOUGHT: {step.thought}\nCALLS:\n{calls}\nPLAN:\n{plan}"
        before, after = Document(one.text), Document(step.text)
        pairs = zip(before.sentences, after.sentences, strict=False)
        return "\n".join(f"[{old.number}] {new.text}" for old, new in pairs if old.number in step.advice)
