"""Trajectories from a model that plans and revises by itself, shown one example."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from redraft.constraints import Findings, check
from redraft.errors import FATAL, RedraftError
from redraft.metrics import tool_use
from redraft.models import Completion, Message, Model, Request
from redraft.quality import grammar_findings
from redraft.revision import Action, Feedback, ModelPlanner, ModelReviser
from redraft.text import Document
from redraft.train.planning.generation import EVALUATION, MOST_STEPS
from redraft.train.planning.trajectory import Step, Trajectory, conversations

_AT_ONCE: Final = 8
_RIGHT: Final = 100.0


@dataclass(frozen=True, slots=True)
class _Shown:
    """A model that is shown an example before it is asked."""

    model: Model
    example: tuple[Message, ...]

    @property
    def spec(self) -> str:
        return self.model.spec

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        system, *asked = request.messages
        return await self.model.complete(replace(request, messages=(system, *self.example, *asked)))


async def taught(
    requests: Iterable[Trajectory], example: Trajectory, model: Model, discarded: Counter[str]
) -> AsyncIterator[Trajectory]:
    """The requests with the steps that a model took, as long as each made the text better.

    Those in which it used its tools wrongly, or whose last text breaks a constraint, are discarded.
    """
    planner = ModelPlanner(_Shown(model, _turns(example)), lambda _: Action("", (), ()))
    left = iter(requests)
    while some := list(islice(left, _AT_ONCE)):
        found = await asyncio.gather(*(_tried(one, planner, ModelReviser(model)) for one in some))
        for one in found:
            if isinstance(one, str):
                discarded[one] += 1
            else:
                yield one


def _turns(example: Trajectory) -> tuple[Message, ...]:
    """The first step of a trajectory as a request and its answer."""
    first = next(conversations(example))
    return first.messages[1:]


async def _tried(request: Trajectory, planner: ModelPlanner, reviser: ModelReviser) -> Trajectory | str:
    try:
        return await _walked(request, planner, reviser)
    except RedraftError as error:
        if isinstance(error, FATAL):
            raise
        return "failed"


async def _walked(request: Trajectory, planner: ModelPlanner, reviser: ModelReviser) -> Trajectory | str:
    """The request with its steps, or why it is discarded."""
    steps: list[Step] = []
    text = request.text
    best = _standing(text, _checked(request, text))
    while len(steps) < MOST_STEPS:
        (action, *_) = await planner.plan(request.instruction, text, steps, seed=len(steps))
        if tool_use(action.calls, request.calls)["tool_exact"] < _RIGHT:
            return "tools used wrongly"
        advice = {one.sentence: one.advice for one in action.plan if one.advice}
        if not advice:
            break
        changed = await reviser.revise(text, action, instruction=request.instruction, seed=len(steps))
        text = Document(text).replace(changed).text
        findings = _checked(request, text)
        standing = _standing(text, findings)
        if standing <= best:
            break
        best = standing
        steps.append(Step(action.thought, action.calls, advice, text, tuple(_feedback(text, findings))))
    if not steps:
        return "nothing improved"
    made = replace(request, steps=tuple(steps))
    return made if _checked(request, steps[-1].text).met else "constraints broken"


def _checked(request: Trajectory, text: str) -> Findings:
    return check(text, request.calls, original=request.text)


def _standing(text: str, findings: Findings) -> tuple[int, int]:
    """What a step must raise: the constraints that are met, or else the absence of errors."""
    return sum(finding.met for finding in findings), -len(grammar_findings(text))


def _feedback(text: str, findings: Findings) -> Iterator[Feedback]:
    errors = 100 * len(grammar_findings(text)) / max(len(text.split()), 1)
    yield Feedback(EVALUATION, None, f"{errors:.1f} errors per 100 words")
    for finding in findings:
        yield Feedback(finding.constraint.call, int(not finding.met), finding.message)
