"""No sentence is said twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.counting import Reading
from redraft.text import Span


@dataclass(frozen=True)
class UniqueSentences(Constraint):
    """No sentence occurs a second time, whatever its case, white space and final punctuation."""

    name = "unique_sentences_check"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Find the repeats."""
        seen: dict[str, int] = {}
        repeats: list[tuple[int, int]] = []
        for index, sentence in enumerate(revised.sentences):
            key = said(sentence.text)
            if key and key in seen:
                repeats.append((seen[key], index))
            seen.setdefault(key, index)
        spans = tuple(Span(revised.sentences[i].start, revised.sentences[i].end) for _, i in repeats)
        message = "; ".join(f"sentence {b + 1} repeats sentence {a + 1}" for a, b in repeats[:3])
        message += f"; and {len(repeats) - 3} more" * (len(repeats) > 3)
        wanted = "no sentence twice"
        return Finding(self, not repeats, len(repeats), wanted, message or wanted, float(len(repeats)), spans)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        return [
            "Do not repeat any sentence.",
            "No sentence may occur twice.",
            "Say no sentence twice.",
            "Avoid repeating sentences.",
        ]


def said(text: str) -> str:
    """What a sentence says, whatever its case, white space and final punctuation; empty without words."""
    return " ".join(text.casefold().split()).rstrip(".!?…。！？ ")
