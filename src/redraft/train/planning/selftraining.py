"""Self-training of a planner: it learns to prefer the better of its own answers (TRIPS, Algorithm 1).

Every iteration leaves `iteration-N/` with the requests and the way to where answers were sampled, the
answers, the pairs, the adapter and what was measured of it. A run that was killed goes on at the first of
these that is missing.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from redraft.models import Completion, Model
from redraft.notation import parse_json
from redraft.text import open_for_writing, to_json, write_text
from redraft.train.config import LEAST_GAIN, Alignment
from redraft.train.planning.progress import Phases
from redraft.train.planning.sampling import (
    Planner,
    add_histories,
    measure_planner,
    measure_tool_use,
    preference_pair,
    read_answer,
)
from redraft.train.planning.scoring import ActionScorer
from redraft.train.planning.trajectory import (
    PlannerState,
    PlannerTrajectory,
    read_trajectories,
    trajectory_lines,
)
from redraft.train.rows import read_lines, read_record

SFT, CURVE = "sft", "curve.json"
REQUESTS, ANSWERS, PAIRS, MEASURED = "requests.jsonl", "answers.jsonl", "pairs.jsonl", "measured.json"
KEPT: Final = ("adapter", "train.json")
"""What the best iteration leaves for use."""


@dataclass(frozen=True, slots=True)
class SelfTraining:
    """One run, in a folder whose `sft/` holds the planner to begin with.

    What is held out decides when to stop and which iteration is the best; what is watched decides nothing.
    """

    out: Path
    alignment: Alignment
    held_out: Sequence[PlannerTrajectory]
    watch: Mapping[str, Sequence[PlannerTrajectory]]
    fresh: Callable[[int, int], Coroutine[Any, Any, Sequence[PlannerTrajectory]]]
    """So many requests, without steps, from a seed."""
    model: Model
    scorer: ActionScorer
    align: Callable[[Path, Path, Path], None]
    """Trains from the adapter of a folder, on a file of pairs, into a folder."""
    run: Callable[[Coroutine[Any, Any, Any]], Any]
    """Runs what waits for models, each time in the same event loop."""
    phases: Phases

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
            self.align(self._folder(number - 1), self._folder(number) / PAIRS, self._folder(number))
            points.append({**self._point(number), "pairs": pairs})
            self._written(points, "")
            if points[-1]["score"] < max(one["score"] for one in points[:-1]) + LEAST_GAIN:
                reason = f"iteration {number} brought nothing more"
                break
        curve = self._written(points, reason)
        self._keep(self._folder(curve["best"]))
        return curve

    def _folder(self, number: int) -> Path:
        return self.out / (f"iteration-{number}" if number else SFT)

    def _planner(self, number: int) -> Planner:
        return Planner(self.model, self._folder(number) / "adapter")

    def _point(self, number: int) -> dict[str, Any]:
        """What is measured of the planner after an iteration; what was measured before is not again."""
        path = self._folder(number) / MEASURED
        known = read_record(path)
        planner, name = self._planner(number), f"iteration {number}"
        if "held_out" not in known:
            measured = measure_planner(planner, self.held_out, self.scorer, self.phases, name)
            known["held_out"] = self.run(measured)
            _write_json(path, known)
        seen = known.setdefault("watched", {})
        for what, requests in self.watch.items():
            if what not in seen:
                used = measure_tool_use(planner, requests, self.phases, f"{name}, watched {what}")
                seen[what] = self.run(used)
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
            found = self.run(self._compared(number, states, answers))
            _write_lines(path, found)
            return len(found)
        return sum(1 for line in read_lines(path) if line.strip())

    def _seed(self, number: int) -> int:
        """Every iteration draws anew."""
        return (self.alignment.seed + 1) * 1_000 + number

    def _requests(self, number: int) -> list[PlannerTrajectory]:
        path = self._folder(number) / REQUESTS
        if not path.exists():
            seed, alignment = self._seed(number), self.alignment
            with self.phases.phase(f"iteration {number}, requests", alignment.texts):
                fresh = self.run(self.fresh(alignment.texts, seed))
            made = self.run(
                add_histories(
                    self._planner(number - 1),
                    fresh,
                    self.scorer,
                    self.phases,
                    steps=alignment.steps,
                    temperature=alignment.temperature,
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
            found = self.run(
                self._planner(number - 1).answers(
                    states,
                    self.phases,
                    f"iteration {number}, answers",
                    temperature=self.alignment.temperature,
                    count=self.alignment.samples,
                    seed=self._seed(number),
                )
            )
            rows = (
                {"id": state.trajectory.id, "answers": [[one.text, one.finish] for one in answers]}
                for state, answers in zip(states, found, strict=True)
            )
            _write_lines(path, rows)
        kept = (parse_json(line)["answers"] for line in read_lines(path))
        return [[Completion(text, reason) for text, reason in answers] for answers in kept]

    async def _compared(
        self, number: int, states: Sequence[PlannerState], answers: Sequence[Sequence[Completion]]
    ) -> list[dict[str, Any]]:
        """The pairs of answers that differ enough."""
        asked = list(zip(states, answers, strict=True))
        actions = [(state, read_answer(state, one)) for state, own in asked for one in own]
        scores = iter(await self.scorer.score(actions, self.phases, f"iteration {number}"))
        pairs = (
            preference_pair(state, [(next(scores), one.text.strip()) for one in own], self.alignment.margin)
            for state, own in asked
        )
        return [pair for pair in pairs if pair is not None]

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
