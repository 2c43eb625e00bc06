"""Asking a planner in training: fresh requests, histories, sampled answers, pairs and measures."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Final, Protocol, runtime_checkable

from redraft.constraints import check, parse_call
from redraft.errors import CallError, ContextOverflow, InputError
from redraft.metrics import tool_use
from redraft.models import Completion, Model, Request
from redraft.quality import grammar_score
from redraft.revision import Feedback, PlanAnswer
from redraft.train.planning.generation import SourceText, fresh_requests
from redraft.train.planning.progress import Phases, Workers
from redraft.train.planning.scoring import WEIGHTS, ActionScore, ActionScorer, checks
from redraft.train.planning.trajectory import PlannerState, PlannerStep, PlannerTrajectory, tool_feedback
from redraft.train.rows import read_objects, read_some

LEVELS: Final = (0, 1, 2, 3)
"""Four constraints are for tests alone, as in the paper."""
_PART: Final = 40
"""Requests that one core makes at a time, as many of each level."""

CUT: Final = PlanAnswer("", (), {}, problem="the answer was cut off")


@runtime_checkable
class BatchModel(Protocol):
    """A model that is asked for everything at once."""

    async def complete_all(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """The answers to each request."""
        ...


@dataclass(frozen=True, slots=True)
class Planner:
    """A planner as it is by now: the model that it is a part of, and its adapter."""

    model: Model | BatchModel
    adapter: Path

    async def answers(
        self, states: Sequence[PlannerState], phases: Phases, name: str, **options: Any
    ) -> list[tuple[Completion, ...]]:
        """The answers in each state, all asked for at once; none where it does not fit the model."""
        model = self.model
        with phases.phase(name, len(states)) as phase:
            if isinstance(model, BatchModel):
                asked = [state.request(str(self.adapter), **options) for state in states]
                answers = await model.complete_all(asked)
                written = (answer.usage.completion_tokens for own in answers for answer in own)
                phase.add(len(states), sum(written))
                return answers

            async def one(state: PlannerState) -> tuple[Completion, ...]:
                try:
                    found = await model.complete(state.request(str(self.adapter), **options))
                except ContextOverflow:
                    found = ()
                phase.add(1, sum(answer.usage.completion_tokens for answer in found))
                return found

            return await asyncio.gather(*map(one, states))


async def draw_requests(
    texts: Sequence[SourceText], count: int, seed: int, workers: Workers
) -> list[PlannerTrajectory]:
    """So many fresh requests for the revision of texts, without steps, the same for the same seed."""
    parts = []
    for start in range(0, count, _PART):
        size = min(_PART, count - start)
        drawn = random.Random(f"{seed} texts {start}").sample(texts, min(len(texts), 4 * size))
        parts.append((drawn, size, seed * 1000 + start // _PART))
    return [one for part in await workers.map(_fresh, parts, fewest=2) for one in part]


def _fresh(part: tuple[Sequence[SourceText], int, int]) -> list[PlannerTrajectory]:
    texts, count, seed = part
    return list(fresh_requests(texts, LEVELS, count, seed))


def read_answer(state: PlannerState, answer: Completion) -> PlanAnswer:
    """The plan that an answer is; none, if it did not come to its end."""
    return state.read(answer) if answer.finish == "stop" else CUT


async def add_histories(
    planner: Planner,
    requests: Sequence[PlannerTrajectory],
    scorer: ActionScorer,
    phases: Phases,
    *,
    steps: int,
    temperature: float,
    seed: int,
    name: str,
) -> list[PlannerTrajectory]:
    """The requests with the way to where the next answer is sampled: up to `steps` steps, drawn for each.

    They are the planner's own, with what the tools said after each. A text of more than one section has none,
    and a planner that has nothing more to advise, or no plan, goes no further.
    """
    found = list(requests)
    lengths = [random.Random(f"{seed} {one.id}").randint(0, steps) for one in found]
    going = [place for place, one in enumerate(found) if PlannerState.of(one).whole]
    for number in range(1, steps + 1):
        going = [place for place in going if lengths[place] >= number]
        if not going:
            break
        asked = [PlannerState.of(found[place]) for place in going]
        called = f"{name}, step {number}"
        answers = await planner.answers(asked, phases, called, temperature=temperature, seed=seed + number)
        plans = [
            read_answer(state, answer[0]) if answer else CUT
            for state, answer in zip(asked, answers, strict=True)
        ]
        with phases.phase(f"{called}, edits and checks", len(going)):
            changes = await scorer.reviser.revised(
                [(state.document, plan.advice) for state, plan in zip(asked, plans, strict=True)]
            )
            moved = {
                place: (state, plan, state.document.replace(changed).text)
                for place, state, plan, changed in zip(going, asked, plans, changes, strict=True)
                if not plan.problem and changed
            }
            reached = [(state.trajectory, text) for state, _, text in moved.values()]
            observed = await scorer.workers.map(observe, reached)
        for (place, (state, plan, text)), feedback in zip(moved.items(), observed, strict=True):
            step = PlannerStep(plan.thought, plan.calls, plan.advice, text, feedback)
            found[place] = replace(state.trajectory, steps=(*state.trajectory.steps, step))
        going = list(moved)
    return found


def observe(reached: tuple[PlannerTrajectory, str]) -> tuple[Feedback, ...]:
    """What the tools say of a text: its errors, and each constraint of the request."""
    request, text = reached
    findings = check(text, checks(request.calls), original=request.text)
    return tool_feedback(grammar_score(text, "text"), findings)


def preference_pair(
    state: PlannerState, sampled: Sequence[tuple[ActionScore, str]], margin: float
) -> dict[str, Any] | None:
    """The best of the answers in a state against the worst; none where they are as good, or nearly."""
    if not sampled:
        return None
    high, best = max(sampled, key=lambda one: one[0].total)
    low, worst = min(sampled, key=lambda one: one[0].total)
    if high.total - low.total < margin or best == worst:
        return None
    return {
        "id": state.trajectory.id,
        "prompt": [{"role": message.role, "content": message.content} for message in state.messages],
        "chosen": [{"role": "assistant", "content": best}],
        "rejected": [{"role": "assistant", "content": worst}],
        "scores": [high.to_dict(), low.to_dict()],
    }


def random_pair(pair: Mapping[str, Any], answers: Sequence[str], seed: int) -> dict[str, Any]:
    """A pair in the same state of two of the same answers, whichever; one text is not held against itself."""
    chosen, rejected = random.Random(f"{seed} {pair['id']}").sample(sorted(set(answers)), 2)
    return {
        "id": pair["id"],
        "prompt": pair["prompt"],
        "chosen": [{"role": "assistant", "content": chosen}],
        "rejected": [{"role": "assistant", "content": rejected}],
    }


def describe_samples(
    sampled: Sequence[Sequence[tuple[ActionScore, PlanAnswer]]], pairs: Sequence[Mapping[str, Any]]
) -> dict[str, float]:
    """How far answers to one request differ, and what the pairs made of them teach."""
    states = [own for own in sampled if own]
    gains = [{name: pair["scores"][0][name] - pair["scores"][1][name] for name in WEIGHTS} for pair in pairs]
    longer = [len(pair["chosen"][0]["content"]) > len(pair["rejected"][0]["content"]) for pair in pairs]

    def share(differs: Callable[[tuple[ActionScore, PlanAnswer]], Hashable]) -> float:
        return _share([len({differs(one) for one in own}) > 1 for own in states])

    return {
        "states": len(states),
        "pairs": len(pairs),
        "no_plan": _share([bool(plan.problem) for own in states for _, plan in own]),
        "calls_differ": share(lambda one: frozenset(one[1].calls)),
        "advice_differs": share(lambda one: tuple(sorted(one[1].advice.items()))),
        "tools_differ": share(lambda one: round(one[0].tools, 6)),
        "constraints_differ": share(lambda one: round(one[0].constraints, 6)),
        "all_right": _share([all(score.tools == 1 for score, _ in own) for own in states]),
        "pairs_about_tools": _share([gain["tools"] > 0 for gain in gains]),
        "pairs_for_longer": _share(longer),
        **{
            f"gain_{name}": round(fmean(weight * gain[name] for gain in gains), 4) if gains else 0.0
            for name, weight in WEIGHTS.items()
        },
    }


def _share(found: Sequence[bool]) -> float:
    return round(sum(found) / len(found), 4) if found else 0.0


_NEEDS = "id, level, instruction, text and calls"


async def measure_planner(
    planner: Planner,
    requests: Sequence[PlannerTrajectory],
    scorer: ActionScorer,
    phases: Phases,
    name: str,
) -> list[dict[str, Any]]:
    """S_a and its parts, and the use of tools in per cent, of the greedy answer to each request."""
    asked = [PlannerState.of(one, 0) for one in requests]
    answers = await planner.answers(asked, phases, f"{name}, held out")
    given = [(one, found[0]) for one, found in zip(asked, answers, strict=True) if found]
    plans = [(one, read_answer(one, answer)) for one, answer in given]
    scores = await scorer.score(plans, phases, f"{name}, held out")
    return [
        {
            "id": one.trajectory.id,
            "level": one.trajectory.level,
            **score.to_dict(),
            **tool_use(one.read(answer).calls, one.trajectory.calls),
        }
        for (one, answer), score in zip(given, scores, strict=True)
    ]


async def measure_tool_use(
    planner: Planner, requests: Sequence[PlannerTrajectory], phases: Phases, name: str
) -> dict[str, Any]:
    """The use of tools alone, in per cent, of greedy answers that end where the plan would begin."""
    asked = [PlannerState.of(one) for one in requests]
    answers = await planner.answers(asked, phases, name, calls=True)
    return mean_rows(
        [
            {
                "level": one.trajectory.level,
                **tool_use(one.read(found[0]).calls if found else (), one.trajectory.calls),
            }
            for one, found in zip(asked, answers, strict=True)
        ]
    )


def read_requests(path: Path) -> tuple[PlannerTrajectory, ...]:
    """Requests with their calls, from the JSONL of a benchmark."""
    return tuple(read_some(path, _read_requests, "request"))


def _read_requests(path: Path) -> Iterator[PlannerTrajectory]:
    for where, row in read_objects(path, _NEEDS):
        match row:
            case {
                "id": name, "level": int(level), "instruction": str(asked), "text": str(text),
                "calls": [*calls],
            }:  # fmt: skip
                try:
                    parsed = tuple(parse_call(call).call for call in calls)
                except (CallError, TypeError) as error:
                    raise InputError(f"{where}: {error}") from None
                yield PlannerTrajectory(str(name), level, asked, parsed, text, ())
            case _:
                raise InputError(f"{where}: needs {_NEEDS}")


def mean_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The means of what was measured of each request: of all, and of each level."""
    levels = sorted({row["level"] for row in rows})
    return {
        **_mean(rows),
        "levels": {str(level): _mean([row for row in rows if row["level"] == level]) for level in levels},
    }


def _mean(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    names = [name for name in (rows[0] if rows else {}) if name not in ("id", "level")]
    return {"count": len(rows), **{name: round(fmean(row[name] for row in rows), 4) for name in names}}
