"""A quality scorer that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from redraft.quality import Meaning, Quality


def judged(
    perplexity: float = 10.0,
    likelihood: float | None = None,
    grammar: float = 0.0,
    meaning: Meaning | None = None,
) -> Quality:
    return Quality(perplexity, likelihood, grammar, (), meaning, None)


class FakeQuality:
    """Remembers what it was asked; texts it was told nothing of are all alike."""

    def __init__(self, known: Mapping[str, Quality] | None = None) -> None:
        self._known = known or {}
        self.asked: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        self.asked.append((tuple(texts), tuple(sources or ())))
        return tuple(self._known.get(text, judged()) for text in texts)
