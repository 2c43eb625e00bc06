"""The reviewer: a critique and a score, and the length by measure."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field, field_validator

from redraft.composition.asking.answering import Unhurried, answered
from redraft.composition.asking.prompting import about, put
from redraft.composition.brief import Brief
from redraft.composition.lengths import within
from redraft.composition.state import Review, Section, State
from redraft.models import Model, json_values, read_answer

_ROOM: Final = 1500
_LONGEST_CRITIQUE: Final = 1500
"""Characters that a schema admits, so that a small model comes to an end; longer ones are read too."""


class _Audit(BaseModel):
    critique: str = Field(json_schema_extra={"maxLength": _LONGEST_CRITIQUE})
    score: float = Field(ge=1, le=10, allow_inf_nan=False)

    @field_validator("score", mode="before")
    @classmethod
    def _of_ten(cls, value: object) -> object:
        """`8.5/10` is 8.5."""
        return value.partition("/")[0].strip() if isinstance(value, str) else value


class ModelReviewer:
    """Reviews a section."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = Unhurried(model)
        self._seed = seed

    async def review(self, brief: Brief, state: State, section: Section) -> Review:
        """What is good and what is missing, with a score; a wrong length sends a section back."""
        content = state.manuscript[section.id].content
        asked = put(brief, "review", (*about(state, section), ("text", content)))
        found = await answered(
            self._model, asked, _Audit, max_tokens=_ROOM, seed=self._seed, temperature=0.0, read=_agreed
        )
        wrong = within(content, section, brief.language)
        critique = f"{found.critique.strip()}\n{wrong}".strip() if wrong else found.critique.strip()
        return Review(found.score, critique, passed=not wrong)


def _agreed(text: str, shape: type[_Audit]) -> _Audit:
    """The review in an answer. Two that differ are none: one may be quoted from the text under review."""
    found = read_answer(text, shape)
    given = [value for value in json_values(text) if isinstance(value, dict) and "score" in value]
    if any(value["score"] != given[0]["score"] for value in given):
        raise ValueError("it has several scores: give one JSON object")
    return found
