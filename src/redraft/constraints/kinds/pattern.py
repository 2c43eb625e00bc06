"""A regular expression that the text must match somewhere, or nowhere."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import regex

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading
from redraft.constraints.demands import Demand, Matches
from redraft.constraints.kinds.keyword import quote
from redraft.errors import CallError, InputError
from redraft.text import Span

_SECONDS = 2.0
_MOST_REPEATS = 100_000
"""What the smallest counts in braces may multiply to: `regex` writes every repeat out, at 260 bytes each."""
_LEAST_COUNT = re.compile(r"\{\s*(\d+)")


@dataclass(frozen=True)
class Pattern(Constraint):
    """A pattern is required or forbidden."""

    pattern: str
    relation: Literal["require", "forbid"]

    name = "pattern_check"

    def __post_init__(self) -> None:
        if not self.pattern:
            raise CallError(f"{self.name}: the pattern is empty")
        _compiled(self.pattern)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for matches."""
        spans = matched(self.pattern, revised.text)
        where = f"in {plural(len(spans), 'place')}" if spans else "nowhere"
        message = f"/{self.pattern}/ matches {where}"
        if self.relation == "require":
            return Finding(self, bool(spans), len(spans), "a match", message, float(not spans))
        return Finding(self, not spans, len(spans), "no match", message, float(len(spans)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The pattern matches somewhere, or nowhere."""
        return (Matches(self.pattern, self.relation == "require"),)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        shown = quote(self.pattern) if "/" in self.pattern else f"/{self.pattern}/"
        if self.relation == "require":
            return [f"The text must match the pattern {shown}.", f"It must match the pattern {shown}."]
        return [f"The text must not match the pattern {shown}.", f"Nothing may match the pattern {shown}."]


def matched(pattern: str, text: str) -> tuple[Span, ...]:
    """Where a pattern matches. There is a time limit: it is user input, and may never end otherwise."""
    try:
        return tuple(Span(*match.span()) for match in _compiled(pattern).finditer(text, timeout=_SECONDS))
    except TimeoutError:
        raise InputError(
            f"the pattern {pattern!r} takes more than {_SECONDS:g} s on this text; simplify it"
        ) from None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    # Counts beside one another are multiplied like nested ones: no pattern that anyone needs comes near.
    least = [min(int(count[:9]), _MOST_REPEATS + 1) for count in _LEAST_COUNT.findall(pattern)]
    if math.prod(max(count, 1) for count in least[:100]) > _MOST_REPEATS:
        raise CallError(
            f"pattern_check: {pattern!r} repeats too often: the numbers in its braces may multiply to"
            f" {_MOST_REPEATS:,} at most"
        )
    try:
        return regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError) as error:
        raise CallError(f"pattern_check: {pattern!r} is not a regular expression: {error}") from None
