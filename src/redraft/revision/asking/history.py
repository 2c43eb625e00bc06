"""The way to a text, told within a budget: the latest step in full, older ones shortened or left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from redraft.revision.asking.prompting import shown
from redraft.revision.base import Action, Feedback

TOKENS = 800
CHARACTERS_A_TOKEN = 4

_VERDICTS: Mapping[int | None, str] = {0: "met", 1: "not met"}
_TURNS: Mapping[int | None, int] = {1: 0, 0: 2}


class Past(Protocol):
    """A text on the way: the action that led to it, and what the tools said of it. A Node is one."""

    @property
    def action(self) -> Action | None:
        """What was planned; nothing for the text that was given."""

    @property
    def feedback(self) -> Sequence[Feedback]:
        """What the tools said."""


def told(history: Sequence[Past], tokens: int = TOKENS) -> str:
    """The steps, with the root where it is given, in at most so many tokens; the latest are kept first."""
    if not history:
        return ""
    first = int(history[0].action is not None)
    room = tokens * CHARACTERS_A_TOKEN
    left_out = "(Earlier steps are left out.)"
    steps: list[str] = []
    for number in reversed(range(len(history))):
        forms = (_whole(number + first, history[number]), _short(number + first, history[number]))
        spare = len(left_out) + 1 if number else 0
        form = next((form for form in forms if len(form) + spare < room), None)
        if form is None:
            steps.append(left_out if steps else _cut(forms[1], room))
            break
        steps.append(form)
        room -= len(form) + 1
    return "\n".join(reversed(steps))


def checks(feedback: Sequence[Feedback], room: int) -> str:
    """What the tools said, what is not met first, in at most `room` characters."""
    lines: list[str] = []
    for one in sorted(feedback, key=lambda one: _TURNS.get(one.label, 1)):
        line = f"- {one.tool} ({_VERDICTS.get(one.label, 'noted')}): {shown(one.words, 240)}"
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return "\n".join(lines)


def _whole(number: int, node: Past) -> str:
    lines = [_heading(number, node.action)]
    if node.action is not None:
        lines.append(f"Thought: {shown(node.action.thought, 500)}")
        lines.append(f"Calls: {shown('; '.join(node.action.calls), 500) or 'none'}")
        advice = (f"{one.sentence}: {shown(one.advice, 120)}" for one in node.action.plan if one.advice)
        lines.append(f"Plan: {'; '.join(advice) or 'none'}")
    lines.append(f"Checks of the text then:\n{checks(node.feedback, 2000) or '- none'}")
    return "\n".join(lines)


def _short(number: int, node: Past) -> str:
    thought = shown(node.action.thought, 80) if node.action is not None else ""
    wrong = "; ".join(shown(one.words, 80) for one in node.feedback if one.label == 1)
    return f"{_heading(number, node.action)} {thought} Not met: {shown(wrong, 200) or 'nothing'}"


def _heading(number: int, action: Action | None) -> str:
    return f"Step {number}." if action is not None else "At the start."


def _cut(text: str, room: int) -> str:
    return text[: max(room - 1, 0)]
