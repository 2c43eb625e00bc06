"""What was spent, by model and by role, and a budget that ends a run cleanly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from redraft.errors import BudgetExceeded
from redraft.models.base import Usage
from redraft.settings import Settings


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
        self._under_way = 0

    @classmethod
    def from_settings(cls, settings: Settings) -> Ledger:
        return cls(Budget(settings.max_cost, settings.max_calls, settings.max_tokens))

    @property
    def total(self) -> Usage:
        return sum(self._entries.values(), Usage())

    def by_model(self) -> Mapping[str, Usage]:
        return self._grouped(0)

    def by_role(self) -> Mapping[str, Usage]:
        return self._grouped(1)

    def add(self, spec: str, role: str, usage: Usage) -> None:
        """Book what a model spent in a role."""
        self._entries[spec, role] = self._entries.get((spec, role), Usage()) + usage
        if self._parent is not None:
            self._parent.add(spec, role, usage)

    @contextmanager
    def call(self) -> Iterator[None]:
        """One call: BudgetExceeded instead, if the budget does not cover it beside those under way."""
        total = self.total
        spent = (
            ("calls", total.calls + self._under_way, self._budget.calls),
            ("tokens", total.tokens, self._budget.tokens),
            ("cost", total.cost, self._budget.cost),
        )
        for name, amount, limit in spent:
            if limit is not None and amount >= limit:
                setting = "max_cost (--budget)" if name == "cost" else f"max_{name}"
                raise BudgetExceeded(
                    f"the budget is spent: {amount:g} of {limit:g} {name}",
                    hint=f"what was finished is kept; raise {setting} to go on",
                )
        self._under_way += 1
        try:
            with nullcontext() if self._parent is None else self._parent.call():
                yield
        finally:
            self._under_way -= 1

    def _grouped(self, part: int) -> dict[str, Usage]:
        groups: dict[str, Usage] = {}
        for names, usage in self._entries.items():
            groups[names[part]] = groups.get(names[part], Usage()) + usage
        return groups
