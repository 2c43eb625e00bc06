"""How the work went: measures of trajectories (RAVEL, §5.2 and §5.3) and lives of sections (Figure 4)."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from redraft.composition.actions import Limits, Name
from redraft.composition.state import Outline, Review
from redraft.composition.trajectory import Step


@dataclass(frozen=True, slots=True)
class Average:
    """A mean, and how far values lie from it."""

    mean: float
    spread: float | None = None
    """The sample standard deviation; None of fewer than two values."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Average | None:
        """The average of some values; None of none."""
        if not values:
            return None
        spread = statistics.stdev(values) if len(values) > 1 else None
        return cls(statistics.fmean(values), spread)


@dataclass(frozen=True, slots=True)
class LifeCycle:
    """When a section was drafted, and when it was done with: completed by a review, or the last turn."""

    section: int
    start: int
    end: int


Strategy = Literal["ISS", "PBS"]
"""Interleaved sequential synthesis: each section is reviewed before the next is begun. Parallelized batch
synthesis: everything is drafted, then reviewed and refined."""


@dataclass(frozen=True, slots=True)
class Dynamics:
    """The measures of one trajectory or several.

    A ratio is taken of each trajectory, and the mean is over these: long trajectories count no more than
    short ones. The gains and the life cycles are of the sections of all trajectories together. What needs an
    outline leaves out the trajectories that never had one; success and failures count them.
    """

    trajectories: int
    success: float
    """S (Eq. 8): how many finished within the steps that were allowed, in per cent."""
    efficiency: Average | None
    """η: steps per section of the outline; failed steps count."""
    reviews_per_section: Average | None
    """ρ as Eq. 9 is written, in per cent."""
    refinements_per_section: Average | None
    """ρ as the paper's table can only mean it: refinements instead of reviews, in per cent."""
    gain: Average | None
    """δ (Eq. 10): over the sections that were reviewed, refined and reviewed again, the last score minus the
    first, in points; None where there is no such section."""
    gain_percent: Average | None
    """The same in per cent of the first score."""
    failures: Average | None
    """ERR: steps that failed of all steps, in per cent."""
    outline: Average | None
    """Sections of the outline."""
    steps: Average | None
    """Steps of the trajectory; failed ones count."""
    lifetime: float | None
    """Δ_med: the median turn at which sections were done with, minus the median turn of their drafts."""
    strategies: Mapping[Strategy, int] = field(default_factory=dict)
    """How many trajectories have which strategy; one with fewer than two drafts has none."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data: the means, and the spreads where there are several trajectories."""
        averages: dict[str, Average | None] = {
            "efficiency": self.efficiency,
            "reviews_per_section": self.reviews_per_section,
            "refinements_per_section": self.refinements_per_section,
            "gain": self.gain,
            "gain_percent": self.gain_percent,
            "failures": self.failures,
            "outline": self.outline,
            "steps": self.steps,
        }
        found: dict[str, Any] = {"trajectories": self.trajectories, "success": self.success}
        found |= {name: average and average.mean for name, average in averages.items()}
        found |= {"lifetime": self.lifetime, "strategies": dict(self.strategies)}
        if self.trajectories > 1:
            found["spread"] = {name: average and average.spread for name, average in averages.items()}
        return found


