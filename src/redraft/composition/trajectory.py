"""The steps of a piece: enough to see every choice, to measure the work, and to go on with it.

The folder of a piece keeps them, so that the work can go on after an interruption:

DIR/compose.json   what was asked for, and with which options
DIR/steps.jsonl    one finished step a line, append-only; of two with a number, the later counts
DIR/outline.md     the outline, where a person wants to see it first
DIR/revised.md     the piece as it was revised to meet its constraints, where it had to be
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from redraft.composition.actions import NAMES, Action, Limits
from redraft.composition.brief import Brief, Language, Length
from redraft.composition.form import Genre
from redraft.composition.state import Outline, Review, Section, SectionText, State
from redraft.constraints import CountingName
from redraft.errors import InputError
from redraft.models import Usage
from redraft.notation import parse_json
from redraft.settings import ROLES
from redraft.text import (
    Appender,
    complete_lines,
    is_private,
    read_text,
    replace_surrogates,
    to_json,
    write_text,
)

Effect = Outline | SectionText | Review


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
    params: Mapping[str, str] = field(default_factory=dict)
    """What the reasoner gave the action to work on, where it does that."""
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
            for name in ("thought", "said", "params", "error", "note", "by")
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
            params=value.get("params", {}),
            effect=_effect(value),
            error=value.get("error", ""),
            note=value.get("note", ""),
            by=value.get("by", ""),
            usage=Usage(**value["usage"]),
            seconds=float(value["seconds"]),
        )


def apply_step(state: State, step: Step, limits: Limits) -> State:
    """The state after one more step."""
    if step.action is None or step.said:
        return state
    if step.error:
        return state.failed(str(step.action))
    effect, number = step.effect, step.action.section
    if isinstance(effect, Outline):
        return state.outlined(effect)
    if isinstance(effect, Review) and number is not None:
        return state.reviewed(number, effect, limits.tau, best=limits.best)
    if isinstance(effect, SectionText) and number is not None:
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
        return SectionText(value["content"], value["summary"], value["changes"])
    return None


FACTS = "compose.json"
STEPS = "steps.jsonl"
_REVISED = "revised.md"


@dataclass(frozen=True, slots=True)
class JournalHeader:
    """What a folder was begun with."""

    brief: Brief
    calls: tuple[str, ...]
    options: dict[str, Any]
    models: dict[str, str]
    counting: CountingName
    prompts: str = ""
    """The hash of the prompts, where they can be replaced."""


class Journal(Appender):
    """The folder of one piece, open for writing; use it as a context."""

    option = "--trace"

    def __init__(self, folder: Path, kept: JournalHeader) -> None:
        self.folder = folder
        self.private = is_private(folder)
        # The file calls the options by the name that they had first.
        facts = {**asdict(kept), "calls": list(kept.calls)}
        self._begun = {("way" if name == "options" else name): value for name, value in facts.items()}
        super().__init__(folder / STEPS)

    def check_contents(self) -> None:
        """Raise where the folder holds another piece."""
        file = self.folder / FACTS
        if not file.exists():
            if next(complete_lines(self.path), None) is not None:
                raise InputError(
                    f"{self.folder} has steps of a piece, but no {FACTS}: choose another --trace"
                )
            return
        before = {"prompts": "", **_read(file)}
        for name in ("brief", "calls", "way", "models", "counting", "prompts"):
            if not _agrees(before.get(name), json.loads(json.dumps(self._begun[name]))):
                raise InputError(
                    f"{self.folder} holds another piece: its {name} differs; go on with --resume"
                    f" {self.folder} alone, or choose another --trace"
                )

    def begin(self) -> None:
        """Write down what is begun, where it is not yet."""
        if not (self.folder / FACTS).exists():
            text = to_json(self._begun, indent=2) + "\n"
            write_text(self.folder / FACTS, text, private=self.private)

    def steps(self) -> tuple[Step, ...]:
        """Every step that was finished, by number."""
        found: dict[int, Step] = {}
        for number, line in enumerate(complete_lines(self.path), 1):
            try:
                step = Step.from_dict(parse_json(line))
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f"{self.path}, line {number}, is no step: delete that line, and those after it"
                ) from None
            if not 1 <= step.number <= len(found) + 1:
                raise InputError(
                    f"{self.path}, line {number}: step {len(found) + 1} is missing: delete that line, and"
                    " those after it"
                )
            found[step.number] = step
        return tuple(found.values())

    def revised(self) -> str | None:
        """The piece as it was revised; None where it was not."""
        file = self.folder / _REVISED
        return read_text(file) if file.exists() else None

    def keep_revised(self, text: str) -> None:
        """Keep the piece as it was revised: nobody pays for that again."""
        write_text(self.folder / _REVISED, replace_surrogates(text), private=self.private)


def read_header(folder: Path) -> JournalHeader:
    """What a folder was begun with."""
    value = _read(folder / FACTS)
    try:
        brief = dict(value["brief"])
        length = None if brief["length"] is None else Length(**brief["length"])
        lists = {name: tuple(brief[name]) for name in ("headings", "points")}
        counting: CountingName = value["counting"]
        said = ((brief["language"], Language), (brief["genre"], Genre), (counting, CountingName))
        if any(name not in get_args(known) for name, known in said):
            raise ValueError
        # It may be somebody else's folder: nothing in it changes another setting.
        if not all(role in ROLES and isinstance(spec, str) for role, spec in value["models"].items()):
            raise ValueError
        return JournalHeader(
            Brief(**{**brief, **lists, "length": length}),
            tuple(value["calls"]),
            value["way"],
            value["models"],
            counting,
            value.get("prompts", ""),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{folder / FACTS} is damaged: begin the piece anew") from None


def _agrees(before: object, now: object) -> bool:
    """Whether what was written down still holds; a folder of an older version has less in it."""
    if isinstance(before, dict) and isinstance(now, dict):
        return all(_agrees(value, now.get(name)) for name, value in before.items())
    return before == now


def _read(file: Path) -> dict[str, Any]:
    try:
        value = parse_json(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{file.parent} is no folder of a piece: it has no {FACTS}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"{file} is damaged: it should hold an object")
    return value
