"""Runs with all that is known of them, for the tables and figures of a benchmark that has its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redraft.bench.tables import Result
from redraft.runs import Record, RunDir


@dataclass(frozen=True)
class Scored:
    """A run with its scores."""

    run: RunDir
    result: Result
    facts: Record
    scores: Mapping[str, Any]

    @property
    def label(self) -> str:
        """What the run is called."""
        return self.result.label

    @property
    def details(self) -> Mapping[str, Any]:
        """What the benchmark has to say of it."""
        found: Mapping[str, Any] = self.scores.get("details", {})
        return found

    def count(self, dataset: str, metric: str) -> int:
        """How many texts of a data set a score stands on."""
        prompts = self.scores["datasets"].get(dataset, {}).get("prompts", {}).values()
        return sum(int(prompt["scores"].get(metric, {}).get("n", 0)) for prompt in prompts)


def scored(runs: Sequence[RunDir], results: Sequence[Result]) -> list[Scored]:
    """The runs with their scores and details."""
    pairs = zip(runs, results, strict=True)
    return [Scored(run, result, run.facts(), run.scores()) for run, result in pairs]
