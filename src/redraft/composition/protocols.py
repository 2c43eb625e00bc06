"""Protocols: who decides what is done next. A reasoner decides freely, or the order is laid down."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

from redraft.composition.actions import Action, Limits, Name, possible, room
from redraft.composition.state import State
from redraft.errors import InputError

Protocol = Literal["autonomous", "fixed", "no_review", "no_refine", "batch"]
PROTOCOLS: Final[tuple[Protocol, ...]] = get_args(Protocol)
_AT_ONCE: Final[tuple[Name, ...]] = ("outline", "draft", "review", "refine", "finish")


@dataclass(frozen=True, slots=True)
class Way:
    """How a piece is written."""

    protocol: Protocol = "fixed"
    limits: Limits = field(default_factory=Limits)
    guarded: bool = True
    """Whether a reasoner is only offered what is possible, and loops are ended; without, as in the paper."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise InputError(f"unknown protocol {self.protocol!r}; use {', '.join(PROTOCOLS)}")
        limits = self.limits
        if not 1 <= limits.tau <= 10 or limits.max_steps < 3 or limits.revisions < 0:
            raise InputError(
                "tau is from 1 to 10, there are at least 3 steps, and revisions are 0 or more;"
                f" these are {limits.tau:g}, {limits.max_steps} and {limits.revisions}"
            )


def limits_of(protocol: Protocol, limits: Limits) -> Limits:
    """The limits as a protocol narrows them."""
    if protocol == "no_review":
        return replace(limits, reviews=False, revisions=0)
    return replace(limits, revisions=0) if protocol == "no_refine" else limits


def in_order(state: State, limits: Limits, used: int) -> Action | None:
    """The next action of the fixed order: each section is drafted, reviewed and refined before the next."""
    allowed = possible(state, limits, used)
    by_section = sorted(allowed, key=lambda action: (action.name == "finish", action.section or 0))
    return by_section[0] if by_section else None


def at_once(state: State, limits: Limits, used: int) -> tuple[Action, ...]:
    """The next actions of the batch order: all drafts together, all reviews, all refinements, and again."""
    allowed = possible(state, limits, used)
    for name in _AT_ONCE:
        if same := tuple(action for action in allowed if action.name == name):
            steps = limits.max_steps - used if name == "draft" else max(room(state, limits, used), 1)
            return same[:steps]
    return ()
