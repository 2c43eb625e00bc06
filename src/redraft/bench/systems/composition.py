"""Composition as a system under test: `compose[:PROTOCOL][,WORD…]` writes a piece of its own.

It writes by outline, draft, review, refine and finish. The words: `free`, with which the reasoner may say
anything, and what cannot be done is a failed step; `tau=8`, `steps=50`; and for the protocol of the paper,
`prompts=DIR` in place of ours.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from redraft.bench.benchmark import Item
from redraft.bench.systems.kind import CallEstimate, Edited, System, SystemKind
from redraft.composition import (
    PROTOCOLS,
    ROLES,
    ComposeOptions,
    Limits,
    PaperPrompts,
    Protocol,
    acompose,
    limits_for,
    read_brief,
)
from redraft.errors import BadAnswer, InputError
from redraft.models import Models

COMPOSE: Final = "compose"
FREE: Final = "free"
PAPER: Final = "paper"
WHOLE: Final = ("expand", "end2end")
"""The tasks that ask for a whole piece."""
CALLS: Final = 20
"""About so many actions a piece takes (the paper's |T| is 13 to 30)."""


@dataclass(frozen=True)
class ProtocolOptions:
    """What stands in a spec."""

    protocol: Protocol = "autonomous"
    guarded: bool = True
    limits: Limits = field(default_factory=Limits)
    prompts: PaperPrompts | None = None

    def full(self, seed: int = 0) -> ComposeOptions:
        """How a piece is written."""
        return ComposeOptions(self.protocol, self.limits, self.guarded, seed)

    def parameters(self) -> dict[str, Any]:
        """What run.json has of it."""
        found = {"protocol": self.protocol, "guarded": self.guarded}
        found |= asdict(limits_for(self.protocol, self.limits))
        return found | ({"prompts": self.prompts.hashes()} if self.prompts else {})


def _parse(argument: str | None) -> ProtocolOptions:
    words = [word for word in (argument or "").split(",") if word]
    values = dict(word.split("=", 1) for word in words if "=" in word)
    named = [word for word in words if "=" not in word and word != FREE] or [ProtocolOptions.protocol]
    protocol = next((known for known in PROTOCOLS if named == [known]), None)
    if protocol is None or set(values) - {"tau", "steps", "prompts"}:
        known = ", ".join(PROTOCOLS)
        raise InputError(
            f"{COMPOSE} takes one of {known}, and {FREE}, tau=N, steps=N, prompts=DIR,"
            f" not {','.join(words)[:60]!r}"
        )
    if FREE in words and protocol != "autonomous":
        raise InputError(f"{FREE} is for {COMPOSE}:autonomous: no reasoner is guarded in {protocol}")
    if "prompts" in values and protocol != PAPER:
        raise InputError(f"prompts=DIR is for {COMPOSE}:{PAPER}, not for {protocol}")
    usual = Limits()
    try:
        limits = Limits(float(values.get("tau", usual.tau)), int(values.get("steps", usual.max_steps)))
    except ValueError:
        raise InputError(f"tau and steps are numbers, as in {COMPOSE}:{PAPER},tau=7,steps=30") from None
    prompts = PaperPrompts.read(Path(values["prompts"]) if "prompts" in values else None)
    guarded = FREE not in words and protocol != PAPER
    found = ProtocolOptions(protocol, guarded, limits, prompts if protocol == PAPER else None)
    found.full()  # the limits are checked there
    return found


class Composes(System):
    """What `redraft compose` does with the instruction of an item, and its outline where there is one."""

    def __init__(self, options: ProtocolOptions, seed: int, models: Models) -> None:
        self._options = options
        self._seed = seed
        self._models = models

    async def edit(self, item: Item) -> Edited:
        """The piece as far as it came; a model that gives no usable answer has failed, a service has not."""
        asking = item.sample.asking
        brief = read_brief(item.instruction, item.sample.input or (asking.style if asking else ""))
        found = await acompose(
            brief,
            models=self._models,
            options=self._options.full(self._seed),
            prompts=self._options.prompts,
        )
        if found.failure is not None and not isinstance(found.failure, BadAnswer):
            raise found.failure
        more = {
            "asked": None if brief.length is None else asdict(brief.length),
            "stopped": found.stopped,
            "limits": asdict(found.limits),
            "dynamics": found.dynamics.to_dict(),
            "trajectory": [step.to_dict() for step in found.steps],
        }
        return Edited(found.text, found.usage, more)


KINDS = (
    SystemKind(
        COMPOSE,
        _parse,
        lambda options, resources: Composes(options, resources.seed, resources.models()),
        roles=lambda options: ROLES,
        calls=lambda options, item: CallEstimate(CALLS, CALLS, 2),
        parameters=ProtocolOptions.parameters,
        covers=lambda options, item: item.sample.task in WHOLE,
        lacking=lambda options, plan: (
            f"whole pieces to write: {COMPOSE} does the tasks {' and '.join(WHOLE)} of c3e"
        ),
    ),
)
