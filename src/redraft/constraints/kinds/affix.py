"""What the text begins and ends with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.counting import Reading, plain, straight
from redraft.constraints.demands import Demand, Edge
from redraft.constraints.kinds.keyword import check_keyword, quote
from redraft.text import Span

_CLOSERS = ".,;:!?…\"'”’)]}»。！？ "


@dataclass(frozen=True)
class StartsWith(Constraint):
    """The text starts with these words, whatever their case and white space."""

    text: str

    name = "starts_with_check"

    def __post_init__(self) -> None:
        check_keyword(self.name, self.text)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the beginning."""
        start, wanted = _fold(revised.text), _fold(self.text)
        met = start.startswith(wanted) and not _joined(start[len(wanted) - 1 : len(wanted) + 1])
        found = revised.text.strip()[: len(self.text) + 20]
        return _finding(self, met, f"starts with {quote(self.text)}", found, 0)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The words are in the text."""
        return (Edge("start", _fold(self.text)),)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        quoted = quote(self.text)
        return [
            f"Start with {quoted}.",
            f"The text must begin with {quoted}.",
            f"Open with the words {quoted}.",
            f"Begin the text with {quoted}.",
        ]


@dataclass(frozen=True)
class EndsWith(Constraint):
    """The text ends with these words, closing punctuation aside."""

    text: str

    name = "ends_with_check"

    def __post_init__(self) -> None:
        check_keyword(self.name, self.text)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the end."""
        end, wanted = _fold(revised.text), _fold(self.text)
        closed = end.rstrip(_CLOSERS), wanted.rstrip(_CLOSERS)
        met = any(
            text.endswith(words) and not _joined(text[len(text) - len(words) - 1 :][:2])
            for text, words in ((end, wanted), closed)
            if words
        )
        found = revised.text.strip()[-len(self.text) - 20 :]
        return _finding(self, met, f"ends with {quote(self.text)}", found, len(revised.text))

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The words are in the text, but for closing punctuation."""
        return (Edge("end", _fold(self.text).rstrip(_CLOSERS)),)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        quoted = quote(self.text)
        return [
            f"End with {quoted}.",
            f"The text must end with {quoted}.",
            f"Close with the words {quoted}.",
            f"Finish the text with {quoted}.",
        ]


def _finding(constraint: Constraint, met: bool, wanted: str, found: str, place: int) -> Finding:
    message = wanted if met else f"found “{found}”; wanted a text that {wanted}"
    spans = () if met else (Span(place, place),)
    return Finding(constraint, met, found, wanted, message, float(not met), spans)


def _fold(text: str) -> str:
    return plain(straight(text).lower())


def _joined(seam: str) -> bool:
    """Whether two characters belong to one word."""
    return len(seam) == 2 and re.fullmatch(r"\w\w", seam) is not None and seam.isascii()
