"""Composition as a system under test: `compose[:PROTOCOL][,free]` writes a piece of its own.

It writes by outline, draft, review, refine and finish; with `free` its reasoner may say anything, as in the
paper, and what cannot be done is a failed step.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from redraft.bench.benchmark import Item
from redraft.bench.systems.kind import CallEstimate, Edited, System, SystemKind
from redraft.composition import (
    PROTOCOLS,
    ROLES,
    ComposeOptions,
    Outline,
    SectionText,
    Step,
    acompose,
    limits_for,
    read_brief,
)
from redraft.errors import BadAnswer, InputError
from redraft.models import Models

COMPOSE: Final = "compose"
FREE: Final = "free"
WHOLE: Final = ("expand", "end2end")
"""The tasks that ask for a whole piece."""
CALLS: Final = 20
"""About so many actions a piece takes (the paper's |T| is 13 to 30)."""


@dataclass(frozen=True)
class ProtocolOptions:
    """What stands in a spec: the protocol, and whether the reasoner is guarded."""

    protocol: str = "autonomous"
    guarded: bool = True

    def full(self, seed: int = 0) -> ComposeOptions:
        """How a piece is written."""
        protocol = next(known for known in PROTOCOLS if known == self.protocol)
        return ComposeOptions(protocol, guarded=self.guarded, seed=seed)


def _parse(argument: str | None) -> ProtocolOptions:
    words = [word for word in (argument or "").split(",") if word]
    free = FREE in words
    named = [word for word in words if word != FREE] or [ProtocolOptions.protocol]
    if len(named) > 1 or named[0] not in PROTOCOLS:
        known = ", ".join(PROTOCOLS)
        raise InputError(f"{COMPOSE} takes one of {known}, and {FREE}, not {','.join(words)[:60]!r}")
    if free and named[0] != "autonomous":
        raise InputError(f"{FREE} is for {COMPOSE}:autonomous: no reasoner chooses in {named[0]}")
    return ProtocolOptions(named[0], not free)


def _parameters(options: ProtocolOptions) -> dict[str, Any]:
    full = options.full()
    return {**asdict(options), **asdict(limits_for(full.protocol, full.limits))}


class Composes(System):
    """What `redraft compose` does with the instruction of an item, and its outline where there is one."""

    def __init__(self, options: ComposeOptions, models: Models) -> None:
        self._options = options
        self._models = models

    async def edit(self, item: Item) -> Edited:
        """The piece as far as it came; a model that gives no usable answer has failed, a service has not."""
        asking = item.sample.asking
        brief = read_brief(item.instruction, item.sample.input or (asking.style if asking else ""))
        found = await acompose(brief, models=self._models, options=self._options)
        if found.failure is not None and not isinstance(found.failure, BadAnswer):
            raise found.failure
        more = {
            "asked": None if brief.length is None else asdict(brief.length),
            "stopped": found.stopped,
            "dynamics": found.dynamics.to_dict(),
            "trajectory": [without_texts(step).to_dict() for step in found.steps],
        }
        return Edited(found.text, found.usage, more)


def without_texts(step: Step) -> Step:
    """A step as a record keeps it: what was done to which section, and what it took."""
    effect = step.effect
    if isinstance(effect, Outline):
        effect = Outline("", tuple(replace(section, title="", points=()) for section in effect.sections))
    elif isinstance(effect, SectionText):
        effect = SectionText("")
    elif effect is not None:
        effect = replace(effect, critique="")
    return replace(step, effect=effect, thought="", said="")


KINDS = (
    SystemKind(
        COMPOSE,
        _parse,
        lambda options, resources: Composes(options.full(resources.seed), resources.models()),
        roles=lambda options: ROLES,
        calls=lambda options, item: CallEstimate(CALLS, CALLS, 2),
        parameters=_parameters,
        covers=lambda options, item: item.sample.task in WHOLE,
        lacking=lambda options, plan: (
            f"whole pieces to write: {COMPOSE} does the tasks {' and '.join(WHOLE)} of c3e"
        ),
    ),
)
