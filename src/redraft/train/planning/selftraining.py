"""Self-training of a planner: it learns to prefer the better of its own answers (TRIPS, Algorithm 1).

Every iteration leaves `iteration-N/` with the requests and the way to where answers were sampled, the
answers, the pairs, the adapter and what was measured of it. A run that was killed goes on at the first of
these that is missing.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from redraft.errors import InputError
from redraft.models import Completion, Model
from redraft.notation import parse_json
from redraft.text import open_for_writing, to_json, write_text
from redraft.train.planning.progress import Phases, Workers
from redraft.train.planning.sampling import (
    Planner,
    SampledAnswers,
    add_histories,
    measure_planner,
    measure_tool_use,
    preference_pair,
    read_answer,
    read_json,
)
from redraft.train.planning.scoring import ActionScorer, PlainReviser
from redraft.train.planning.trajectory import (
    PlannerState,
    PlannerTrajectory,
    read_trajectories,
    trajectory_lines,
)
from redraft.train.rows import read_lines

SFT, CURVE = "sft", "curve.json"
REQUESTS, ANSWERS, PAIRS, MEASURED = "requests.jsonl", "answers.jsonl", "pairs.jsonl", "measured.json"
KEPT: Final = ("adapter", "train.json")
"""What the best iteration leaves for use."""
LEAST: Final = 0.001
"""By so much S_a has to grow to count as an improvement."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a planner is aligned: how often, with how many texts and answers."""

    iterations: int = 4
    texts: int = 2000
    samples: int = 4
    """Answers in each state, of which the best and the worst make a pair."""
    steps: int = 5
    """The longest way to a state."""
    temperature: float = 0.8
    margin: float = 0.05
    """By so much the best answer has to be better than the worst."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.samples < 2:
            raise InputError(f"a pair needs at least 2 samples, not {self.samples}")


@dataclass(frozen=True, slots=True)
class TrainingTools:
    """What self-training works with; `run` runs what waits for models, each time in the same event loop."""

    fresh: Callable[[int, int], Coroutine[Any, Any, Sequence[PlannerTrajectory]]]
    """So many requests, without steps, from a seed."""
    model: Model
    reviser: PlainReviser
    scorer: ActionScorer
    workers: Workers
    align: Callable[[Path, Path, Path], None]
    """Trains from the adapter of a folder, on a file of pairs, into a folder."""
    run: Callable[[Coroutine[Any, Any, Any]], Any]
    phases: Phases


@dataclass(frozen=True, slots=True)
class SelfTraining:
    """One run, in a folder whose `sft/` holds the planner to begin with.

    What is held out decides when to stop and which iteration is the best; what is watched decides nothing.
    """

    out: Path
    alignment: Alignment
    aids: TrainingTools
    held_out: Sequence[PlannerTrajectory]
    watch: Mapping[str, Sequence[PlannerTrajectory]] = field(default_factory=dict)

    def to_the_end(self) -> dict[str, Any]:
        """Iterate until nothing improves; gives the curve, which is also written after each iteration."""
        points = [self._point(0)]
        reason = f"all {self.alignment.iterations} iterations are done"
        while len(points) <= self.alignment.iterations:
            number = len(points)
            pairs = self._pairs(number)
            if not pairs:
                reason = f"in iteration {number} no two answers differ enough"
                break
            self.aids.align(self._folder(number - 1), self._folder(number) / PAIRS, self._folder(number))
            points.append({**self._point(number), "pairs": pairs})
            self._written(points, "")
            if points[-1]["score"] < max(one["score"] for one in points[:-1]) + LEAST:
                reason = f"iteration {number} brought nothing more"
                break
        curve = self._written(points, reason)
        self._keep(self._folder(curve["best"]))
        return curve

    def _folder(self, number: int) -> Path:
        return self.out / (f"iteration-{number}" if number else SFT)

    def _planner(self, number: int) -> Planner:
        return Planner(self.aids.model, self._folder(number) / "adapter")

    def _point(self, number: int) -> dict[str, Any]:
        """What is measured of the planner after an iteration; what was measured before is not again."""
        path = self._folder(number) / MEASURED
        known = read_json(path)
        planner, phases = self._planner(number), self.aids.phases
        name = f"iteration {number}"
        if "held_out" not in known:
            known["held_out"] = self.aids.run(
                measure_planner(planner, self.held_out, self.aids.scorer, phases, name)
            )
            _write_json(path, known)
        seen = known.setdefault("watched", {})
        for what, requests in self.watch.items():
            if what not in seen:
                seen[what] = self.aids.run(
                    measure_tool_use(planner, requests, phases, f"{name}, watched {what}")
                )
                _write_json(path, known)
        return {
            "iteration": number,
            "score": known["held_out"]["total"],
            "held_out": known["held_out"],
            "watched": {what: seen[what] for what in self.watch},
        }

    def _pairs(self, number: int) -> int:
        """Make the pairs of an iteration with the planner of the one before; how many there are."""
        folder = self._folder(number)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / PAIRS
        if not path.exists():
            states = [PlannerState.of(one, self._seed(number)) for one in self._requests(number)]
            answers = self._answers(number, states)
            sampled = self.aids.run(self._scored(number, states, answers))
            found = [
                made for one in sampled if (made := preference_pair(one, self.alignment.margin)) is not None
            ]
            _write_lines(path, found)
            return len(found)
        return sum(1 for line in read_lines(path) if line.strip())

    def _seed(self, number: int) -> int:
        """Every iteration draws anew."""
        return (self.alignment.seed + 1) * 1_000 + number

    def _requests(self, number: int) -> list[PlannerTrajectory]:
        path = self._folder(number) / REQUESTS
        if not path.exists():
            seed = self._seed(number)
            with self.aids.phases.phase(f"iteration {number}, requests", self.alignment.texts):
                fresh = self.aids.run(self.aids.fresh(self.alignment.texts, seed))
            made = self.aids.run(
                add_histories(
                    self._planner(number - 1),
                    fresh,
                    self.aids.reviser,
                    self.aids.workers,
                    self.aids.phases,
                    steps=self.alignment.steps,
                    temperature=self.alignment.temperature,
                    seed=seed,
                    name=f"iteration {number}, histories",
                )
            )
            with open_for_writing(path) as file:
                file.writelines(trajectory_lines(made))
        return list(read_trajectories(path))

    def _answers(self, number: int, states: Sequence[PlannerState]) -> list[list[Completion]]:
        path = self._folder(number) / ANSWERS
        if not path.exists():
            found = self.aids.run(
                self._planner(number - 1).answers(
                    states,
                    self.aids.phases,
                    f"iteration {number}, answers",
                    temperature=self.alignment.temperature,
                    count=self.alignment.samples,
                    seed=self._seed(number),
                )
            )
            _write_lines(
                path,
                (
                    {
                        "id": state.trajectory.id,
                        "answers": [[one.text, one.finish] for one in answers],
                    }
                    for state, answers in zip(states, found, strict=True)
                ),
            )
        rows = [parse_json(line) for line in read_lines(path)]
        return [[Completion(text, reason) for text, reason in row["answers"]] for row in rows]

    async def _scored(
        self, number: int, states: Sequence[PlannerState], answers: Sequence[Sequence[Completion]]
    ) -> list[SampledAnswers]:
        actions = [
            (state, read_answer(state, one))
            for state, own in zip(states, answers, strict=True)
            for one in own
        ]
        scores = iter(await self.aids.scorer.score(actions, self.aids.phases, f"iteration {number}"))
        return [
            SampledAnswers(state, tuple(one.text.strip() for one in own), tuple(next(scores) for _ in own))
            for state, own in zip(states, answers, strict=True)
        ]

    def _written(self, points: Sequence[Mapping[str, Any]], reason: str) -> dict[str, Any]:
        """The curve so far, on disk."""
        best = max(points, key=lambda one: one["score"])["iteration"]
        curve = {
            "best": best,
            "reason": reason,
            "decided_by": "score (S_a) on held-out requests; what is watched decides nothing",
            "iterations": list(points),
        }
        _write_json(self.out / CURVE, curve)
        return curve

    def _keep(self, best: Path) -> None:
        """Copy what the best iteration left to where it is looked for."""
        for name in KEPT:
            source, target = best / name, self.out / name
            scratch = self.out / f".{name}"
            if source.is_dir():
                shutil.rmtree(scratch, ignore_errors=True)
                shutil.copytree(source, scratch)
                shutil.rmtree(target, ignore_errors=True)
                scratch.rename(target)
            elif source.exists():
                write_text(target, source.read_text(encoding="utf-8"))


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    write_text(path, to_json(value, indent=2) + "\n")


def _write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with open_for_writing(path) as file:
        file.writelines(to_json(row) + "\n" for row in rows)
