"""Planners as systems under test: `planner:rules`, `planner:model`, `planner:both`, or `planner` for both.

Only the tools for a text are asked for, which takes a short answer or a few; the text stays as it is.
"""

from __future__ import annotations

from typing import Final

from redraft.bench.base import Edited, Means
from redraft.bench.sample import Item
from redraft.constraints import parse
from redraft.errors import InputError
from redraft.metrics import JUDGING
from redraft.models import Model
from redraft.revision import (
    Action,
    MeteredModel,
    ModelPlanner,
    Task,
    is_trained_planner,
    suggested_constraints,
)

PLANNER: Final = "planner"
WAYS: Final = ("rules", "model", "both")


def way_of(spec: str) -> str:
    """Who plans by a spec."""
    way = spec.partition(":")[2] or "both"
    if way not in WAYS:
        raise InputError(f"{PLANNER} takes no {way[:20]!r}; it takes {', '.join(WAYS)}")
    return way


class Plans:
    """Reads the tools from an instruction: by rules, by a model, or by rules with what the model adds."""

    def __init__(self, way: str, model: Model | None, counting: str, *, brief: bool) -> None:
        self._way = way
        self._model = model
        self._counting = counting
        self._brief = brief

    async def edit(self, item: Item) -> Edited:
        """The text as it is, with the calls that were planned."""
        sample = item.sample
        instruction = parse(item.instruction)
        calls = (JUDGING, *(constraint.call for constraint in instruction.constraints))
        if self._model is None:
            return Edited(sample.input, more={"planned": list(calls)})
        meter = MeteredModel(self._model)
        planner = ModelPlanner(
            meter, lambda text: Action("", (), ()), format=sample.format, brief=self._brief
        )
        said = await planner.calls(item.instruction, sample.input)
        if self._way == "both":
            task = Task.of(sample.input, instruction, counting=self._counting, format=sample.format)
            said = (*calls, *(constraint.call for constraint in suggested_constraints(task, said)))
        return Edited(sample.input, meter.usage, {"planned": list(said)})

    async def aclose(self) -> None:
        """The model belongs to who opened it."""


def open_planner(argument: str, means: Means) -> Plans:
    """The system of a spec."""
    way, settings = way_of(f"{PLANNER}:{argument}"), means.models().settings
    brief = is_trained_planner(settings.model, settings.weights())
    if settings.model in ("embedded", "torch") and way != "rules" and not brief:
        raise InputError(f"{settings.model} has no adapter {PLANNER!r}; add one with `redraft models add`")
    return Plans(way, None if way == "rules" else means.model(), settings.counting, brief=brief)