def dynamics(trajectories: Iterable[Sequence[Step]], limits: Limits) -> Dynamics:
    """The measures of trajectories that were made within the same limits."""
    every = [tuple(steps) for steps in trajectories]
    outlined = [(steps, size) for steps in every if (size := _outline_size(steps))]
    gains = [gain for steps in every for gain in _gains(steps)]
    cycles = [cycle for steps in every for cycle in life_cycles(steps, limits)]
    finished = [_has_finished(steps, limits) for steps in every]
    return Dynamics(
        trajectories=len(every),
        success=100 * statistics.fmean(finished) if every else 0.0,
        efficiency=Average.of([len(steps) / size for steps, size in outlined]),
        reviews_per_section=Average.of([100 * _done(steps, "review") / size for steps, size in outlined]),
        refinements_per_section=Average.of([100 * _done(steps, "refine") / size for steps, size in outlined]),
        gain=Average.of([last - first for first, last in gains]),
        gain_percent=Average.of([100 * (last - first) / first for first, last in gains if first]),
        failures=Average.of(
            [100 * sum(bool(step.error) for step in steps) / len(steps) for steps in every if steps]
        ),
        outline=Average.of([size for _, size in outlined]),
        steps=Average.of([len(steps) for steps in every]),
        lifetime=median_lifetime(cycles),
        strategies=Counter(found for steps in every if (found := strategy_of(steps))),
    )


def strategy_of(steps: Sequence[Step]) -> Strategy | None:
    """ISS where more than half of the drafts after the first follow a review of the section drafted before.

    The paper names the two strategies by Figure 4 and gives no rule for them (§5.3): this one is ours.
    """
    drafted: dict[int, int] = {}
    reviewed: dict[int, int] = {}
    for step, number in _on_sections(steps):
        if isinstance(step.effect, Review):
            reviewed.setdefault(number, step.turn)
        elif step.action is not None and step.action.name == "draft":
            drafted.setdefault(number, step.turn)
    pairs = list(pairwise(drafted.items()))
    if not pairs:
        return None
    interleaved = sum(reviewed.get(before, turn) < turn for (before, _), (_, turn) in pairs)
    return "ISS" if 2 * interleaved > len(pairs) else "PBS"


def life_cycles(steps: Sequence[Step], limits: Limits) -> tuple[LifeCycle, ...]:
    """The life of each section that was drafted, by its number."""
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    for step, number in _on_sections(steps):
        if step.action is not None and step.action.name == "draft":
            starts.setdefault(number, step.turn)
        if isinstance(step.effect, Review) and step.effect.passed and step.effect.score >= limits.tau:
            ends.setdefault(number, step.turn)
    last = max((step.turn for step in steps), default=0)
    return tuple(LifeCycle(number, starts[number], ends.get(number, last)) for number in sorted(starts))


def median_lifetime(cycles: Sequence[LifeCycle]) -> float | None:
    """The difference of the medians that Figure 4 is captioned with; None of no sections."""
    if not cycles:
        return None
    ends = statistics.median(cycle.end for cycle in cycles)
    return float(ends - statistics.median(cycle.start for cycle in cycles))


def _has_finished(steps: Sequence[Step], limits: Limits) -> bool:
    return any(
        step.action is not None
        and step.action.name == "finish"
        and not step.error
        and step.number <= limits.max_steps
        for step in steps
    )


def _outline_size(steps: Sequence[Step]) -> int:
    outlines = [step.effect for step in steps if isinstance(step.effect, Outline) and not step.error]
    return len(outlines[-1].sections) if outlines else 0


def _done(steps: Sequence[Step], name: Name) -> int:
    return sum(step.action is not None and step.action.name == name and not step.error for step in steps)


def _gains(steps: Sequence[Step]) -> Iterator[tuple[float, float]]:
    """The first score and the last of each section that was refined between two reviews."""
    first: dict[int, float] = {}
    refined: set[int] = set()
    last: dict[int, float] = {}
    for step, number in _on_sections(steps):
        if isinstance(step.effect, Review):
            first.setdefault(number, step.effect.score)
            if number in refined:
                last[number] = step.effect.score
        elif step.action is not None and step.action.name == "refine" and number in first:
            refined.add(number)
    for number, score in last.items():
        yield first[number], score


def _on_sections(steps: Sequence[Step]) -> Iterator[tuple[Step, int]]:
    """The steps that did something to a section, with its number."""
    for step in steps:
        if step.action is not None and step.action.section is not None and not step.error:
            yield step, step.action.section
