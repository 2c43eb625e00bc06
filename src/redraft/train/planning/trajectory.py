"""Trajectories of a planner: a request and a text, then thought, action and observation, step by step."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from redraft.constraints import Findings
from redraft.errors import InputError
from redraft.metrics import EVALUATION_CALL
from redraft.models import Completion, Message, Request
from redraft.revision import (
    BRIEF_ROOM,
    Action,
    Feedback,
    Improvement,
    PlanAnswer,
    brief_answer,
    brief_messages,
    read_plan,
    sections,
    whole_lines,
)
from redraft.text import Document, to_json
from redraft.train.conversations import Conversation
from redraft.train.rows import read_objects


@dataclass(frozen=True, slots=True)
class PlannerStep:
    """One thought and action, the text that came of it, and what the tools said of that (the observation)."""

    thought: str
    calls: tuple[str, ...]
    advice: Mapping[int, str]
    """By the number of the sentence, of those that are to change."""
    text: str
    feedback: tuple[Feedback, ...] = ()

    @property
    def action(self) -> Action:
        """What was planned."""
        plan = tuple(Improvement(number, "", advice) for number, advice in sorted(self.advice.items()))
        return Action(self.thought, self.calls, plan)


@dataclass(frozen=True, slots=True)
class PlannerTrajectory:
    """A request for the revision of a text, the calls that it means, and the steps that were taken."""

    id: str
    level: int
    """How many constraints the instruction has."""
    instruction: str
    calls: tuple[str, ...]
    text: str
    steps: tuple[PlannerStep, ...]
    source: str = ""
    """Where the text is from."""

    def before(self, step: int) -> str:
        """The text that a step found."""
        return self.steps[step - 1].text if step else self.text

    def to_dict(self) -> dict[str, Any]:
        """A line of a file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> PlannerTrajectory:
        """The inverse of `to_dict`; TypeError where a text is none."""
        texts = (found["instruction"], found["text"], *(one["text"] for one in found["steps"]))
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("texts are strings")
        steps = tuple(
            PlannerStep(
                one["thought"],
                tuple(one["calls"]),
                {int(number): advice for number, advice in one["advice"].items()},
                one["text"],
                tuple(Feedback(**values) for values in one["feedback"]),
            )
            for one in found["steps"]
        )
        return cls(
            found["id"], found["level"], found["instruction"], tuple(found["calls"]), found["text"], steps,
            found.get("source", ""),
        )  # fmt: skip


def tool_feedback(errors: float, findings: Findings) -> tuple[Feedback, ...]:
    """What the tools say of a text: its errors per 100 words, and each constraint."""
    checked = (Feedback(one.constraint.call, int(not one.met), one.message) for one in findings)
    return (Feedback(EVALUATION_CALL, None, f"{errors:.1f} errors per 100 words"), *checked)


def trajectory_conversations(trajectory: PlannerTrajectory) -> Iterator[Conversation]:
    """What a planner learns from a trajectory: each step, section by section, given the way to it.

    Only thought and action are learnt; observations stand in the request.
    """
    for number, step in enumerate(trajectory.steps):
        document = Document(trajectory.before(number), "text")
        for numbers in sections(document, BRIEF_ROOM):
            asked = brief_messages(trajectory.instruction, document, numbers, trajectory.steps[:number])
            advice = {place: words for place, words in step.advice.items() if place in numbers}
            answer = brief_answer(step.thought, step.calls, advice)
            yield Conversation((*asked, Message("assistant", answer)))


def read_trajectories(path: Path) -> Iterator[PlannerTrajectory]:
    """The trajectories of a JSONL file."""
    for where, found in read_objects(path, "a trajectory"):
        try:
            yield PlannerTrajectory.from_dict(found)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{where}: no trajectory; `redraft train trajectories` makes them") from None


def trajectory_lines(trajectories: Iterable[PlannerTrajectory]) -> Iterator[str]:
    """Lines of a JSONL file."""
    for one in trajectories:
        yield to_json(one.to_dict()) + "\n"


_CALLS = 192
"""Tokens that a thought and calls take at most."""
_SENTENCE = 20
"""Tokens that advice on a sentence takes, on average, at most."""
_MOST = 384
"""Tokens of an answer, at most; those that are learnt have up to 290."""


@dataclass(frozen=True, slots=True)
class PlannerState:
    """A trajectory up to now, and one section of the text that it has come to."""

    trajectory: PlannerTrajectory
    document: Document
    numbers: range

    @classmethod
    def of(cls, trajectory: PlannerTrajectory, seed: int | None = None) -> PlannerState:
        """The state after the last step; of a long text one section, drawn, or else the first."""
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
            max_tokens=min(_CALLS + (0 if calls else _SENTENCE * len(self.numbers)), _MOST),
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
