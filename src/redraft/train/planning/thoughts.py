"""What a planner thinks, in few words: what the request asks for, and what of it is not met yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.constraints import (
    Constraint,
    Finding,
    Keyword,
    KeywordFrequency,
    SentenceCount,
    SentenceLength,
    SentenceModification,
    WordCount,
    wording,
)

_MOST: Final = 45
"""Words of a thought."""


def thought(
    constraints: Sequence[Constraint], findings: Sequence[Finding] | None = None, *, busy: bool = True
) -> str:
    """The thought before a plan; `findings` are those of the text, where the tools looked at it."""
    asked = "; ".join(_asked(one) for one in constraints) or "a better text, with no constraint"
    parts = [f"Wanted: {asked}."]
    if findings is not None:
        wrong = [finding.message.partition(";")[0] for finding in findings if not finding.met]
        if wrong:
            parts.append(f"Not met yet: {', '.join(wrong)}.")
        elif findings:
            parts.append("All of it is met.")
    parts.append("Mend what reads badly." if busy else "Nothing is left to do.")
    while len(" ".join(parts).split()) > _MOST and len(parts) > 1:
        parts.pop()
    return " ".join(parts)


def _asked(constraint: Constraint) -> str:
    match constraint:
        case WordCount(number, relation):
            return wording(number, relation, "word")
        case SentenceCount(number, relation):
            return wording(number, relation, "sentence")
        case SentenceLength(number, relation):
            return f"{wording(number, relation, 'word')} in every sentence"
        case Keyword(keyword, "keep"):
            return f"“{keyword}” kept"
        case Keyword(keyword):
            return f"no “{keyword}”"
        case KeywordFrequency(keyword, number, relation):
            return f"“{keyword}” {wording(number, relation, 'time')}"
        case SentenceModification(sentences, relation):
            named = f"sentence {', '.join(map(str, sentences))}"
            return f"{named} unchanged" if relation == "unchange" else f"only {named} changed"
    return constraint.call
