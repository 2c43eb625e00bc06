"""What a score of a text's quality is made of, and the scale on which scores can be added."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from redraft.quality.grammar import GrammarFinding


@dataclass(frozen=True, slots=True)
class MeaningChange:
    """Something that a revision says otherwise than its source; what came has no before, what went no after.

    The sentence for a reader is `str(change)`: programs look at the fields.
    """

    kind: Literal[
        "number", "name", "negation", "quantifier", "modal", "only", "opposite", "all",
        "role", "tense", "verb", "condition", "person",
    ]  # fmt: skip
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        before, after = self.before, self.after
        match self.kind:
            case "all":
                return "nothing is left"
            case "only":
                return f"{before!r} lost" if before else f"{after!r} added"
            case "role":
                return f"{after} is now in the place of {before}"
            case "person":
                return f"{_spoken(before)} became {_spoken(after)}"
            case "opposite" | "tense" | "verb":
                return f"{before} became {after}"
            case "quantifier" | "modal":
                return f"{self.kind} {before} became {after}"
        if before and after:
            return f"{self.kind} {before} is now {after}"
        return f"{self.kind} lost: {before}" if before else f"{self.kind} added: {after}"


def _spoken(person: str) -> str:
    return "I" if person == "i" else person


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


def read_quality(value: Mapping[str, Any] | None) -> Quality | None:
    """The scores that `to_dict` described; None where there were none."""
    if value is None:
        return None
    meaning, perplexity = value["meaning"], value["perplexity"]
    return Quality(
        math.inf if perplexity is None else perplexity,
        value["likelihood"],
        value["grammar"],
        tuple(
            GrammarFinding(**{**row, "suggestions": tuple(row["suggestions"])}) for row in value["findings"]
        ),
        None if meaning is None else Meaning(meaning["similarity"], tuple(meaning["changes"])),
        value["entities"],
        value["some"],
    )


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


class QualityScorer(Protocol):
    """Gives scores that need no reference."""

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        """One Quality a text, in order; with sources, also the scores that compare each with its own."""


class Judge(Protocol):
    """Says whether sentences are good English, and what became of one that was revised; from 0 to 1 each.

    It knows nothing but what it is given: who asks decides what is too low.
    """

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        """The probability that each sentence is good English."""

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """The probability that the second of each pair, a revision, says what the first says."""

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        """The probability that the second of each pair is the better text."""


LEAST_LIKELIHOOD: Final = -10.0
"""BART_min of Eq. 7."""

HALF_GRAMMAR: Final = 5.0
"""Errors per 100 words at which grammar without SOME is one half."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """Three scores, each from 0 to 1, where 1 is best."""

    fluency: float
    coherence: float
    grammar: float

    @property
    def mean(self) -> float:
        """R_g of the paper."""
        return (self.fluency + self.coherence + self.grammar) / 3


@dataclass(frozen=True, slots=True)
class Scale:
    """Measures revisions against their original; `source` is the original, scored with itself as source.

    By Eq. 6 the fluency of the original is 0, and only a revision that is less surprising has more. A text
    without words has 0 in all. Where no likelihood was computed, how like the original a text is stands for
    it. Scores beyond 0 and 1 are drawn in, but where `is_bounded` says not to: the paper's formulas give a
    text that is more surprising than the original less than 0.
    """

    source: Quality
    is_bounded: bool = True

    def __post_init__(self) -> None:
        self._coherence(self.source)

    def of(self, quality: Quality) -> Scaled:
        """The scores of a revision that was scored with the original as its source."""
        coherence = self._coherence(quality)
        if math.isinf(quality.perplexity):
            return Scaled(0.0, 0.0, 0.0)
        return Scaled(self._fluency(quality.perplexity), coherence, _grammar(quality))

    def _fluency(self, perplexity: float) -> float:
        """Eq. 6, with PPL_max 0 and PPL_min the original's."""
        return self._drawn_in(1 - perplexity / self.source.perplexity)

    def _coherence(self, quality: Quality) -> float:
        """Eq. 7, with BART_max the original's likelihood given itself."""
        if self.source.likelihood is None and quality.likelihood is None and quality.meaning is not None:
            return _clamped(quality.meaning.similarity)
        likelihood, most = _likelihood(quality), _likelihood(self.source)
        if most <= LEAST_LIKELIHOOD:
            return float(likelihood >= most)
        return self._drawn_in((likelihood - LEAST_LIKELIHOOD) / (most - LEAST_LIKELIHOOD))

    def _drawn_in(self, score: float) -> float:
        return _clamped(score) if self.is_bounded else score


def _grammar(quality: Quality) -> float:
    if quality.some is not None:
        return _clamped(quality.some)
    return 1 / (1 + quality.grammar / HALF_GRAMMAR)


def _likelihood(quality: Quality) -> float:
    if quality.likelihood is None:
        raise ValueError("a scale needs scores with sources: for the original, the original itself")
    return quality.likelihood


def _clamped(value: float) -> float:
    return min(max(value, 0.0), 1.0)
