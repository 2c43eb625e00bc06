"""How much shorter or longer the text is than the original."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Bounds, Demand, Finding, Impossible, Phrased, Quantity
from redraft.constraints.bounds import LARGEST, Interval, plural
from redraft.constraints.counting import Reading
from redraft.constraints.kinds.counts import Counted, SentenceCount, WordCount
from redraft.errors import CallError

_ALL: Final = 100
"""Percent."""


@dataclass(frozen=True)
class RelativeLength(Phrased):
    """The text is at least so many percent, words or sentences shorter or longer than the original.

    Percent are of its words; with 0 it is no longer, or no shorter, than the original.
    """

    amount: int
    unit: Literal["percent", "words", "sentences"]
    relation: Literal["shorter", "longer"]

    name = "relative_length_check"

    def __post_init__(self) -> None:
        if not 0 <= self.amount <= LARGEST:
            raise CallError(f"{self.name}: the amount must be 0 to {LARGEST}, and is {self.amount}")
        if self.unit == "percent" and self.relation == "shorter" and self.amount >= _ALL:
            raise CallError(f"{self.name}: nothing is left of a text that is {self.amount} percent shorter")

    @property
    def needs_original(self) -> bool:
        """Its length is what the text's is measured by."""
        return True

    @property
    def quantity(self) -> Quantity:
        """What is counted."""
        return "sentences" if self.unit == "sentences" else "words"

    def _count(self, reading: Reading) -> int:
        return len(reading.sentences) if self.unit == "sentences" else reading.words

    def allowed(self, original: Reading) -> Interval:
        """The counts that are short, or long, enough beside this original."""
        has, share = self._count(original), self.unit == "percent"
        if self.relation == "shorter":
            return Interval(high=has * (_ALL - self.amount) // _ALL if share else has - self.amount)
        return Interval(low=math.ceil(has * (_ALL + self.amount) / _ALL) if share else has + self.amount)

    def absolute(self, original: Reading) -> Counted:
        """The same bound as a number, for when another text takes the original's place."""
        kind = SentenceCount if self.unit == "sentences" else WordCount
        allowed = self.allowed(original)
        if self.relation == "shorter":
            return kind(max(int(allowed.high), 0), "at most")  # type: ignore[arg-type]
        return kind(int(allowed.low), "at least")  # type: ignore[arg-type]

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the two counts."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        allowed, measured = self.allowed(original), self._count(revised)
        distance = allowed.distance(measured)
        most, end = ("at most", allowed.high) if self.relation == "shorter" else ("at least", allowed.low)
        has = f"{plural(measured, self.quantity[:-1])}, the original {self._count(original)}"
        message = f"{has}; wanted {self._wanted()}: {most} {end:g}"
        if distance:
            message += f", so {'cut' if measured > allowed.high else 'add'} at least {distance:g}"
        return Finding(self, not distance, measured, self._wanted(), message, distance)

    def _wanted(self) -> str:
        if not self.amount:
            return f"no {'longer' if self.relation == 'shorter' else 'shorter'} than the original"
        return f"at least {self._said()} {self.relation}"

    def _said(self) -> str:
        return f"{self.amount} percent" if self.unit == "percent" else plural(self.amount, self.unit[:-1])

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The counts that are allowed."""
        if original is None:
            return
        allowed = self.allowed(original)
        if allowed.high < 0:
            has = plural(self._count(original), self.quantity[:-1])
            yield Impossible(f"the text has {has}, and {self.amount} cannot be cut")
        yield Bounds(self.quantity, allowed)

    @property
    def phrased_as(self) -> str:
        """Shorter, longer and neither are said in different ways."""
        return f"relative {self.relation}{'' if self.amount else ' none'}"

    def parts(self) -> dict[str, str]:
        """The amount."""
        return {"amount": self._said()}
