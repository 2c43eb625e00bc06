"""Which genre a text is of, and whether it is good enough to be a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from redraft.bench.c3e.building.asking import ROOM, settled
from redraft.bench.c3e.building.genres import Genre, rubric_of
from redraft.bench.c3e.reading import Language
from redraft.bench.results import Record
from redraft.errors import BadAnswer
from redraft.judge import Item, PointwiseJudge, wrap_in_tags
from redraft.models import Models

GOOD: Final = 4
"""Of five: a text below this is no reference (the RAVEL paper, §4.2)."""


class _Sorted(BaseModel):
    genre: Genre


@dataclass(frozen=True, slots=True)
class Sort:
    """The genre of a text."""

    text: str
    lang: Language

    async def do(self, models: Models) -> Record:
        """Ask for it."""
        said = await settled(
            models.for_role("model"),
            "genre",
            self.lang,
            wrap_in_tags("text", self.text),
            _Sorted,
            lambda _: None,
        )
        return {"genre": said.genre.value}


@dataclass(frozen=True, slots=True)
class Mark:
    """The marks of a text, by the rubric of its genre."""

    text: str
    genre: Genre

    async def do(self, models: Models) -> Record:
        """Have the judge mark it; what is not good enough is kept with its marks, to be counted."""
        judge = PointwiseJudge(models.for_role("judge"), rubric_of(self.genre), max_tokens=ROOM)
        said = await judge.judge(Item("text", self.text))
        if said.error is not None:
            raise BadAnswer(said.error, provider=said.judge)
        marks = dict(said.marks)
        dropped = f"below {GOOD} of 5" if int(marks["overall"]) < GOOD else None
        return {"marks": marks, "dropped": dropped}
