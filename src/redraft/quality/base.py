"""What a score of a text's quality is made of, and what gives one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from redraft.quality.grammar import GrammarFinding


@dataclass(frozen=True, slots=True)
class Meaning:
    """How near a text is to its source, and what the checks found changed, in plain words."""

    similarity: float
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """The scores of one text; those that compare it with a source are None where there is none.

    `grammar` is errors per 100 words, 0 is clean; `some` is SOME's judgement, from 0 to 1 (1 is good), where
    the provider has it.
    """

    perplexity: float
    likelihood: float | None
    grammar: float
    findings: tuple[GrammarFinding, ...]
    meaning: Meaning | None
    entities: float | None
    some: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data, for JSON, which knows no infinity."""
        return {
            "perplexity": _finite(self.perplexity),
            "likelihood": _finite(self.likelihood),
            "grammar": self.grammar,
            "findings": [
                {
                    "start": found.start,
                    "end": found.end,
                    "kind": found.kind,
                    "message": found.message,
                    "suggestions": list(found.suggestions),
                }
                for found in self.findings
            ],
            "meaning": None
            if self.meaning is None
            else {"similarity": self.meaning.similarity, "changes": list(self.meaning.changes)},
            "entities": self.entities,
            "some": self.some,
        }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


class QualityScorer(Protocol):
    """Gives scores that need no reference."""

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""
