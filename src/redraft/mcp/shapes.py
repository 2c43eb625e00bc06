"""What the tools answer: the shapes that `--json` prints, for assistants that read schemas."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """What is known of an answer; more may be added to it."""

    model_config = ConfigDict(extra="allow")


class ParsedConstraint(Shape):
    """A constraint that was read in an instruction."""

    call: str = Field(description="As `check` and `revise` take it among their calls.")
    kind: str
    says: str = Field(description="The constraint in English.")


class NotUnderstood(Shape):
    """Words that nothing acts on."""

    words: str
    nearest: str | None = Field(description="The nearest wording that is understood.")


class Understood(Shape):
    """An instruction as it is understood."""

    wishes: list[str] = Field(description="What is no constraint, and a model acts on; nobody checks it.")
    not_understood: list[NotUnderstood] = Field(description="What nothing acts on: say it in another way.")


class Parsed(Understood):
    """The constraints in an instruction, and the rest of it."""

    constraints: list[ParsedConstraint]


class Finding(Shape):
    """Whether one constraint is met."""

    call: str
    met: bool
    measured: Any
    wanted: str
    message: str
    spans: list[list[int]] = Field(description="The places that offend, as [start, end) in characters.")
    house: bool = Field(description="Whether the house style of the server asks for it.")


class Conflict(Shape):
    """Constraints that no text can meet together."""

    calls: list[str]
    reason: str


class Findings(Shape):
    """Whether a text meets constraints."""

    met: bool
    counting: str
    findings: list[Finding]
    infeasible: list[Conflict]


class Checked(Findings, Understood):
    """What `check` found."""


class Revised(Findings):
    """A revised text with the proof that it obeys."""

    text: str
    in_vain: bool = Field(description="Nothing of the instruction was understood: it was not done.")
    quality: dict[str, Any] = Field(description="Scores before and after.")
    changes: list[dict[str, Any]] = Field(description="Each passage before and after, and why it changed.")
    concerns: list[dict[str, Any]] = Field(description="What reads badly or was left out: look at it.")
    stopped: str
    usage: dict[str, Any]


class SimplifiedSentence(Shape):
    """A sentence of the source and what stands for it."""

    source: str
    simplified: str


class Simplified(Shape):
    """A simplified text, sentence by sentence."""

    text: str
    policy: str
    sentences: list[SimplifiedSentence]


class MetricScore(Shape):
    """A score and how it was computed."""

    score: float
    signature: str


class GrammarFinding(Shape):
    """A place where grammar or spelling is doubtful."""

    start: int
    end: int
    message: str
    suggestions: list[str]


class QualityScores(Shape):
    """How good a text is, and with an original, how near to it."""

    perplexity: float | None = Field(description="Lower is more fluent.")
    grammar: float = Field(description="Errors per 100 words.")
    findings: list[GrammarFinding]
    likelihood: float | None
    meaning: dict[str, Any] | None = Field(description="Likeness to the original, and claims that changed.")
    entities: float | None = Field(description="Share of the original's names, dates and numbers kept.")
