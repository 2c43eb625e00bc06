"""The five actions, which of them are possible now, and why another is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from redraft.composition.state import Section, State

Name = Literal["outline", "draft", "review", "refine", "finish"]
NAMES: Final[tuple[Name, ...]] = get_args(Name)
_ON_SECTIONS: Final = ("draft", "review", "refine")
_SPELLED = re.compile(r"\s*(\w+)(?:[\s(\[:]+(?:section\s*)?#?(\d{1,4})?[)\]]?)?\s*\.?\s*", re.IGNORECASE)
STALLED: Final = 2
"""So many refinements in a row that gain nothing are a loop: the section is left as it is."""
PATIENCE: Final = 3
"""So often an action may fail, or a choice be none, before something else is done."""


@dataclass(frozen=True, slots=True)
class Action:
    """What is done next, and to which section; `outline` and `finish` concern the whole."""

    name: Name
    section: int | None = None

    def __str__(self) -> str:
        return self.name if self.section is None else f"{self.name} {self.section}"

    @classmethod
    def read(cls, text: str) -> Action:
        """The action that a text such as `draft 2` names; ValueError says what is wrong with it."""
        found = _SPELLED.fullmatch(text)
        name = found[1].lower() if found else ""
        if found is None or name not in NAMES:
            raise ValueError(f"{text[:60]!r} is no action; there are: {', '.join(NAMES)}")
        if name in _ON_SECTIONS and found[2] is None:
            raise ValueError(f"{name} needs the number of a section, as in: {name} 1")
        return cls(
            next(known for known in NAMES if known == name),
            int(found[2]) if name in _ON_SECTIONS else None,
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reasoner chose; `action` is None where its answer could not be read, and `problem` says why."""

    action: Action | None
    thought: str = ""
    said: str = ""
    problem: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    """What the action is to work on, where the reasoner says that too, as in the paper."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a section is good enough, and when enough is enough."""

    tau: float = 8.0
    max_steps: int = 50
    revisions: int = 3
    """How often a section is refined at most."""
    reviews: bool = True
    """Whether sections are reviewed at all."""
    best: bool = True
    """Whether the piece takes the version of a section with the highest score, or the last."""


def possible(state: State, limits: Limits, used: int) -> tuple[Action, ...]:
    """Every action that can be done now, `used` steps into the work; one of them always leads on.

    Steps are kept back for what is yet to be drafted, and to finish: in the end there is a whole piece.
    """
    return tuple(action for action in _all(state) if refusal(action, state, limits, used) is None)


def refusal(action: Action, state: State, limits: Limits, used: int) -> str | None:
    """Why an action cannot be done now, told to whoever chose it; None where it can."""
    if state.finished:
        return "the piece is finished"
    if action.name == "outline":
        return "there is an outline already" if state.sections else None
    if not state.sections:
        return f"there is no outline yet, so nothing to {action.name}: outline first"
    if action.name == "finish":
        return _unfinished(state, limits, used)
    number = action.section or 0
    if not 1 <= number <= len(state.sections):
        return f"there is no section {number}; the outline has 1 to {len(state.sections)}"
    return _refused(action.name, state.section(number), state, limits, used)


def room(state: State, limits: Limits, used: int) -> int:
    """How many steps are left beside those that drafting the rest, and finishing, will take."""
    return limits.max_steps - used - len(state.with_status("pending")) - 1


def is_settled(section: Section, state: State, limits: Limits) -> bool:
    """Whether a section is left as it is: completed, or refined as often as it may be or is of use."""
    passage = state.manuscript.get(section.id)
    if passage is None or section.status == "completed":
        return passage is not None
    if section.status == "drafted":
        return not limits.reviews or is_given_up(Action("review", section.id), state)
    return (
        passage.revisions >= limits.revisions
        or passage.stalled >= STALLED
        or is_given_up(Action("refine", section.id), state)
    )


def is_given_up(action: Action, state: State) -> bool:
    """Whether an action has failed too often to be tried again."""
    return state.failures.get(str(action), 0) >= PATIENCE


def loop_ended(number: int, state: State, limits: Limits) -> str:
    """What is said of a section whose last review ends its refining; empty where it did not."""
    passage = state.manuscript[number]
    if state.section(number).status == "completed" or not passage.revisions:
        return ""
    if passage.stalled >= STALLED:
        return f"refining section {number} gains nothing: its best version is kept"
    if passage.revisions >= limits.revisions:
        return f"section {number} was refined {passage.revisions} times: its best version is kept"
    return ""


def _all(state: State) -> Iterator[Action]:
    yield Action("outline")
    for name in ("draft", "review", "refine"):
        for section in state.sections:
            yield Action(name, section.id)
    yield Action("finish")


def _refused(name: Name, section: Section, state: State, limits: Limits, used: int) -> str | None:
    told = f"section {section.id} is {section.status.replace('_', ' ')}"
    if is_given_up(action := Action(name, section.id), state):
        return f"{action} has failed {PATIENCE} times: do something else"
    if name == "draft":
        return None if section.status == "pending" else f"{told}: it has a draft already"
    if section.status == "pending":
        return f"{told}: draft it first"
    if room(state, limits, used) < 1:
        return "the steps that are left are for drafting what is pending and to finish"
    if name == "review":
        if not limits.reviews:
            return "nothing is reviewed in this piece"
        return None if section.status == "drafted" else f"{told}: it was reviewed as it stands"
    if section.status != "revision_needed":
        return f"{told}: " + ("review it first" if section.status == "drafted" else "it is good enough")
    if is_settled(section, state, limits):
        return f"section {section.id} was refined {state.manuscript[section.id].revisions} times: leave it"
    return None


def _unfinished(state: State, limits: Limits, used: int) -> str | None:
    if pending := state.with_status("pending"):
        return f"section {pending[0].id} is not drafted yet"
    if room(state, limits, used) < 1:
        return None
    for section in state.sections:
        if not is_settled(section, state, limits):
            wanted = "reviewed" if section.status == "drafted" else "refined"
            return f"section {section.id} is still to be {wanted}"
    return None
