"""The data that the parts of a revision share: candidates, plans, feedback, rewards, nodes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from redraft.constraints import Findings
from redraft.models import Usage
from redraft.quality import Quality


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may stand in the place of another: who made it, and why, in plain words."""

    text: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Change:
    """A passage of the original and what stands there now; `after` is empty where it was left out."""

    before: str
    after: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Improvement:
    """What to do about one sentence of a text; no advice means: leave it as it is.

    `edit` is what to ask of the embedded editor, in words that it was trained on; a planner may leave it
    empty.
    """

    sentence: int
    text: str
    advice: str = ""
    edit: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """What a planner decided: its thought, the tools to call, an improvement for each sentence."""

    thought: str
    calls: tuple[str, ...]
    plan: tuple[Improvement, ...]
    by: str = "rules"
    """`rules`, `person`, the spec of a model, or `rules and` such a spec."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a tool said of a text: the label (0 met, 1 not met, None for no verdict), and words."""

    tool: str
    label: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Reward:
    """R_g and R_c, each on 0 to 1; `preserved` is the share of names (LaTeX: keywords) within R_c."""

    quality: float
    constraints: float
    preserved: float | None = None

    @property
    def total(self) -> float:
        """R = R_g + R_c."""
        return self.quality + self.constraints


@dataclass(slots=True)
class Node:
    """A text that the search has reached: the action that led there, what the tools say, N and V."""

    id: int
    parent: Node | None
    action: Action | None
    text: str
    feedback: tuple[Feedback, ...]
    findings: Findings
    quality: Quality
    reward: Reward
    changes: tuple[Change, ...] = ()
    usage: Usage = field(default_factory=Usage)
    visits: int = 0
    value: float = 0.0
    children: list[Node] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """Steps from the root."""
        return 0 if self.parent is None else self.parent.depth + 1

    def to_dict(self) -> dict[str, Any]:
        """A line of the trajectory."""
        action = self.action or Action("", (), (), "")
        return {
            "event": "node",
            "id": self.id,
            "parent": None if self.parent is None else self.parent.id,
            "depth": self.depth,
            "by": action.by,
            "thought": action.thought,
            "calls": list(action.calls),
            "plan": [
                {"sentence": one.sentence, "text": one.text, "advice": one.advice} for one in action.plan
            ],
            "text": self.text,
            "feedback": [asdict(one) for one in self.feedback],
            "findings": [finding.to_dict() for finding in self.findings],
            "quality": self.quality.to_dict(),
            "reward": {**asdict(self.reward), "total": self.reward.total},
            "changes": [asdict(one) for one in self.changes],
            "usage": asdict(self.usage),
        }
