"""A word or phrase that must stay, or must go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.bounds import Interval, plural
from redraft.constraints.counting import Reading
from redraft.constraints.demands import Demand, Lacks, Occurs
from redraft.errors import CallError


@dataclass(frozen=True)
class Keyword(Constraint):
    """A keyword is kept or removed.

    Kept means there, and (by `default`) no less often than in the original, or (by `constrev`) exactly as
    often as in the original.
    """

    keyword: str
    relation: Literal["keep", "remove"]

    name = "keyword_keep_removal_check"

    def __post_init__(self) -> None:
        check_keyword(self.name, self.keyword)

    @property
    def needs_original(self) -> bool:
        """Only keeping compares with the original."""
        return self.relation == "keep"

    def _allowed(self, original: Reading) -> Interval:
        before = len(original.occurrences(self.keyword))
        return Interval(before, before) if original.keeps_exactly else Interval(low=max(before, 1))

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Count the keyword in both texts."""
        if self.relation == "remove":
            spans = tuple(revised.uses(self.keyword))
            occurs = f"occurs {plural(len(spans), 'time')}" if spans else "does not occur"
            message = f'"{self.keyword}" {occurs}'
            wanted = f'"{self.keyword}" nowhere'
            return Finding(self, not spans, len(spans), wanted, message, float(len(spans)), spans)
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        allowed = self._allowed(original)
        found = len(revised.occurrences(self.keyword))
        distance = allowed.distance(found)
        often = f"{'exactly' if original.keeps_exactly else 'at least'} {plural(int(allowed.low), 'time')}"
        message = f'"{self.keyword}" occurs {plural(found, "time")}; wanted {often}'
        return Finding(self, not distance, found, f'"{self.keyword}" {often}', message, distance)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The keyword is absent, or occurs as often as keeping asks."""
        if self.relation == "remove":
            yield Lacks(self.keyword)
        elif original is not None:
            yield Occurs(self.keyword, self._allowed(original))

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        word = named(self.keyword)
        if self.relation == "keep":
            return [
                f"Do not change the {word}.",
                f"Keep the {word} unchanged.",
                f"Keep every use of the {word}.",
                f"Leave the {word} as it is.",
                f"Leave the {word} in place.",
                f"Preserve the {word}.",
                f"The {word} must remain unchanged.",
                f"The {word} must stay in the text.",
            ]
        return [
            f"Do not use the {word}.",
            f"Avoid using the {word}.",
            f"Avoid the {word}.",
            f"Remove the {word}.",
            f"Leave out the {word}.",
            f"Do without the {word}.",
            f"The {word} must not appear.",
            f"The {word} should not be used.",
        ]

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        word = named(self.keyword)
        if self.relation == "keep":
            return [f"the {word} {what}" for what in ("is kept", "stays in the text", "remains unchanged")]
        return [
            f"the {word} {what}" for what in ("does not appear", "is not used", "does not occur anywhere")
        ]


def check_keyword(name: str, keyword: str) -> None:
    """Refuse a keyword that no text can hold or lack."""
    if not keyword.strip():
        raise CallError(f"{name}: the keyword is empty")


def named(keyword: str) -> str:
    """What to call a keyword: `word "x"`, `phrase "x y"`."""
    return f"{'phrase' if ' ' in keyword else 'word'} {quote(keyword)}"


def quote(keyword: str) -> str:
    """The keyword between quotation marks that it does not itself contain, if there are any."""
    for opening, closing, ends in _MARKS:
        if not set(keyword) & set(ends):
            return f"{opening}{keyword}{closing}"
    return f'"{keyword}"'


# The marks, and all that a reader may take for their end: straight and curly ones are mixed in real typing.
_MARKS = (('"', '"', '"“”'), ("«", "»", "»"), ("`", "`", "`"), ("‹", "›", "›"), ("‘", "’", "'’"))
