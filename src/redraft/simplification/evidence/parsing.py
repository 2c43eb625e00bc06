"""What parsers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from redraft.simplification.evidence.trees import Tree


class Parsed(NamedTuple):
    """The tree of a sentence, or why there is none."""

    tree: Tree | None
    problem: str = ""


class Parser(Protocol):
    """Finds how sentences are built."""

    @property
    def name(self) -> str:
        """Who parses, for records."""

    async def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        """A tree for each sentence; where there is none, the others still have theirs."""
