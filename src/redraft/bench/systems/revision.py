"""Revision as systems under test: its strategies (`search:low`, `iter:rounds=3`, `plan:person`), its planner.

After the colon, separated by commas: an effort (`low`, `medium`, `high`), `without=PART` for an ablation,
`gold` to be given the constraints instead of reading them from the instruction, `person` to follow the
sample's own plan, `rounds=N` for `iter`, `iterations=N` for `trips`, `prompts=DIR` for prompts in the place
of ours. Where constraints conflict, as many are met as can be.

`planner:rules`, `planner:model` and `planner:both` (or `planner`) only plan the tools for a text, which takes
a short answer or a few; the text stays as it is.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

from redraft.bench.benchmark import Item
from redraft.bench.systems.kind import CallEstimate, Edited, System, SystemKind, SystemResources
from redraft.constraints import parse
from redraft.errors import InputError
from redraft.metrics import EVALUATION_CALL
from redraft.models import Model, Models
from redraft.revision import (
    ASPECTS,
    EFFORTS,
    STRATEGIES,
    Action,
    Effort,
    EffortSettings,
    MeteredModel,
    ModelPlanner,
    ReviseOptions,
    Strategy,
    Switches,
    Task,
    arevise,
    is_trained_planner,
    prompts_hash,
    read_user_plan,
    suggested_constraints,
)
from redraft.text import Document

SEARCHING: Final = ("search", "repair")
_ABLATED: Final = ("search", "trips")
PARTS: Final = tuple(each.name for each in fields(Switches))


@dataclass(frozen=True)
class StrategyOptions:
    """What stands in the spec of a strategy."""

    strategy: Strategy
    effort: Effort = "medium"
    switches: Switches = field(default_factory=Switches)
    is_gold: bool = False
    by_person: bool = False
    rounds: int = 5
    iterations: int | None = None
    prompts: Path | None = None

    @property
    def settings(self) -> EffortSettings:
        """How hard it tries."""
        return ReviseOptions(self.strategy, self.effort, iterations=self.iterations).effort_settings


def parse_strategy(name: Strategy, argument: str | None) -> StrategyOptions:
    """Read the options of a strategy; one that the strategy has no use for is an error."""
    found: dict[str, Any] = {}
    off: dict[str, bool] = {}
    for option in filter(None, (part.strip() for part in (argument or "").split(","))):
        key, _, value = option.partition("=")
        if option in EFFORTS and name in SEARCHING:
            found["effort"] = option
        elif key == "without" and value in PARTS and name in _ABLATED:
            off[value] = False
        elif option == "gold":
            found["is_gold"] = True
        elif option == "person" and name in ("plan", "search"):
            found["by_person"] = True
        elif key == "rounds" and name == "iter" and value.isdecimal() and 1 <= int(value) <= 20:
            found["rounds"] = int(value)
        elif key == "iterations" and name == "trips" and value.isdecimal() and int(value):
            found["iterations"] = int(value)
        elif key == "prompts" and value and name != "repair":
            found["prompts"] = Path(value)
            prompts_hash(found["prompts"])  # raises where they cannot be used
        else:
            raise InputError(f"{name} takes no {option!r}; it takes {', '.join(_options(name))}")
    return StrategyOptions(name, switches=Switches(**off), **found)


def _options(name: str) -> list[str]:
    found = ["gold"]
    found += EFFORTS if name in SEARCHING else ()
    found += [f"without={part}" for part in PARTS] if name in _ABLATED else ()
    found += ["person"] if name in ("plan", "search") else ()
    found += ["iterations=N"] if name == "trips" else ()
    found += ["rounds=N"] if name == "iter" else ()
    return [*found, *(["prompts=DIR"] if name != "repair" else ())]


class Strategic(System):
    """Revises by one strategy; the instruction is all it is told, unless it may know the constraints."""

    def __init__(self, options: StrategyOptions, models: Models, seed: int) -> None:
        self._options = options
        self._models = models
        self._seed = seed

    async def edit(self, item: Item) -> Edited:
        """The revised text, with the calls that were planned and the text after each round."""
        options, sample = self._options, item.sample
        plan = None
        if options.by_person:
            plan = read_user_plan(sample.plan, sample.input, sample.format)
        how = ReviseOptions(
            options.strategy, options.effort, best_effort=True, switches=options.switches, plan=plan,
            seed=self._seed, rounds=options.rounds, iterations=options.iterations, scored=False,
            prompts=options.prompts,
        )  # fmt: skip
        found = await arevise(
            sample.input,
            "" if options.is_gold and sample.calls else item.instruction,
            sample.calls if options.is_gold else (),
            models=self._models,
            options=how,
            documents=sample.documents,
            format=sample.format,
        )
        if (problem := found.failure or found.spent) is not None:
            raise problem
        more: dict[str, Any] = {}
        if options.strategy == "trips":
            more = {"scored_by": found.scored_by, "prompts": found.prompts}
        if found.calls and not options.is_gold:
            more["planned"] = list(found.calls)
        if len(found.rounds) > 1:
            more["rounds"] = list(found.rounds)
        if found.infeasible:
            more["infeasible"] = [conflict.to_dict() for conflict in found.infeasible]
        return Edited(found.text, found.usage, more)


PLANNER: Final = "planner"
PLANNERS: Final = ("rules", "model", "both")


def _parse_planner(argument: str | None) -> str:
    way = argument or "both"
    if way not in PLANNERS:
        raise InputError(f"{PLANNER} takes no {way[:20]!r}; it takes {', '.join(PLANNERS)}")
    return way


class Plans(System):
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
        calls = (EVALUATION_CALL, *(constraint.call for constraint in instruction.constraints))
        if self._model is None:
            return Edited(sample.input, more={"planned": list(calls)})
        meter = MeteredModel(self._model)
        planner = ModelPlanner(
            meter, lambda text: Action("", (), ()), format=sample.format, brief=self._brief
        )
        planned = await planner.calls(item.instruction, sample.input)
        if self._way == "both":
            task = Task.of(sample.input, instruction, counting=self._counting, format=sample.format)
            planned = (*calls, *(constraint.call for constraint in suggested_constraints(task, planned)))
        return Edited(sample.input, meter.usage, {"planned": list(planned)})


def _open_planner(way: str, resources: SystemResources) -> Plans:
    settings = resources.models().settings
    brief = is_trained_planner(settings.model, settings.weights())
    if settings.model in ("embedded", "torch") and way != "rules" and not brief:
        raise InputError(f"{settings.model} has no adapter {PLANNER!r}; add one with `redraft models add`")
    return Plans(way, None if way == "rules" else resources.model(), settings.counting, brief=brief)


def _estimate(options: StrategyOptions, item: Item) -> CallEstimate:
    """How many answers of a large model a text may take; a long one takes more, part by part."""
    if options.strategy == "sentence":
        return CallEstimate(len(Document(item.sample.input, item.sample.format).sentences), 1, 1)
    limits = options.settings.limits
    searching = limits.iterations * (1 + limits.children)
    commented = searching + limits.iterations * limits.children * len(ASPECTS)
    most = {
        "search": searching, "trips": commented, "repair": 0, "cot": 2, "plan": 2, "iter": options.rounds,
    }  # fmt: skip
    calls = most.get(options.strategy, 1)
    return CallEstimate(calls, calls, calls)


def _parameters(options: StrategyOptions) -> dict[str, Any]:
    return _pace(options) | ({"prompts": prompts_hash(options.prompts)} if options.prompts else {})


def _pace(options: StrategyOptions) -> dict[str, Any]:
    if options.strategy not in (*SEARCHING, "trips"):
        return {}
    pace = asdict(options.settings)
    if not pace["limits"]["as_published"]:
        del pace["limits"]["as_published"], pace["limits"]["enough"]  # older runs do not have them
    return {"pace": pace}


def _planner_role(options: StrategyOptions) -> str | None:
    """The role that plans, where one is asked to: at low effort our search plans by rules."""
    asked = options.strategy == "trips" or (options.strategy == "search" and options.effort != "low")
    return "planner" if asked and options.switches.plan else None


def _strategy(name: Strategy) -> SystemKind[StrategyOptions]:
    return SystemKind(
        name,
        partial(parse_strategy, name),
        lambda options, resources: Strategic(options, resources.models(), resources.seed),
        roles=lambda options: ("reviser",),
        calls=_estimate,
        parameters=_parameters,
        covers=lambda options, item: not options.by_person or bool(item.sample.plan.strip()),
        lacking=lambda options, plan: f'plans of a person for {name}:person; write them under "plan"',
        also_recorded=("planner",),
        scores=True,
        planner=_planner_role,
    )


KINDS: tuple[SystemKind[Any], ...] = (
    *map(_strategy, STRATEGIES),
    SystemKind(
        PLANNER,
        _parse_planner,
        _open_planner,
        roles=lambda way: () if way == "rules" else ("model",),
        edits=False,
        planner=lambda way: None if way == "rules" else "model",
    ),
)
