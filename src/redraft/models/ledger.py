"""What was spent, by model and by role, and a budget that ends a run cleanly."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from typing import Final

from redraft.errors import BudgetExceeded, SettingsError
from redraft.models.base import Usage
from redraft.settings import Price, Settings

SERVICES: Final = ("openai", "http", "https")
"""Schemes of models that somebody may send a bill for; other backends tell their prices themselves."""
UNKNOWN: Final = Usage(calls=sys.maxsize, prompt_tokens=sys.maxsize, cost=math.inf)
"""Reserved for what nobody can tell the size of: where there is a budget, it goes alone."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on a run; None is no limit."""

    cost: float | None = None
    calls: int | None = None
    tokens: int | None = None


class Ledger:
    """Adds up the usage of a run and refuses the first call that the budget does not cover.

    With a `parent`, it is a page in that ledger: all is booked in both, and the parent's budget holds too.
    """

    def __init__(self, budget: Budget | None = None, parent: Ledger | None = None) -> None:
        self._budget = budget or Budget()
        self._parent = parent
        self._entries: dict[tuple[str, str], Usage] = {}
        self._reserved: list[Usage] = []
        self._waiting: list[asyncio.Future[None]] = [] if parent is None else parent._waiting

    @classmethod
    def from_settings(cls, settings: Settings) -> Ledger:
        return cls(Budget(settings.max_cost, settings.max_calls, settings.max_tokens))

    @property
    def total(self) -> Usage:
        return sum(tuple(self._entries.values()), Usage())  # a copy: other threads ask, too

    def by_model(self) -> Mapping[str, Usage]:
        return self._grouped(0)

    def by_role(self) -> Mapping[str, Usage]:
        return self._grouped(1)

    def add(self, spec: str, role: str, usage: Usage) -> None:
        """Book what a model spent in a role; a number that cannot have been spent is nothing."""
        sound = _sound(usage)
        for page in self._pages():
            page._entries[spec, role] = page._entries.get((spec, role), Usage()) + sound

    @asynccontextmanager
    async def reserved(self, most: Usage) -> AsyncIterator[None]:
        """One call that takes so much at most, and is booked before this ends.

        It waits while the budget may not cover it beside the calls under way; alone it goes where anything
        is left. So the budget is overspent by one call at most. BudgetExceeded where nothing is left.
        """
        pages = tuple(self._pages())
        while not all(page._covers(most) for page in pages):
            settled = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled
        for page in pages:
            page._reserved.append(most)
        try:
            yield
        finally:
            for page in pages:
                page._reserved.remove(most)
            for waiting in self._waiting:
                if not waiting.done():  # it may have been cancelled
                    waiting.set_result(None)
            self._waiting.clear()

    def _covers(self, most: Usage) -> bool:
        """Whether the budget covers a call beside those under way; BudgetExceeded if it never will."""
        spent, reserved = self.total, sum(self._reserved, Usage())
        limits = (
            ("calls", spent.calls, reserved.calls, most.calls, self._budget.calls),
            ("tokens", spent.tokens, reserved.tokens, most.tokens, self._budget.tokens),
            ("cost", spent.cost, reserved.cost, most.cost, self._budget.cost),
        )
        fits = True
        for name, taken, under_way, wanted, limit in limits:
            if limit is None or not wanted:
                continue
            if taken >= limit:
                setting = "max_cost (--budget)" if name == "cost" else f"max_{name}"
                raise BudgetExceeded(
                    f"the budget is spent: {taken:g} of {limit:g} {name}",
                    hint=f"what was finished is kept; raise {setting} to go on",
                )
            fits = fits and (not under_way or taken + under_way + wanted <= limit)
        return fits

    def _pages(self) -> Iterator[Ledger]:
        page: Ledger | None = self
        while page is not None:
            yield page
            page = page._parent

    def _grouped(self, part: int) -> dict[str, Usage]:
        groups: dict[str, Usage] = {}
        for names, usage in self._entries.items():
            groups[names[part]] = groups.get(names[part], Usage()) + usage
        return groups


def price_of(spec: str, settings: Settings) -> Price | None:
    """The price of a service's model; SettingsError where a limit on cost cannot be kept without one."""
    model = spec.partition("#")[2] if "://" in spec else spec.partition(":")[2]
    price = settings.prices.get(model) or settings.prices.get(spec)
    if price is None and settings.max_cost is not None:
        raise SettingsError(
            f"a limit on cost cannot be kept: {model} has no price; say what a million of its tokens cost, in"
            f' redraft.toml: [prices."{model}"] with prompt = … and completion = … (0 where it is free)'
        )
    return price


def check_prices(settings: Settings, specs: Iterable[str]) -> None:
    """Raise where a limit on cost cannot be kept: before anything is spent, also on the other models."""
    for spec in specs:
        if spec.partition(":")[0] in SERVICES:
            price_of(spec, settings)


def remaining_budget(settings: Settings, spent: Usage) -> Settings:
    """The settings with what is left of the budget, for work that is done in several parts."""
    taken = {"max_cost": spent.cost, "max_calls": spent.calls, "max_tokens": spent.tokens}
    limits = {name: getattr(settings, name) for name in taken}
    return settings.model_copy(
        update={name: max(limit - taken[name], 0) for name, limit in limits.items() if limit is not None}
    )


def _sound(usage: Usage) -> Usage:
    wrong = {
        field.name: 0
        for field in fields(usage)
        if not (math.isfinite(value := getattr(usage, field.name)) and value >= 0)
    }
    return replace(usage, **wrong) if wrong else usage
