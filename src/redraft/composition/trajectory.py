"""What was done, step by step: enough to see every choice, to measure the work, and to go on with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from redraft.composition.actions import NAMES, Action
from redraft.composition.state import Outline, Review, Section, State, Written
from redraft.models import Usage

Effect = Outline | Written | Review


@dataclass(frozen=True, slots=True)
class Step:
    """One action and what came of it; with an error it failed, and changed nothing."""

    number: int
    """From 1."""
    turn: int
    """From 1; steps that were taken at the same time share it."""
    action: Action | None
    """None where what was said could not be read as an action."""
    thought: str = ""
    said: str = ""
    """What the model said, where that was no action, or none that is possible."""
    effect: Effect | None = None
    error: str = ""
    note: str = ""
    """What the loop did beside it, such as ending a loop."""
    by: str = ""
    """The model that did it."""
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As plain data; empty parts are left out."""
        found: dict[str, Any] = {"step": self.number, "turn": self.turn}
        if self.action is not None:
            found |= {"action": self.action.name, "section": self.action.section}
        found |= {
            name: value
            for name in ("thought", "said", "error", "note", "by")
            if (value := getattr(self, name))
        }
        if self.effect is not None:
            found |= _effect_data(self.effect)
        return {**found, "usage": self.usage.to_dict(), "seconds": round(self.seconds, 3)}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Step:
        """The step that `to_dict` described; KeyError, TypeError or ValueError where it is none."""
        action = Action(value["action"], value["section"]) if "action" in value else None
        if action is not None and action.name not in NAMES:
            raise ValueError(f"{action.name!r} is no action")
        return cls(
            number=int(value["step"]),
            turn=int(value["turn"]),
            action=action,
            thought=value.get("thought", ""),
            said=value.get("said", ""),
            effect=_effect(value),
            error=value.get("error", ""),
            note=value.get("note", ""),
            by=value.get("by", ""),
            usage=Usage(**value["usage"]),
            seconds=float(value["seconds"]),
        )


def after(state: State, step: Step, tau: float) -> State:
    """The state after one more step."""
    if step.action is None or step.said:
        return state
    if step.error:
        return state.failed(str(step.action))
    effect, number = step.effect, step.action.section
    if isinstance(effect, Outline):
        return state.outlined(effect)
    if isinstance(effect, Review) and number is not None:
        return state.reviewed(number, effect, tau)
    if isinstance(effect, Written) and number is not None:
        change = state.drafted if step.action.name == "draft" else state.refined
        return change(number, effect)
    return replace(state, finished=step.action.name == "finish")


def _effect_data(effect: Effect) -> dict[str, Any]:
    if isinstance(effect, Outline):
        return {"title": effect.title, "outline": [section.to_dict() for section in effect.sections]}
    if isinstance(effect, Review):
        return {"score": effect.score, "critique": effect.critique, "passed": effect.passed}
    return {"content": effect.content, "summary": effect.summary, "changes": effect.note}


def _effect(value: Mapping[str, Any]) -> Effect | None:
    if "outline" in value:
        sections = tuple(Section.from_dict(section) for section in value["outline"])
        return Outline(value["title"], sections)
    if "score" in value:
        return Review(value["score"], value["critique"], value["passed"])
    if "content" in value:
        return Written(value["content"], value["summary"], value["changes"])
    return None
