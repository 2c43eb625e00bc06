"""What was asked for: the topic, the style guide, and what can be read out of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]
Genre = Literal["essay", "academic", "report", "article", "speech", "story", "poetry", "letter", "guide"]


@dataclass(frozen=True, slots=True)
class Length:
    """How long the piece is to be: in words, in Chinese in characters; "about 900" is 900 to 900."""

    low: int
    high: int

    @property
    def target(self) -> int:
        """The middle."""
        return (self.low + self.high) // 2


@dataclass(frozen=True, slots=True)
class Brief:
    """The query of a piece, read."""

    topic: str
    style: str = ""
    language: Language = "en"
    genre: Genre = "article"
    length: Length | None = None
    headings: tuple[str, ...] = ()
    """Sections that were asked for by name."""
    points: tuple[str, ...] = ()
    """Further things that it is to speak of, in order."""
    title: str = ""
    """A title that was asked for."""
    audience: str = ""
