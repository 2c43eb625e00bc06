"""Where something stands in a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Format = Literal["text", "markdown", "latex"]


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of offsets into a string."""

    start: int
    end: int
