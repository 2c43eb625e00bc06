"""A quality scorer that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Meaning:
    similarity: float = 1.0
    changes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quality:
    perplexity: float = 10.0
    likelihood: float | None = None
    grammar: float = 1.0
    findings: tuple[str, ...] = ()
    meaning: Meaning | None = None
    entities: float | None = None


class FakeQuality:
    """Remembers what it was asked; texts it was told nothing of are all alike."""

    def __init__(self, known: Mapping[str, Quality] | None = None) -> None:
        self._known = known or {}
        self.asked: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        self.asked.append((tuple(texts), tuple(sources or ())))
        return tuple(self._known.get(text, Quality()) for text in texts)
