"""The strategies of `redraft revise` as systems under test: `search:low`, `iter:rounds=3`, `plan:person`.

After the colon, separated by commas: an effort (`low`, `medium`, `high`), `without=PART` for an ablation,
`gold` to be given the constraints instead of reading them from the instruction, `person` to follow the
sample's own plan, `rounds=N` for `iter`. Where constraints conflict, as many are met as can be.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Self, cast

from redraft.bench.base import Edited, Means
from redraft.bench.sample import Item
from redraft.errors import InputError
from redraft.models import Models
from redraft.revision import (
    EFFORT_SETTINGS,
    EFFORTS,
    Effort,
    ReviseOptions,
    Strategy,
    Switches,
    arevise,
    read_user_plan,
)

SEARCHING: Final = ("search", "repair")
PARTS: Final = tuple(each.name for each in fields(Switches))


@dataclass(frozen=True)
class Way:
    """What stands in a spec."""

    strategy: Strategy
    effort: Effort = "medium"
    switches: Switches = field(default_factory=Switches)
    is_gold: bool = False
    by_person: bool = False
    rounds: int = 5

    @classmethod
    def of(cls, spec: str) -> Self:
        """Read a spec; an option that the strategy has no use for is an error."""
        name, _, options = spec.partition(":")
        found: dict[str, Any] = {}
        off: dict[str, bool] = {}
        for option in filter(None, (part.strip() for part in options.split(","))):
            key, _, value = option.partition("=")
            if option in EFFORTS and name in SEARCHING:
                found["effort"] = option
            elif key == "without" and value in PARTS and name == "search":
                off[value] = False
            elif option == "gold":
                found["is_gold"] = True
            elif option == "person" and name in ("plan", "search"):
                found["by_person"] = True
            elif key == "rounds" and name == "iter" and value.isdecimal() and 1 <= int(value) <= 20:
                found["rounds"] = int(value)
            else:
                raise InputError(f"{name} takes no {option!r}; it takes {', '.join(_options(name))}")
        return cls(cast("Strategy", name), switches=Switches(**off), **found)

    @property
    def calls(self) -> int:
        """How many answers of a large model a text may take; a long one takes more, part by part."""
        limits = EFFORT_SETTINGS[self.effort].limits
        searching = limits.iterations * (1 + limits.children)
        return {"search": searching, "repair": 0, "cot": 2, "plan": 2, "iter": self.rounds}.get(
            self.strategy, 1
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """What decides the outputs, to be recorded with a run."""
        return {"pace": asdict(EFFORT_SETTINGS[self.effort])} if self.strategy in SEARCHING else {}


def _options(name: str) -> list[str]:
    found = ["gold"]
    found += EFFORTS if name in SEARCHING else ()
    found += [f"without={part}" for part in PARTS] if name == "search" else ()
    found += ["person"] if name in ("plan", "search") else ()
    return [*found, *(["rounds=N"] if name == "iter" else ())]


class Strategic:
    """Revises by one strategy; the instruction is all it is told, unless it may know the constraints."""

    def __init__(self, way: Way, models: Models, seed: int) -> None:
        self._way = way
        self._models = models
        self._seed = seed

    async def edit(self, item: Item) -> Edited:
        """The revised text, with the calls that were planned and the text after each round."""
        way, sample = self._way, item.sample
        plan = None
        if way.by_person:
            plan = read_user_plan(sample.plan, sample.input, sample.format)
        how = ReviseOptions(
            way.strategy, way.effort, best_effort=True, switches=way.switches, plan=plan, seed=self._seed,
            rounds=way.rounds, scored=False,
        )  # fmt: skip
        found = await arevise(
            sample.input,
            "" if way.is_gold and sample.calls else item.instruction,
            sample.calls if way.is_gold else (),
            models=self._models,
            options=how,
            documents=sample.documents,
            format=sample.format,
        )
        if (problem := found.failure or found.spent) is not None:
            raise problem
        more: dict[str, Any] = {}
        if found.calls and not way.is_gold:
            more["planned"] = list(found.calls)
        if len(found.rounds) > 1:
            more["rounds"] = list(found.rounds)
        if found.infeasible:
            more["infeasible"] = [conflict.to_dict() for conflict in found.infeasible]
        return Edited(found.text, found.usage, more)

    async def aclose(self) -> None:
        """The models belong to who opened them."""


def open_strategy(name: str, argument: str, means: Means) -> Strategic:
    """The system of a spec."""
    return Strategic(Way.of(f"{name}:{argument}"), means.models(), means.seed)
