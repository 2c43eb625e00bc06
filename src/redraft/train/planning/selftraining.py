"""Self-training of a planner: it learns to prefer the better of its own answers (TRIPS, Algorithm 1).

Every iteration leaves `iteration-N/` with the requests and the way to where answers were sampled, the
answers, the pairs, the adapter and what was measured of it; a control leaves `control-N/` with pairs of the
same answers, drawn at random. A run that was killed goes on at the first of these that is missing.
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
    BatchModel,
    Planner,
    add_histories,
    describe_samples,
    mean_rows,
    measure_planner,
    measure_tool_use,
    preference_pair,
    random_pair,
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

SFT, CURVE, CONTROL = "sft", "curve.json", "control"
REQUESTS, ANSWERS, PAIRS, MEASURED = "requests.jsonl", "answers.jsonl", "pairs.jsonl", "measured.json"
HELD_OUT, SAMPLES = "held_out.jsonl", "samples.json"
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
    model: Model | BatchModel
    scorer: ActionScorer
    align: Callable[[Path, Path, Path], None]
    """Trains from the adapter of a folder, on a file of pairs, into a folder."""
    run: Callable[[Coroutine[Any, Any, Any]], Any]
    """Runs what waits for models, each time in the same event loop."""
    phases: Phases

    def to_the_end(self) -> dict[str, Any]:
        """Iterate until nothing improves; gives the curve, which is also written after each iteration."""
        points = [self._point(0)]
        control = points[:]
        reason = f"all {self.alignment.iterations} iterations are done"
        while len(points) <= self.alignment.iterations:
            number = len(points)
            pairs = self._pairs(number)
            if not pairs:
                reason = f"in iteration {number} no two answers differ enough"
                break
            self.align(self._folder(number - 1), self._folder(number) / PAIRS, self._folder(number))
            sampled = read_record(self._folder(number) / SAMPLES)
            points.append({**self._point(number), "pairs": pairs, "samples": sampled})
            self._written(points, control, "")
            if self.alignment.control:
                control.append(self._controlled(number))
                self._written(points, control, "")
            gained = points[-1]["score"] >= max(one["score"] for one in points[:-1]) + LEAST_GAIN
            if not gained and not self.alignment.every:
                reason = f"iteration {number} brought nothing more"
                break
        curve = self._written(points, control, reason)
        self._keep(self._folder(curve["best"]))
        return curve

    def _folder(self, number: int, arm: str = "iteration") -> Path:
        return self.out / (f"{arm}-{number}" if number else SFT)

    def _planner(self, number: int) -> Planner:
        return Planner(self.model, self._folder(number) / "adapter")

    def _controlled(self, number: int) -> dict[str, Any]:
        """Train the control on as many pairs of the same answers, in the same states; and measure it."""
        folder = self._folder(number, CONTROL)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / PAIRS
        if not path.exists():
            scored = [parse_json(line) for line in read_lines(self._folder(number) / PAIRS) if line.strip()]
            rows = (parse_json(line) for line in read_lines(self._folder(number) / ANSWERS))
            answers = {row["id"]: [text.strip() for text, _ in row["answers"]] for row in rows}
            _write_lines(path, (random_pair(one, answers[one["id"]], self._seed(number)) for one in scored))
        self.align(self._folder(number - 1, CONTROL), path, folder)
        return self._point(number, CONTROL)

    def _point(self, number: int, arm: str = "iteration") -> dict[str, Any]:
        """What is measured of a planner after an iteration; what was measured before is not again."""
        folder = self._folder(number, arm)
        path = folder / MEASURED
        known = read_record(path)
        planner, name = Planner(self.model, folder / "adapter"), f"{arm} {number}"
        if "held_out" not in known:
            rows = self.run(measure_planner(planner, self.held_out, self.scorer, self.phases, name))
            _write_lines(folder / HELD_OUT, rows)
            known["held_out"] = mean_rows(rows)
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
        scored = [[(next(scores), one) for one in own] for _, own in asked]
        found = (
            preference_pair(state, [(score, one.text.strip()) for score, one in own], self.alignment.margin)
            for state, own in zip(states, scored, strict=True)
        )
        pairs = [pair for pair in found if pair is not None]
        sampled = [
            [(score, read_answer(state, one)) for score, one in own]
            for state, own in zip(states, scored, strict=True)
        ]
        _write_json(self._folder(number) / SAMPLES, describe_samples(sampled, pairs))
        return pairs

    def _written(
        self, points: Sequence[Mapping[str, Any]], control: Sequence[Mapping[str, Any]], reason: str
    ) -> dict[str, Any]:
        """The curve so far, on disk."""
        best = max(points, key=lambda one: one["score"])["iteration"]
        curve = {
            "best": best,
            "reason": reason,
            "decided_by": "score (S_a) on held-out requests; what is watched decides nothing",
            "iterations": list(points),
            **({"control": list(control)} if self.alignment.control else {}),
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
