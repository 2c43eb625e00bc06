"""Asking a planner in training: for the way to a text, and for several answers to one question."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from redraft.constraints import check
from redraft.errors import ContextOverflow
from redraft.models import Completion, Model
from redraft.quality import grammar_score
from redraft.revision import Feedback, PlanAnswer
from redraft.train.planning.generation import EVALUATION, Text, fresh
from redraft.train.planning.phases import Phases
from redraft.train.planning.revising import PlainReviser
from redraft.train.planning.scoring import ActionScore, checks
from redraft.train.planning.situation import Situation
from redraft.train.planning.trajectory import Step, Trajectory
from redraft.train.planning.workers import Workers

LEVELS: Final = (0, 1, 2, 3)
"""Four constraints are for tests alone, as in the paper."""
_PART: Final = 40
"""Requests that one core makes at a time, as many of each level."""

CUT: Final = PlanAnswer("", (), {}, problem="the answer was cut off")


@dataclass(frozen=True, slots=True)
class Planner:
    """A planner as it is by now: the model that it is a part of, and its adapter."""

    model: Model
    adapter: Path

    async def answers(
        self, situations: Sequence[Situation], phases: Phases, name: str, **options: Any
    ) -> list[tuple[Completion, ...]]:
        """The answers in each situation, all asked for at once; none where it does not fit the model."""
        with phases.phase(name, len(situations)) as phase:

            async def one(situation: Situation) -> tuple[Completion, ...]:
                try:
                    found = await self.model.complete(situation.request(str(self.adapter), **options))
                except ContextOverflow:
                    found = ()
                phase.add(1, sum(answer.usage.completion_tokens for answer in found))
                return found

            return await asyncio.gather(*map(one, situations))


async def requests(texts: Sequence[Text], count: int, seed: int, workers: Workers) -> list[Trajectory]:
    """So many fresh requests for the revision of texts, without steps, the same for the same seed."""
    parts = []
    for start in range(0, count, _PART):
        size = min(_PART, count - start)
        drawn = random.Random(f"{seed} texts {start}").sample(texts, min(len(texts), 4 * size))
        parts.append((drawn, size, seed * 1000 + start // _PART))
    return [one for part in await workers.map(_fresh, parts, fewest=2) for one in part]


def _fresh(part: tuple[Sequence[Text], int, int]) -> list[Trajectory]:
    texts, count, seed = part
    return list(fresh(texts, LEVELS, count, seed))


def read(situation: Situation, answer: Completion) -> PlanAnswer:
    """The plan that an answer is; none, if it did not come to its end."""
    return situation.read(answer) if answer.finish_reason == "stop" else CUT


async def with_histories(
    planner: Planner,
    requests: Sequence[Trajectory],
    reviser: PlainReviser,
    workers: Workers,
    phases: Phases,
    *,
    steps: int,
    temperature: float,
    seed: int,
    name: str,
) -> list[Trajectory]:
    """The requests with the way to where the next answer is sampled: up to `steps` steps, drawn for each.

    They are the planner's own, with what the tools said after each. A text of more than one section has none,
    and a planner that has nothing more to advise, or no plan, goes no further.
    """
    found = list(requests)
    lengths = [random.Random(f"{seed} {one.id}").randint(0, steps) for one in found]
    going = [place for place, one in enumerate(found) if Situation.of(one).whole]
    for number in range(1, steps + 1):
        going = [place for place in going if lengths[place] >= number]
        if not going:
            break
        asked = [Situation.of(found[place]) for place in going]
        called = f"{name}, step {number}"
        answers = await planner.answers(asked, phases, called, temperature=temperature, seed=seed + number)
        plans = [
            read(situation, answer[0]) if answer else CUT
            for situation, answer in zip(asked, answers, strict=True)
        ]
        with phases.phase(f"{called}, edits and checks", len(going)):
            changes = await reviser.revised(
                [(situation.document, plan.advice) for situation, plan in zip(asked, plans, strict=True)]
            )
            moved = {
                place: (situation, plan, situation.document.replace(changed).text)
                for place, situation, plan, changed in zip(going, asked, plans, changes, strict=True)
                if not plan.problem and changed
            }
            said = await workers.map(observed, [(one.trajectory, text) for one, _, text in moved.values()])
        for (place, (situation, plan, text)), feedback in zip(moved.items(), said, strict=True):
            step = Step(plan.thought, plan.calls, plan.advice, text, feedback)
            found[place] = replace(situation.trajectory, steps=(*situation.trajectory.steps, step))
        going = list(moved)
    return found


def observed(reached: tuple[Trajectory, str]) -> tuple[Feedback, ...]:
    """What the tools say of a text: its errors, and each constraint of the request."""
    request, text = reached
    errors = Feedback(EVALUATION, None, f"{grammar_score(text, 'text'):.1f} errors per 100 words")
    findings = check(text, checks(request.calls), original=request.text)
    return (errors, *(Feedback(one.constraint.call, int(not one.met), one.message) for one in findings))


@dataclass(frozen=True, slots=True)
class Sampled:
    """The answers that were sampled in a situation, as they were written, and what each is worth."""

    situation: Situation
    answers: tuple[str, ...]
    scores: tuple[ActionScore, ...]


def pair(sampled: Sampled, margin: float) -> dict[str, Any] | None:
    """The best answer against the worst; none where they are as good, or nearly."""
    places = range(len(sampled.answers))
    best = max(places, key=lambda place: sampled.scores[place].total, default=None)
    worst = min(places, key=lambda place: sampled.scores[place].total, default=None)
    if best is None or worst is None:
        return None
    high, low = sampled.scores[best], sampled.scores[worst]
    if high.total - low.total < margin:
        return None
    return {
        "id": sampled.situation.trajectory.id,
        "prompt": [
            {"role": message.role, "content": message.content} for message in sampled.situation.messages
        ],
        "chosen": [{"role": "assistant", "content": sampled.answers[best]}],
        "rejected": [{"role": "assistant", "content": sampled.answers[worst]}],
        "scores": [high.to_dict(), low.to_dict()],
    }
