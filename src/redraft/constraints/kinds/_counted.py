"""The shape that the kinds with one measured number share: a count, a relation, a unit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.bounds import Relation, correction, interval, plural, settle, wording
from redraft.constraints.counting import Reading
from redraft.constraints.demands import Bounds, Demand, Quantity


@dataclass(frozen=True)
class Counted(Constraint):
    """A bound on one count of the whole text."""

    count: int
    relation: Relation

    unit: ClassVar[str]
    quantity: ClassVar[Quantity]

    def __post_init__(self) -> None:
        settle(self, "count")

    @abstractmethod
    def measure(self, revised: Reading) -> int:
        """The count."""

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the count with the bound."""
        measured = self.measure(revised)
        distance = interval(self.count, self.relation).distance(measured)
        wanted = wording(self.count, self.relation, self.unit)
        message = f"{plural(measured, self.unit)}; wanted {wanted}"
        if distance:
            message += f": {correction(self.count, self.relation, measured, ('add', 'cut'))}"
        return Finding(self, not distance, measured, wanted, message, distance)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval that the bound allows."""
        return (Bounds(self.quantity, interval(self.count, self.relation)),)
