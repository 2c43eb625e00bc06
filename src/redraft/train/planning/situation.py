"""What a planner stands before: a request, the way so far, and the sentences that it is to plan for."""

from __future__ import annotations

import random
from dataclasses import dataclass

from redraft.models import Completion, Message, Request
from redraft.revision import BRIEF_ROOM, PlanAnswer, brief_messages, read_plan, sections, whole_lines
from redraft.text import Document
from redraft.train.planning.trajectory import Trajectory

_CALLS = 192
"""Tokens that a thought and calls take at most."""
_SENTENCE = 20
"""Tokens that advice on a sentence takes, on average, at most."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A trajectory up to now, and one section of the text that it has come to."""

    trajectory: Trajectory
    document: Document
    numbers: range

    @classmethod
    def of(cls, trajectory: Trajectory, seed: int | None = None) -> Situation:
        """The situation after the last step; of a long text one section, drawn, or else the first."""
        document = Document(trajectory.before(len(trajectory.steps)), "text")
        found = sections(document, BRIEF_ROOM) or [range(0)]
        place = random.Random(f"{seed} {trajectory.id}").randrange(len(found)) if seed is not None else 0
        return cls(trajectory, document, found[place])

    @property
    def whole(self) -> bool:
        """Whether the section is all of the text."""
        return len(self.numbers) == len(self.document.sentences)

    @property
    def messages(self) -> tuple[Message, ...]:
        """What the planner is asked."""
        return brief_messages(self.trajectory.instruction, self.document, self.numbers, self.trajectory.steps)

    def request(
        self, adapter: str, *, temperature: float = 0.0, count: int = 1, seed: int = 0, calls: bool = False
    ) -> Request:
        """The same for a model; with `calls`, only for the tools, without a plan."""
        return Request(
            self.messages,
            max_tokens=_CALLS + (0 if calls else _SENTENCE * len(self.numbers)),
            temperature=temperature,
            n=count,
            stop=("\nPLAN:",) if calls else (),
            seed=seed,
            adapter=adapter,
        )

    def read(self, answer: Completion) -> PlanAnswer:
        """The plan that an answer is."""
        sentences = {number: self.document.sentence(number).text for number in self.numbers}
        return read_plan(whole_lines(answer), sentences, len(self.document.sentences))
