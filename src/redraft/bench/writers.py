"""Systems that write a text of their own: a prompted model, and `compose[:PROTOCOL][,free]`.

`compose` writes by outline, draft, review, refine and finish; with `free` its reasoner may say anything, as
in the paper, and what cannot be done is a failed step.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Self

from redraft.bench.base import Edited, Means
from redraft.bench.benchmark import Asking, Item
from redraft.composition import PROTOCOLS, Outline, Step, Way, Written, acompose, limits_of, read_brief
from redraft.errors import BadAnswer, ContextOverflow, InputError
from redraft.models import Completion, Model, Models, Request

COMPOSE: Final = "compose"
FREE: Final = "free"
WHOLE: Final = ("expand", "end2end")
"""The tasks that ask for a whole piece."""
CALLS: Final = 20
"""About so many actions a piece takes (the paper's |T| is 13 to 30)."""
_LEAST: Final = 256
_FENCED: Final = re.compile(r"(`{3,}|~{3,})[\w-]*\n(.*?)\n?\1", re.DOTALL)
_PREFACE: Final = re.compile(
    r"(?:(?:sure|certainly|of course|okay|ok|absolutely|(?:here|below) (?:is|are)|here[’']s)\b[^\n]{0,200}"
    r"|(?:好的|当然|没问题|以下是|下面是|以下为)[^\n]{0,100})[:：][ \t*_]*\n+",
    re.IGNORECASE,
)


async def write(model: Model, asking: Asking, seed: int) -> Edited:
    """What a model answers, without what it says about it; `cut` where it was not done."""
    request = Request.of(
        asking.prompt, max_tokens=asking.max_tokens, temperature=asking.temperature, seed=seed
    )
    completion = await _fitting(model, request)
    cut = {"cut": True} if completion.finish_reason == "length" else {}
    return Edited(bare(completion.text), completion.usage, cut)


async def _fitting(model: Model, request: Request) -> Completion:
    """The answer in as much room as the context of the model leaves."""
    while True:
        try:
            (completion,) = await model.complete(request)
        except ContextOverflow:
            if request.max_tokens <= _LEAST:
                raise
            request = replace(request, max_tokens=max(request.max_tokens // 2, _LEAST))
        else:
            return completion


def bare(answer: str) -> str:
    """An answer without a conversational preface, and without the fence around all of it."""
    text = answer.strip()
    if found := _PREFACE.match(text):
        text = text[found.end() :].strip()
    fenced = _FENCED.fullmatch(text)
    return fenced[2].strip() if fenced and fenced[1] not in fenced[2] else text


@dataclass(frozen=True)
class ComposeWay:
    """What stands in a spec: the protocol, and whether the reasoner is guarded."""

    protocol: str = "autonomous"
    guarded: bool = True

    @classmethod
    def of(cls, spec: str) -> Self:
        """Read a spec."""
        words = [word for word in spec.partition(":")[2].split(",") if word]
        free = FREE in words
        protocols = [word for word in words if word != FREE] or [cls.protocol]
        if len(protocols) > 1 or protocols[0] not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            raise InputError(f"{COMPOSE} takes one of {known}, and {FREE}, not {','.join(words)[:60]!r}")
        if free and protocols[0] != "autonomous":
            raise InputError(f"{FREE} is for {COMPOSE}:autonomous: no reasoner chooses in {protocols[0]}")
        return cls(protocols[0], not free)

    def way(self, seed: int = 0) -> Way:
        """How a piece is written."""
        protocol = next(known for known in PROTOCOLS if known == self.protocol)
        return Way(protocol, guarded=self.guarded, seed=seed)

    @property
    def parameters(self) -> dict[str, Any]:
        """What decides the outputs, to be recorded with a run."""
        way = self.way()
        return {**asdict(self), **asdict(limits_of(way.protocol, way.limits))}


class Composes:
    """What `redraft compose` does with the instruction of an item, and its outline where there is one."""

    def __init__(self, way: Way, models: Models) -> None:
        self._way = way
        self._models = models

    async def edit(self, item: Item) -> Edited:
        """The piece as far as it came; a model that gives no usable answer has failed, a service has not."""
        asking = item.sample.asking
        brief = read_brief(item.instruction, item.sample.input or (asking.style if asking else ""))
        found = await acompose(brief, models=self._models, way=self._way)
        if found.failure is not None and not isinstance(found.failure, BadAnswer):
            raise found.failure
        more = {
            "asked": None if brief.length is None else asdict(brief.length),
            "stopped": found.stopped,
            "dynamics": found.dynamics.to_dict(),
            "trajectory": [without_texts(step).to_dict() for step in found.steps],
        }
        return Edited(found.text, found.usage, more)

    async def aclose(self) -> None:
        """The models belong to who opened them."""


def without_texts(step: Step) -> Step:
    """A step as a record keeps it: what was done to which section, and what it took."""
    effect = step.effect
    if isinstance(effect, Outline):
        effect = Outline("", tuple(replace(section, title="", points=()) for section in effect.sections))
    elif isinstance(effect, Written):
        effect = Written("")
    elif effect is not None:
        effect = replace(effect, critique="")
    return replace(step, effect=effect, thought="", said="")


def open_composer(argument: str, means: Means) -> Composes:
    """The system of a spec."""
    way = ComposeWay.of(f"{COMPOSE}:{argument}").way(means.seed)
    return Composes(way, means.models())
